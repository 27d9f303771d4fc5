"""Fixtures for the speech-to-text server: the models, the clips and a running server."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVICE = Path(__file__).resolve().parents[1]
REPOSITORY = SERVICE.parents[1]
sys.path[:0] = [str(SERVICE), str(Path(__file__).parent)]

from stt_support import Clip, RunningServer, read_cases  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "engine: loads a real model; leave out with -m 'not engine'")
    config.addinivalue_line("markers", "accuracy: transcribes all spoken clips and counts word errors")


@pytest.fixture(scope="session")
def model_dir() -> Path:
    """The folder of a real Whisper model (the expectations were written for tiny.en)."""
    named = os.environ.get("STT_TEST_MODEL_DIR")
    folder = Path(named) if named else REPOSITORY / "data" / "models" / "stt"
    if not (folder / "model.bin").is_file():
        pytest.skip("left out: no Whisper model; set STT_TEST_MODEL_DIR to a folder with model.bin")
    return folder


@pytest.fixture(scope="session")
def server(model_dir: Path) -> Iterator[RunningServer]:
    """One warm server for all tests that do not change it."""
    with RunningServer(model_dir) as running:
        running.wait_until_ready()
        yield running


@pytest.fixture(scope="session")
def speech() -> dict[str, Clip]:
    """The spoken clips beside the repository, by file name."""
    folder = Path(os.environ.get("STT_TEST_SPEECH_DIR") or REPOSITORY.parent / "shared" / "speech")
    if not (folder / "cases.json").is_file():
        pytest.skip("left out: no spoken clips; set STT_TEST_SPEECH_DIR to a folder with cases.json")
    return read_cases(folder)
