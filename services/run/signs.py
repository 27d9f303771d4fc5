"""Finds out from outside whether a program is still alive."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

#: Whether the program responded; None if it is not up.
Sign = Callable[[], bool | None]

#: A living program answers these requests at once, however hard it works.
ANSWER_WAIT_S = 4.0
HTTP_QUESTION = "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n"
REDIS_QUESTION = "PING\r\n"


def answers(address: str | tuple[str, int], question: str) -> Sign:
    """Any answer counts, even a refusal. The address is the path of a Unix socket, or a host and a port."""

    def ask() -> bool | None:
        try:
            with _connection(address) as line:
                line.sendall(question.encode())
                # A close without data: the program is shutting down.
                return True if line.recv(1) else None
        except (TimeoutError, BlockingIOError):
            # The system accepted the request, or the queue is full because the program accepts none.
            return False
        except OSError:
            return None

    return ask


def _connection(address: str | tuple[str, int]) -> socket.socket:
    if not isinstance(address, str):
        return socket.create_connection(address, ANSWER_WAIT_S)
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(ANSWER_WAIT_S)
    try:
        line.connect(address)
    except OSError:
        line.close()
        raise
    return line


def touches(file: Path) -> Sign:
    """A living program touches the file regularly. The clock may jump meanwhile, so only a change counts."""
    last: int | None = None

    def look() -> bool | None:
        nonlocal last
        try:
            touched = file.stat().st_mtime_ns
        except OSError:
            return None
        before, last = last, touched
        return None if before is None else touched != before

    return look
