"""Which plugins of detect-secrets are asked, when, and which answers count.

A row names a plugin, a hint (a pattern that matches wherever the plugin could give an
answer we accept) and a check of the answer. Where the hint has a group, the group is
the answer itself and must pass the check too. Left out: public addresses (no secret),
Twilio account ids (an identifier), and entropy on its own (it is evidence, never a
reason). Written against version 1.5.0, which is pinned.
"""

from __future__ import annotations

from .detect_checks import (
    artifactory,
    aws,
    discord,
    gitlab,
    header,
    iam,
    jwt,
    lower,
    mixed,
    npm,
    password,
    real,
    slack,
    stripe,
    telegram,
    twilio,
)
from .lazy import Lazy
from .shapes import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[str, int, int], bool]  # the window and the span in it


class Row:
    """One plugin: when it is asked and which of its answers count."""

    __slots__ = (
        "answers",
        "check",
        "fold",
        "groups",
        "hint",
        "long",
        "name",
        "needs",
        "plugin",
        "rule",
        "shape",
    )

    def __init__(
        self,
        plugin: str,
        name: str,
        rule: str,
        hint: str,
        check: Check = real,
        *,
        needs: str,
        groups: tuple[int, ...] = (0,),
        fold: bool = False,
        shape: str = "",
        answers: bool = False,
    ) -> None:
        self.plugin = plugin  # the module and
        self.name = name  # the class in detect_secrets.plugins
        self.rule = rule
        self.hint = Lazy(hint)
        self.answers = answers  # the hint's group is the answer itself
        self.needs = tuple(needs.split())  # the hint matches only where one of these is
        self.check = check
        self.groups = groups  # of each of the plugin's patterns; the last one repeats
        self.fold = fold  # the hint is for the text in lower case
        # The hint for a sweep, which sees a `?` for all that is not ASCII: at least all
        # that the hint matches.
        self.shape = Shape(shape or hint, fold=fold)
        # Their literals are in every text, their long runs of characters are not.
        self.long = needs in ("", ".", ":")


ROWS = (
    Row(
        "artifactory",
        "ArtifactoryDetector",
        "artifactory-token",
        r"A(?:KC|P[\dA-F])[a-zA-Z0-9]{9}",
        artifactory,
        needs="AKC AP",
        shape=r"(?:^|[\s=:?\"])A(?:KC[a-zA-Z0-9]{10}|P[\dA-F?][a-zA-Z0-9]{8})",
    ),
    Row(
        "aws",
        "AWSKeyDetector",
        "aws-access-key",
        r"A(?:3T[A-Z0-9]|BIA|CCA|KIA|SIA)[0-9A-Z]{16}",
        aws,
        needs="A3T ABIA ACCA AKIA ASIA",
        groups=(0, 1),
    ),
    Row(
        "aws",
        "AWSKeyDetector",
        "aws-access-key",
        r"aws[^\n]{0,48}['\"][0-9a-z/+]{40}['\"]",
        aws,
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
        password,
        needs="://",
        answers=True,
        groups=(1,),
        shape=r"://[^:/#\[\]@!$&'()*+,;=\s]+:[^:/#\[\]@!$&'()*+,;=\s]{8,}@",
    ),
    Row(
        "cloudant",
        "CloudantDetector",
        "cloudant-key",
        r"cloudant",
        lambda w, s, e: "cloudant" in lower(w) and real(w, s, e),
        needs="cloudant",
        groups=(1,),
        fold=True,
    ),
    Row(
        "discord",
        "DiscordBotTokenDetector",
        "discord-bot-token",
        r"\.[a-zA-Z\d_-]{6}\.[a-zA-Z\d_-]{27}",
        discord,
        needs=".",
        shape=r"\.[a-zA-Z\d_?-]{6}\.[a-zA-Z\d_?-]{27}",
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
        gitlab,
        needs="glpat- gldt- glft- glsoat- glrt- glcbt- glimt- glptt- glagent- gloas-",
    ),
    Row(
        "gitlab_token",
        "GitLabTokenDetector",
        "gitlab-token",
        r"GR1348941[A-Za-z0-9_-]{20}",
        gitlab,
        needs="GR1348941",
    ),
    Row(
        "ibm_cloud_iam",
        "IbmCloudIamDetector",
        "ibm-cloud-key",
        r"(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{44})(?![A-Za-z0-9_-])",
        iam,
        needs="",
        answers=True,
        groups=(1,),
        shape=r"(?i:key|pwd|password|pass|token)[\"']?\]? *(?:=|:|:=|=>| +|::) *[\"']?"
        r"[A-Za-z0-9_-]{44}(?:[^A-Za-z0-9_-]|$)",
    ),
    Row(
        "ibm_cos_hmac",
        "IbmCosHmacDetector",
        "ibm-cos-key",
        r"secret[-_]?(?:access)?[-_]?key[^a-f0-9\n]{1,70}[a-f0-9]{48}",
        real,
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
        jwt,
        needs="eyJ",
        shape=r"eyJ[A-Za-z0-9_-]{8,}={0,2}\.[A-Za-z0-9_=-]",
    ),
    Row(
        "mailchimp",
        "MailchimpDetector",
        "mailchimp-key",
        r"-us[0-9](?<=[0-9a-z]{32}-us[0-9])",
        needs="-us",
        shape="[0-9a-z]{32}-us[0-9]",
    ),
    Row(
        "npm",
        "NpmDetector",
        "npm-token",
        r"/:_authToken=\s*(?:npm_.|[A-Fa-f0-9-]{36})",
        npm,
        needs="/:_authToken=",
        groups=(1,),
        shape=r"/:_authToken=[\s?]*(?:npm_.|[A-Fa-f0-9-]{36})",
    ),
    Row(
        "openai",
        "OpenAIDetector",
        "openai-key",
        r"T3BlbkFJ(?<=[A-Za-z0-9]{20}T3BlbkFJ)[A-Za-z0-9]{20}",
        needs="T3BlbkFJ",
        shape="T3BlbkFJ[A-Za-z0-9]{20}",
    ),
    Row(
        "private_key",
        "PrivateKeyDetector",
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,2}PRIVATE KEY",
        header,
        needs="-----BEGIN",
    ),
    Row(
        "private_key",
        "PrivateKeyDetector",
        "private-key",
        r"PuTTY-User-Key-File-2:",
        header,
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
        mixed,
        needs="SG.",
    ),
    Row(
        "slack",
        "SlackDetector",
        "slack-token",
        r"xox[a-z]-\d",
        slack,
        needs="xox",
        fold=True,
        shape=r"xox[a-z]-[\d?]",
    ),
    Row(
        "slack",
        "SlackDetector",
        "slack-token",
        r"hooks\.slack\.com/services/t",
        slack,
        needs="hooks.slack.com/services/t",
        fold=True,
    ),
    Row(
        "softlayer",
        "SoftlayerDetector",
        "softlayer-key",
        r"softlayer",
        lambda w, s, e: "softlayer" in lower(w) and real(w, s, e),
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
        stripe,
        needs="k_live_",
    ),
    Row(
        "telegram_token",
        "TelegramBotTokenDetector",
        "telegram-bot-token",
        r":[0-9A-Za-z_-]{35}(?<=\d{8}:[0-9A-Za-z_-]{35})",
        telegram,
        needs=":",
        shape=r"[\d?]{8}:[0-9A-Za-z_-]{35}",
    ),
    Row(
        "twilio",
        "TwilioKeyDetector",
        "twilio-key",
        r"SK[a-f0-9]{32}",
        twilio,
        needs="SK",
    ),
)
