"""Ends the server when another model is chosen. Its supervisor then restarts it with that model."""

import os
import signal
import time
from pathlib import Path

from .parent import die_with_parent

_LOOK_S = 1.0


def end_when_moved(link: Path, model: Path) -> None:
    """Leaves a small process behind that watches the link, because the server replaces this process."""
    server = os.getpid()
    if os.fork() > 0:
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    try:
        # The server may have ended before this process ran for the first time.
        die_with_parent(server)
        while not _has_moved(link, model):
            time.sleep(_LOOK_S)
        os.kill(server, signal.SIGTERM)
    finally:
        os._exit(0)


def _has_moved(link: Path, model: Path) -> bool:
    """If the link is gone, no other model was chosen, and the server keeps its model."""
    return link.is_file() and link.resolve() != model
