"""The models folder: complete and checked models, parts of files, and a link to each engine's model."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from .catalog import Model, ModelFile
from .errors import DiskFullError, FetchError
from .jsonfile import read_json_object, write_json
from .messages import gettext
from .progress import told_bytes

Watch = Callable[[int], None]

# Space reserved for Redis, logs and the engines.
_SPARE_BYTES = 256_000_000
_PIECE_BYTES = 1 << 20


class Store:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.partial = root / ".partial"
        self.selection = root / "selection.json"
        self.progress = root / "progress.json"
        self.lock = root / ".lock"
        # The choices made on the page, and the current trial.
        self.choices = root / "choices.json"
        self.trial = root / "trial.json"
        self.published_voices = root / "published-voices.json"

    def prepare(self) -> None:
        try:
            self.partial.mkdir(parents=True, exist_ok=True)
            (self.root / "store").mkdir(exist_ok=True)
        except OSError as error:
            raise FetchError("The models folder %s cannot be written: %s.", self.root, error.strerror) from error

    def folder(self, model: Model) -> Path:
        return self.root / "store" / model.id

    def file(self, model: Model, file: ModelFile) -> Path:
        return self.folder(model) / file.path

    def partial_file(self, file: ModelFile) -> Path:
        """Named after its content, so that a partial file is never completed with another file's bytes."""
        return self.partial / f"{file.digest}.part"

    def missing(self, model: Model, say: Callable[[str], None], watch: Watch) -> list[ModelFile]:
        """Returns the missing or damaged files. Deletes damaged ones; skips files unchanged since their
        check.
        """
        missing, checked_bytes = [], 0
        for file in model.files:
            path = self.file(model, file)
            if not path.is_file():
                missing.append(file)
                continue
            if not self._is_stamped(model, file):
                watch(checked_bytes)
                if not self._check_again(model, file):
                    say(gettext("%s: %s was damaged; downloading it again.", model.name, file.path))
                    missing.append(file)
            checked_bytes += file.size_bytes
        return missing

    def is_ready(self, model: Model) -> bool:
        return all(self.file(model, file).is_file() and self._is_stamped(model, file) for file in model.files)

    def place(self, model: Model, file: ModelFile, content: Path) -> None:
        """Renames `content` to its place. It must be checked and on the same file system."""
        target = self.file(model, file)
        target.parent.mkdir(parents=True, exist_ok=True)
        content.chmod(0o644)
        content.replace(target)
        sync_folder(target.parent)
        self._stamp(model, file)

    def point(self, name: str, target: Path) -> None:
        """Links `llm.gguf` or the name of a kind to the chosen model in one step."""
        link = self.root / name
        if link.exists() and not link.is_symlink():
            raise FetchError("%s is in the way: Hearth did not make it. Move it out of the models folder.", link)
        temporary = link.with_name(f".{link.name}.{os.getpid()}.link")
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(os.path.relpath(target, link.parent))
        temporary.replace(link)

    def offer_voice(self, model: Model) -> None:
        """Adds a voice to the folder of voices that requests to Piper may name."""
        (self.root / "voices").mkdir(exist_ok=True)
        for file in model.files:
            self.point(f"voices/{file.path}", self.file(model, file))

    def require_space(self, needed_bytes: int, purpose: str) -> None:
        free = shutil.disk_usage(self.root).free
        if free < needed_bytes + _SPARE_BYTES:
            raise DiskFullError(
                "The disk is too full for %s: %s must be free in %s, %s are."
                " Free some space, or choose a smaller size with MODELS.",
                purpose,
                told_bytes(needed_bytes + _SPARE_BYTES),
                self.root,
                told_bytes(free),
            )

    def clear_partial(self) -> None:
        shutil.rmtree(self.partial, ignore_errors=True)

    def _stamp_path(self, model: Model) -> Path:
        return self.root / "store" / f"{model.id}.verified.json"

    def _is_stamped(self, model: Model, file: ModelFile) -> bool:
        """Compares size and modification time with the last check, so that no start reads gigabytes."""
        return read_json_object(self._stamp_path(model)).get(file.path) == self._stamp_of(model, file)

    def _stamp_of(self, model: Model, file: ModelFile) -> dict[str, object]:
        status = self.file(model, file).stat()
        return {file.algorithm: file.digest, "bytes": status.st_size, "mtimeNs": status.st_mtime_ns}

    def _stamp(self, model: Model, file: ModelFile) -> None:
        path = self._stamp_path(model)
        write_json(path, {**read_json_object(path), file.path: self._stamp_of(model, file)})

    def _check_again(self, model: Model, file: ModelFile) -> bool:
        path = self.file(model, file)
        if path.stat().st_size == file.size_bytes and digest_of(path, file.algorithm) == file.digest:
            self._stamp(model, file)
            return True
        path.unlink()
        return False


def digest_of(path: Path, algorithm: str = "sha256", watch: Watch | None = None) -> str:
    digest, done = hashlib.new(algorithm, usedforsecurity=False), 0
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE_BYTES):
            digest.update(piece)
            done += len(piece)
            if watch:
                watch(done)
    return digest.hexdigest()


def sync_folder(path: Path) -> None:
    """A rename survives a power cut only after its folder has been written to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
