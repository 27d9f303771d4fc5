"""Reports about programs that ended by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from crashes import STARTING_S, Crashes, Machine, last_line

AVX2 = frozenset({"sse2", "avx", "avx2", "fma"})
MACHINE = Machine(flags=AVX2, page_bytes=4096, memory_kills=3)


class Logs:
    """The logs of a run, and what is said of them."""

    def __init__(self, folder: Path, machine: Machine = MACHINE) -> None:
        self.folder = folder
        self.machine = machine
        self.said: list[str] = []
        self.write("supervisor", "exited: tts (terminated by SIGSEGV; not expected)")
        self.crashes = Crashes(folder, folder / "crashes", self.said.append, lambda: self.machine)

    def write(self, name: str, line: str, end: str = "\n") -> None:
        stamp = "2026-11-26 20:00:00,123 WARN " if name == "supervisor" else ""
        with (self.folder / f"{name}.log").open("a") as log:
            log.write(f"{stamp}{line}{end}")

    def ended(self, name: str, how: str, said: str = "") -> None:
        self.write("supervisor", f"spawned: '{name}' with pid 12")
        if said:
            self.write(name, said, end="")
        self.write("supervisor", f"exited: {name} ({how}; not expected)")
        self.crashes.look()

    def reasons(self) -> dict[str, str]:
        crashes = (self.folder / "crashes").glob("*.json")
        return {crash.stem: json.loads(crash.read_text())["reason"] for crash in crashes}


@pytest.fixture
def logs(tmp_path: Path) -> Logs:
    return Logs(tmp_path)


def test_reports_no_earlier_run_and_no_intended_end(logs: Logs) -> None:
    for how in ("exit status 0", "terminated by SIGTERM"):
        logs.ended("llm", how, "The model is served.\n")

    assert (logs.said, logs.reasons()) == ([], {})


def test_reports_the_last_line_of_a_failing_program_once(logs: Logs) -> None:
    for _ in range(3):
        logs.ended("redis", "exit status 1", "<jemalloc>: Unsupported system page size\n")

    reason = (
        "Redis ended with exit status 1: <jemalloc>: Unsupported system page size. "
        "It was built for smaller memory pages than the 4096 bytes of this machine."
    )
    assert logs.said == [f"{reason} It restarts; {logs.folder}/redis.log may have details.\n"]
    assert logs.reasons() == {"redis": reason}
    assert logs.crashes.ends("redis") == 3


def test_reports_another_reason_of_the_same_program(logs: Logs) -> None:
    logs.ended("llm", "exit status 1", "No language model is in place.")
    logs.ended("llm", "exit status 1", "LLM_PORT=x must be a whole number.")

    assert [line.split(": ")[1].split(".")[0] for line in logs.said] == [
        "No language model is in place",
        "LLM_PORT=x must be a whole number",
    ]


@pytest.mark.parametrize(
    ("how", "flags", "told"),
    [
        (
            "terminated by SIGILL",
            {"sse2"},
            "ended by an illegal instruction (SIGILL): this processor lacks AVX, AVX2, FMA.",
        ),
        ("terminated by SIGILL (core dumped)", {"sse2", "avx"}, "(SIGILL): this processor lacks AVX2, FMA."),
        ("exit status 132", AVX2, "(SIGILL): its program was built for another processor."),
        ("terminated by SIGILL", set(), "(SIGILL): its program was built for another processor."),
        ("terminated by SIGBUS", AVX2, "ended by SIGBUS: a file that it reads is damaged"),
        ("exit status 139", AVX2, "crashed (SIGSEGV): its program is defective"),
        ("terminated by SIGKILL", AVX2, "was killed by another program (SIGKILL)."),
        ("terminated by SIGABRT", AVX2, "crashed (SIGABRT): what():  std::bad_alloc."),
    ],
)
def test_reports_a_signal_with_its_likely_cause(tmp_path: Path, how: str, flags: set[str], told: str) -> None:
    logs = Logs(tmp_path, Machine(flags=frozenset(flags), page_bytes=4096, memory_kills=0))

    logs.ended("llm", how, "terminate called\n  what():  std::bad_alloc\nwhat():  std::bad_alloc\n")

    assert told in logs.reasons()["llm"]


def test_reports_a_lack_of_memory_after_a_kill_by_the_system(logs: Logs) -> None:
    logs.machine = Machine(flags=AVX2, page_bytes=4096, memory_kills=4)
    logs.ended("llm", "terminated by SIGKILL")
    killed = logs.reasons()["llm"]
    logs.ended("llm", "terminated by SIGKILL")

    assert killed == (
        "The language model was killed because the memory of this machine ran out. Free some, or choose smaller models."
    )
    assert logs.reasons()["llm"] == "The language model was killed by another program (SIGKILL)."


def test_reports_that_we_ended_a_hanging_program(logs: Logs) -> None:
    logs.crashes.hung("stt", "stt has not responded.\n")
    logs.ended("stt", "terminated by SIGKILL")

    assert (logs.said, logs.reasons()) == (["stt has not responded.\n"], {})


def test_the_line_of_a_program_that_has_answered_people_stays_in_the_terminal(
    logs: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr("crashes.time.monotonic", lambda: clock[0])
    logs.write("supervisor", "spawned: 'tts' with pid 12")
    logs.crashes.look()

    clock[0] += STARTING_S
    logs.write("tts", "ValueError: cannot say 'our secret'")
    logs.write("supervisor", "exited: tts (exit status 1; not expected)")
    logs.crashes.look()

    assert "our secret" in logs.said[0]
    assert logs.reasons() == {"tts": "The voice ended with exit status 1."}


def test_reports_the_end_of_the_api_once(logs: Logs) -> None:
    logs.ended("api", "exit status 1", "PORT must be better.\n")

    assert logs.said == []
    assert logs.crashes.reason("api") == "The api ended with exit status 1: PORT must be better."


def test_reads_a_line_once_it_is_complete(logs: Logs) -> None:
    logs.write("supervisor", "exited: tts (terminated by SIG", end="")
    logs.crashes.look()
    with (logs.folder / "supervisor.log").open("a") as log:
        log.write("SEGV; not expected)\n")
    logs.crashes.look()

    assert list(logs.reasons()) == ["tts"]


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("Traceback (most recent call last):\n  File x\nOSError: no space left\n", "OSError: no space left"),
        (
            "Error: cannot find module 'x'\n    at load (node:1)\n  code: 'E'\n}\n\nNode.js v24.19.0\n",
            "Error: cannot find module 'x'",
        ),
        ("error: model is corrupted\nmain: exiting due to model loading error\n", "error: model is corrupted"),
        ("12:M 26 Nov 2026 20:00:00.123 # Can't open the file: denied\n", "Can't open the file: denied"),
        ('{"level":60,"msg":"ROOMS must be rooms."}\n', "ROOMS must be rooms."),
        (">>> 'foo'\nBad directive\n", "Bad directive"),
        ("\n", ""),
    ],
)
def test_selects_the_line_with_the_reason(log: str, line: str) -> None:
    assert last_line(log) == line
