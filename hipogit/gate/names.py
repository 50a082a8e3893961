"""Names that stand for credentials: which they are, and what value each asks for."""

from __future__ import annotations

import re

from .lazy import Lazy

# By a stem that is searched for in lower case: all words that begin there.
_NAMES = {
    "pass": "pass(?:word|wd|phrase|code|wort)?",
    "pw": "pwd?",
    "secret": "secret",
    "token": "token",
    "key": "key",
    "auth": "auth(?:orization|entication)?",
    "cred": "cred(?:ential)?",
    "psk": "psk",
    "_pat": "_pat",
    "identified by": "identified by",
    "contrase": "contrase.a",
    "kennwort": "kennwort",
    "wachtwoord": "wachtwoord",
    "senha": "senha",
}
STEMS = tuple(_NAMES)
# No name goes on in lower case behind its word. A sweep that knows leaves out nearly
# all that random letters make.
SHAPES = {stem: f"(?i:{name}s?)[^a-z]" for stem, name in _NAMES.items()}
CORE = Lazy("_?(?:{})s?".format("|".join(name.lstrip("_") for name in _NAMES.values())))
LOWER = frozenset("abcdefghijklmnopqrstuvwxyz")
TAIL = Lazy(r"(?:[\w-]|\.(?=\w)){0,40}", re.ASCII)
WORDS = Lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# A name that goes on with one of these speaks about a credential.
_ABOUT_WORDS = (
    "id ids hash hashed hashes digest name names url uri path file filename files "
    "dir type types count counts length len size min max policy policies field "
    "fields label input form reset expires expiry expiration expire ttl age at "
    "time limit budget endpoint column class prefix suffix alias version "
    "algorithm algo alg rotation manager provider store cache regex pattern hint "
    "strength generator validator parser error errors message msg placeholder "
    "required enabled disabled ref refs reference arn list map index format usage "
    "uses used status state scope scopes stream bucket board word words ring up "
    "down press pad note point points frame frames change changed update updated "
    "title description text help visible show toggle confirm confirmation match "
    "matches check valid verify exists missing metadata schema model factory "
    "service handler helper util utils test tests spec source lifetime audience "
    "issuer callback header headers param params var variable env method mode "
    "mechanism order sort by of per selector signature fingerprint thumbprint "
    "protected owner user users usr email login page role group plugin module "
    "config settings option options agent socket sock "
)
_ABOUT = frozenset(_ABOUT_WORDS.split())
# Behind one of these the word `key` or `token` means something else.
_HEADS_WORDS = (
    "public pub resource primary foreign partition sort cache unique composite "
    "candidate object index idempotency row column page nextpage continuation "
    "pagination sync cursor sortkey max min num total prompt completion input "
    "output stop pad eos bos unk mask sep registry lookup hot i18n translation "
    "event dedup group s3 redis "
)
_HEADS = frozenset(_HEADS_WORDS.split())
# Tokens that page through a list or make a call repeatable open nothing.
_PASSING_WORDS = (
    "next client lock change starting request update export import resume design theme "
)
_PASSING = frozenset(_PASSING_WORDS.split())
# `key` behind one of these is a credential whatever its value looks like.
_STRONG_WORDS = (
    "api secret access private auth account signing encryption master hmac shared "
    "consumer subscription aes admin deploy app application service session jwt "
    "crypt cipher root client license sign signature webhook integration storage "
    "sas primaryaccess x server security appsecret fernet django flask rails salt "
    "pre-shared unseal recovery presharedkey wg function host ingest write live "
    "test encrypt decrypt data des ssh rsa user dev prod "
)
_STRONG = tuple(_STRONG_WORDS.split())
_CORE_WORDS = (
    "pass password passwd passphrase passcode pwd secret secrets token tokens key keys "
    "auth authorization cred credential credentials"
)
_CORES = frozenset(_CORE_WORDS.split())


def open_tail(tail: str) -> bool:
    """Whether what follows the word leaves it the name of a value."""
    words = [word.lower() for word in WORDS.findall(tail)]
    if len(words) > 3:
        return False
    # A later credential word in the same name speaks for it.
    return not any(word in _ABOUT or word in _CORES for word in words)


def kind_of(word: str, head: str, last: str, before: str, tail: str) -> str:
    """What sort of value the name asks for: password, secret, weak key, or none."""
    joined = head.replace("_", "").replace("-", "").replace(".", "").strip("$")
    if not joined and before.endswith((" ", "-", "_")):
        joined = before.rstrip(" -_").rpartition(" ")[2].strip("\"'`*([{")
        last = joined
    if last in _HEADS:
        return ""
    if word.startswith(
        ("pass", "pw", "psk", "identified", "senha", "kenn", "contra", "wacht")
    ):
        if word in ("pass", "passes", "passs") and head and head[-1] in LOWER:
            return (
                ""
                if head.endswith(("by", "com", "sur", "tres", "under", "over", "im"))
                else "password"
            )
        return "password"
    if word.startswith("key"):
        if joined.endswith(_STRONG) or tail.lower().startswith(("-data", "_data")):
            return "api-key"
        return "key"
    if word.startswith("auth") and tail:
        return ""
    if word.startswith("token") and last in _PASSING:
        return ""
    if word.startswith("auth") and head[-1:] in LOWER:
        return (
            ""
            if word == "auth" and not head.endswith(("http", "basic", "smtp"))
            else "token"
        )
    if word.startswith("secret"):
        return "secret"
    if word.startswith("cred"):
        return "credential" if not head[-1:].isalpha() else ""
    return "token"
