"""Chat, mail, telephony and social services."""

from __future__ import annotations

from ..checks import mixed, real
from .rule import Rule

_HEX = r"[a-f0-9]"
_END = r"(?![A-Za-z0-9])"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

RULES = (
    Rule(
        "slack-token",
        "slack",
        (
            "xoxb-",
            "xoxp-",
            "xoxa-",
            "xoxr-",
            "xoxs-",
            "xoxe-",
            "xoxe.",
            "xoxc-",
            "xoxd-",
            "xoxo-",
        ),
        r"xox(?:e\.xox[bp]-\d-[A-Za-z0-9]{50,200}|[bpaersoc]-[A-Za-z0-9-]{10,250}"
        r"|d-[A-Za-z0-9%+/=]{40,300})",
        real,
    ),
    Rule(
        "slack-app-token",
        "slack",
        ("xapp-",),
        r"xapp-\d-[A-Z0-9]{6,14}-\d{6,16}-[A-Za-z0-9]{20,80}",
        real,
    ),
    Rule(
        "slack-webhook",
        "slack",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/"
        r"(?P<s>[A-Za-z0-9]{8,14}/[A-Za-z0-9]{8,14}/[A-Za-z0-9/]{16,60})",
        real,
    ),
    Rule(
        "discord-webhook",
        "discord",
        ("/api/webhooks/",),
        r"/api/webhooks/\d{17,20}/(?P<s>[A-Za-z0-9_-]{60,72})",
        real,
    ),
    Rule(
        "telegram-bot-token",
        "telegram",
        (":AA", ":AE", ":AF", ":AH", ":AG"),
        r"[0-9]{8,10}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])",
        real,
        back=10,
    ),
    Rule(
        "teams-webhook",
        "teams",
        (".webhook.office.com/",),
        rf"\.webhook\.office\.com/webhookb2/(?P<s>{_UUID}@{_UUID}/IncomingWebhook/"
        rf"[A-Za-z0-9]{{32}}/{_UUID}(?:/[A-Za-z0-9_-]{{20,80}})?)",
        real,
    ),
    Rule(
        "twilio-key",
        "twilio",
        ("SK", "AC"),
        rf"(?:SK|AC){_HEX}{{32}}{_END}",
        real,
    ),
    Rule(
        "sendgrid-key",
        "sendgrid",
        ("SG.",),
        r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",
        real,
    ),
    Rule(
        "mailgun-key",
        "mailgun",
        ("key-", "pubkey-"),
        rf"(?:pub)?key-[a-z0-9]{{32}}{_END}",
        real,
    ),
    Rule(
        "mailchimp-key",
        "mailchimp",
        ("-us",),
        rf"{_HEX}{{32}}-us\d{{1,2}}{_END}",
        real,
        back=32,
    ),
    Rule(
        "resend-key",
        "resend",
        ("re_",),
        rf"re_[A-Za-z0-9]{{8}}_[A-Za-z0-9]{{24}}{_END}",
        mixed,
    ),
    Rule(
        "brevo-key",
        "brevo",
        ("xkeysib-", "xsmtpsib-"),
        rf"x(?:key|smtp)sib-{_HEX}{{64}}-[A-Za-z0-9]{{16}}{_END}",
        real,
    ),
    Rule(
        "facebook-token",
        "facebook",
        ("EAA",),
        rf"EAA[A-Z][A-Za-z0-9]{{80,400}}{_END}",
        mixed,
    ),
    Rule(
        "twitter-bearer-token",
        "twitter",
        ("AAAAAAAAAAAAAAAAAAAA",),
        r"A{20,25}(?P<s>[A-Za-z0-9%]{60,120})",
        mixed,
    ),
    Rule(
        "typeform-token",
        "typeform",
        ("tfp_",),
        r"tfp_[A-Za-z0-9_.=-]{40,80}",
        real,
    ),
)
