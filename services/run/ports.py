"""Finds free ports for the programs, and checks the public address."""

from __future__ import annotations

import errno
import socket

from messages import gettext
from settings import SettingsError

LOOPBACK = "127.0.0.1"


def free_port(preferred: int, taken: set[int]) -> int:
    """Returns the preferred port if it is free, else any free one. Loopback only, so no outside client needs
    to know it.
    """
    for port in (preferred, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            chosen: int = probe.getsockname()[1]
            if chosen not in taken:
                taken.add(chosen)
                return chosen
    return free_port(0, taken)


def check_address(host: str, port: int, name: str = "PORT") -> None:
    """Refuses an unusable address. Clients know the api's port, so unlike an engine's it never moves."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                message = gettext(
                    "Port %s is taken by another program. Stop it, or choose another port with %s.", port, name
                )
            elif error.errno == errno.EACCES:
                message = gettext("Only root may use port %s: choose one above 1023 with %s.", port, name)
            else:
                message = gettext('HOST must be an address of this machine, but is "%s" (%s).', host, error.strerror)
            raise SettingsError(message) from None
