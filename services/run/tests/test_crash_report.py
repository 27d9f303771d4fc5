"""A container's crash report: what crash-report.sh writes for the api when its program ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

REPORT = Path(__file__).parents[2] / "crash-report.sh"


def start(folder: Path, program: str) -> subprocess.Popen[str]:
    command = ["sh", str(REPORT), "llm", sys.executable, "-u", "-c", program]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"CRASHES_DIR": str(folder)})


def reason(folder: Path) -> str | None:
    reports = list(folder.iterdir())
    assert [each.name for each in reports] in ([], ["llm.json"])
    return json.loads(reports[0].read_text())["reason"] if reports else None


@pytest.mark.parametrize(
    ("program", "status", "told"),
    [
        ("print('no \"C:\\\\x\"'); print('  at x'); exit(3)", 3, 'ended with exit status 3: no "C:\\x".'),
        ("print('half a line', end=''); exit(1)", 1, "ended with exit status 1: half a line."),
        ('print(\'{"msg": "No file.", "pid": 1}\'); exit(1)', 1, "ended with exit status 1: No file."),
        ("exit(2)", 2, "ended with exit status 2: its log may tell more."),
        ("import os; os.kill(os.getpid(), 4)", 132, "ended by an illegal instruction (SIGILL): "),
        ("import os; os.kill(os.getpid(), 11)", 139, "crashed (SIGSEGV): its program is defective"),
        ("import os; print('ggml: full'); os.abort()", 134, "crashed (SIGABRT): ggml: full."),
    ],
)
def test_a_program_that_ends_by_itself_leaves_its_reason(tmp_path: Path, program: str, status: int, told: str) -> None:
    with start(tmp_path, program) as process:
        process.communicate()

    assert process.returncode == status
    assert (reason(tmp_path) or "").startswith(f"The language model {told}")


def test_the_lines_of_the_program_are_passed_on_unchanged(tmp_path: Path) -> None:
    with start(tmp_path, r"print('  one\\n'); print(); print('{\"two\": 2}'); print('three', end='')") as process:
        out, _ = process.communicate()

    assert out == '  one\\n\n\n{"two": 2}\nthree\n'
    assert (process.returncode, reason(tmp_path)) == (0, None)


def test_a_program_that_is_asked_to_end_may_finish_and_leaves_no_reason(tmp_path: Path) -> None:
    # Blocked before it is awaited, the signal cannot come too early.
    program = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [15]); print('ready'); signal.sigwait([15])"
    with start(tmp_path, program) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        process.communicate()

    assert process.returncode == 0
    assert reason(tmp_path) is None


def test_runs_a_program_without_a_folder_for_reasons(tmp_path: Path) -> None:
    with start(tmp_path / "missing", "print('here'); exit(5)") as process:
        out, _ = process.communicate()

    assert (out, process.returncode) == ("here\n", 5)
