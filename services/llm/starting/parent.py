"""Ends this process together with its parent."""

import ctypes
import os
import signal
import sys

from .errors import StartError

_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int | None = None) -> None:
    """
    Without this, a killed supervisor would leave a server holding the port and the memory. Linux only.
    Raises StartError if the process with the id `parent`, by default the current parent, has ended meanwhile.
    """
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid() if parent is None else parent
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        raise StartError("The program that started the language model has ended, so it is not started.")
