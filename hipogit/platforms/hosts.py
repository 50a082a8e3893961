"""What an agent's hook tells us, and what we may answer, for every platform.

`event` turns a host's JSON into one shape, `answer` turns text into the JSON that host
accepts. This runs at every turn of every session, so it imports next to nothing.
The shapes, limits and oddities are listed in docs/platforms.md.
"""

# Importing pathlib would be felt at every turn.
# ruff: noqa: PTH100, PTH110, PTH118, PTH120, PTH123

from __future__ import annotations

import os

from .. import fastjson

CLAUDE, CODEX, OPENCODE = "claude-code", "codex", "opencode"
OPENCLAW, GEMINI, CURSOR = "openclaw", "gemini", "cursor"
PLATFORMS = (CLAUDE, CODEX, OPENCODE, OPENCLAW, GEMINI, CURSOR)

# A session's messages may ride along (OpenCode); more than this is not ours to parse.
STDIN_CAP = 32 * 1024 * 1024

_NAMES = {
    "session-start": (
        "session-start SessionStart sessionStart session.created agent.bootstrap"
        " experimental.chat.system.transform"
    ),
    "prompt": "prompt UserPromptSubmit BeforeAgent beforeSubmitPrompt chat.message",
    "pre-compact": (
        "pre-compact PreCompact preCompact PreCompress session.compact.before"
        " experimental.session.compacting"
    ),
    "post-compact": "post-compact PostCompact session.compacted session.compact.after",
    "stop": "stop Stop AfterAgent session.idle Interrupt TaskCompleted task-completed",
    "session-end": (
        "session-end SessionEnd sessionEnd command.new command.reset session.auto-reset"
    ),
    "subagent-stop": "subagent-stop SubagentStop subagentStop",
}
KINDS = tuple(_NAMES)
_KIND = {name: kind for kind, names in _NAMES.items() for name in names.split()}

# How much a host passes on whole. Claude Code kept 9,982 characters and spilled 11,000;
# Codex cuts the middle out of more than 2,500 tokens, unless the entry asks for more
# (CODEX_ASKS, which the installer writes there). OpenCode and Gemini passed on all they
# were given; they get as much. Cursor was not there to be measured.
_ROOM = {
    CLAUDE: (9_500, "characters"),
    CODEX: (2_000, "tokens"),
    OPENCODE: (6_000, "tokens"),
    OPENCLAW: (3_000, "characters"),
    GEMINI: (6_000, "tokens"),
    CURSOR: (9_500, "characters"),
}
CODEX_ASKS = 6_000
# Gemini forgets the user's own prompt after a resume when SessionStart had said
# something; OpenClaw reads its MEMORY.md, which the installer keeps.
_SPEAKS = {
    CLAUDE: {"session-start": "SessionStart", "prompt": "UserPromptSubmit"},
    CODEX: {"session-start": "SessionStart", "prompt": "UserPromptSubmit"},
    OPENCODE: {"session-start": "", "prompt": ""},
    OPENCLAW: {},
    GEMINI: {"prompt": "BeforeAgent"},
    CURSOR: {"session-start": "", "prompt": ""},
}

_INJECTED = ("<task-notification>", "<local-command-", "<command-name>")
_GLUE, _GLUE_END = "<hook_context>", "</hook_context>"
CUT = "(cut to what this agent accepts: run `hipogit context` for the rest)"


class HookEvent:
    """One call of a hook. Every text may be empty; `kind` is "" for nothing to do.

    `source` says why (startup, resume, compact, auto, daily, …); `turn` is the same for
    all calls that speak of one turn; `agent` names the subagent it came from; `said` is
    the assistant's last message, `summary` what a compaction made of the session;
    `messages` are OpenCode's, in its export format.
    """

    __slots__ = (
        "agent",
        "cwd",
        "kind",
        "messages",
        "platform",
        "prompt",
        "said",
        "session",
        "source",
        "summary",
        "transcript",
        "turn",
    )

    def __init__(self, platform: str, kind: str) -> None:
        self.platform = platform
        self.kind = kind
        self.session = ""
        self.cwd = ""
        self.transcript = ""
        self.prompt = ""
        self.source = ""
        self.turn = ""
        self.agent = ""
        self.said = ""
        self.summary = ""
        self.messages: dict[str, object] = {}


