"""scripts/ reads the same settings as make run, and says clearly when something is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from settings import read_settings

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"
REPORT = SCRIPTS.parent / "services" / "crash-report.sh"
PROGRAMS = ("awk", "bash", "cat", "dirname", "env", "flock", "grep", "head", "id", "sed", "tail", "tr")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkout on a machine that has Python and nothing else of Hearth's needs."""
    shutil.copytree(SCRIPTS, tmp_path / "scripts")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in PROGRAMS:
        (programs / name).symlink_to(shutil.which(name) or "/bin/true")
    for name in ("apt-get", "sudo"):  # they install nothing
        (programs / name).symlink_to("/bin/false")
    (programs / "python3").symlink_to(sys.executable)
    return tmp_path


def script(folder: Path, command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={"PATH": str(folder / "programs"), **settings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


@pytest.mark.parametrize("name", [".env", "secrets.env"])
def test_needs_no_redis_if_any_file_names_another_one(folder: Path, name: str) -> None:
    (folder / name).write_text("REDIS_URL=redis://elsewhere:6379\n")

    ended = script(folder, "scripts/run")

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "Missing: espeak-ng. Install them, or run this again with YES=1, and Hearth installs them.\n"


def test_names_all_missing_programs(folder: Path) -> None:
    ended = script(folder, "scripts/run")

    assert ended.returncode == 1
    assert ended.stderr.startswith("Missing: redis-server espeak-ng. ")


def test_a_satellite_names_the_missing_python_and_stops_retrying(folder: Path) -> None:
    (folder / "programs" / "python3").unlink()

    ended = script(folder, "scripts/satellite --room kitchen")

    assert ended.returncode == 2
    assert ended.stderr.startswith("Missing: python3")
    assert "redis" not in ended.stderr


@pytest.mark.parametrize(
    ("plain", "secret", "environment"),
    [
        ("", "", {}),
        ("NAME=plain\n", "", {}),
        ("NAME=plain\n", "NAME=secret\n", {}),
        ("NAME=plain\n", "NAME=\n", {}),
        ("NAME=first\nNAME=second\n", "", {}),
        ("NAME=plain", "", {}),
        ("NAME=plain\n", "", {"NAME": "environment"}),
        ("NAME=plain\n", "", {"NAME": ""}),
        ("  export NAME = spaced \n", "", {}),
        ("NAME='single # kept'\n", "", {}),
        ('NAME="double" # note\n', "", {}),
        ("NAME=bare # note\n", "", {}),
        ("NAME=with#hash\n", "", {}),
        ("NAME=a=b=c\n", "", {}),
        ('NAME="" # nothing but a note\n', "", {}),
        ("NAME=it's\n", "", {}),
        ("# NAME=a note\nOTHER_NAME=other\nNAMES=others\n", "", {}),
        ("NAME='redis://:p%23ss@elsewhere:6379/0?a=$b&c=`d`'\n", "", {}),
    ],
)
def test_scripts_read_a_setting_as_make_run_does(
    folder: Path, plain: str, secret: str, environment: dict[str, str]
) -> None:
    for name, text in ((".env", plain), ("secrets.env", secret)):
        if text:
            (folder / name).write_text(text)

    ended = script(folder, "set -euo pipefail; . scripts/settings; setting NAME", **environment)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == read_settings(folder, environment).environment.get("NAME", "")


#: Answers as docker does, from a folder with two files for each container: what `inspect` and `logs` print.
DOCKER = """#!/bin/sh
for id; do :; done
case $1 in
  ps) cd "$CONTAINERS" && ls | sed -n 's/[.]state$//p' ;;
  inspect) cat "$CONTAINERS/$id.state" ;;
  logs) tail -20 "$CONTAINERS/$id.log" >&2 ;;
esac
"""


@pytest.mark.parametrize(
    ("state", "log", "cause"),
    [
        (
            "redis|3|restarting|1|false",
            "9:M 26 Nov 2026 20:00:00.1 # Bad page size\n",
            "ended with exit status 1: Bad page size.",
        ),
        (
            "worker|1|restarting|1|false",
            "Error: no file\n    at a.js:1\n\nNode.js v24\n",
            "ended with exit status 1: Error: no file.",
        ),
        ("llm|1|restarting|1|false", "cannot load\n}\n2026-11-26 Exiting\n", "ended with exit status 1: cannot load."),
        ("tts|2|restarting|3|false", "", "ended with exit status 3: it says nothing."),
        ("stt|9|restarting|137|true", "", "was killed because its memory ran out"),
        ("stt|9|restarting|1|true", "", "was killed because its memory ran out"),
        ("llm|9|restarting|137|false", "", "was killed (SIGKILL)"),
        ("llm|2|restarting|135|false", "", "ended by SIGBUS"),
        ("llm|2|restarting|139|false", "", "crashed (SIGSEGV)"),
        ("llm|2|restarting|134|false", "ggml: out of bounds\n", "crashed (SIGABRT): ggml: out of bounds."),
        ("llm|2|restarting|132|false", "", "ended by an illegal instruction (SIGILL)"),
    ],
)
def test_reports_a_crash_loop_of_a_container_with_its_cause(folder: Path, state: str, log: str, cause: str) -> None:
    told = crashes(folder, {"one": (state, log)})

    service = state.split("|")[0]
    assert told.startswith(f"{service} is started again and again: it {cause}")
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    "state",
    ["llm|0|running|0|false", "llm|4|running|139|false", "llm|4|restarting|0|false", "llm|0|exited|1|false"],
)
def test_reports_no_running_or_stopped_container(folder: Path, state: str) -> None:
    assert crashes(folder, {"one": (state, "a line")}) == ""


def test_reports_each_container_and_shortens_a_long_line(folder: Path) -> None:
    state = "{}|1|restarting|1|false"

    told = crashes(folder, {"one": (state.format("llm"), "x" * 900), "two": (state.format("tts"), "bad voice")})

    assert [len(line) < 400 for line in told.splitlines()] == [True, True]
    assert told.endswith("tts is started again and again: it ended with exit status 1: bad voice.\n")


def crashes(folder: Path, containers: dict[str, tuple[str, str]]) -> str:
    """The output of scripts/crashes for these containers: their state by docker, and the log."""
    for name in ("cut", "ls"):
        (folder / "programs" / name).symlink_to(shutil.which(name) or "/bin/true")
    docker = folder / "programs" / "docker"
    docker.write_text(DOCKER)
    docker.chmod(0o755)
    (folder / "programs" / "sh").symlink_to("/bin/sh")
    (folder / "services").mkdir()
    shutil.copy(REPORT, folder / "services")
    (folder / "containers").mkdir()
    for name, (state, log) in containers.items():
        (folder / "containers" / f"{name}.state").write_text(f"{state}\n")
        (folder / "containers" / f"{name}.log").write_text(log)
    ended = script(folder, "scripts/crashes", CONTAINERS=str(folder / "containers"))
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout
