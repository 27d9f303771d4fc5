"""Points the engines at models, and records the selection."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .catalog import Kind, Model
from .jsonfile import read_json_object, write_json
from .own import OwnModel
from .store import Store

# Two conversations keep their prompts in memory at once. On a home server, more would only compete for
# memory.
_SLOTS = 2


@dataclass(frozen=True)
class Placed:
    """A complete model, and the file or folder its engine uses."""

    model: Model | OwnModel
    path: Path


def placed(model: Model, store: Store) -> Placed:
    folder = store.folder(model)
    return Placed(model, folder / model.files[0].path if model.kind == "llm" else folder)


def point(kind: Kind, path: Path, store: Store) -> None:
    store.point(_link(kind), path)


def pointed_at(kind: Kind, store: Store) -> Path:
    return (store.root / _link(kind)).resolve()


def _link(kind: Kind) -> str:
    return "llm.gguf" if kind == "llm" else kind


def select(store: Store, selection: Mapping[str, object]) -> None:
    if read_json_object(store.selection) != selection:
        write_json(store.selection, selection)


def selected(kind: Kind, store: Store) -> dict[str, object] | None:
    """Returns selection.json's entry for one engine; None if it has none."""
    models = read_json_object(store.selection).get("models")
    entry = models.get(kind) if isinstance(models, dict) else None
    return entry if isinstance(entry, dict) else None


def named_by_environment(kind: Kind, store: Store) -> str:
    """Returns the model the environment named at the last fetch; empty if unknown."""
    named = read_json_object(store.selection).get("named")
    return str(named.get(kind, "")) if isinstance(named, dict) else ""


def select_one(kind: Kind, entry: Mapping[str, object], store: Store) -> None:
    selection = read_json_object(store.selection)
    models = selection.get("models")
    select(store, {**selection, "models": {**(models if isinstance(models, dict) else {}), kind: dict(entry)}})


def described(choice: Placed, store: Store) -> dict[str, object]:
    model = choice.model
    common: dict[str, object] = {"id": model.id, "name": model.name}
    if isinstance(model, OwnModel):
        licence = model.summary.licence or "unknown"
        language = {"context": model.slot_tokens, "slots": _SLOTS, "tools": model.summary.tools}
        return {**common, "file": _relative(choice.path, store), **language, "licence": licence}
    common |= {"languages": list(model.languages), "licence": model.licence}
    if model.kind == "llm":
        language = {"context": min(model.slot_tokens, model.context_tokens), "slots": _SLOTS, "tools": model.tools}
        return {**common, "file": _relative(choice.path, store), **language}
    return {**common, "name": model.id, "sampleRateHz": model.sample_rate_hz} if model.kind == "tts" else common


def _relative(path: Path, store: Store) -> str:
    return path.relative_to(store.root).as_posix()