def payload(data: bytes) -> dict[str, object]:
    """The JSON object a host wrote to stdin; empty when it is anything else."""
    if len(data) > STDIN_CAP:
        return {}
    try:
        found = fastjson.load(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def event(platform: str, name: str, data: dict[str, object]) -> HookEvent:
    """What happened, from the command line's event name and the payload."""
    raw = _text(data, "hook_event_name") or _raw_name(data)
    kind = _KIND.get(name) or _KIND.get(raw, "")
    # Cursor also runs the hooks it finds in Claude Code's settings, with its own shape.
    ours = CURSOR if "cursor_version" in data else platform
    found = HookEvent(ours, kind)
    if ours == OPENCODE:
        _opencode(found, data)
    elif ours == OPENCLAW:
        _openclaw(found, data)
    else:
        _command(found, data)
    if ours == CURSOR:
        _cursor(found, data)
        if platform != CURSOR and _cursor_has_ours(found.cwd):
            found.kind = ""
    if kind == "subagent-stop" and not found.agent:
        # Claude Code's summariser ends like a subagent without a type or a transcript.
        found.kind = ""
    return found


def room(platform: str, kind: str) -> tuple[int, str]:
    """How much may be said there, and in which unit; 0 where nothing may be."""
    if kind not in _SPEAKS.get(platform, {}):
        return 0, "tokens"
    if (platform, kind) == (CODEX, "session-start"):
        return CODEX_ASKS, "tokens"
    return _ROOM[platform]


def size(text: str, unit: str) -> int:
    """Length as hosts count it: UTF-16 units, or 4 bytes of UTF-8 to a token."""
    if unit == "characters":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return (len(text.encode("utf-8", "surrogatepass")) + 3) // 4


def answer(platform: str, kind: str, text: str) -> str:
    """The stdout that hands `text` to the model; empty where nothing may be said."""
    limit, unit = room(platform, kind)
    if not limit or not text.strip():
        return ""
    # Bytes that were no text arrive as lone surrogates, which strict readers refuse.
    text = text.encode("utf-8", "replace").decode("utf-8")
    if size(text, unit) > limit:
        text = _whole_lines(text, limit, unit)
    if platform == OPENCODE:
        return fastjson.dump({"context": text})
    if platform == CURSOR:
        return fastjson.dump({"additional_context": text})
    said = {
        "hookEventName": _SPEAKS[platform][kind],
        "additionalContext": text,
    }
    return fastjson.dump({"hookSpecificOutput": said})


def imported(platform: str, cwd: str, tip: str) -> bool:
    """Whether this host has loaded memory by its own import, as it is at that tip.

    Then a session start has nothing to add. The file may be behind when the branch was
    moved by other means; then the hook speaks.
    """
    if platform != CLAUDE or not cwd:
        return False
    folder = os.path.abspath(cwd)
    while True:
        path = _import(folder)
        if path:
            return _head(path[: -len(".md")] + ".tip").strip() == tip
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return False
        folder = parent


def _import(folder: str) -> str:
    """The file our block there imports; empty without a block or a file."""
    text = _head(os.path.join(folder, "CLAUDE.local.md"))
    start = text.find("<!-- hipogit:start -->")
    for line in text[start:].split("\n") if start >= 0 else ():
        path = line.strip()
        if path.startswith("@") and path.endswith("/hipogit/import.md"):
            found = os.path.join(folder, path[1:])
            return found if os.path.exists(found) else ""
    return ""


def _cursor_has_ours(root: str) -> bool:
    """Whether Cursor runs our own hooks there, which makes Claude's a repetition."""
    text = _head(os.path.join(root, ".cursor", "hooks.json")) if root else ""
    return '"hipogit hook cursor ' in text


def _command(found: HookEvent, data: dict[str, object]) -> None:
    """Claude Code, Codex and Gemini; the common part of Cursor."""
    found.session = _text(data, "session_id")
    found.cwd = _text(data, "cwd")
    found.transcript = _text(data, "transcript_path")
    found.agent = _text(data, "agent_id") if data.get("agent_type") else ""
    found.turn = _text(data, "turn_id") or _text(data, "prompt_id")
    found.prompt = _spoken(_text(data, "prompt"))
    found.summary = _text(data, "compact_summary")
    found.said = _text(data, "last_assistant_message") or _text(data, "prompt_response")
    for key in ("source", "trigger", "reason"):
        found.source = found.source or _text(data, key)


def _cursor(found: HookEvent, data: dict[str, object]) -> None:
    roots = data.get("workspace_roots")
    if not found.cwd and isinstance(roots, list) and roots:
        found.cwd = roots[0] if isinstance(roots[0], str) else ""
    found.session = found.session or _text(data, "conversation_id")
    found.turn = _text(data, "generation_id")


def _opencode(found: HookEvent, data: dict[str, object]) -> None:
    inner = _object(_object(data, "event"), "properties") or _object(data, "input")
    info = _object(inner, "info") or _object(data, "info")
    found.session = _text(inner, "sessionID") or _text(info, "id")
    found.cwd = _text(data, "directory") or _text(info, "directory")
    found.prompt = _spoken(_text(data, "prompt"))
    found.turn = _text(inner, "messageID")
    found.agent = _text(info, "parentID")
    found.source = _text(data, "source")
    found.messages = _object(data, "export")


def _openclaw(found: HookEvent, data: dict[str, object]) -> None:
    context = _object(data, "context")
    ended = _object(context, "previousSessionEntry") or _object(context, "sessionEntry")
    found.session = _text(context, "sessionId") or _text(ended, "sessionId")
    found.cwd = _text(context, "workspaceDir") or _text(data, "workspaceDir")
    found.source = _text(context, "reason") or _text(data, "action")


def _raw_name(data: dict[str, object]) -> str:
    """The event's own name where the host has no `hook_event_name`."""
    typed, action = _text(data, "type"), _text(data, "action")
    if typed and action:
        return f"{typed}.{action}".replace(":", ".")
    return _text(_object(data, "event"), "type")


def _spoken(prompt: str) -> str:
    """The user's own words: without what the client or we put in front of them."""
    while prompt.startswith(_GLUE) and _GLUE_END in prompt:
        prompt = prompt[prompt.index(_GLUE_END) + len(_GLUE_END) :].lstrip()
    return "" if prompt.startswith(_INJECTED) else prompt


def _whole_lines(text: str, limit: int, unit: str) -> str:
    """As many whole lines as fit, and a last one that says it was cut."""
    # In bytes or UTF-16 units, so that rounding up per line does not add up.
    per = 1 if unit == "characters" else 4
    encoding = "utf-16-le" if unit == "characters" else "utf-8"
    width = 2 if unit == "characters" else 1
    left = limit * per - len(CUT.encode(encoding)) // width
    kept = []
    for line in text.split("\n"):
        left -= len(f"{line}\n".encode(encoding)) // width
        if left < 0:
            break
        kept.append(line)
    return "\n".join([*kept, CUT])


def _text(data: dict[str, object], key: str) -> str:
    found = data.get(key)
    return found if isinstance(found, str) else ""


def _object(data: dict[str, object], key: str) -> dict[str, object]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _head(path: str) -> str:
    """The first 64 KB of a small text file; empty when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(65536).decode("utf-8", "replace")
    except (OSError, ValueError):  # ValueError: the host sent a path with a NUL
        return ""
