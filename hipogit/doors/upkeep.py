"""What the agents' hooks leave for later: capture, and catching up with the branch.

It runs in a process that nobody waits for. Jobs that can be done again wait in
`<common>/hipogit/queue/`, so that one which was killed is done by the next hook; words
that only the hook was told come on standard input and are never in a file.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import clock, marks
from ..errors import HipogitError, NotSetUp

if TYPE_CHECKING:
    from ..store import Store

_TRIES = 3
_PATIENCE = 120.0  # seconds another process may take over a transcript
_KEPT_DAYS = 90
# How a statement of the user's begins in the transcripts of the agents.
_SPOKEN = (b'"type":"user"', b'"role":"user"', b"UserMessage", b"user_message")

Job = Mapping[str, Any]


def main() -> None:
    """Do the job told on standard input, and those that wait."""
    with suppress(OSError):
        os.nice(5)
    try:
        told = json.loads(sys.stdin.buffer.read())
    except ValueError:
        return
    work(told if isinstance(told, dict) else {})


def work(told: Job) -> None:
    """Do one job and those that wait. What fails is noted in the ledger."""
    from ..store import Store

    now = clock.now()
    try:
        store = Store.open(_folder(told))
    except HipogitError:
        # A work tree that git alone does not know: `quick.lent`.
        common = Path(str(told.get("common") or os.devnull))
        if not (common / "hipogit").is_dir():
            return
        store = Store.open(common)
    with _alone(store.local):
        for job in _waiting(store, now):
            _guarded(store, now, job)
        if not told.get("queued"):
            _guarded(store, now, told)
        if told.get("summary"):
            _guarded(store, now, told, _summary)
        if told.get("platform") == "openclaw":
            _workspace(store, now, _folder(told))
        if told.get("kind") == "session-start":
            catch_up(store, now)
        else:
            _absorb(store, now)
        _index(store, now)


def _workspace(store: Store, now: datetime, folder: Path) -> None:
    """Copy the workspace's own memory files, where hooks may write at all."""
    from .. import workspace

    try:
        with store.snapshot() as tip:
            off = store.config(tip).text("capture") == "off"
        if not off:
            workspace.keep(store, folder, now)
    except (HipogitError, OSError) as problem:
        _noted(store, now, "workspace", problem)


def catch_up(store: Store, now: datetime) -> None:
    """Bring in what waits beside the branch, and the summaries up to date."""
    from .. import correct, cycle, edits, publish

    steps: dict[str, Callable[[], object]] = {
        "spool": lambda: correct.drain(store, now),
        "compact": lambda: edits.settle(store, now),
        "edits": lambda: edits.absorb(store, now),
        "import": lambda: publish.renew(store),
        "summarize": lambda: cycle.cycle(store, now),
    }
    for name, step in steps.items():
        try:
            step()
        except NotSetUp:
            return
        except (HipogitError, OSError) as problem:
            _noted(store, now, name, problem)
    _forget_old(store.local / "sessions", now)


def _index(store: Store, now: datetime) -> None:
    """Bring the search index to the tip: a prompt is answered from no older one."""
    from ..recall import index

    try:
        with store.snapshot() as tip:
            wanted = store.config(tip).flag("search.index")
        if wanted:
            index.refresh(store)
    except NotSetUp:
        return
    except (HipogitError, OSError) as problem:
        _noted(store, now, "index", problem)


def _noted(store: Store, now: datetime, where: str, problem: Exception) -> None:
    sentence = getattr(problem, "sentence", "") or str(problem)
    store.ledger.note(now.isoformat(), where, sentence, getattr(problem, "hint", ""))


def _absorb(store: Store, now: datetime) -> None:
    """What the agent wrote into hot files and notes goes into the branch."""
    from .. import edits

    try:
        edits.absorb(store, now)
    except (HipogitError, OSError) as problem:
        _noted(store, now, "edits", problem)


def _guarded(
    store: Store,
    now: datetime,
    job: Job,
    work: Callable[[Store, datetime, Job], None] | None = None,
) -> None:
    try:
        (work or _capture)(store, now, job)
    except HipogitError as problem:
        _noted(store, now, "capture", problem)
    except Exception as problem:
        # One transcript in a shape nobody knew must not keep the next from its turn.
        # Its message may quote what was said, so only the kind of failure is noted.
        said = f"a session of {job.get('platform')}: {type(problem).__name__}"
        store.ledger.note(now.isoformat(), "capture", said, "hipogit capture FILE")


