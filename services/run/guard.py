"""guard.py [--without NAME,NAME] -- COMMAND...: becomes COMMAND, which gets SIGTERM when its parent dies.

A supervisor that is killed outright cannot stop its programs, but the kernel can. The given names are removed from the
environment first, because an engine must not see the household's token.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    hidden: list[str] = []
    if arguments[0] == "--without":
        hidden = arguments[1].split(",")
        arguments = arguments[2:]
    command = arguments[1:]  # after the --
    for name in hidden:
        os.environ.pop(name, None)
    if sys.platform == "linux":
        # Survives exec, unless the program gains privileges by it.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
