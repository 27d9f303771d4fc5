"""Expected failures. Each carries one sentence that a person can act on."""

import errno

from .messages import gettext

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class FetchError(Exception):
    """The fetch has failed; the message gives the reason and the remedy, with its values in the places of %s.

    The page gets the English one, the terminal its own.
    """

    def __init__(self, text: str, *values: object) -> None:
        super().__init__(text % values if values else text)
        self.told = gettext(text, *values)


class DiskFullError(FetchError):
    """No fallback to a smaller model here: the owner has to decide which files to delete."""

    @classmethod
    def midway(cls, name: str) -> "DiskFullError":
        return cls("The disk filled up while downloading %s; no unfinished file is in place. Free some space.", name)


class SourceError(Exception):
    """One source cannot provide a model; another source or a smaller model may still work."""


class StoppedError(BaseException):
    """SIGTERM or Ctrl-C. Not an `Exception`, so that no `except Exception` keeps the program alive."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(f"stopped by signal {signal_number}")
        self.signal_number = signal_number


def is_disk_full(error: OSError) -> bool:
    return error.errno in _DISK_FULL
