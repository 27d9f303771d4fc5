"""Turns a signal to stop into an exception, wherever the program is at that moment."""

from __future__ import annotations

import signal
from types import FrameType

WISHES = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(BaseException):
    """A request to stop. Not an Exception, so that no handler takes it for a failure."""


def stop_on_signals() -> None:
    for wish in WISHES:
        signal.signal(wish, _raise)


def ignore_signals() -> None:
    """For the last steps of stopping, which must not be interrupted."""
    for wish in WISHES:
        signal.signal(wish, signal.SIG_IGN)


def _raise(_signal: int, _frame: FrameType | None) -> None:
    raise Stop
