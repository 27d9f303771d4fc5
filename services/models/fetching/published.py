"""All voices published by Piper's makers, from their own list: name, size and MD5 of every file."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from .catalog import Catalog, HubSource, Model, ModelFile
from .errors import SourceError
from .hub import Hub
from .jsonfile import read_json_object, write_json
from .store import Store

_LIST = "voices.json"
_MD5 = re.compile(r"[0-9a-f]{32}")
_NAME = re.compile(r"[A-Za-z]{2,3}_[A-Za-z0-9]{2,4}-[A-Za-z0-9_+]+-(x_low|low|medium|high)")
# The list of 2026 is about 250 kB; a far larger file is not that list.
_MOST_LIST_BYTES = 4_000_000
_QUALITIES = {"x_low": ", plainest", "low": ", plain", "medium": "", "high": ", slower and finer"}


def find_published(catalog: Catalog, store: Store, hub: Hub) -> list[Model]:
    """Asks the hub for the list at our voices' commit, and stores it. Raises SourceError."""
    source = _source(catalog)
    content = hub.read(source, _LIST, _MOST_LIST_BYTES)
    voices = _voices(content, source, catalog)
    if not voices:
        raise SourceError("the list of Piper's voices has another form than expected")
    write_json(store.published_voices, {"revision": source.revision, "voices": content})
    return voices


def known_published(catalog: Catalog, store: Store) -> list[Model]:
    """Returns the voices of the stored list; none if it is missing or from another commit."""
    kept = read_json_object(store.published_voices)
    source = _source(catalog)
    return _voices(kept.get("voices"), source, catalog) if kept.get("revision") == source.revision else []


def _source(catalog: Catalog) -> HubSource:
    for model in catalog.models.values():
        for source in model.sources:
            if model.kind == "tts" and isinstance(source, HubSource):
                return HubSource(source.repo, source.revision, "")
    raise SourceError("models.json names no place where voices are published")


def _voices(content: object, source: HubSource, catalog: Catalog) -> list[Model]:
    entries = content.items() if isinstance(content, dict) else ()
    found = [_voice(name, entry, source) for name, entry in entries if name not in catalog.models]
    return [voice for voice in found if voice is not None]


def _voice(name: object, entry: object, source: HubSource) -> Model | None:
    """Returns None for an entry with an unexpected description, which is then not offered."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or not isinstance(entry, dict):
        return None
    paths = _mapping(entry.get("files"))
    files = [_file(path, paths[path]) for path in sorted(paths) if path.endswith((f"{name}.onnx", f"{name}.onnx.json"))]
    folders = {str(PurePosixPath(path).parent) for path in paths}
    whole = [file for file in files if file is not None]
    if len(whole) != 2 or len(folders) != 1 or ".." in PurePosixPath(*folders).parts:
        return None
    language = _mapping(entry.get("language"))
    code, country = str(language.get("code", "")), str(language.get("country_english", ""))
    title = (
        f"{str(entry.get('name', name)).replace('_', ' ').title()} ({language.get('name_english', code)}, {country})"
    )
    return Model(
        kind="tts",
        id=name,
        name=f"{title}{_QUALITIES[name.rpartition('-')[2]]}",
        licence="see its model card",
        languages=(str(language.get("family", "")) or code,),
        files=tuple(whole),
        sources=(HubSource(source.repo, source.revision, folders.pop()),),
    )


def _file(path: str, about: object) -> ModelFile | None:
    described = _mapping(about)
    size, md5 = described.get("size_bytes"), described.get("md5_digest")
    if not isinstance(size, int) or size <= 0 or not isinstance(md5, str) or not _MD5.fullmatch(md5):
        return None
    return ModelFile(PurePosixPath(path).name, size, md5, "md5")


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
