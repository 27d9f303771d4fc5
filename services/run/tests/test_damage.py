"""A damaged append-only file, a full or read-only data folder, and programs that end as soon as they are started."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import guard
import one_run
import pytest
from guarded import guarded
from one_run import only_one
from settings import SettingsError, read_settings

START = Path(__file__).resolve().parents[2] / "redis" / "start.sh"
needs_redis = pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
ITEMS = 200


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def redis(folder: Path) -> Iterator[list[str]]:
    """Redis on the data in the folder, as it is started everywhere; gives the beginning of a command to it."""
    port = str(free_port())
    options = ["--port", port, "--bind", "127.0.0.1", "--dir", str(folder), "--appendonly", "yes", "--save", ""]
    with (folder / "log").open("a") as log:
        server = subprocess.Popen(["sh", str(START), str(folder), "redis-server", *options], stdout=log, stderr=log)
    client = ["redis-cli", "-p", port]
    try:
        until = time.monotonic() + 20
        while time.monotonic() < until and server.poll() is None and said(client, "ping") != "PONG":
            time.sleep(0.05)
        yield client
    finally:
        server.terminate()
        server.wait(10)


def said(client: list[str], *command: str) -> str:
    return subprocess.run([*client, *command], capture_output=True, text=True, check=False).stdout.strip()


def fill(folder: Path) -> Path:
    """Data of a household; returns the file that holds it."""
    with redis(folder) as client:
        lines = "".join(f"SET item{number} value-of-item-{number}\n" for number in range(ITEMS))
        subprocess.run(client, input=lines, capture_output=True, text=True, check=True)
    return next((folder / "appendonlydir").glob("*.incr.aof"))


@needs_redis
def test_repairs_a_file_damaged_in_the_middle_and_keeps_the_original(tmp_path: Path) -> None:
    file = fill(tmp_path)
    content = bytearray(file.read_bytes())
    half = len(content) // 2
    content[half : half + 64] = bytes(64)
    file.write_bytes(content)

    with redis(tmp_path) as client:
        assert said(client, "get", "item0") == "value-of-item-0"
        assert ITEMS // 3 < int(said(client, "dbsize")) < ITEMS
        note = json.loads(said(client, "get", "hearth:mended"))
        assert 0 < int(said(client, "ttl", "hearth:mended")) <= 14 * 86_400
        said(client, "set", "later", "kept")

    assert 0.3 * len(content) < note["lostBytes"] < 0.7 * len(content)
    assert (tmp_path / note["kept"] / file.name).read_bytes() == content
    assert "was damaged in the middle" in (tmp_path / "log").read_text()
    with redis(tmp_path) as client:
        assert said(client, "get", "later") == "kept"
    assert len(list(tmp_path.glob("damaged-*"))) == 1


@needs_redis
@pytest.mark.parametrize("torn", [1, 20, 22, 24, 25])
def test_a_truncated_end_does_not_count_as_damage(tmp_path: Path, torn: int) -> None:
    file = fill(tmp_path)
    content = file.read_bytes()
    file.write_bytes(content[:-torn])

    with redis(tmp_path) as client:
        assert int(said(client, "dbsize")) == ITEMS - 1

    assert list(tmp_path.glob("damaged-*")) == []


@needs_redis
def test_keeps_a_complete_file_unchanged(tmp_path: Path) -> None:
    fill(tmp_path)

    with redis(tmp_path) as client:
        assert int(said(client, "dbsize")) == ITEMS

    assert list(tmp_path.glob("damaged-*")) == []


def test_reports_a_full_disk_in_a_sentence(tmp_path: Path) -> None:
    settings = read_settings(tmp_path, {"DATA_DIR": str(tmp_path / "data")})
    most, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (one_run.ROOM_BYTES // 2, hard))
    try:
        with pytest.raises(SettingsError, match=r"^DATA_DIR cannot be used: .*\. Free up space"), only_one(settings):
            pytest.fail("it must not start")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_reports_a_read_only_folder_in_a_sentence(tmp_path: Path) -> None:
    settings = read_settings(tmp_path, {"DATA_DIR": str(tmp_path / "data")})
    for folder in (settings.data_dir, settings.run_dir, settings.logs_dir, settings.models_dir):
        folder.mkdir()
    settings.run_dir.chmod(0o500)

    with pytest.raises(SettingsError, match=r"^DATA_DIR cannot be used: .*Permission denied"), only_one(settings):
        pytest.fail("it must not start")


def test_limits_the_wait_before_a_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    waits: list[float] = []
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(time, "sleep", waits.append)

    for _ in range(7):
        guard.pace(tmp_path / "api")
    now += guard.WELL_S
    guard.pace(tmp_path / "api")

    assert waits == [0, 1, 2, 4, 8, 8, 8, 0]


def test_a_paced_program_is_started(tmp_path: Path) -> None:
    command = guarded(["echo", "here"], pace=tmp_path / "api")

    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "here\n"
    assert (tmp_path / "api").read_text().startswith("1 ")
    assert command[0] == sys.executable
