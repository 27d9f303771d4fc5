"""Ends everything that this process started, also what lost its own parent."""

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
#: All groups' stop waits together (programs.py), and a little.
STOP_LIMIT_S = 9.0
ORPHANS_LIMIT_S = 3.0
KILL_LIMIT_S = 2.0


def adopt_orphans() -> None:
    """Makes us the parent of whatever loses its own, so that end() finds it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end(supervisor: subprocess.Popen[bytes]) -> None:
    """Everything stops in order within STOP_LIMIT_S; what is still there then, or on a second Ctrl-C, is killed."""
    supervisor.terminate()
    try:
        supervisor.wait(STOP_LIMIT_S)
        # A supervisor that was killed has stopped nobody; its programs are ours now.
        end_all(signal.SIGTERM, ORPHANS_LIMIT_S)
    except (subprocess.TimeoutExpired, Stop):
        pass  # what is left is killed
    ignore_signals()
    supervisor.kill()  # first, for it would start again what it sees end
    end_all(signal.SIGKILL, KILL_LIMIT_S)


def end_all(wanted: signal.Signals, limit_s: float) -> None:
    """Sends the signal once to each process below this one, newborn ones too, until none is left."""
    deadline = time.monotonic() + limit_s
    told: set[int] = set()
    while (left := descendants()) and time.monotonic() < deadline:
        for process in left - told:
            with suppress(ProcessLookupError):
                os.kill(process, wanted)
        told |= left
        time.sleep(0.05)


def reap() -> None:
    """Takes note of ended processes that became ours, or they would stay as zombies."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            continue
    except ChildProcessError:
        return


def descendants() -> set[int]:
    """Everything below this process, on Linux; elsewhere the supervisor's word must do.

    A zombie counts until it is reaped: while its other threads are still ending, its children are still its own.
    """
    reap()
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name stands in parentheses and may contain anything; state and parent follow it.
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
