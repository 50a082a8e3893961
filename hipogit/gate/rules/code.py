"""Code hosting, trackers, build services and package registries."""

from __future__ import annotations

from ..checks import mixed, real
from .rule import Rule

_HEX = r"[a-f0-9]"
_END = r"(?![A-Za-z0-9])"
_END_ = r"(?![A-Za-z0-9_-])"

RULES = (
    Rule(
        "github-token",
        "github",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        # Apps may get longer tokens than the 36 characters of today.
        rf"gh[pousr]_[A-Za-z0-9]{{36,255}}{_END}",
        real,
    ),
    Rule(
        "github-fine-grained-token",
        "github",
        ("github_pat_",),
        r"github_pat_[A-Za-z0-9_]{30,100}",
        real,
    ),
    Rule(
        "gitlab-token",
        "gitlab",
        (
            "glpat-",
            "gldt-",
            "glrt-",
            "glcbt-",
            "glptt-",
            "glsoat-",
            "glffct-",
            "glimt-",
            "glagent-",
            "gloas-",
            "glft-",
            "glrtr-",
            "glwt-",
        ),
        r"gl(?:pat|dt|rt|cbt|ptt|soat|ffct|imt|agent|oas|ft|rtr|wt)-[A-Za-z0-9_-]{20,300}"
        r"(?:\.[0-9a-z]{2}\.?[0-9a-z]{7})?",
        real,
    ),
    Rule(
        "gitlab-runner-token",
        "gitlab",
        ("GR1348941",),
        r"GR1348941[A-Za-z0-9_-]{20,60}",
        real,
    ),
    Rule(
        "bitbucket-token",
        "bitbucket",
        ("ATBB", "ATCTT3"),
        r"(?:ATBB[A-Za-z0-9_=.-]{24,80}|ATCTT3[A-Za-z0-9_=-]{50,300})",
        mixed,
    ),
    Rule(
        "atlassian-token",
        "atlassian",
        ("ATATT3", "ATSTT3", "ATOTT3"),
        r"AT[ASO]TT3[A-Za-z0-9_=-]{50,300}",
        mixed,
    ),
    Rule(
        "linear-token",
        "linear",
        ("lin_api_", "lin_oauth_", "lin_wh_"),
        rf"lin_(?:api|oauth|wh)_[A-Za-z0-9]{{32,64}}{_END}",
        real,
    ),
    Rule(
        "notion-token",
        "notion",
        ("ntn_", "secret_"),
        rf"(?:ntn_[A-Za-z0-9]{{40,50}}|secret_[A-Za-z0-9]{{43}}){_END}",
        mixed,
    ),
    Rule(
        "postman-key",
        "postman",
        ("PMAK-",),
        rf"PMAK-[a-fA-F0-9]{{24}}-[a-fA-F0-9]{{34}}{_END}",
        real,
    ),
    Rule(
        "sonar-token",
        "sonar",
        ("sqp_", "squ_", "sqa_"),
        rf"sq[pua]_{_HEX}{{40}}{_END}",
        real,
    ),
    Rule(
        "sourcegraph-token",
        "sourcegraph",
        ("sgp_", "slk_"),
        rf"(?:sgp_(?:[a-fA-F0-9]{{16}}_|local_)?[a-fA-F0-9]{{40}}|slk_{_HEX}{{64}}){_END}",
        real,
    ),
    Rule("figma-token", "figma", ("figd_",), r"figd_[A-Za-z0-9_-]{38,44}", real),
    Rule(
        "airtable-token",
        "airtable",
        ("pat",),
        rf"pat[A-Za-z0-9]{{14}}\.{_HEX}{{64}}{_END}",
        real,
    ),
    Rule(
        "circleci-token",
        "circleci",
        ("CCIPAT_", "CCIPRJ_"),
        rf"CCIP(?:AT|RJ)_[A-Za-z0-9]{{20,24}}_{_HEX}{{40}}{_END}",
        real,
    ),
    Rule(
        "buildkite-token",
        "buildkite",
        ("bkua_", "bkaa_", "bkct_"),
        rf"bk(?:ua|aa|ct)_{_HEX}{{40}}{_END}",
        real,
    ),
    Rule(
        "jfrog-key",
        "jfrog",
        ("AKCp", "cmVmdGtuOj"),
        rf"(?:AKCp[A-Za-z0-9]{{60,75}}|cmVmdGtuOj[A-Za-z0-9+/]{{45,70}}={{0,2}}){_END}",
        mixed,
    ),
    Rule(
        "launchdarkly-key",
        "launchdarkly",
        ("sdk-", "api-"),
        rf"(?:sdk|api)-{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}{_END}",
        real,
    ),
    Rule(
        "clickup-token",
        "clickup",
        ("pk_",),
        rf"pk_\d{{5,9}}_[A-Z0-9]{{32}}{_END}",
        real,
    ),
    Rule(
        "contentful-token",
        "contentful",
        ("CFPAT-",),
        r"CFPAT-[A-Za-z0-9_-]{43}",
        real,
    ),
    Rule("readme-key", "readme", ("rdme_",), rf"rdme_[a-z0-9]{{60,80}}{_END}", real),
    Rule(
        "asana-token",
        "asana",
        ("1/", "2/"),
        rf"[12]/\d{{16}}(?:/\d{{16}})?:{_HEX}{{32}}{_END}",
        real,
    ),
    Rule("npm-token", "npm", ("npm_",), rf"npm_[A-Za-z0-9]{{36}}{_END}", real),
    Rule(
        "pypi-token",
        "pypi",
        ("pypi-",),
        r"pypi-(?:AgE[A-Za-z0-9_-]{40,400}|[A-Za-z0-9_-]{60,400})",
        mixed,
    ),
    Rule(
        "dockerhub-token",
        "dockerhub",
        ("dckr_pat_", "dckr_oat_"),
        r"dckr_[po]at_[A-Za-z0-9_-]{24,40}",
        real,
    ),
    Rule(
        "rubygems-token",
        "rubygems",
        ("rubygems_",),
        rf"rubygems_{_HEX}{{48}}{_END}",
        real,
    ),
    Rule("nuget-key", "nuget", ("oy2",), rf"oy2[a-z0-9]{{43}}{_END}", real),
    Rule("crates-token", "crates", ("cio",), rf"cio[A-Za-z0-9]{{32}}{_END}", mixed),
    Rule(
        "clojars-token",
        "clojars",
        ("CLOJARS_",),
        rf"CLOJARS_[a-z0-9]{{60}}{_END}",
        real,
    ),
    Rule(
        "packagist-token",
        "packagist",
        ("packagist_",),
        rf"packagist_[ou][ruw]t_{_HEX}{{68}}{_END}",
        real,
    ),
    Rule(
        "hexpm-token", "hexpm", ("hexpm_",), rf"hexpm_[A-Za-z0-9]{{30,60}}{_END}", real
    ),
)
