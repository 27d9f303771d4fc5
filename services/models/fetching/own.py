"""A language model that the owner provides as a .gguf file."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .errors import FetchError
from .gguf import GgufSummary, read_gguf
from .jsonfile import read_json_object, write_json
from .messages import gettext
from .store import Store, Watch, sync_folder

# Conversations never need more, and a larger window only costs memory.
_SLOT_TOKENS = 8192
_PIECE_BYTES = 1 << 20


@dataclass(frozen=True)
class OwnModel:
    path: Path
    size_bytes: int
    summary: GgufSummary

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def name(self) -> str:
        return self.summary.name or self.path.stem

    @property
    def slot_tokens(self) -> int:
        return min(_SLOT_TOKENS, self.summary.context_tokens or _SLOT_TOKENS)


def find_own_model(name: str, folder: Path | None) -> OwnModel:
    path = Path(name)
    if not path.is_absolute():
        if folder is None or path.name != name:
            raise FetchError(
                "LLM_MODEL=%s must be the bare name of a file in your own models' folder, or an absolute path.", name
            )
        path = folder / name
    if not path.is_file():
        raise FetchError("LLM_MODEL=%s: there is no such file (%s).", name, path)
    try:
        size_bytes = path.stat().st_size
    except OSError as error:
        raise FetchError("LLM_MODEL=%s cannot be read: %s.", name, error.strerror) from error
    return OwnModel(path, size_bytes, read_gguf(path))


def place_own_model(model: OwnModel, store: Store, watch: Watch, say: Callable[[str], None]) -> Path:
    """Makes a hard link, or a copy on another file system. Renews it if the owner's file has changed."""
    folder = store.root / "store" / "own"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / model.id
    stamp_path = folder / f"{model.id}.verified.json"
    if target.is_file() and read_json_object(stamp_path) == _stamp(model, target):
        return target
    temporary = store.partial / "own.gguf"
    temporary.unlink(missing_ok=True)
    try:
        os.link(model.path.resolve(), temporary)
    except OSError:
        store.require_space(model.size_bytes, f"a copy of {model.id}")
        say(gettext("Copying %s into the models folder.", model.id))
        _copy(model.path, temporary, watch)
    if temporary.stat().st_size != model.size_bytes:
        raise FetchError("%s changed while it was copied; start again when it is complete.", model.id)
    temporary.replace(target)
    sync_folder(folder)
    write_json(stamp_path, _stamp(model, target))
    return target


def _copy(source: Path, target: Path, watch: Watch) -> None:
    done = 0
    with source.open("rb") as content, target.open("wb") as stream:
        while piece := content.read(_PIECE_BYTES):
            stream.write(piece)
            done += len(piece)
            watch(done)
        stream.flush()
        os.fsync(stream.fileno())
    target.chmod(0o644)


def _stamp(model: OwnModel, target: Path) -> dict[str, object]:
    source, copy = model.path.stat(), target.stat()
    return {
        "source": str(model.path.resolve()),
        "sourceBytes": source.st_size,
        "sourceMtimeNs": source.st_mtime_ns,
        "bytes": copy.st_size,
        "mtimeNs": copy.st_mtime_ns,
    }
