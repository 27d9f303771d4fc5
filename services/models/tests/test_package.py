"""The progress of pip's download is read from a folder in which pip deletes at the same moment."""

import os
import shutil
from pathlib import Path

import pytest
from fetching.package import written_bytes


def test_counts_the_largest_file(tmp_path: Path) -> None:
    (tmp_path / "wheel").mkdir()
    (tmp_path / "wheel" / "model.whl").write_bytes(b"x" * 1000)
    (tmp_path / "pip.log").write_bytes(b"x" * 10)

    assert written_bytes(tmp_path) == 1000


def test_counts_the_rest_when_pip_deletes_a_folder_before_the_listing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked = tmp_path / "tmp" / "pip-unpack"
    unpacked.mkdir(parents=True)
    (tmp_path / "pip.log").write_bytes(b"x" * 10)
    list_folder = os.scandir

    def delete_before(path: str | int | Path) -> object:
        if str(path) == str(unpacked):
            shutil.rmtree(unpacked)
        return list_folder(path)

    monkeypatch.setattr(os, "scandir", delete_before)

    assert written_bytes(tmp_path) == 10
    assert not unpacked.exists()


def test_counts_the_rest_when_pip_deletes_a_file_before_its_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel, log = tmp_path / "model.whl", tmp_path / "pip.log"
    wheel.write_bytes(b"x" * 1000)
    log.write_bytes(b"x" * 10)
    measure = Path.lstat

    def delete_before(path: Path) -> os.stat_result:
        if path == wheel:
            wheel.unlink()
        return measure(path)

    monkeypatch.setattr(Path, "lstat", delete_before)

    assert written_bytes(tmp_path) == 10
