"""Talks to the running supervisor over its Unix socket."""

from __future__ import annotations

import hashlib
import http.client
import os
import socket
import tempfile
import xmlrpc.client
from pathlib import Path

from settings import Settings

#: The system limits the length of a Unix socket's path.
PATH_LIMIT = 100
TIMEOUT_S = 30.0


def control_socket(settings: Settings) -> Path:
    """Its path, in a folder that only this user can read. Uses /tmp if the path beside the data is too long."""
    folder = settings.run_dir / "control"
    if len(str(folder / "supervisor.sock")) > PATH_LIMIT:
        name = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"hearth-{os.getuid()}-{name}"
    return folder / "supervisor.sock"


class Supervisor:
    def __init__(self, control: Path) -> None:
        self._server = xmlrpc.client.ServerProxy("http://supervisor", transport=_Transport(control))

    def pid_of(self, program: str) -> int:
        """Process id; 0 if the program does not run, or the supervisor does not answer."""
        return self._number(program, "pid")

    def _number(self, program: str, name: str) -> int:
        try:
            about = self._server.supervisor.getProcessInfo(program)
        except (OSError, http.client.HTTPException, xmlrpc.client.Error):
            return 0
        number = about.get(name) if isinstance(about, dict) else None
        return number if isinstance(number, int) else 0

    def restart(self, group: str) -> None:
        self._server.supervisor.stopProcessGroup(group)
        self._server.supervisor.startProcessGroup(group, False)


class _Transport(xmlrpc.client.Transport):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def make_connection(self, host: object) -> http.client.HTTPConnection:
        del host  # a Unix socket ignores the host
        return _Connection(self._path)


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=TIMEOUT_S)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))
