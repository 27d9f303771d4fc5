"""Asks the running server, and waits without sleeping longer than needed."""

import json
import os
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

START = Path(__file__).resolve().parents[1] / "start.py"
HOUSEHOLD = Path(__file__).resolve().parents[4] / "shared" / "models" / "household-tiny.gguf"
READY_S = 30.0
T = TypeVar("T")


def select(folder: Path, **fields: object) -> None:
    (folder / "selection.json").write_text(json.dumps({"models": {"llm": fields}}))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(condition: Callable[[], T | None], limit_s: float = READY_S) -> T:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"not so within {limit_s} s")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError):
        return False


def get_json(url: str, body: object | None = None) -> dict[str, object]:
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=content, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        value: dict[str, object] = json.load(answer)
        return value


def drain(process: subprocess.Popen[str]) -> None:
    """Keeps the server's chatter from filling its pipes, which would stop it."""
    for stream in (process.stdout, process.stderr):
        if stream:
            threading.Thread(target=stream.read, daemon=True).start()
