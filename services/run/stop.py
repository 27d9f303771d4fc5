"""How a wish to end reaches the program, wherever it is at that moment."""

from __future__ import annotations

import signal
from types import FrameType

WISHES = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(BaseException):
    """Somebody wants us to end. Not an Exception, so that nothing on the way takes it for a failure."""


def stop_on_signals() -> None:
    for wish in WISHES:
        signal.signal(wish, _raise)


def ignore_signals() -> None:
    """For the last steps of ending, which nobody needs to hurry any more."""
    for wish in WISHES:
        signal.signal(wish, signal.SIG_IGN)


def _raise(_signal: int, _frame: FrameType | None) -> None:
    raise Stop
