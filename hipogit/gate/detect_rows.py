"""Which plugins of detect-secrets are asked, when, and which answers count.

A row names a plugin, a hint (a pattern that matches wherever the plugin could give an
answer we accept) and a check of the answer. Where the hint has a group, the group is
the answer itself and must pass the check too. Left out: public addresses (no secret),
Twilio account ids (an identifier), and entropy on its own (it is evidence, never a
reason). Written against version 1.5.0, which is pinned.
"""

from __future__ import annotations

import re

from . import plausible
from .lazy import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[str, int, int], bool]  # the window and the span in it

REACH = 80  # how far a credential word may stand from its value
BEHIND = 60  # the same for `"value" == password`

WORD = Lazy(
    r"(?:api|auth|service|account|db|database|priv|private|client)_?key|key_?pass"
    r"|(?:db|database)_?pass|password|passwd|pwd|secret|contrase(?:ñ|n)a",
    re.IGNORECASE,
)
# For quoted values of high entropy; wider than the plugin's own list.
CONTEXT = Lazy(
    r"(?:token|secret|passw|pwd|credential|auth|bearer|signing|private"
    r"|[_-]key|(?:api|access)[_ -]?key)[A-Za-z_]{0,20}"
    r"['\"`\]]{0,2}[ \t]{0,4}(?:=>|:=|[:=(])[ \t]{0,4}@?$",
    re.IGNORECASE,
)
# The quote that closes one value may open the next, hence the look-ahead.
QUOTED = Lazy(r"(['\"`])([^\s'\"`]{8,200}+)(?=\1)")


def _bounded(window: str, start: int, end: int) -> bool:
    """Nothing that could belong to a longer run of characters stands beside it."""
    around = window[max(0, start - 1) : start] + window[end : end + 1]
    return not any(c.isalnum() or c in "+/" for c in around)


