"""Runs the program of `summarizer.command`: prompt on its stdin, Markdown from stdout.

Any program will do. Whatever goes wrong with it is an error with its reason, and the
extractive summary stays. No lock is held meanwhile.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
import threading
from typing import IO

from .errors import Refused, Usage

# More than any source it may be given; a program that never stops writing is cut off.
_MOST = 1 << 20


def run(command: str, prompt: str, *, timeout: float = 120) -> str:
    """What the program answers to the prompt."""
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise Usage(
            f"summarizer.command cannot be read: {problem}", hint="hipogit config"
        ) from problem
    if not words:
        raise Usage("no summarizer.command is set", hint="hipogit config")
    # A git variable of the hook that started us would turn the program's own git
    # commands upon our repository.
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    with tempfile.TemporaryDirectory(prefix="hipogit-") as folder:
        try:
            process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env=env,
                start_new_session=True,
            )
        except OSError as problem:
            raise Refused(
                f"summarizer.command could not be started: {problem.strerror}",
                hint="hipogit config",
            ) from problem
        raw = _talk(process, prompt, timeout)
    if process.returncode:
        raise Refused(f"summarizer.command left with exit code {process.returncode}")
    if len(raw) > _MOST:
        raise Refused(f"summarizer.command wrote more than {_MOST} bytes")
    text = raw.decode("utf-8", "replace").strip()
    if not text:
        raise Refused("summarizer.command wrote nothing")
    return text + "\n"


def _talk(process: subprocess.Popen[bytes], prompt: str, timeout: float) -> bytes:
    """Gives the program its prompt and reads what it writes, up to the limit."""
    assert process.stdin is not None and process.stdout is not None
    feeder = threading.Thread(
        target=_feed,
        args=(process.stdin, prompt.encode("utf-8", "surrogateescape")),
        daemon=True,
    )
    feeder.start()
    late = threading.Event()

    def stop() -> None:
        late.set()
        _kill(process)

    clock = threading.Timer(timeout, stop)
    clock.start()
    try:
        raw = process.stdout.read(_MOST + 1)
        if len(raw) > _MOST:
            _kill(process)
        process.stdout.close()
        process.wait()
    except BaseException:
        _kill(process)
        process.wait()
        raise
    finally:
        clock.cancel()
    if late.is_set():
        raise Refused(
            f"summarizer.command took longer than {timeout:g} s",
            hint="raise summarizer.timeout",
        )
    if len(raw) > _MOST:
        raise Refused(f"summarizer.command wrote more than {_MOST} bytes")
    return raw


def _feed(pipe: IO[bytes], raw: bytes) -> None:
    try:
        pipe.write(raw)
        pipe.close()
    except OSError:
        return  # it does not want to read all; its answer decides


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and what it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        process.kill()
