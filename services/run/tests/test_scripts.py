"""scripts/ reads the same settings as make run, and says clearly when something is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from settings import read_settings

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"
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
def test_a_redis_elsewhere_needs_none_here_whichever_file_names_it(folder: Path, name: str) -> None:
    (folder / name).write_text("REDIS_URL=redis://elsewhere:6379\n")

    ended = script(folder, "scripts/run")

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "Missing: espeak-ng. Install them, or run this again with YES=1, and Hearth installs them.\n"


def test_without_settings_everything_that_is_missing_is_named(folder: Path) -> None:
    ended = script(folder, "scripts/run")

    assert ended.returncode == 1
    assert ended.stderr.startswith("Missing: redis-server espeak-ng. ")


def test_a_satellite_without_node_says_what_it_needs_and_that_trying_again_is_no_use(folder: Path) -> None:
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
        ("NAME=# nothing but a note\n", "", {}),
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
