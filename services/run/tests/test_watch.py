"""The liveness checks, and the end of a silent program."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import signs
from signs import answers, touches
from watch import START_LIMIT_S, Silence, Watch


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "ANSWER_WAIT_S", 0.2)


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)
        yield listening


def answer_once(listening: socket.socket, answer: bytes) -> None:
    def serve() -> None:
        line, _ = listening.accept()
        with line:
            line.recv(100)
            line.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()


@pytest.mark.parametrize(("answer", "sign"), [(b"HTTP/1.1 503 Loading", True), (b"", None)])
def test_any_answer_is_a_sign_of_life(server: socket.socket, answer: bytes, sign: bool | None) -> None:
    answer_once(server, answer)

    assert answers(server.getsockname(), "PING\r\n")() is sign


def test_no_answer_is_no_sign_of_life(server: socket.socket) -> None:
    ask = answers(server.getsockname(), "PING\r\n")

    # After a while no more connections are taken either.
    assert [ask() for _ in range(5)] == [False] * 5


def test_a_full_unix_socket_is_silent_too() -> None:
    with tempfile.TemporaryDirectory(prefix="watch-") as folder, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{folder}/a.sock")
        listening.listen(0)
        ask = answers(f"{folder}/a.sock", "PING\r\n")

        assert [ask() for _ in range(4)] == [False] * 4


def test_a_closed_port_does_not_count_as_silent(tmp_path: Path, server: socket.socket) -> None:
    address = server.getsockname()
    server.close()

    assert answers(address, "PING\r\n")() is None
    assert answers("/nowhere.sock", "PING\r\n")() is None
    assert touches(tmp_path / "nothing")() is None


def test_any_change_of_a_file_is_a_sign_of_life(tmp_path: Path) -> None:
    file = tmp_path / "alive"
    file.touch()
    look = touches(file)
    first = look()

    os.utime(file, (1, 1))
    changed = look()

    assert (first, changed, look()) == (None, True, False)


def test_a_program_hangs_after_twenty_seconds_without_a_sign() -> None:
    silence = Silence()
    looks: list[bool | None] = [True, True, *[False] * 5]

    hangs = [silence.hear(sign, 7, 4.0) for sign in looks]

    assert hangs == [False] * 6 + [True]


def test_a_program_that_starts_has_more_time() -> None:
    silence = Silence()
    silence.hear(True, 7, 3.0)
    silence.hear(True, 7, 3.0)
    count = round(START_LIMIT_S / 4)

    hangs = [silence.hear(False, 8, 4.0) for _ in range(count + 1)]

    assert hangs == [False] * count + [True]


def test_time_that_the_watch_itself_slept_does_not_count() -> None:
    silence = Silence()
    silence.hear(True, 7, 3.0)
    silence.hear(True, 7, 3.0)

    assert not silence.hear(False, 7, 3600.0)
    assert silence.hear(None, 7, 3.0) is False
    assert silence.seconds == 0


def test_a_stopped_program_is_ended_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("watch.LOOK_EVERY_S", 0.1)
    monkeypatch.setattr("watch.SILENCE_LIMIT_S", 1.0)
    alive = tmp_path / "alive"
    command = ["sh", "-c", f"sleep 600 & while :; do touch '{alive}'; sleep 0.05; done"]
    said: list[str] = []
    with subprocess.Popen(command, start_new_session=True) as process:
        try:
            Watch("worker", touches(alive), lambda: process.pid, said.append).start()
            deadline = time.monotonic() + 2
            while time.monotonic() < deadline:
                assert process.poll() is None
                time.sleep(0.05)

            os.killpg(process.pid, signal.SIGSTOP)

            assert process.wait(10) == -signal.SIGKILL
            assert said == ["worker has not responded for 1 s; restarting it.\n"]
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
