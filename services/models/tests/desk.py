"""The program that takes orders, and a caller of its socket."""

import http.client
import json
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models_support import FETCH, Household, wait_for

SERVE = FETCH.with_name("serve.py")


class Desk:
    def __init__(self, path: Path) -> None:
        self.path = path

    def call(self, method: str, path: str, body: object | None = None) -> tuple[int, dict[str, object]]:
        connection = http.client.HTTPConnection("localhost", timeout=30)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(str(self.path))
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            content: dict[str, object] = json.loads(answer.read())
            return answer.status, content
        finally:
            connection.close()

    def told(self) -> dict[str, object]:
        return self.call("GET", "/")[1]

    def choose(self, kind: str, model_id: str) -> tuple[int, dict[str, object]]:
        return self.call("POST", "/order", {"kind": kind, "id": model_id})

    def answers(self, kind: str, model_id: str) -> None:
        self.call("POST", "/answered", {"kind": kind, "id": model_id})

    def order(self) -> dict[str, object]:
        order = self.told()["order"]
        assert isinstance(order, dict)
        return order

    def reaches(self, *states: str) -> dict[str, object]:
        """The order, as soon as it is in one of these states."""
        return wait_for(lambda: order if (order := self.order())["state"] in states else None)

    def model(self, model_id: str) -> dict[str, object]:
        models = self.told()["models"]
        assert isinstance(models, list)
        found: dict[str, object] = next(model for model in models if model["id"] == model_id)
        return found


@contextmanager
def desk(household: Household, *arguments: str, **settings: str) -> Iterator[Desk]:
    # The system limits the length of a socket's path.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "models.sock"
        command = [*household.prefix, sys.executable, str(SERVE), "--socket", str(path)]
        command += ["--models-dir", str(household.models), "--own-dir", str(household.own)]
        command += ["--catalog", str(household.catalog), *arguments]
        process = subprocess.Popen(command, env=household.environment(**settings), stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout
            assert "can be chosen" in process.stdout.readline()
            yield Desk(path)
        finally:
            process.kill()
            process.communicate()
