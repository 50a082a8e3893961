"""A two-sided corpus for the gate: what must go, and what must stay.

Everything in it is invented when it is asked for, from a seed. The shapes of tokens
are public facts of their makers (prefix, alphabet, length), written down here without a
look at the gate's own rules. A template marks the secret with «»; its parts are those
of `tests/gate/values.py`, and a few composed ones are made below.
"""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.gate.values import draw, fill, pem

HERE = Path(__file__).parent
EACH = 4  # cases a template


class Case(NamedTuple):
    """A text, the pieces of secret in it (none for what must stay), and its family."""

    family: str
    text: str
    secrets: tuple[str, ...] = ()


LOGS = (
    "## Deploy [project]\n- request: the pipeline\n- note: {}\n- outcome: done\n",
    "# 2026-11-29\n\nThe configuration says:\n\n```\n{}\n```\n\nNothing else.\n",
    "### Findings\n\n{}\n\nThe rest is as before.\n",
    "- decisions: keep it\n- the file said:\n\n      {}\n\n- next: tell the team\n",
    "> {}\n\nThat was in the mail.\n",
    "| what | value |\n|---|---|\n| found | {} |\n\nAs listed.\n",
)


def positives(each: int = EACH, seed: int = 20261129) -> Iterator[Case]:
    """Every template of every family, each a few times, inside a small log."""
    for number, line in enumerate(_lines("families.txt")):
        family, template = line.split(" | ", 1)
        for turn in range(each):
            rng = random.Random(seed + number * 1000 + turn)
            text = composed(template, rng)
            # A block does not fit into a table or behind a quotation mark.
            logs = LOGS[1:3] if "\n" in text else LOGS
            log = logs[(number + turn) % len(logs)]
            secrets = tuple(re.findall("«(.*?)»", text, re.DOTALL))
            bare = re.sub("[«»]", "", text)
            pieces = tuple(part for value in secrets for part in value.split("\n"))
            yield Case(family, log.replace("{}", bare), _long(pieces))


def negatives(each: int = EACH, seed: int = 20261129) -> Iterator[Case]:
    """Lines that look like secrets and are none."""
    for number, line in enumerate(_lines("negatives.txt")):
        for turn in range(each):
            rng = random.Random(seed + number * 1000 + turn)
            log = LOGS[(number + turn) % len(LOGS)]
            yield Case("negative", log.replace("{}", fill(line, rng)))


WORDS = {
    "thing": "gateway,billing service,worker,mobile app,importer,search,the CLI,proxy",
    "slug": "rate-limits,checkout,orders,tenants,search-index,mail-queue,audit",
    "slug2": "invoices,shipping,users,feature-flags,exports",
    "file": "api/limits.py,src/auth/session.ts,config/settings.yaml,cmd/serve/main.go",
    "ident": "refreshToken,getSecretName,password_hash_rounds,apiKeyHeader,authState",
    "ident2": "renewToken,secretName,hash_rounds,apiKeyName,authPhase",
    "who": "Mina,the reviewer,ops,the user,legal",
    "why": "bursts are legitimate,retries hid the fault,less is more,nobody read it",
    "pkg": "fastapi,react-query,tokio,jsonwebtoken,cryptography",
    "n": "12,30,45,64,90",
    "m": "2,3,5,7",
}


def prose(each: int = 6, seed: int = 20261129) -> Iterator[Case]:
    """What developers and agents write about keys, tokens and passwords all day."""
    for number, line in enumerate(_lines("prose.txt")):
        for turn in range(each):
            rng = random.Random(seed + number * 1000 + turn)
            text = line
            for word, choices in WORDS.items():
                while "{" + word + "}" in text:
                    choice = rng.choice(choices.split(","))
                    text = text.replace("{" + word + "}", choice, 1)
            yield Case("prose", text + "\n")


def wrapped(each: int = 6, seed: int = 20261129) -> Iterator[Case]:
    """Secrets over several lines or between other characters, and what must go."""
    from .wraps import WRAPS

    for name, wrap in WRAPS.items():
        for turn in range(each):
            rng = random.Random(seed + zlib.crc32(name.encode()) % 9973 + turn)
            text, secrets = wrap(rng)
            log = "## Log [project]\n\n{}\n\n- next: nothing\n"
            yield Case(name, log.replace("{}", text), _long(secrets))


def composed(template: str, rng: random.Random) -> str:
    """A template with its composed parts made and its drawn parts filled."""
    for name, make in _MADE.items():
        while "{" + name + "}" in template:
            template = template.replace("{" + name + "}", make(rng), 1)
    found = re.search(r"\{PEM:([A-Z]*)\}", template)
    if found:
        template = template.replace(found[0], f"«{pem(found[1], rng)}»")
    return fill(template, rng)


def _jwt(rng: random.Random) -> str:
    def part(values: dict[str, object]) -> str:
        raw = json.dumps(values, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    head = part({"alg": rng.choice(["HS256", "RS256"]), "typ": "JWT"})
    body = part({"sub": draw("n", 9, rng), "exp": 1795000000, "scope": "read"})
    return f"{head}.{body}.{draw('w', 43, rng)}"


def _basic(rng: random.Random) -> str:
    return base64.b64encode(f"deploy:{draw('a', 20, rng)}".encode()).decode()


def _discord(rng: random.Random) -> str:
    number = base64.b64encode(("1" + draw("n", 17, rng)).encode()).decode()
    return f"{number}.{draw('a', 6, rng)}.{draw('w', 38, rng)}"


def _ppk(rng: random.Random) -> str:
    lines = "\n".join(draw("b", 64, rng) for _ in range(3))
    return (
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: dev\n"
        f"Private-Lines: 3\n«{lines}»\nPrivate-MAC: {draw('h', 64, rng)}"
    )


def _pgp(rng: random.Random) -> str:
    lines = "\n".join(draw("b", 64, rng) for _ in range(5))
    name = "PGP PRIVATE KEY BLOCK"
    return f"-----BEGIN {name}-----\n\n«{lines}»\n=aB3d\n-----END {name}-----"


_MADE = {
    "JWT": _jwt,
    "BASIC": _basic,
    "DISCORD": _discord,
    "PPK": _ppk,
    "PGP": _pgp,
}


def _long(pieces: tuple[str, ...]) -> tuple[str, ...]:
    """Header lines tell nothing; any other piece counts if one could recognise it."""
    return tuple(p for p in pieces if len(p) >= 6 and not p.startswith("-----"))


def _lines(name: str) -> list[str]:
    text = (HERE / name).read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line.strip()]
