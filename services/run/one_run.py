"""Allows one run per data folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from messages import gettext
from settings import Settings, SettingsError

#: Less space than this is useless: it must hold the configuration and the first lines of the logs.
ROOM_BYTES = 1_000_000


@contextmanager
def only_one(settings: Settings) -> Iterator[int]:
    """Makes the data folder and locks it. The kernel drops the lock with the last process that holds it."""
    for folder in (settings.data_dir, settings.run_dir, settings.logs_dir, settings.models_dir):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(gettext("DATA_DIR cannot be used: %s: %s.", folder, error.strerror)) from None
    descriptor = open_lock(settings)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 200, 0).decode() or "unknown"
        os.close(descriptor)
        raise SettingsError(
            gettext(
                "Hearth is already running with the data in %s (process %s)."
                " Stop it with Ctrl-C or make down, or choose another folder with DATA_DIR.",
                settings.data_dir,
                holder,
            )
        ) from None
    need_room(settings)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def open_lock(settings: Settings) -> int:
    try:
        return os.open(settings.run_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SettingsError(gettext("DATA_DIR cannot be used: %s: %s.", settings.run_dir, error.strerror)) from None


def need_room(settings: Settings) -> None:
    """Tries to write there. On a full disk every program would fail with a different message."""
    trial = settings.run_dir / "room"
    try:
        with trial.open("wb") as file:
            file.write(bytes(ROOM_BYTES))
    except OSError as error:
        raise SettingsError(
            gettext(
                "DATA_DIR cannot be used: %s: %s. Free up space on that disk, or choose another folder with DATA_DIR.",
                settings.data_dir,
                error.strerror,
            )
        ) from None
    finally:
        trial.unlink(missing_ok=True)
