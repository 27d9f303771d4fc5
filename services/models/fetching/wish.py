"""The owner's choice from the environment: a size, and optionally another model for single engines."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from .catalog import ALL_KINDS, KINDS, OTHER_KINDS, SIZES, Catalog, Kind, Model, is_kind
from .choices import Choice
from .errors import FetchError
from .own import OwnModel, find_own_model

_DEFAULT_SIZE = "small"
_VARIABLES: Mapping[Kind, str] = {"llm": "LLM_MODEL", "stt": "STT_MODEL", "tts": "TTS_VOICE"}


@dataclass(frozen=True)
class Wish:
    size: str
    models: Mapping[Kind, Model | OwnModel]
    # The models that the environment names, regardless of the page's choices.
    named: Mapping[Kind, str]
    # Wanted besides the engines' models.
    others: Sequence[Model] = ()


def read_wish(
    environment: Mapping[str, str],
    kinds: Sequence[Kind],
    catalog: Catalog,
    own_folder: Path | None,
    choices: Mapping[Kind, Choice] | None = None,
) -> Wish:
    size = environment.get("MODELS", "").strip() or _DEFAULT_SIZE
    if size not in SIZES:
        raise FetchError("MODELS=%s is not a known size; it can be %s.", size, _listed(SIZES))
    models: dict[Kind, Model | OwnModel] = {}
    named: dict[Kind, str] = {}
    for kind in KINDS:
        if kind not in kinds:
            continue
        name = environment.get(_VARIABLES[kind], "").strip()
        usual = _in_language(catalog.sizes[size][kind], environment, catalog)
        model = named_model(name, kind, catalog, own_folder) if name else usual
        named[kind] = model.id
        models[kind] = _chosen((choices or {}).get(kind), model, kind, catalog, own_folder)
    wanted = [catalog.models[name] for kind in OTHER_KINDS if kind in kinds for name in catalog.ids(kind)]
    return Wish(size, models, named, [model for model in wanted if _fits(model, environment)])


def _fits(model: Model, environment: Mapping[str, str]) -> bool:
    """Sentences are only for the languages that need them; wake words are for all."""
    known = {language.lower() for language in model.languages}
    return model.kind != "sentences" or any({tag, tag.partition("-")[0]} & known for tag in _spoken(environment))


def _in_language(model: Model, environment: Mapping[str, str], catalog: Catalog) -> Model:
    """Speech recognition that knows the household's languages: this one, or the first in the catalog."""
    spoken = {tag.partition("-")[0] for tag in _spoken(environment)}
    if model.kind != "stt" or _knows(model, spoken):
        return model
    others = (catalog.models[name] for name in catalog.ids("stt"))
    return next((other for other in others if _knows(other, spoken)), model)


def _knows(model: Model, spoken: Set[str]) -> bool:
    return "multilingual" in model.languages or spoken <= set(model.languages)


def _spoken(environment: Mapping[str, str]) -> list[str]:
    """The household's languages as lower-case tags."""
    tags = environment.get("HEARTH_LANGUAGE", "").lower().replace("_", "-").split(",")
    return [tag.strip() for tag in tags if tag.strip()]


def _chosen(
    choice: Choice | None, model: Model | OwnModel, kind: Kind, catalog: Catalog, own_folder: Path | None
) -> Model | OwnModel:
    """Returns the page's choice while it is newer and its model still exists."""
    if choice is None or choice.instead_of != model.id:
        return model
    try:
        return named_model(choice.id, kind, catalog, own_folder)
    except FetchError:
        return model


def named_model(name: str, kind: Kind, catalog: Catalog, own_folder: Path | None) -> Model | OwnModel:
    if kind == "llm" and name.endswith(".gguf"):
        return find_own_model(name, own_folder)
    model = catalog.models.get(name)
    if model is None or model.kind != kind:
        values = (_VARIABLES[kind], name, _listed(catalog.ids(kind)))
        if kind == "llm":
            raise FetchError(
                "%s=%s is not a known model; it can be %s, or the name of a .gguf file of your own.", *values
            )
        raise FetchError("%s=%s is not a known model; it can be %s.", *values)
    return model


def parse_kinds(text: str) -> tuple[Kind, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if not is_kind(name):
            raise FetchError("--kinds %s is not known; it is a comma-separated list of %s.", name, _listed(ALL_KINDS))
    return tuple(kind for kind in ALL_KINDS if kind in names)


def _listed(values: Sequence[str]) -> str:
    """Joins the values as 'a, b or c'."""
    if len(values) < 2:
        return "".join(values)
    return f"{', '.join(values[:-1])} or {values[-1]}"
