"""Expected failures. Each carries one sentence that a person can act on."""

import errno

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class FetchError(Exception):
    """The fetch has failed; the message gives the reason and the remedy."""


class DiskFullError(FetchError):
    """No fallback to a smaller model here: the owner has to decide which files to delete."""

    @classmethod
    def midway(cls, name: str) -> "DiskFullError":
        return cls(f"The disk filled up while downloading {name}; no unfinished file is in place. Free some space.")


class SourceError(Exception):
    """One source cannot provide a model; another source or a smaller model may still work."""


class StoppedError(BaseException):
    """SIGTERM or Ctrl-C. Not an `Exception`, so that no `except Exception` keeps the program alive."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(f"stopped by signal {signal_number}")
        self.signal_number = signal_number


def is_disk_full(error: OSError) -> bool:
    return error.errno in _DISK_FULL
