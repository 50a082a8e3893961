"""Cloud providers, hosting platforms, infrastructure tools."""

from __future__ import annotations

from ..checks import mixed, real
from .rule import Rule

_HEX = r"[a-f0-9]"
_END = r"(?![A-Za-z0-9])"
_END_ = r"(?![A-Za-z0-9_-])"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

RULES = (
    Rule(
        "aws-access-key",
        "aws",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        rf"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{{16}}{_END}",
        real,
    ),
    Rule(
        "aws-session-token",
        "aws",
        ("FwoGZXIvYXdz", "IQoJb3JpZ2lu"),
        r"(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9+/]{60,2000}={0,2}",
        real,
    ),
    Rule(
        "aws-bedrock-key",
        "aws",
        ("ABSK",),
        r"ABSK[A-Za-z0-9+/]{80,269}={0,2}",
        real,
    ),
    Rule(
        "gcp-api-key",
        "gcp",
        ("AIza",),
        rf"AIza[0-9A-Za-z_-]{{35}}{_END_}",
        real,
    ),
    Rule(
        "gcp-oauth-secret",
        "gcp",
        ("GOCSPX-",),
        rf"GOCSPX-[A-Za-z0-9_-]{{28}}{_END_}",
        real,
    ),
    Rule(
        "gcp-oauth-token",
        "gcp",
        ("ya29.",),
        r"ya29\.(?:a0|c\.|d\.|[A-Za-z0-9_-])[A-Za-z0-9_.-]{20,2000}",
        real,
    ),
    Rule(
        "gcp-refresh-token",
        "gcp",
        ("1//0",),
        r"1//0[A-Za-z0-9_-]{40,120}",
        mixed,
    ),
    Rule(
        "azure-client-secret",
        "azure",
        ("7Q~", "8Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "9Q~", "0Q~"),
        r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])",
        real,
        back=3,
    ),
    Rule(
        "azure-devops-token",
        "azure",
        ("AZDO",),
        rf"[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}{_END}",
        real,
        back=76,
    ),
    Rule(
        # Microsoft's identifiable keys: a signature near the end of the base64.
        "azure-resource-key",
        "azure",
        (
            "+ASt",
            "+ASb",
            "+AEh",
            "+ARm",
            "+ABa",
            "ACDb",
            "AIoT",
            "APIM",
            "AZEG",
            "AzFu",
            "AzSe",
            "+ACR",
        ),
        r"[A-Za-z0-9+/]{33,76}(?:\+A(?:St|Sb|Eh|Rm|Ba|CR)|ACDb|AIoT|APIM|AZEG|AzFu|AzSe)"
        r"[A-Za-z0-9+/]{5,8}={0,2}(?![A-Za-z0-9+/=])",
        mixed,
        back=76,
    ),
    Rule(
        "digitalocean-token",
        "digitalocean",
        ("dop_v1_", "doo_v1_", "dor_v1_"),
        rf"do[opr]_v1_{_HEX}{{64}}{_END}",
        real,
    ),
    Rule(
        "cloudflare-origin-ca-key",
        "cloudflare",
        ("v1.0-",),
        rf"v1\.0-{_HEX}{{24}}-{_HEX}{{146}}{_END}",
        real,
    ),
    Rule(
        "cloudflare-api-token",
        "cloudflare",
        ("cfut_", "cfat_", "cfk_"),
        rf"cf(?:ut|at|k)_[A-Za-z0-9_-]{{40,60}}{_END_}",
        real,
    ),
    Rule(
        "heroku-api-key",
        "heroku",
        ("HRKU-",),
        rf"HRKU-(?:{_UUID}|[A-Za-z0-9_-]{{58,64}}){_END_}",
        real,
    ),
    Rule(
        "flyio-token",
        "flyio",
        ("fo1_", "fm1r_", "fm1a_", "fm2_"),
        r"(?:fo1_[\w-]{43}|fm1[ar]_[A-Za-z0-9+/]{60,3000}={0,3}"
        r"|fm2_[A-Za-z0-9+/]{60,3000}={0,3})(?![\w-])",
        real,
    ),
    Rule(
        "vercel-token",
        "vercel",
        ("vcp_", "vci_", "vca_", "vcr_", "vck_"),
        rf"vc[piark]_[A-Za-z0-9]{{24,60}}{_END_}",
        real,
    ),
    Rule(
        "netlify-token",
        "netlify",
        ("nfp_", "nfc_", "nfo_", "nfu_", "nfb_"),
        rf"nf[pcoub]_[A-Za-z0-9_-]{{36,60}}{_END_}",
        real,
    ),
    Rule(
        "supabase-token",
        "supabase",
        ("sbp_", "sb_secret_"),
        rf"(?:sbp_(?:v0_)?{_HEX}{{40}}|sb_secret_[A-Za-z0-9_-]{{30,50}}){_END_}",
        real,
    ),
    Rule(
        "vault-token",
        "vault",
        ("hvs.", "hvb.", "hvr."),
        r"hv[sbr]\.[A-Za-z0-9_-]{24,300}",
        real,
    ),
    Rule(
        "terraform-token",
        "vault",
        (".atlasv1.",),
        rf"[A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{60,70}}{_END_}",
        real,
        back=14,
    ),
    Rule(
        "databricks-token",
        "databricks",
        ("dapi",),
        rf"dapi{_HEX}{{32}}(?:-\d)?{_END}",
        real,
    ),
    Rule(
        "alibaba-access-key",
        "alibaba",
        ("LTAI",),
        rf"LTAI[A-Za-z0-9]{{12,20}}{_END}",
        mixed,
    ),
    Rule(
        "tencent-secret-id",
        "tencent",
        ("AKID",),
        rf"AKID[A-Za-z0-9]{{32}}{_END}",
        mixed,
    ),
    Rule(
        "yandex-token",
        "yandex",
        ("AQVN", "YCAJE", "y0_"),
        rf"(?:AQVN[A-Za-z0-9_-]{{35,38}}|YCAJE[A-Za-z0-9_-]{{20}}"
        rf"|y0_[A-Za-z0-9_-]{{50,70}}){_END_}",
        real,
    ),
    Rule(
        "scaleway-access-key",
        "scaleway",
        ("SCW",),
        rf"SCW[A-Z0-9]{{17}}{_END}",
        real,
    ),
    Rule("pulumi-token", "pulumi", ("pul-",), rf"pul-{_HEX}{{40}}{_END}", real),
    Rule(
        "doppler-token",
        "doppler",
        ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."),
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?"
        rf"[A-Za-z0-9]{{40,44}}{_END}",
        real,
    ),
    Rule(
        "planetscale-token",
        "planetscale",
        ("pscale_",),
        r"pscale_(?:tkn|oauth|pw|app)_[\w=.-]{32,64}",
        real,
    ),
    Rule("neon-api-key", "neon", ("napi_",), rf"napi_[a-z0-9]{{60,80}}{_END}", real),
    Rule(
        "render-api-key", "render", ("rnd_",), rf"rnd_[A-Za-z0-9]{{28,40}}{_END}", real
    ),
    Rule(
        "tailscale-key",
        "tailscale",
        ("tskey-",),
        r"tskey-(?:auth|api|client|webhook|scim)-[A-Za-z0-9]{8,20}(?:CNTRL)?"
        r"-[A-Za-z0-9]{16,50}",
        real,
    ),
    Rule(
        "clickhouse-key",
        "clickhouse",
        ("4b1d",),
        rf"4b1d[A-Za-z0-9]{{38}}{_END}",
        mixed,
    ),
    Rule("prefect-key", "prefect", ("pnu_",), rf"pnu_[a-z0-9]{{36}}{_END}", real),
    Rule(
        "infracost-key", "infracost", ("ico-",), rf"ico-[a-zA-Z0-9]{{32}}{_END}", real
    ),
)
