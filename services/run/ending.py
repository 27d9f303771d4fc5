"""Ends every process that this process started, orphans included."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from stop import Stop, ignore_signals

PR_SET_CHILD_SUBREAPER = 36
#: The sum of all groups' stop waits (programs.py), plus a margin.
STOP_LIMIT_S = 9.0
ORPHANS_LIMIT_S = 3.0
KILL_LIMIT_S = 2.0


def adopt_orphans() -> None:
    """Makes this process the parent of orphans, so that end() finds them."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end(supervisor: subprocess.Popen[bytes]) -> None:
    """Stops everything in order within STOP_LIMIT_S. Kills the remainder, at once after a second Ctrl-C."""
    supervisor.terminate()
    try:
        supervisor.wait(STOP_LIMIT_S)
        # A killed supervisor has stopped no program; its programs are ours now.
        end_all(signal.SIGTERM, ORPHANS_LIMIT_S)
    except (subprocess.TimeoutExpired, Stop):
        pass  # the code below kills the remainder
    ignore_signals()
    supervisor.kill()  # first, because it restarts programs that end
    end_all(signal.SIGKILL, KILL_LIMIT_S)


def end_all(wanted: signal.Signals, limit_s: float) -> None:
    """Sends the signal once to each descendant, new ones included, until none is left."""
    deadline = time.monotonic() + limit_s
    told: set[int] = set()
    while (left := descendants()) and time.monotonic() < deadline:
        for process in left - told:
            with suppress(ProcessLookupError):
                os.kill(process, wanted)
        told |= left
        time.sleep(0.05)


def reap() -> None:
    """Reaps ended processes that we adopted; otherwise they stay zombies."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            continue
    except ChildProcessError:
        return


def descendants() -> set[int]:
    """Returns all descendants of this process, on Linux; elsewhere we rely on the supervisor.

    A zombie counts until it is reaped, because its remaining threads may still own its children.
    """
    reap()
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The parentheses hold the name, which may contain any character; state and parent follow it.
            parent = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
        except OSError:
            continue
        children.setdefault(int(parent), []).append(int(stat.parent.name))
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting += below
    return found
