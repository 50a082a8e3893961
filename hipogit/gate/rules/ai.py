"""Model providers and the services around them."""

from __future__ import annotations

from ..checks import mixed, random, real
from .rule import Rule

_HEX = r"[a-f0-9]"
_END = r"(?![A-Za-z0-9])"
_END_ = r"(?![A-Za-z0-9_-])"

RULES = (
    Rule(
        "anthropic-key",
        "anthropic",
        ("sk-ant-",),
        r"sk-ant-(?:[a-z]{2,8}\d\d-)?[A-Za-z0-9_-]{20,300}",
        random,
    ),
    Rule(
        "openrouter-key",
        "openrouter",
        ("sk-or-",),
        rf"sk-or-(?:v\d-)?{_HEX}{{64}}{_END}",
        real,
    ),
    Rule(
        "langfuse-key",
        "langfuse",
        ("sk-lf-",),
        rf"sk-lf-{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}{_END}",
        real,
    ),
    Rule(
        "openai-key",
        "openai",
        ("sk-",),
        r"sk-(?:(?:proj|svcacct|admin|service|None|user)-[A-Za-z0-9_-]{20,300}"
        rf"|[A-Za-z0-9]{{20,64}}{_END_}|[A-Za-z0-9_-]{{10,200}}T3BlbkFJ[A-Za-z0-9_-]{{20,200}})",
        random,
    ),
    Rule(
        "huggingface-token",
        "huggingface",
        ("hf_", "api_org_"),
        rf"(?:hf|api_org)_[A-Za-z0-9]{{30,40}}{_END}",
        real,
    ),
    Rule("groq-key", "groq", ("gsk_",), rf"gsk_[A-Za-z0-9]{{40,60}}{_END}", mixed),
    Rule("xai-key", "xai", ("xai-",), rf"xai-[A-Za-z0-9_-]{{70,100}}{_END}", mixed),
    Rule(
        "perplexity-key",
        "perplexity",
        ("pplx-",),
        rf"pplx-[A-Za-z0-9]{{40,64}}{_END}",
        random,
    ),
    Rule(
        "replicate-token",
        "replicate",
        ("r8_",),
        rf"r8_[A-Za-z0-9]{{37,40}}{_END}",
        real,
    ),
    Rule(
        "together-key",
        "together",
        ("tgp_v1_",),
        r"tgp_v1_[A-Za-z0-9_-]{40,64}",
        real,
    ),
    Rule(
        "fireworks-key",
        "fireworks",
        ("fw_",),
        rf"fw_[A-Za-z0-9]{{22,24}}{_END_}",
        mixed,
    ),
    Rule("elevenlabs-key", "elevenlabs", ("sk_",), rf"sk_{_HEX}{{48}}{_END}", real),
    Rule(
        "langsmith-key",
        "langsmith",
        ("lsv2_",),
        rf"lsv2_(?:pt|sk)_{_HEX}{{32}}_{_HEX}{{10}}{_END}",
        real,
    ),
    Rule(
        "pinecone-key",
        "pinecone",
        ("pcsk_",),
        r"pcsk_[A-Za-z0-9]{5,7}_[A-Za-z0-9]{50,70}",
        real,
    ),
    Rule(
        "tavily-key",
        "tavily",
        ("tvly-",),
        r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{32,40}",
        real,
    ),
    Rule("nvidia-key", "nvidia", ("nvapi-",), r"nvapi-[A-Za-z0-9_-]{60,70}", real),
    Rule("cerebras-key", "cerebras", ("csk-",), rf"csk-[a-z0-9]{{48}}{_END}", real),
    Rule("voyage-key", "voyage", ("pa-",), rf"pa-[A-Za-z0-9_-]{{43}}{_END_}", mixed),
    Rule("jina-key", "jina", ("jina_",), r"jina_[A-Za-z0-9_-]{50,70}", mixed),
    Rule("firecrawl-key", "firecrawl", ("fc-",), rf"fc-{_HEX}{{32}}{_END}", real),
    Rule("e2b-key", "e2b", ("e2b_",), rf"e2b_{_HEX}{{40}}{_END}", real),
    Rule(
        "cursor-key",
        "cursor",
        ("crsr_", "key_"),
        rf"(?:crsr|key)_{_HEX}{{64}}{_END}",
        real,
    ),
    Rule(
        "wandb-key",
        "wandb",
        ("wandb_v1_",),
        r"wandb_v1_[A-Za-z0-9_]{60,90}",
        real,
    ),
)
