"""Ways in which a secret does not stand in one piece on one line."""

from __future__ import annotations

import base64
import json
import random
import textwrap
from collections.abc import Callable
from urllib.parse import quote

from tests.gate.values import draw, fill, pem

ESC = "\x1b"
Wrap = Callable[[random.Random], tuple[str, tuple[str, ...]]]
TOKENS = (
    "gh" + "p_{a36}",
    "sk-" + "ant-api03-{w93}AA",
    "xox" + "b-{n12}-{n13}-{a24}",
    "glp" + "at-{w20}",
    "SG" + ".{w22}.{w43}",
    "npm" + "_{a36}",
)


def token(rng: random.Random) -> str:
    return fill(rng.choice(TOKENS), rng)


def value(rng: random.Random) -> str:
    return draw("a", rng.choice([20, 24, 32, 40]), rng)


def halves(text: str, rng: random.Random) -> tuple[str, str]:
    at = rng.randrange(8, len(text) - 8)
    return text[:at], text[at:]


def between(sign: str) -> Wrap:
    def wrap(rng: random.Random) -> tuple[str, tuple[str, ...]]:
        first, second = halves(token(rng), rng)
        return f"the token is {first}{sign}{second} for now", (first, second)

    return wrap


def folded(lead: str, rest: str) -> Wrap:
    """A token cut at the end of a line, as mail and terminals do."""

    def wrap(rng: random.Random) -> tuple[str, tuple[str, ...]]:
        first, second = halves(token(rng), rng)
        filler = "we keep the deploy token in this note: "
        return f"{lead}{filler}{first}\n{rest}{second}", (first, second)

    return wrap


