"""Payments, observability, identity and password services."""

from __future__ import annotations

from ..checks import mixed, real
from .rule import Rule

_HEX = r"[a-f0-9]"
_END = r"(?![A-Za-z0-9])"
_END_ = r"(?![A-Za-z0-9_-])"

RULES = (
    Rule(
        "stripe-key",
        "stripe",
        (
            "sk_live_",
            "sk_test_",
            "sk_prod_",
            "rk_live_",
            "rk_test_",
            "rk_prod_",
            "pk_live_",
            "sk_org_",
        ),
        rf"(?:[sr]k_(?:live|test|prod|org)|pk_live)_(?:(?:live|test)_)?[A-Za-z0-9]{{10,120}}{_END}",
        real,
    ),
    Rule(
        "stripe-webhook-secret",
        "stripe",
        ("whsec_",),
        r"whsec_[A-Za-z0-9+/]{24,64}={0,2}",
        real,
    ),
    Rule(
        "square-token",
        "square",
        ("sq0atp-", "sq0csp-", "sq0idp-", "EAAA"),
        rf"(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{{22,43}}|EAAA[A-Za-z0-9_-]{{60}}){_END_}",
        real,
    ),
    Rule(
        "paypal-token",
        "paypal",
        ("access_token$",),
        rf"access_token\$(?:production|sandbox)\$[a-z0-9]{{16}}\${_HEX}{{32}}{_END}",
        real,
    ),
    Rule(
        "shopify-token",
        "shopify",
        ("shpat_", "shpca_", "shppa_", "shpss_", "shptka_"),
        rf"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{{32}}{_END}",
        real,
    ),
    Rule(
        "razorpay-key",
        "razorpay",
        ("rzp_live_", "rzp_test_"),
        rf"rzp_(?:live|test)_[A-Za-z0-9]{{14,24}}{_END}",
        real,
    ),
    Rule(
        "plaid-token",
        "plaid",
        ("access-sandbox-", "access-development-", "access-production-"),
        rf"access-(?:sandbox|development|production)-{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}"
        rf"-{_HEX}{{12}}{_END}",
        real,
    ),
    Rule(
        "flutterwave-key",
        "flutterwave",
        ("FLWSECK",),
        r"FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,40}(?:-X)?",
        real,
    ),
    Rule(
        "lob-key",
        "lob",
        ("live_", "test_"),
        rf"(?:live|test)_{_HEX}{{35}}{_END}",
        real,
    ),
    Rule(
        "easypost-key",
        "easypost",
        ("EZAK", "EZTK"),
        rf"EZ[AT]K[a-zA-Z0-9]{{54}}{_END}",
        real,
    ),
    Rule(
        "duffel-token",
        "duffel",
        ("duffel_",),
        r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}",
        real,
    ),
    Rule(
        "sentry-token",
        "sentry",
        ("sntrys_", "sntryu_", "sntrya_", "sntryi_"),
        r"sntry(?:s_eyJ[A-Za-z0-9+/=_-]{60,500}|[uai]_[a-f0-9]{64})",
        real,
    ),
    Rule(
        "datadog-key",
        "datadog",
        ("ddapp_", "ddp_", "pub"),
        rf"(?:ddapp_[A-Za-z0-9]{{34,40}}|ddp_[A-Za-z0-9]{{36}}){_END}",
        real,
    ),
    Rule(
        "grafana-token",
        "grafana",
        ("glc_", "glsa_", "eyJrIjoi"),
        r"(?:glc_[A-Za-z0-9+/]{32,400}={0,3}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"
        r"|eyJrIjoi[A-Za-z0-9+/]{60,400}={0,3})",
        mixed,
    ),
    Rule(
        "newrelic-key",
        "newrelic",
        ("NRAK-", "NRII-", "NRJS-", "NRIQ-", "NRRA-"),
        rf"NR(?:AK|II|JS|IQ|RA)-[A-Za-z0-9_-]{{19,50}}{_END}",
        real,
    ),
    Rule(
        "newrelic-ingest-key",
        "newrelic",
        ("NRAL",),
        rf"{_HEX}{{36}}NRAL{_END}",
        real,
        back=36,
    ),
    Rule(
        "dynatrace-token",
        "dynatrace",
        ("dt0",),
        rf"dt0[a-z]\d\d\.[A-Z0-9]{{24}}\.[A-Z0-9]{{64}}{_END}",
        real,
    ),
    Rule(
        "honeycomb-key",
        "honeycomb",
        ("hcaik_", "hcamk_", "hcxik_"),
        rf"hc[ax][im]k_[a-z0-9]{{58}}{_END}",
        real,
    ),
    Rule(
        "posthog-key",
        "posthog",
        ("phx_", "phs_"),
        rf"ph[xs]_[A-Za-z0-9]{{40,60}}{_END}",
        real,
    ),
    Rule(
        "1password-token",
        "1password",
        ("ops_eyJ",),
        r"ops_eyJ[A-Za-z0-9+/_-]{60,2000}={0,3}",
        real,
    ),
    Rule(
        "1password-secret-key",
        "1password",
        ("A3-",),
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"
        rf"{_END_}",
        real,
    ),
    Rule(
        "mapbox-token",
        "mapbox",
        ("sk.eyJ",),
        r"sk\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{20,40}",
        real,
    ),
    Rule(
        "dropbox-token",
        "dropbox",
        ("sl.",),
        r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,1500}",
        mixed,
    ),
    Rule(
        "adobe-secret",
        "adobe",
        ("p8e-", "p8-"),
        rf"p8e?-[A-Za-z0-9_-]{{29,32}}{_END_}",
        mixed,
    ),
    Rule("frameio-token", "frameio", ("fio-u-",), r"fio-u-[A-Za-z0-9_=-]{64}", real),
    Rule(
        "shippo-token",
        "shippo",
        ("shippo_",),
        rf"shippo_(?:live|test)_{_HEX}{{40}}{_END}",
        real,
    ),
    Rule(
        "defined-token",
        "defined",
        ("dnkey-",),
        r"dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}",
        real,
    ),
)
