"""The agents' hooks: memory goes in front of the agent, what was said comes back.

The agent waits for every call, so this answers from the tip and leaves the rest
(capture, compaction, the spool) to `upkeep` in a process of its own. Whatever happens
here, the exit code is 0 and standard output holds one JSON object or nothing; failures
are lines in the ledger.
"""

# Importing pathlib, json or typing would be felt at every turn.
# ruff: noqa: PTH109, PTH112, PTH116, PTH119

from __future__ import annotations

import os
import sys

from .. import context, fastjson, marks, quick
from ..platforms import hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Kept free below the index for problems that have to be told, in each unit, so that
# the index is cut at the same line whether there are any or not.
_FOR_NOTES = {"characters": 600, "tokens": 150}
_FOR_RECALL = {"characters": 2_000, "tokens": 500}
_SILENCE = 3.0  # seconds; a host that leaves our input open must not hang on us


def run(platform: str, name: str) -> int:
    """Answer one hook of an agent; always 0."""
    try:
        _run(platform, name)
    except (Exception, KeyboardInterrupt) as problem:
        # Nothing a hook meets may stop the agent that called it.
        _note(os.curdir, f"hook {platform} {name}", _sentence(problem))
    return 0


def _run(platform: str, name: str) -> None:
    if platform not in hosts.PLATFORMS:
        sys.stderr.write(f"hipogit: no platform is called {platform}\n")
        return
    data = hosts.payload(_stdin())
    event = hosts.event(platform, name, data)
    cwd = event.cwd if os.path.isdir(event.cwd) else os.getcwd()
    place = quick.find(cwd)
    if place is None:
        return
    if os.environ.get("HIPOGIT_PROBE"):
        marks.reached(place.local, platform, name, probe=True)
        return
    where = f"hook {platform} {name}"
    if not data:
        marks.note(place.local, where, "the agent sent no JSON object")
        return
    marks.reached(place.local, platform, name)
    try:
        text = Call(place, event, name, cwd).answer()
    except Exception as problem:
        # The ledger of this repository is known here, so the failure gets named in it.
        marks.note(place.local, where, _sentence(problem), "hipogit status")
        return
    if text:
        _print(text)