def ansi_around(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f"password: {ESC}[1;33m{secret}{ESC}[0m", (secret,)


def backslash(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f"```sh\nexport API_SECRET=\\\n    {secret}\n```", (secret,)


def backslash_inside(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    first, second = halves(token(rng), rng)
    return f'```sh\nTOKEN="{first}\\\n{second}"\n```', (first, second)


def yaml_literal(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f"```yaml\ndb:\n  password: |\n    {secret}\n  user: app\n```", (secret,)


def yaml_folded(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    first, second = halves(token(rng), rng)
    return f"```yaml\ntoken: >-\n  {first}\\\n  {second}\nuser: bot\n```", (first,)


def yaml_folded_key(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f"```yaml\nclient_secret: >-\n  {secret}\nscope: read\n```", (secret,)


def yaml_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    key = pem("RSA", rng)
    block = textwrap.indent(key, "      ")
    return f"```yaml\ntls:\n  key: |\n{block}\n```", tuple(key.split("\n"))


def json_two_lines(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f'{{\n  "api_key":\n    "{secret}",\n  "model": "large"\n}}', (secret,)


def json_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    key = pem("", rng)
    return json.dumps({"private_key": key + "\n"}), tuple(key.split("\n"))


def table(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f"| name | value |\n|---|---|\n| db password | {secret} |", (secret,)


def table_code(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f"| variable | value |\n|---|---|\n| `API_KEY` | `{secret}` |", (secret,)


def quoted_next_line(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f"> the vpn password:\n> {secret}\n> please delete this mail", (secret,)


def quoted_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    key = pem("EC", rng)
    return textwrap.indent(key, "> "), tuple(key.split("\n"))


def listed(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f"- admin password:\n  - {secret}\n- user: root", (secret,)


def diff(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    old, new = value(rng), value(rng)
    return (
        f"```diff\n--- a/c.yml\n+++ b/c.yml\n-  db_password: {old}\n"
        f"+  db_password:\n+    {new}\n```",
        (old, new),
    )


def diff_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    key = pem("OPENSSH", rng)
    return "```diff\n" + textwrap.indent(key, "+") + "\n```", tuple(key.split("\n"))


def heredoc(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = value(rng)
    return f"```sh\ncat > .env <<EOF\nDB_PASSWORD={secret}\nEOF\n```", (secret,)


def heredoc_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    key = pem("", rng)
    return f"```sh\ncat > key.pem <<'EOF'\n{key}\nEOF\n```", tuple(key.split("\n"))


def python_concat(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    first, second = halves(token(rng), rng)
    return f'```py\ntoken = (\n    "{first}"\n    "{second}"\n)\n```', (first, second)


def plus_concat(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    first, second = halves(token(rng), rng)
    return f'```js\nconst t = "{first}" +\n  "{second}";\n```', (first, second)


def dot_concat(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    first, second = halves(token(rng), rng)
    return f"```php\n$t = '{first}'\n  . '{second}';\n```", (first, second)


def url_encoded(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = draw("p", 10, rng) + "@!%" + draw("a", 8, rng)
    shown = quote(secret, safe="")
    return f"postgres://app:{shown}@db.acme.invalid/shop", (shown,)


def url_encoded_token(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    shown = token(rng).replace("_", "%5F").replace("-", "%2D").replace(".", "%2E")
    return f"https://ci.acme.invalid/cb?state=1&token={shown}&x=2", (shown,)


def base64_file(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    inside = f"user: app\npassword: {value(rng)}\nhost: db.acme.invalid\n"
    shown = base64.b64encode(inside.encode()).decode()
    return f"the secret in the manifest: {shown}", (shown,)


def base64_lines(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    inside = f"[default]\ntoken = {token(rng)}\nregion = eu-west-1\n" * 2
    lines = textwrap.wrap(base64.b64encode(inside.encode()).decode(), 64)
    return "```\n" + "\n".join(lines) + "\n```", tuple(lines)


def base64_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    shown = base64.b64encode(pem("RSA", rng).encode()).decode()
    return f"DEPLOY_KEY_B64={shown}", (shown,)


def headless_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    lines = pem("RSA", rng).split("\n")[1:]
    return "\n".join(lines), tuple(lines)


def tailless_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    lines = pem("", rng).split("\n")[:-3]
    return "\n".join(lines) + "\n\nthe log ends here", tuple(lines)


def crlf_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    key = pem("EC", rng)
    return key.replace("\n", "\r\n"), tuple(key.split("\n"))


def one_line_pem(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    key = pem("RSA", rng)
    return 'SSH_KEY="' + key.replace("\n", "\\n") + '"', tuple(key.split("\n"))


def every_copy(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    secret = token(rng)
    return f"{secret}\n\nagain {secret}, and `{secret}`", (secret,)


def beside_another(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    one, two = token(rng), value(rng)
    return f"{one} password={two} {one}", (one, two)


WRAPS: dict[str, Wrap] = {
    "ansi inside": between(f"{ESC}[31m"),
    "ansi around": ansi_around,
    "zero width space": between("\u200b"),
    "word joiner": between("\u2060"),
    "bidi override": between("\u202e"),
    "byte order mark": between("\ufeff"),
    "tag character": between("\U000e0041"),
    "soft wrapped": folded("", ""),
    "soft wrapped in a list": folded("- ", "  "),
    "soft wrapped in a quote": folded("> ", "> "),
    "soft wrapped in a comment": folded("# ", "# "),
    "backslash newline": backslash,
    "backslash newline inside": backslash_inside,
    "yaml literal": yaml_literal,
    "yaml folded": yaml_folded,
    "yaml folded key": yaml_folded_key,
    "yaml pem": yaml_pem,
    "json on two lines": json_two_lines,
    "json pem": json_pem,
    "table": table,
    "table with code": table_code,
    "quoted next line": quoted_next_line,
    "quoted pem": quoted_pem,
    "list below its name": listed,
    "diff": diff,
    "diff pem": diff_pem,
    "heredoc": heredoc,
    "heredoc pem": heredoc_pem,
    "python concatenation": python_concat,
    "plus concatenation": plus_concat,
    "dot concatenation": dot_concat,
    "url encoded": url_encoded,
    "url encoded token": url_encoded_token,
    "base64 of a file": base64_file,
    "base64 over lines": base64_lines,
    "base64 pem": base64_pem,
    "pem without its head": headless_pem,
    "pem without its tail": tailless_pem,
    "pem with crlf": crlf_pem,
    "pem on one line": one_line_pem,
    "every copy": every_copy,
    "beside another": beside_another,
}
