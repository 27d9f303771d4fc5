"""Runs the whole fetch: gets the chosen models or the next best, and points the engines at them."""

from collections.abc import Mapping
from dataclasses import dataclass

from .bring import Bringer
from .catalog import SIZES, SMALLEST, Catalog, Kind, Model
from .errors import FetchError, SourceError
from .messages import gettext
from .own import OwnModel, place_own_model
from .progress import Progress
from .selecting import Placed, described, placed, point, select
from .store import Store
from .wish import Wish

_ROLES: Mapping[Kind, str] = {
    "llm": "language model",
    "stt": "speech recognition",
    "tts": "voice",
    "wake": "wake words",
    "sentences": "sentences in this language",
}
# The notes for the page are English.
_TOLD_ROLES: Mapping[Kind, str] = {
    "llm": gettext("language model"),
    "stt": gettext("speech recognition"),
    "tts": gettext("voice"),
    "wake": gettext("wake words"),
    "sentences": gettext("sentences in this language"),
}


@dataclass(frozen=True)
class _Chosen:
    placed: Placed
    # The size this model belongs to if it differs from the chosen one, and the reason.
    fell_to: str | None = None
    reason: str | None = None

    @property
    def model(self) -> Model | OwnModel:
        return self.placed.model


def run(wish: Wish, catalog: Catalog, store: Store, progress: Progress) -> None:
    bringer = Bringer(store, progress)
    progress.expect([*(model for model in wish.models.values() if isinstance(model, Model)), *wish.others])
    # They are small, and Hearth cannot answer in some languages without the sentences.
    missing = [model for model in wish.others if not _bring_other(model, store, progress, bringer)]
    chosen: dict[Kind, _Chosen] = {}
    waiting = dict(wish.models)
    # Small models first: speech recognition and voice can get ready while the language model is still being fetched.
    for kind in sorted(wish.models, key=lambda kind: _order(wish.models[kind])):
        model = waiting.pop(kind)
        bringer.later_bytes = sum(
            bringer.missing_bytes(other) for other in waiting.values() if isinstance(other, Model)
        )
        chosen[kind] = (
            _own(model, store, progress)
            if isinstance(model, OwnModel)
            else _bring(model, catalog, store, progress, bringer)
        )
    note = _note(chosen, wish)
    for kind, choice in chosen.items():
        point(kind, choice.placed.path, store)
        if isinstance(choice.model, Model) and choice.model.kind == "tts":
            store.offer_voice(choice.model)
    _select(chosen, wish, note, store)
    if note is None and not missing:
        store.clear_partial()
    _report(chosen, wish, note, progress)
    progress.finish("done", note)


def _order(model: Model | OwnModel) -> int:
    return model.size_bytes


def _own(model: OwnModel, store: Store, progress: Progress) -> _Chosen:
    return _Chosen(Placed(model, place_own_model(model, store, lambda _: None, progress.say)))


def _bring(model: Model, catalog: Catalog, store: Store, progress: Progress, bringer: Bringer) -> _Chosen:
    try:
        bringer.bring(model)
        return _Chosen(placed(model, store))
    except SourceError as error:
        reason = str(error)
    progress.say_once(
        gettext("%s; using a model that is already here instead, or else size %s.", _sentence(reason), SMALLEST)
    )
    size, other = _instead(model, catalog, store)
    if other.id == model.id:
        raise FetchError(
            "%s is not available: %s. Check the network of this machine and start again.", model.name, reason
        )
    progress.replace(model.id, other)
    try:
        bringer.bring(other)
    except SourceError as error:
        raise FetchError(
            "Neither %s (%s) nor %s (%s) is available. Check the network of this machine and start again.",
            model.name,
            reason,
            other.name,
            error,
        ) from error
    return _Chosen(placed(other, store), size, reason)


def _bring_other(model: Model, store: Store, progress: Progress, bringer: Bringer) -> bool:
    """Fetches a model that has no substitute. The engines start without it."""
    try:
        bringer.bring(model)
    except SourceError as error:
        role = _TOLD_ROLES[model.kind]
        progress.say(gettext("There are no %s for now: %s. The next start tries again.", role, error))
        return False
    point(model.kind, store.folder(model), store)
    return True


def _instead(model: Model, catalog: Catalog, store: Store) -> tuple[str, Model]:
    """Returns the largest model already here, else the smallest, which needs no hub."""
    for size in reversed(SIZES):
        other = catalog.sizes[size][model.kind]
        if other.id != model.id and store.is_ready(other):
            return size, other
    return SMALLEST, catalog.sizes[SMALLEST][model.kind]


def _note(chosen: Mapping[Kind, _Chosen], wish: Wish) -> str | None:
    fallen = [(kind, choice) for kind, choice in chosen.items() if choice.fell_to]
    if not fallen:
        return None
    reasons = _sentence("; ".join(dict.fromkeys(choice.reason or "" for _, choice in fallen)))
    sizes = {choice.fell_to for _, choice in fallen}
    if len(fallen) == len(chosen) and len(sizes) == 1:
        taken = f"the models of size {sizes.pop()} run instead of {wish.size}"
    else:
        pairs = [f"{_ROLES[kind]} {choice.model.name} instead of {wish.models[kind].name}" for kind, choice in fallen]
        taken = f"for now these run: {', '.join(pairs)}"
    return f"{reasons}; {taken}. The next start tries again."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _size(chosen: Mapping[Kind, _Chosen], wish: Wish) -> str:
    """Returns the effective size: the smallest that any engine fell back to."""
    fallen = [choice.fell_to for choice in chosen.values() if choice.fell_to]
    return min(fallen, key=SIZES.index) if fallen else wish.size


def _select(chosen: Mapping[Kind, _Chosen], wish: Wish, note: str | None, store: Store) -> None:
    selection: dict[str, object] = {
        "requested": wish.size,
        "size": _size(chosen, wish),
        "note": note,
        "named": dict(wish.named),
        "models": {kind: described(choice.placed, store) for kind, choice in chosen.items()},
    }
    # A trial from an earlier run is over.
    store.trial.unlink(missing_ok=True)
    select(store, selection)


def _report(chosen: Mapping[Kind, _Chosen], wish: Wish, note: str | None, progress: Progress) -> None:
    names = [f"{_TOLD_ROLES[kind]} {choice.model.name}" for kind, choice in sorted(chosen.items())]
    if names:
        progress.say(gettext("Models of size %s are in place: %s.", _size(chosen, wish), ", ".join(names)))
    else:
        progress.say(gettext("No models are needed."))
    if note:
        progress.say(note)
