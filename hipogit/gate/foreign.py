"""Names of credentials in other scripts than ASCII."""

from __future__ import annotations

from .lazy import Lazy
from .views import every

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = (
    "비밀번호",
    "암호",
    "패스워드",
    "パスワード",
    "暗証番号",
    "密码",
    "密碼",
    "口令",
    "пароль",
    "парол",
    "токен",
    "토큰",
    "トークン",
    "令牌",
    "密钥",
    "密鑰",
    "סיסמה",
)
_ANY = Lazy("|".join(_WORDS))


def named(text: str, flat: str) -> Iterator[int]:
    """Where names in other scripts end."""
    if text.isascii():
        return
    if flat.count("??") * 50 > len(flat):
        for word in _WORDS:
            yield from (at + len(word) for at in every(text, word))
        return
    # Looking everywhere for each of them costs more than all else in a text with a few
    # signs outside ASCII.
    at = flat.find("??")
    while at >= 0:
        end = at + 2
        while flat.startswith("?", end):
            end += 1
        yield from (match.end() for match in _ANY.finditer(text, at, end))
        at = flat.find("??", end)
