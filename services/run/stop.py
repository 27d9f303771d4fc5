"""Turns a stop signal into an exception, at any point of the program."""

from __future__ import annotations

import signal
from types import FrameType

WISHES = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(BaseException):
    """A request to stop. Not an Exception, so that no handler mistakes it for a failure."""


def stop_on_signals() -> None:
    for wish in WISHES:
        signal.signal(wish, _raise)


def ignore_signals() -> None:
    """Protects the last steps of stopping from interruption."""
    for wish in WISHES:
        signal.signal(wish, signal.SIG_IGN)


def _raise(_signal: int, _frame: FrameType | None) -> None:
    raise Stop
