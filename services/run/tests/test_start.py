"""The life of a run, with real supervisors round small programs in place of the api and the worker."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

NODE = Path(sys.executable).with_name("node")
pytestmark = [
    pytest.mark.skipif(not NODE.exists(), reason="there is no Node beside this Python: make setup"),
    pytest.mark.skipif(sys.platform != "linux", reason="what is left behind can be seen on Linux only"),
]
SOURCES = Path(__file__).parent.parent

# Each program records its process id, and starts a child that only the run can find again.
PROGRAM = """
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
appendFileSync(process.env.DATA_DIR + '/started', process.argv[1].split('/').pop() + ' ' + process.pid + '\\n');
spawn('sleep', ['600'], { detached: true });
setInterval(() => {}, 1000);
"""
STUBBORN = PROGRAM + "process.on('SIGTERM', () => console.log('not yet'));"
FAILING = "console.log('PORT must be better.'); process.exit(1);"
READY = "console.log('Hearth answers.');"


class Household:
    """A copy of the run scripts among programs of our own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.data = root / "data"
        self.mark = uuid.uuid4().hex
        shutil.copytree(SOURCES, root / "services" / "run", ignore=shutil.ignore_patterns("tests", "__pycache__"))
        # Nothing is missing, so nothing is fetched.
        (root / "services" / "models").mkdir()
        (root / "services" / "models" / "fetch.py").touch()
        self.write(server=PROGRAM, worker=PROGRAM)

    def write(self, server: str, worker: str) -> None:
        sources = self.root / "api" / "src"
        (sources / "cli").mkdir(parents=True, exist_ok=True)
        programs = {"server": server, "worker": worker, "cli/await-ready": READY, "cli/check-config": ""}
        for name, text in programs.items():
            (sources / f"{name}.ts").write_text(text)

    def start(self) -> subprocess.Popen[str]:
        engines = {"LLM_URL": "off", "STT_URL": "off", "TTS_URL": "off"}
        off = {**engines, "REDIS_URL": "redis://127.0.0.1:1", "MDNS": "0"}
        return subprocess.Popen(
            [sys.executable, str(self.root / "services" / "run" / "start.py")],
            env={"PATH": os.environ["PATH"], "PORT": "18799", "MARK": self.mark, **off},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def starts(self, name: str) -> list[int]:
        try:
            lines = (self.data / "started").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [int(line.split()[1]) for line in lines if line.startswith(name)]

    def processes(self) -> list[int]:
        found = []
        for environment in Path("/proc").glob("[0-9]*/environ"):
            try:
                if self.mark.encode() in environment.read_bytes():
                    found.append(int(environment.parent.name))
            except OSError:
                continue
        return found

    def supervisor(self) -> int:
        return int((self.data / "run" / "supervisor.pid").read_text())


@pytest.fixture
def household(tmp_path: Path) -> Iterator[Household]:
    household = Household(tmp_path)
    yield household
    for process in household.processes():
        os.kill(process, signal.SIGKILL)


def wait_for(condition: Callable[[], object], limit_s: float = 20.0) -> None:
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, "this did not happen in time"
        time.sleep(0.05)


def running(household: Household) -> subprocess.Popen[str]:
    run = household.start()
    wait_for(lambda: household.starts("server") and household.starts("worker"))
    return run


@pytest.mark.parametrize("wish", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ends_everything_when_asked(household: Household, wish: signal.Signals) -> None:
    run = running(household)

    run.send_signal(wish)
    said, _ = run.communicate(timeout=10)

    farewell = "Hearth has stopped. Its data is kept: make run continues with it.\n"
    assert (run.returncode, said) == (0, f"Hearth answers.\n{farewell}")
    assert household.processes() == []


def test_kills_a_program_that_ignores_the_stop(household: Household) -> None:
    household.write(server=STUBBORN, worker=STUBBORN)
    run = running(household)

    asked_at = time.monotonic()
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=15)

    assert time.monotonic() - asked_at < 12
    assert household.processes() == []


def test_a_second_signal_ends_at_once(household: Household) -> None:
    household.write(server=STUBBORN, worker=STUBBORN)
    run = running(household)

    run.send_signal(signal.SIGINT)
    wait_for(lambda: "not yet" in (household.data / "logs" / "api.log").read_text())
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=3)

    assert household.processes() == []


def test_restarts_a_program_that_ended(household: Household) -> None:
    run = running(household)

    os.kill(household.starts("worker")[0], signal.SIGKILL)

    wait_for(lambda: len(household.starts("worker")) == 2)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=10)
    assert len(household.starts("server")) == 1


def test_says_why_a_program_keeps_ending(household: Household) -> None:
    household.write(server=PROGRAM, worker="process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000);")
    run = household.start()
    assert run.stdout is not None

    told = next(line for line in run.stdout if line.startswith("The worker"))

    assert told.startswith("The worker crashed (SIGSEGV): its program is defective")
    assert "The worker crashed (SIGSEGV)" in (household.data / "run" / "crashes" / "worker.json").read_text()
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=10)


def test_leaves_nothing_when_the_supervisor_is_killed(household: Household) -> None:
    run = running(household)

    os.kill(household.supervisor(), signal.SIGKILL)
    said, _ = run.communicate(timeout=10)

    assert run.returncode == 1
    assert "The supervisor has stopped unexpectedly." in said
    assert household.processes() == []


def test_leaves_no_program_when_it_is_killed_itself(household: Household) -> None:
    run = running(household)
    programs = {*household.starts("server"), *household.starts("worker"), household.supervisor()}

    run.kill()
    run.communicate(timeout=10)

    wait_for(lambda: not programs & set(household.processes()), limit_s=12)


def test_a_second_run_on_the_same_data_says_so(household: Household) -> None:
    run = running(household)

    second = household.start()
    said, _ = second.communicate(timeout=10)

    assert second.returncode == 1
    assert said == (
        f"Hearth is already running with the data in {household.data} (process {run.pid}). "
        "Stop it with Ctrl-C or make down, or choose another folder with DATA_DIR.\n"
    )
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=10)


def test_says_why_the_api_cannot_start(household: Household) -> None:
    household.write(server=FAILING, worker=PROGRAM)
    (household.data / "logs").mkdir(parents=True)
    (household.data / "logs" / "api.log").write_text("HOST must be better.\n")
    (household.root / "api" / "src" / "cli" / "await-ready.ts").write_text("setInterval(() => {}, 1000);")

    run = household.start()
    said, _ = run.communicate(timeout=30)

    assert run.returncode == 1
    # Only once, although there were two attempts, and without the lines of earlier runs.
    assert said == "Hearth cannot start:\nPORT must be better.\n"
    assert household.processes() == []


def test_reports_a_wrong_setting_before_any_download(household: Household) -> None:
    wrong = "console.error('ROOMS must be rooms.'); process.exit(1);"
    (household.root / "api" / "src" / "cli" / "check-config.ts").write_text(wrong)

    run = household.start()
    said, _ = run.communicate(timeout=30)

    assert (run.returncode, said) == (1, "ROOMS must be rooms.\n")
    assert household.starts("server") == []
