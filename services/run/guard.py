"""guard.py [--without NAME,NAME] -- COMMAND...: becomes COMMAND, which is told to end when its parent dies.

A supervisor that is killed outright cannot end its programs; the kernel can. The names given are taken out of the
environment first: an engine has no business with the household's token.
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
        # Stays in force over exec, as long as the program gains no privileges by it.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