class Call:
    """One call of a hook in a repository with memory."""

    def __init__(
        self, place: quick.Place, event: hosts.HookEvent, name: str, cwd: str
    ) -> None:
        self.place = place
        self.local = place.local
        self.event = event
        self.name = name
        self.cwd = cwd
        self.known = marks.session(self.local, event.platform, event.session)

    def answer(self) -> str:
        """What goes to standard output; the slow part is on its way when it returns."""
        kind = self.event.kind
        if kind == "session-start":
            return self._session_start()
        if kind == "prompt":
            return self._prompt()
        if kind in ("pre-compact", "post-compact"):
            return self._compact()
        if kind in ("stop", "session-end"):
            if kind == "session-end":
                self._keep(ended=True)
            self._later()
        return ""

    def _session_start(self) -> str:
        event = self.event
        self._keep(
            start=marks.now(),
            cwd=self.cwd,
            pids=marks.hosts_pids(os.getpid()),
            ended=False,
        )
        tip, text = "", ""
        said_before = self.known.get("injected")
        if event.platform == hosts.GEMINI:
            # What it is told here costs the user's prompt at a resume; the next
            # prompt brings it, and after a resume only what is new.
            if event.source != "resume":
                said_before = ""
            self._keep(again=True, injected=said_before)
        if hosts.room(event.platform, event.kind)[0]:
            tip, text = self._context(0)
            if hosts.imported(event.platform, self.cwd, tip):
                marks.said(self.local, event.platform, event.session, text)
                text = ""
            if event.platform == hosts.CODEX and self._codex_has(tip):
                text = ""
        elif event.platform == hosts.OPENCLAW:
            self._openclaw()
        said = self._say(text, tip)
        self._later()
        return said

    def _codex_has(self, tip: str) -> bool:
        """Whether Codex has this very index: it keeps every copy it was ever given.

        A resume that compacts first starts twice after it, as resume and as compact.
        """
        same = tip == self.known.get("injected")
        state = self.known.get("compacted")
        if self.event.source == "resume":
            if not same:
                self._keep(compacted="told" if state == "yes" else "")
            return same
        self._keep(compacted="")
        return same and self.event.source == "compact" and state == "told"

    def _untold(self) -> bool:
        """Whether the index comes with this prompt."""
        if self.event.platform != hosts.GEMINI or self.known:
            return bool(self.known.get("again"))
        # Nowhere to note that the session began: before the first answer it has.
        return not marks.holds(self.event.transcript, b'"gemini"')

    def _prompt(self) -> str:
        event = self.event
        if event.agent:
            return ""
        tip, text = "", ""
        if self._untold():
            _, unit = hosts.room(event.platform, event.kind)
            tip, text = self._context(_FOR_RECALL[unit])
            if event.platform == hosts.GEMINI and tip == self.known.get("injected"):
                text = ""
        said = self._say(text, tip, self._recalled())
        if event.platform == hosts.CURSOR:
            self._later()  # it has no transcript: the prompt is all there is
        return said

    def _recalled(self) -> str:
        """What memory has to say to the prompt, as far as it still stands."""
        prompt = self.event.prompt
        if not prompt.strip() or not hosts.room(self.event.platform, "prompt")[0]:
            return ""
        found = quick.read(self.place, ())
        tip = found[0] if found else ""
        if not tip or not marks.indexed(self.local):
            return ""
        from ..recall import hook

        ask = lambda *names: quick.objects(self.place, names)  # noqa: E731
        return hook.hook(self.local, tip, prompt, ask)

    def _compact(self) -> str:
        event = self.event
        if event.platform == hosts.GEMINI:
            # It says so at every model call, compressing or not.
            return ""
        if event.platform == hosts.CURSOR:
            # No event of Cursor's comes after it: the next prompt brings the index.
            self._keep(again=True)
        if event.platform == hosts.CODEX and event.kind == "post-compact":
            self._keep(compacted="yes")
        if event.platform == hosts.OPENCLAW and event.kind == "post-compact":
            self._openclaw()
        self._later()
        return ""

    def _context(self, reserved: int) -> tuple[str, str]:
        """The tip and the part of the answer that is a function of it alone."""
        found = quick.read(self.place, context.FILES)
        if found is None:
            branch = quick.ref(self.place).removeprefix("refs/heads/")
            raise OSError(f"there is no memory branch {branch} here")
        tip, texts = found
        limit, unit = hosts.room(self.event.platform, self.event.kind)
        limit -= _FOR_NOTES[unit] + reserved
        files = zip(context.FILES, texts, strict=True)
        made = context.assemble(files, lambda text: hosts.size(text, unit) <= limit)
        return tip, made.text

    def _say(self, text: str, tip: str, recalled: str = "") -> str:
        """The answer with these parts, and the problems nobody was told yet."""
        event = self.event
        if not hosts.room(event.platform, event.kind)[0]:
            return ""
        notes = []
        if event.kind == "session-start" or text:
            notes = marks.untold(self.local)
        told = _block(notes, hosts.room(event.platform, event.kind)[1])
        parts = [part for part in (text, recalled, told) if part.strip()]
        said = hosts.answer(event.platform, event.kind, "\n".join(parts))
        if said:
            marks.said(self.local, event.platform, event.session, "\n".join(parts))
        if said and told:
            _attempt(lambda: marks.tell(self.local))
        if tip:
            self._keep(injected=tip, again=False)
        return said

    def _keep(self, **values: object) -> None:
        event = self.event
        if event.session and not event.agent:
            _attempt(
                lambda: marks.keep_session(
                    self.local, event.platform, event.session, values
                )
            )

    def _later(self) -> None:
        """Hand the slow part to a process of its own.

        What can be read again later waits in a file; text that cannot is handed over
        in memory, because it has not been through the gate.
        """
        event = self.event
        item: dict[str, object] = {
            "at": marks.now(),
            "platform": event.platform,
            "session": event.session,
            "kind": event.kind,
            "transcript": event.transcript,
            "cwd": self.cwd,
            "common": self.place.common,
            "ended": self._turn_ended(),
            "size": _size(event.transcript),
        }
        turns = event.kind not in ("session-start", "prompt")
        if event.transcript and event.session and turns:
            # Calls of one session are one job: the transcript holds all of it.
            name = marks.safe(f"{event.platform}-{event.session}")
            path = f"{self.local}/queue/{name}.json"
            item["queued"] = _attempt(lambda: marks.put(path, item))
        spoken = {**item, "turn": event.turn, "prompt": "", "messages": event.messages}
        spoken["summary"] = event.summary
        if event.platform == hosts.CURSOR and event.kind == "prompt":
            spoken["prompt"] = event.prompt
        quick.detach(
            "from hipogit.doors import upkeep; upkeep.main()",
            [],
            fastjson.dump(spoken).encode(),
        )

    def _turn_ended(self) -> bool:
        """Whether the newest turn is over: compaction and tasks end in the midst."""
        if self.event.kind in ("pre-compact", "post-compact"):
            return self.event.source == "manual"
        if self.event.kind == "session-start":
            # Codex starts a session with the first prompt, Claude Code anew after a
            # compaction within a turn.
            return False
        return self.name not in ("task-completed", "TaskCompleted")

    def _openclaw(self) -> None:
        """Renew the block in the workspace's MEMORY.md, which the host reads next."""
        found = quick.read(self.place, [context.ROOT])
        if found and found[1][0] is not None:
            from pathlib import Path

            from ..platforms import openclaw_memory

            openclaw_memory.refresh(Path(self.cwd), found[1][0])


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size if path else 0
    except (OSError, ValueError):
        return 0  # not written yet, or no path at all


def _block(notes: list[dict[str, str]], unit: str) -> str:
    """The problems to be told, within the room kept for them."""
    text = context.ledger_block(notes) if notes else ""
    while text and hosts.size(text, unit) > _FOR_NOTES[unit] - 2:
        text = text.rstrip("\n").rpartition("\n")[0]
    return text


def _stdin() -> bytes:
    """Standard input, as much of it as may be ours to parse."""
    import select

    data = b""
    while select.select([0], [], [], _SILENCE)[0]:
        part = os.read(0, 1 << 20)
        if not part:
            break
        # What is over the limit is read all the same: a host that cannot write it
        # may take that for our failure.
        if len(data) <= hosts.STDIN_CAP:
            data += part
    return data


def _print(text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


def _attempt(write: Callable[[], None]) -> bool:
    """Whether something could be written that may be lost."""
    try:
        write()
    except OSError:
        return False  # a repository we may only read
    return True


def _sentence(problem: BaseException) -> str:
    said = getattr(problem, "sentence", "")
    if said or isinstance(problem, OSError):
        return str(said or problem)
    # Its message may quote what was said to the agent; where it happened does not.
    trace = problem.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = os.path.basename(trace.tb_frame.f_code.co_filename) if trace else ""
    return f"{type(problem).__name__} in {place}:{trace.tb_lineno if trace else 0}"


def _note(folder: str, where: str, sentence: str) -> None:
    try:
        place = quick.find(folder)
    except OSError:
        return  # the folder we run in is gone
    if place:
        marks.note(place.local, where, sentence, "hipogit status")
