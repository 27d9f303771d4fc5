"""The check for free disk space is exact to the byte."""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from fetching.errors import DiskFullError
from fetching.store import Store

SPARE_BYTES = 256_000_000


class Usage(NamedTuple):
    free: int


def test_needs_the_model_and_some_room_for_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(2_500_000_000 + SPARE_BYTES))

    Store(tmp_path).require_space(2_500_000_000, "Small LLM")


def test_reports_the_space_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(2_500_000_000 + SPARE_BYTES - 1))

    with pytest.raises(DiskFullError) as caught:
        Store(tmp_path).require_space(2_500_000_000, "Small LLM")

    assert str(caught.value) == (
        f"The disk is too full for Small LLM: 2.8 GB must be free in {tmp_path}, 2.8 GB are."
        " Free some space, or choose a smaller size with MODELS."
    )
