"""Free ports for the programs, and the one address that others know."""

from __future__ import annotations

import errno
import socket

from settings import SettingsError

LOOPBACK = "127.0.0.1"


def free_port(preferred: int, taken: set[int]) -> int:
    """The preferred port when it is free, else any free one. Loopback only, so nobody outside needs to know it."""
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


def check_address(host: str, port: int) -> None:
    """Unlike the engines' ports, the api's is known to others: it never moves, it is free or we say so."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                message = f"Port {port} is taken by another program: end that, or choose another with PORT."
            elif error.errno == errno.EACCES:
                message = f"Port {port} needs the rights of root: choose one above 1023 with PORT."
            else:
                message = f'HOST must be an address of this machine, but is "{host}" ({error.strerror}).'
            raise SettingsError(message) from None