def _capture(store: Store, now: datetime, job: Job) -> None:
    """Write down what was said since the last time."""
    from .. import intake
    from ..transcripts import PLATFORMS

    with store.snapshot() as tip:
        mode = store.config(tip).text("capture")
    if mode == "off" or not job.get("session"):
        return
    if job.get("prompt"):
        _prompt(store, now, job)
        return
    transcript = str(job.get("transcript") or "")
    source: Path | Mapping[str, object] | None = None
    if job.get("messages"):
        source = job["messages"]
    elif transcript and Path(transcript).is_file():
        source = Path(transcript)
    # A new session has no transcript before its first turn is over.
    if source is None or job.get("platform") not in PLATFORMS:
        return
    intake.take(
        store,
        source,
        now,
        platform=str(job["platform"]),
        session=str(job["session"]),
        final=bool(job.get("ended")) and not _moved_on(source, job.get("size")),
        via="hook",
        only_decisions=mode == "decisions",
    )


def _moved_on(source: Path | Mapping[str, object], size: object) -> bool:
    """Whether the user has spoken since: their turn is open, and not to be closed."""
    if not isinstance(source, Path) or not isinstance(size, int):
        return False
    with source.open("rb") as file:
        file.seek(size)
        tail = file.read(1 << 20).replace(b": ", b":")
    return any(sign in tail for sign in _SPOKEN)


def _summary(store: Store, now: datetime, job: Job) -> None:
    """What a compaction made of the session, where the host tells it to the hook."""
    from .. import intake

    with store.snapshot() as tip:
        if store.config(tip).text("capture") == "off" or not job.get("session"):
            return
    platform, session = str(job["platform"]), str(job["session"])
    start = _instant(marks.session(str(store.local), platform, session).get("start"))
    intake.take_summary(
        store,
        str(job["summary"]),
        start or now,
        now,
        platform=platform,
        session=session,
    )


def _prompt(store: Store, now: datetime, job: Job) -> None:
    """The prompt alone, where the host shows neither answer nor transcript."""
    from .. import capture, memory
    from ..record import Record

    with store.snapshot() as tip:
        if store.config(tip).text("capture") == "decisions":
            return
    known = marks.session(str(store.local), str(job["platform"]), str(job["session"]))
    payload = {
        "cursor_version": "",
        "hook_event_name": "beforeSubmitPrompt",
        "prompt": job["prompt"],
        "session_id": job["session"],
        "generation_id": job.get("turn") or job.get("at"),
    }
    made = capture.from_hook(
        str(job["platform"]), payload, now=now, started=_instant(known.get("start"))
    )
    if made.entries:
        record = Record(
            "capture",
            "",
            session=made.entries[0].get("session"),
            source=str(job["platform"]),
            actor=memory.person(store.git),
            code=memory.code_state(store.git),
        )
        memory.keep(store, made, record, now)


def _waiting(store: Store, now: datetime) -> Iterator[dict[str, Any]]:
    """The jobs in the queue; each leaves it once it was done."""
    folder = store.local / "queue"
    while True:
        for path in folder.glob("*.json"):
            # The same session may queue the next job while this one is worked on.
            with suppress(OSError):
                path.replace(path.with_suffix(".taken"))
        taken = sorted(folder.glob("*.taken"))
        if not taken:
            return
        for path in taken:
            job = _read(path)
            tries = job.get("tries", 0) if job else _TRIES
            if tries >= _TRIES:
                store.ledger.note(
                    now.isoformat(),
                    "capture",
                    f"{path.stem} was given up",
                    "hipogit capture FILE",
                )
            elif job:
                # A job that kills its process must not kill every later one.
                marks.put(str(path), {**job, "tries": tries + 1})
                yield job
            path.unlink(missing_ok=True)


@contextmanager
def _alone(local: Path) -> Iterator[None]:
    """One process at a time: two would read the same transcript twice."""
    try:
        import fcntl

        handle = os.open(local / "upkeep.lock", os.O_RDWR | os.O_CREAT, 0o666)
    except (ImportError, OSError):
        yield  # ids keep entries from being written twice
        return
    end = time.monotonic() + _PATIENCE
    try:
        while time.monotonic() < end:
            with suppress(BlockingIOError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(0.1)
        yield
    finally:
        os.close(handle)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _folder(told: Job) -> Path:
    return Path(str(told.get("cwd") or os.curdir))


def _instant(text: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return at if at.year in clock.YEARS else None


def _forget_old(folder: Path, now: datetime) -> None:
    oldest = now.timestamp() - _KEPT_DAYS * 86_400
    for path in folder.glob("*.*"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
