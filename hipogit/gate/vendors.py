"""Credentials without a form of their own, known by the vendor named beside them."""

from __future__ import annotations

import re

from .checks import entropy, has_digit, real
from .lazy import Lazy

_HEX = r"[a-f0-9]"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

# (words in the name or just before it, shape of the value, rule)
_TABLE = (
    (
        ("secret_access_key", "secretaccesskey", "aws"),
        r"[A-Za-z0-9/+]{40}",
        "aws-secret-key",
    ),
    (("aws_session", "aws"), r"[A-Za-z0-9/+]{100,2000}={0,2}", "aws-session-token"),
    (("accountkey", "azure", "storage"), r"[A-Za-z0-9/+]{86}==", "azure-storage-key"),
    (("azure", "devops", "vsts"), r"[a-z2-7]{52}", "azure-devops-token"),
    (
        ("sharedaccesskey", "azure", "servicebus", "eventhub", "cosmos"),
        r"[A-Za-z0-9/+]{40,90}={0,2}",
        "azure-shared-key",
    ),
    (
        ("azure", "openai", "cognitive", "ocp-apim"),
        r"[a-f0-9]{32}|[A-Za-z0-9]{84}",
        "azure-api-key",
    ),
    (
        ("cloudflare", "cf_", "cf-"),
        rf"{_HEX}{{37}}|[A-Za-z0-9_-]{{40}}",
        "cloudflare-api-token",
    ),
    (("heroku",), _UUID, "heroku-api-key"),
    (("fly_", "flyio", "fly.io"), r"[A-Za-z0-9_-]{43}", "flyio-token"),
    (("vercel", "now_"), r"[A-Za-z0-9]{24}", "vercel-token"),
    (("netlify",), r"[A-Za-z0-9_-]{40,46}", "netlify-token"),
    (
        ("railway", "snyk", "postmark", "exa", "vonage", "supabase"),
        _UUID,
        "vendor-api-key",
    ),
    (
        ("vault",),
        r"s\.[A-Za-z0-9]{24}|[A-Za-z0-9+/]{43}=|[a-f0-9]{64,66}",
        "vault-token",
    ),
    (("github", "gh_"), rf"{_HEX}{{40}}", "github-token"),
    (("gitlab",), r"[A-Za-z0-9_-]{20}", "gitlab-token"),
    (("bitbucket",), r"[A-Za-z0-9_=-]{18,64}", "bitbucket-token"),
    (("atlassian", "jira", "confluence"), r"[A-Za-z0-9]{24}", "atlassian-token"),
    (("cohere", "co_api"), r"[A-Za-z0-9]{40}", "cohere-key"),
    (
        (
            "mistral",
            "deepseek",
            "assembly",
            "ai21",
            "deepgram",
            "anyscale",
            "replicate",
        ),
        r"[A-Za-z0-9]{32,40}",
        "vendor-api-key",
    ),
    (("wandb",), rf"{_HEX}{{40}}", "wandb-key"),
    (("datadog", "dd_", "dd-"), rf"{_HEX}{{32}}|{_HEX}{{40}}", "datadog-key"),
    (("grafana",), r"eyJ[A-Za-z0-9+/=_-]{40,}", "grafana-token"),
    (("sentry",), rf"{_HEX}{{32}}|{_HEX}{{64}}", "sentry-token"),
    (("twilio",), rf"{_HEX}{{32}}", "twilio-key"),
    (
        ("mailgun",),
        rf"{_HEX}{{32}}-{_HEX}{{8}}-{_HEX}{{8}}|{_HEX}{{32}}",
        "mailgun-key",
    ),
    (("discord",), r"[A-Za-z0-9_-]{32}", "discord-client-secret"),
    (("okta",), r"00[A-Za-z0-9_-]{40}", "okta-token"),
    (
        (
            "algolia",
            "fastly",
            "linode",
            "vultr",
            "circle",
            "travis",
            "codecov",
            "sonar",
            "jenkins",
            "artifactory",
            "pagerduty",
            "rollbar",
            "amplitude",
            "mixpanel",
            "segment",
            "zendesk",
            "intercom",
            "asana",
            "trello",
            "dropbox",
            "spotify",
            "twitch",
            "facebook",
            "twitter",
            "linkedin",
            "coinbase",
            "kraken",
            "binance",
            "etsy",
            "kucoin",
            "bittrex",
            "finnhub",
            "openweather",
            "newsapi",
            "mapquest",
            "maxmind",
            "shodan",
            "virustotal",
            "nuget",
            "docker",
            "npm",
        ),
        r"[A-Za-z0-9_-]{20,64}",
        "vendor-api-key",
    ),
)
_ANY = Lazy("|".join(re.escape(word) for words, _, _ in _TABLE for word in words))
_SHAPES: dict[str, re.Pattern[str]] = {}
_NEAR = 48


def vendor(low: str, head_at: int, value: str) -> str:
    """The rule of the vendor named in or just before a name, if the value has its
    form; else nothing."""
    size = len(value)
    if size < 18 or size > 2100:
        return ""
    context = low[max(0, head_at - _NEAR) : head_at + 64].rpartition(value.lower())[0]
    context = context or low[max(0, head_at - _NEAR) : head_at + 40]
    if not _ANY.search(context):
        return ""
    for words, shape, rule in _TABLE:
        if any(word in context for word in words):
            pattern = _SHAPES.get(shape)
            if pattern is None:
                pattern = _SHAPES[shape] = re.compile(shape)
            if (
                pattern.fullmatch(value)
                and real(value)
                and has_digit(value)
                and entropy(value) > 2.5
            ):
                return rule
    return ""
