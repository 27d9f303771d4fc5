"""A models folder as fetch.py leaves it, and start.py as a separate process."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from llm_support import HOUSEHOLD, START, select


@pytest.fixture
def models_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "llm.gguf").write_bytes(b"GGUF")
    select(folder, context=4096, slots=2)
    return folder


@pytest.fixture
def household_dir(models_dir: Path) -> Path:
    if not HOUSEHOLD.is_file():
        pytest.skip(f"{HOUSEHOLD.name} is not there")
    shutil.copy(HOUSEHOLD, models_dir / "llm.gguf")
    return models_dir


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts the program with an empty PATH, so that it finds only the programs that a test puts there."""
    running: list[subprocess.Popen[str]] = []
    programs = tmp_path / "bin"
    programs.mkdir()

    def begin(**environment: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, str(START)],
            env={"PATH": str(programs), "HOME": str(tmp_path), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.communicate()