def _real(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return not plausible.PLACEHOLDERS.search(value) and _bounded(window, start, end)


def _mixed(window: str, start: int, end: int) -> bool:
    return plausible.is_mixed(window[start:end]) and _real(window, start, end)


def _artifactory(window: str, start: int, end: int) -> bool:
    return end - start >= 12 and plausible.is_mixed(window[start + 3 : end])


def _aws(window: str, start: int, end: int) -> bool:
    if end - start == 20:
        return _real(window, start, end)
    value = window[start:end]
    return plausible.is_mixed(value) and not plausible.PLACEHOLDERS.search(value)


def _password(window: str, start: int, end: int) -> bool:
    return plausible.is_credential(window[start:end])


def _discord(window: str, start: int, end: int) -> bool:
    """The first part of a bot token is the bot's number in base64."""
    from base64 import urlsafe_b64decode

    head = window[start:end].split(".")[0]
    try:
        return urlsafe_b64decode(head + "=" * (-len(head) % 4)).isdigit()
    except ValueError:
        return False


def _iam(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return (
        plausible.is_mixed(value)
        and not plausible.is_plain(value)
        and not plausible.PLACEHOLDERS.search(value)
        and plausible.entropy(value) >= 4.2
    )


def _gitlab(window: str, start: int, end: int) -> bool:
    tail = window[start:end].split("-", 1)[-1]
    return (
        any(map(str.isdigit, tail))
        and any(map(str.isalpha, tail))
        and not plausible.is_plain(tail)
        and not plausible.PLACEHOLDERS.search(tail)
    )


def _jwt(window: str, start: int, end: int) -> bool:
    head = window[start:end].split(".")[0].rstrip("=")
    before = window[max(0, start - 1) : start]
    return (
        len(head) >= 11
        and "=" not in head
        and not (before.isalnum() or before in ("-", "_"))
    )


def _npm(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return plausible.is_mixed(value) or plausible.UUID.fullmatch(value) is not None


def _header(window: str, start: int, end: int) -> bool:
    """A key's first line, not a sentence about it."""
    if window[start:end].startswith("BEGIN"):
        return window[max(0, start - 5) : start] == "-----"
    return window[end : end + 1] == ":" and not window[:start].strip()


def _slack(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return (
        end - start >= 24
        and any(map(str.isdigit, value[-12:]))
        and not plausible.PLACEHOLDERS.search(value)
    )


def _stripe(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return any(map(str.isdigit, value)) and not plausible.PLACEHOLDERS.search(value)


def _telegram(window: str, start: int, end: int) -> bool:
    around = window[max(0, start - 1) : start] + window[end : end + 1]
    return plausible.is_mixed(window[start:end]) and not any(
        c.isalnum() or c in "-_" for c in around
    )


def _twilio(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    hexadecimal = not set(value[2:]) - set("0123456789abcdef")
    return value.startswith("SK") and hexadecimal and _real(window, start, end)


def quoted(window: str, start: int, end: int) -> bool:
    """A quoted value that a credential word on the same line speaks for."""
    value = window[start:end]
    if start == 0 or not QUOTED.match(window, start - 1):
        return False
    if not plausible.is_credential(value):
        return False
    before = window[max(0, start - REACH) : start - 1]
    words = [word.start() for word in WORD.finditer(before)]
    if words:
        return not plausible.HARMLESS_KEY.search(before, words[-1])
    after = WORD.search(window, end, end + BEHIND)
    return after is not None and not plausible.is_identifier(value)


def entropic(window: str, start: int, end: int) -> bool:
    """A quoted random value that is assigned to something called a token or a key."""
    value = window[start:end]
    if len(value) < 20 or start == 0 or not QUOTED.match(window, start - 1):
        return False
    if not plausible.is_credential(value) or plausible.is_identifier(value):
        return False
    before = window[max(0, start - REACH) : start - 1]
    name = CONTEXT.search(before)
    return name is not None and not plausible.HARMLESS_KEY.search(
        before, max(0, name.start() - 20)
    )


def lower(text: str) -> str:
    """Lower case, of the same length, in which a pattern that ignores case finds all
    it would find in the text: the long s is an s to it, the Kelvin sign a k."""
    if text.isascii():
        return text.lower()
    for letter, plain in (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s")):
        text = text.replace(letter, plain)
    return text.replace("\u212a", "k").lower()


class Row:
    """One plugin: when it is asked and which of its answers count."""

    __slots__ = (
        "check",
        "fold",
        "groups",
        "hint",
        "long",
        "name",
        "needs",
        "plugin",
        "rule",
    )

    def __init__(
        self,
        plugin: str,
        name: str,
        rule: str,
        hint: str,
        check: Check = _real,
        *,
        needs: str,
        groups: tuple[int, ...] = (0,),
        fold: bool = False,
    ) -> None:
        self.plugin = plugin  # the module and
        self.name = name  # the class in detect_secrets.plugins
        self.rule = rule
        self.hint = Lazy(hint)
        self.needs = tuple(needs.split())  # the hint matches only where one of these is
        self.check = check
        self.groups = groups  # of each of the plugin's patterns; the last one repeats
        self.fold = fold  # the hint is for the text in lower case
        # Their literals are in every text, their long runs of characters are not.
        self.long = needs in ("", ".", ":")


ROWS = (
    Row(
        "artifactory",
        "ArtifactoryDetector",
        "artifactory-token",
        r"A(?:KC|P[\dA-F])[a-zA-Z0-9]{9}",
        _artifactory,
        needs="AKC AP",
    ),
    Row(
        "aws",
        "AWSKeyDetector",
        "aws-access-key",
        r"A(?:3T[A-Z0-9]|BIA|CCA|KIA|SIA)[0-9A-Z]{16}",
        _aws,
        needs="A3T ABIA ACCA AKIA ASIA",
        groups=(0, 1),
    ),
    Row(
        "aws",
        "AWSKeyDetector",
        "aws-access-key",
        r"aws[^\n]{0,48}['\"][0-9a-z/+]{40}['\"]",
        _aws,
        needs="aws",
        groups=(0, 1),
        fold=True,
    ),
    Row(
        "azure_storage_key",
        "AzureStorageKeyDetector",
        "azure-storage-key",
        r"AccountKey=[a-zA-Z0-9+/=]{88}",
        needs="AccountKey=",
    ),
    Row(
        "basic_auth",
        "BasicAuthDetector",
        "url-credentials",
        r"://[^:/?#\[\]@!$&'()*+,;=\s]+:([^:/?#\[\]@!$&'()*+,;=\s]{8,})@",
        _password,
        needs="://",
        groups=(1,),
    ),
    Row(
        "cloudant",
        "CloudantDetector",
        "cloudant-key",
        r"cloudant",
        lambda w, s, e: "cloudant" in lower(w) and _real(w, s, e),
        needs="cloudant",
        groups=(1,),
        fold=True,
    ),
    Row(
        "discord",
        "DiscordBotTokenDetector",
        "discord-bot-token",
        r"\.[a-zA-Z\d_-]{6}\.[a-zA-Z\d_-]{27}",
        _discord,
        needs=".",
    ),
    Row(
        "github_token",
        "GitHubTokenDetector",
        "github-token",
        r"gh[pousr]_[A-Za-z0-9_]{36}",
        needs="ghp_ gho_ ghu_ ghs_ ghr_",
    ),
    Row(
        "gitlab_token",
        "GitLabTokenDetector",
        "gitlab-token",
        r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-[A-Za-z0-9_-]{20}",
        _gitlab,
        needs="glpat- gldt- glft- glsoat- glrt- glcbt- glimt- glptt- glagent- gloas-",
    ),
    Row(
        "gitlab_token",
        "GitLabTokenDetector",
        "gitlab-token",
        r"GR1348941[A-Za-z0-9_-]{20}",
        _gitlab,
        needs="GR1348941",
    ),
    Row(
        "ibm_cloud_iam",
        "IbmCloudIamDetector",
        "ibm-cloud-key",
        r"(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{44})(?![A-Za-z0-9_-])",
        _iam,
        needs="",
        groups=(1,),
    ),
    Row(
        "ibm_cos_hmac",
        "IbmCosHmacDetector",
        "ibm-cos-key",
        r"secret[-_]?(?:access)?[-_]?key[^a-f0-9\n]{1,70}[a-f0-9]{48}",
        _real,
        needs="secret",
        groups=(1,),
        fold=True,
    ),
    Row(
        "jwt",
        "JwtTokenDetector",
        "jwt",
        # Only where a run starts: a line of nothing but eyJ would cost its square.
        r"eyJ(?<![A-Za-z0-9_-]eyJ)[A-Za-z0-9_-]{8,}+={0,2}\.[A-Za-z0-9_=-]",
        _jwt,
        needs="eyJ",
    ),
    Row(
        "mailchimp",
        "MailchimpDetector",
        "mailchimp-key",
        r"-us[0-9](?<=[0-9a-z]{32}-us[0-9])",
        needs="-us",
    ),
    Row(
        "npm",
        "NpmDetector",
        "npm-token",
        r"/:_authToken=\s*(?:npm_.|[A-Fa-f0-9-]{36})",
        _npm,
        needs="/:_authToken=",
        groups=(1,),
    ),
    Row(
        "openai",
        "OpenAIDetector",
        "openai-key",
        r"T3BlbkFJ(?<=[A-Za-z0-9]{20}T3BlbkFJ)[A-Za-z0-9]{20}",
        needs="T3BlbkFJ",
    ),
    Row(
        "private_key",
        "PrivateKeyDetector",
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,2}PRIVATE KEY",
        _header,
        needs="-----BEGIN",
    ),
    Row(
        "private_key",
        "PrivateKeyDetector",
        "private-key",
        r"PuTTY-User-Key-File-2:",
        _header,
        needs="PuTTY-User-Key-File-2",
    ),
    Row(
        "pypi_token",
        "PypiTokenDetector",
        "pypi-token",
        r"pypi-AgE[A-Za-z0-9_-]{70}",
        needs="pypi-AgE",
    ),
    Row(
        "sendgrid",
        "SendGridDetector",
        "sendgrid-key",
        r"SG\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9_-]{43}",
        _mixed,
        needs="SG.",
    ),
    Row(
        "slack",
        "SlackDetector",
        "slack-token",
        r"xox[a-z]-\d",
        _slack,
        needs="xox",
        fold=True,
    ),
    Row(
        "slack",
        "SlackDetector",
        "slack-token",
        r"hooks\.slack\.com/services/t",
        _slack,
        needs="hooks.slack.com/services/t",
        fold=True,
    ),
    Row(
        "softlayer",
        "SoftlayerDetector",
        "softlayer-key",
        r"softlayer",
        lambda w, s, e: "softlayer" in lower(w) and _real(w, s, e),
        needs="softlayer",
        groups=(1,),
        fold=True,
    ),
    Row(
        "square_oauth",
        "SquareOAuthDetector",
        "square-secret",
        r"sq0csp-[0-9A-Za-z\\_-]{43}",
        needs="sq0csp-",
    ),
    Row(
        "stripe",
        "StripeDetector",
        "stripe-key",
        r"k_live_[0-9a-zA-Z]{24}",
        _stripe,
        needs="k_live_",
    ),
    Row(
        "telegram_token",
        "TelegramBotTokenDetector",
        "telegram-bot-token",
        r":[0-9A-Za-z_-]{35}(?<=\d{8}:[0-9A-Za-z_-]{35})",
        _telegram,
        needs=":",
    ),
    Row(
        "twilio",
        "TwilioKeyDetector",
        "twilio-key",
        r"SK[a-f0-9]{32}",
        _twilio,
        needs="SK",
    ),
)
