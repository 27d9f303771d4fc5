"""Reads the header of a GGUF file, up to a limited size."""

import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from .errors import FetchError

# A vocabulary of 250,000 words is about 10 MB; a far larger header means a damaged or hostile file.
_MAX_HEADER_BYTES: Final = 256 * 1024 * 1024
_MAX_TEXT_BYTES: Final = 16 * 1024 * 1024
_MAX_ENTRIES: Final = 100_000
_TEXT, _ARRAY = 8, 9
_SCALARS: Final = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_MENTIONS_TOOLS = re.compile(r"\btools\b")

Value = str | int | float | bool | None


@dataclass(frozen=True)
class GgufSummary:
    name: str | None
    licence: str | None
    # 0 if the file does not say.
    context_tokens: int
    # Whether one of its chat templates mentions tools.
    tools: bool


class _Header:
    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.read_bytes = 0

    def take(self, count: int) -> bytes:
        self.read_bytes += count
        if count < 0 or self.read_bytes > _MAX_HEADER_BYTES:
            raise ValueError("its header is implausibly large")
        content = self.stream.read(count)
        if len(content) != count:
            raise ValueError("it ends in the middle of its header")
        return content

    def number(self, layout: str) -> int:
        value: int = struct.unpack(layout, self.take(struct.calcsize(layout)))[0]
        return value

    def text(self) -> str:
        length = self.number("<Q")
        if length > _MAX_TEXT_BYTES:
            raise ValueError("its header is implausibly large")
        return self.take(length).decode("utf-8", errors="replace")

    def value(self, kind: int) -> Value:
        if kind == _TEXT:
            return self.text()
        if kind == _ARRAY:
            self._skip_array()
            return None
        layout = _SCALARS.get(kind)
        if layout is None:
            raise ValueError("its header has a kind of value that is not known")
        scalar: int | float | bool = struct.unpack(layout, self.take(struct.calcsize(layout)))[0]
        return scalar

    def _skip_array(self) -> None:
        kind, count = self.number("<I"), self.number("<Q")
        layout = _SCALARS.get(kind)
        if layout is not None:
            self.take(count * struct.calcsize(layout))
            return
        if kind != _TEXT or count > _MAX_HEADER_BYTES:
            raise ValueError("its header has a kind of list that is not known")
        for _ in range(count):
            self.take(self.number("<Q"))


def read_gguf(path: Path) -> GgufSummary:
    try:
        with path.open("rb") as stream:
            return _summary(stream, path.stat().st_size)
    except (ValueError, struct.error, OSError) as error:
        raise FetchError(f"{path.name} is not a usable GGUF model: {error}.") from error


def _summary(stream: BinaryIO, size_bytes: int) -> GgufSummary:
    header = _Header(stream)
    if size_bytes < 24 or header.take(4) != b"GGUF":
        raise ValueError("it does not begin with the letters GGUF")
    if header.number("<I") not in (2, 3):
        raise ValueError("its format version is not known here")
    tensors, entries = header.number("<Q"), header.number("<Q")
    if entries > _MAX_ENTRIES or tensors > _MAX_ENTRIES:
        raise ValueError("its header is implausibly large")
    fields: dict[str, Value] = {}
    for _ in range(entries):
        key = header.text()
        fields[key] = header.value(header.number("<I"))
    _check_whole(header, tensors, fields, size_bytes)
    return _described(fields)


def _check_whole(header: _Header, tensors: int, fields: dict[str, Value], size_bytes: int) -> None:
    """A truncated copy has a valid beginning, but its last tensor lies beyond its end."""
    furthest = -1
    for _ in range(tensors):
        header.text()
        dimensions = header.number("<I")
        if dimensions > 8:
            raise ValueError("its header has a tensor of too many dimensions")
        header.take(8 * dimensions + 4)
        furthest = max(furthest, header.number("<Q"))
    alignment = fields.get("general.alignment", 32)
    step = alignment if isinstance(alignment, int) and 0 < alignment <= 1 << 20 else 32
    start = -(-header.read_bytes // step) * step
    if tensors == 0:
        raise ValueError("it holds no weights")
    if start + furthest >= size_bytes:
        raise ValueError("it is cut off: weights are missing at its end")


def _described(fields: dict[str, Value]) -> GgufSummary:
    architecture = fields.get("general.architecture")
    context = fields.get(f"{architecture}.context_length")
    templates = [
        value for key, value in fields.items() if key.startswith("tokenizer.chat_template") and isinstance(value, str)
    ]
    name, licence = fields.get("general.name"), fields.get("general.license")
    return GgufSummary(
        name=name if isinstance(name, str) and name.strip() else None,
        licence=licence if isinstance(licence, str) and licence.strip() else None,
        context_tokens=context if isinstance(context, int) and not isinstance(context, bool) and context > 0 else 0,
        tools=any(_MENTIONS_TOOLS.search(template) for template in templates),
    )
