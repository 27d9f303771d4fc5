"""A running Redis of `make run`, as a stranger in the home network and another user of the machine find it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from own_redis import redis_command
from settings import read_settings

pytestmark = pytest.mark.skipif(shutil.which("redis-cli") is None, reason="redis-server is not installed")
ROOT = Path(__file__).resolve().parents[3]
PASSWORD = "of-this-run"


@dataclass(frozen=True)
class OwnRedis:
    port: int

    def says(self, *command: str, password: str | None = None) -> str:
        environment = os.environ | ({} if password is None else {"REDISCLI_AUTH": password})
        client = ["redis-cli", "--no-auth-warning", "-p", str(self.port), *command]
        asked = subprocess.run(client, env=environment, capture_output=True, text=True, check=False)
        return (asked.stdout + asked.stderr).strip()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def home_address() -> str | None:
    """The address of this machine in its network; sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[OwnRedis]:
    (tmp_path / "run").mkdir()
    port = free_port()
    command = redis_command(read_settings(ROOT, {"DATA_DIR": str(tmp_path)}), port, PASSWORD)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            own = OwnRedis(port)
            until = time.monotonic() + 20
            while time.monotonic() < until and own.says("ping", password=PASSWORD) != "PONG":
                time.sleep(0.05)
            yield own
        finally:
            server.terminate()


def test_answers_with_its_password_only(redis: OwnRedis) -> None:
    assert redis.says("ping", password=PASSWORD) == "PONG"
    for command in (["ping"], ["keys", "*"], ["config", "get", "requirepass"], ["info"]):
        assert redis.says(*command) == "NOAUTH Authentication required."
    assert "WRONGPASS" in redis.says("keys", "*", password="of-another-run")


def test_does_not_listen_on_the_home_network(redis: OwnRedis) -> None:
    address = home_address()
    if address is None or address.startswith("127."):
        pytest.skip("this machine is in no network")
    with socket.socket() as stranger:
        stranger.settimeout(5)
        with pytest.raises(ConnectionRefusedError):
            stranger.connect((address, redis.port))
