"""The choices made on the page. The newer of a page choice and the environment wins."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .catalog import Kind, is_kind
from .jsonfile import read_json_object, write_json


@dataclass(frozen=True)
class Choice:
    id: str
    # The model that the environment named at the time of the choice. If it names another one now, that is
    # newer.
    instead_of: str


def read_choices(path: Path) -> dict[Kind, Choice]:
    choices: dict[Kind, Choice] = {}
    for kind, value in read_json_object(path).items():
        if is_kind(kind) and isinstance(value, dict):
            model_id, instead_of = value.get("id"), value.get("insteadOf")
            if isinstance(model_id, str) and isinstance(instead_of, str):
                choices[kind] = Choice(model_id, instead_of)
    return choices


def keep_choice(path: Path, kind: Kind, choice: Choice) -> None:
    kept: Mapping[Kind, Choice] = {**read_choices(path), kind: choice}
    write_json(path, {each: {"id": one.id, "insteadOf": one.instead_of} for each, one in kept.items()})
