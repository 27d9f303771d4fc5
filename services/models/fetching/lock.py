"""Allows one fetch at a time in a models folder."""

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import FetchError
from .messages import gettext

_LOOK_EVERY_S = 0.2
_REMIND_EVERY_S = 60.0


@contextmanager
def only_fetch(path: Path, wait_s: float, say: Callable[[str], None]) -> Iterator[None]:
    """The kernel drops the lock with the process, so a killed fetch never blocks the next one."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _wait(handle, wait_s, say)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def _wait(handle: int, wait_s: float, say: Callable[[str], None]) -> None:
    started = time.monotonic()
    reminded = -_REMIND_EVERY_S
    while not _take(handle):
        waited = time.monotonic() - started
        if waited > wait_s:
            raise FetchError(
                "Another download of models is still running after %s s. Try again when it is done.", round(wait_s)
            )
        if waited - reminded >= _REMIND_EVERY_S:
            reminded = waited
            say(gettext("Another download of models is running; waiting for it to finish."))
        time.sleep(_LOOK_EVERY_S)


def _take(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise FetchError("The models folder is on a file system without locks (%s).", error.strerror) from error
    return True
