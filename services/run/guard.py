"""guard.py [--without NAME,NAME] [--pace FILE] -- COMMAND...: becomes COMMAND, which gets SIGTERM when its
parent dies.

A killed supervisor cannot stop its programs, but the kernel can. The guard first removes the given names from
the environment, because an engine must not see the household's token. FILE counts how often the program ended
soon after its start. Each such end lengthens the wait before the next start, up to a limit that people
tolerate.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
#: A program that ran for this long has started well.
WELL_S = 10.0
#: The longest wait before a start.
LONGEST_WAIT_S = 8.0


def main(arguments: list[str]) -> None:
    hidden: list[str] = []
    if arguments[0] == "--without":
        hidden = arguments[1].split(",")
        arguments = arguments[2:]
    pace_file = ""
    if arguments[0] == "--pace":
        pace_file = arguments[1]
        arguments = arguments[2:]
    command = arguments[1:]  # skips the --
    for name in hidden:
        os.environ.pop(name, None)
    if sys.platform == "linux":
        # Survives exec, unless the program gains privileges through it.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if pace_file:
        pace(Path(pace_file))
    os.execvp(command[0], command)


def pace(file: Path) -> None:
    """Waits 0, 1, 2, 4, 8, 8, ... s before starts in quick succession."""
    now = time.monotonic()
    try:
        count, begun = file.read_text(encoding="ascii").split()
        # A time in the future is from before the machine started.
        attempts = int(count) if 0 <= now - float(begun) < WELL_S else 0
    except (OSError, ValueError):
        attempts = 0
    wait_s = min(2.0 ** (attempts - 1), LONGEST_WAIT_S) if attempts > 0 else 0.0
    time.sleep(wait_s)
    try:
        file.write_text(f"{attempts + 1} {time.monotonic()}", encoding="ascii")
    except OSError:
        time.sleep(LONGEST_WAIT_S - wait_s)  # the disk is full: a wait prevents a tight restart loop


if __name__ == "__main__":
    main(sys.argv[1:])
