"""Accepts model orders. It installs the model, lets its engine try it, and reverts if the engine does not
answer.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from .bring import Bringer
from .catalog import Kind
from .choices import Choice, keep_choice
from .errors import DiskFullError, FetchError, SourceError, is_disk_full
from .hub import Hub
from .jsonfile import read_json_object, write_json
from .lock import only_fetch
from .offer import Offer, Offered, runs
from .own import OwnModel, place_own_model
from .progress import ModelState, Progress
from .published import find_published
from .selecting import Placed, described, named_by_environment, placed, point, pointed_at, select_one, selected
from .store import Store

State = Literal["checking", "downloading", "verifying", "trying", "done", "failed"]
# The largest model of the list takes about two minutes from a slow disk.
TRY_S = 300.0
# Another fetch (make models) may take long, and a person at a button does not wait for it.
_LOCK_WAIT_S = 2.0


class RefusedError(Exception):
    """An order that is refused: a code for programs and a sentence for people."""

    def __init__(self, code: Literal["not_found", "conflict"], message: str) -> None:
        super().__init__(message)
        self.code = code


class _CancelledError(BaseException):
    """Not an `Exception`, so that no handler mistakes it for a failed source."""


@dataclass(frozen=True)
class Order:
    kind: Kind
    id: str
    name: str
    bytes_total: int
    state: State = "checking"
    bytes_done: int = 0
    reason: str | None = None

    @property
    def is_over(self) -> bool:
        return self.state in ("done", "failed")

    def told(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "id": self.id,
            "name": self.name,
            "state": self.state,
            "bytesDone": self.bytes_done,
            "bytesTotal": self.bytes_total,
            "reason": self.reason,
        }


class Orders:
    """One order at a time. Every method may be called from any thread."""

    def __init__(self, offer: Offer, say: Callable[[str], None], try_s: float = TRY_S) -> None:
        self._offer, self._say, self._try_s = offer, say, try_s
        self._store = offer.store
        self._changed = threading.Condition()
        self._order: Order | None = None
        self._answered = self._cancelled = self._refused = False
        self._listing: tuple[str, str | None] = ("idle", None)
        _take_back_trial(self._store)

    def told(self) -> dict[str, object]:
        with self._changed:
            order, (state, reason) = self._order, self._listing
        voices = {"state": state, "reason": reason, "isKnown": self._store.published_voices.is_file()}
        return {"models": self._offer.told(), "order": order.told() if order else None, "voices": voices}

    def choose(self, kind: str, model_id: str) -> None:
        """Starts an order. Raises RefusedError."""
        found = self._offer.named(kind, model_id)
        if found is None:
            raise RefusedError("not_found", "There is no such model to choose.")
        known_kind, model = found
        with self._changed:
            if self._order and not self._order.is_over:
                raise RefusedError(
                    "conflict", f"{self._order.name} is still on its way. Wait for it, or stop it, and choose again."
                )
            self._order = Order(known_kind, model.id, model.name, model.size_bytes)
            self._answered = self._cancelled = self._refused = False
        threading.Thread(target=self._carry_out, args=(known_kind, model), daemon=True).start()

    def cancel(self) -> None:
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()

    def answered(self, kind: str, model_id: str) -> None:
        """The engine has answered with this model."""
        with self._changed:
            if self._order and (self._order.kind, self._order.id) == (kind, model_id):
                self._answered = True
                self._changed.notify_all()

    def refused(self, kind: str, model_id: str) -> None:
        """The engine has been down for a while with this model."""
        with self._changed:
            if self._order and (self._order.kind, self._order.id) == (kind, model_id):
                self._refused = True
                self._changed.notify_all()

    def list_voices(self) -> None:
        with self._changed:
            if self._listing[0] == "asking":
                return
            self._listing = ("asking", None)
        threading.Thread(target=self._list_voices, daemon=True).start()

    def _list_voices(self) -> None:
        try:
            find_published(self._offer.catalog, self._store, Hub())
            outcome: tuple[str, str | None] = ("idle", None)
        except (SourceError, OSError) as error:
            outcome = ("failed", f"The list of Piper's voices cannot be loaded now: {error}.")
        with self._changed:
            self._listing = outcome

    def _carry_out(self, kind: Kind, model: Offered) -> None:
        old = runs(kind, self._store)
        try:
            with only_fetch(self._store.lock, _LOCK_WAIT_S, self._say):
                self._store.prepare()
                choice = self._bring(model)
            if kind == "tts":
                self._try_voice(model)
            else:
                self._try(kind, choice, old)
        except _CancelledError:
            self._become("failed", f"Stopped. {_stays(kind, old)}")
        except SourceError as error:
            self._become("failed", f"{model.name} cannot be loaded now: {error}. {_stays(kind, old)}")
        except (DiskFullError, FetchError) as error:
            self._become("failed", f"{error} {_stays(kind, old)}")
        except OSError as error:
            reason = "the disk is full" if is_disk_full(error) else (error.strerror or str(error))
            self._become("failed", f"{model.name} cannot be put in place: {reason}. {_stays(kind, old)}")

    def _bring(self, model: Offered) -> Placed:
        if isinstance(model, OwnModel):
            return Placed(model, place_own_model(model, self._store, self._moved, self._say))
        progress = _OrderProgress(self._moved, self._become)
        progress.expect([model])
        Bringer(self._store, progress).bring(model)
        if model.kind == "tts":
            self._store.offer_voice(model)
        return placed(model, self._store)

    def _try_voice(self, model: Offered) -> None:
        """Piper speaks with any installed voice, if a request names it. A setting decides which one."""
        self._become("trying")
        if self._wait_for_answer():
            self._become("done", f"{model.name} is here.")
        else:
            self._become("failed", f"{model.name} is here, but the speech server does not offer it.")

    def _wait_for_answer(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._answered or self._cancelled or self._refused, self._try_s)
            return self._answered

    def _try(self, kind: Kind, choice: Placed, old: str) -> None:
        if selected(kind, self._store) == described(choice, self._store):
            return self._settle(kind, choice)
        _begin_trial(kind, choice, self._store)
        self._become("trying")
        if self._wait_for_answer():
            self._store.trial.unlink(missing_ok=True)
            return self._settle(kind, choice)
        _take_back_trial(self._store)
        return self._become("failed", f"{self._why_not(choice.model.name)}. {old} is back.")

    def _why_not(self, name: str) -> str:
        if self._cancelled:
            return "Stopped"
        return f"{name} does not start here" if self._refused else f"{name} did not answer within {self._try_s:.0f} s"

    def _settle(self, kind: Kind, choice: Placed) -> None:
        keep_choice(self._store.choices, kind, Choice(choice.model.id, named_by_environment(kind, self._store)))
        self._become("done", f"{choice.model.name} answers.")

    def _become(self, state: State, reason: str | None = None) -> None:
        with self._changed:
            if self._order:
                self._order = replace(self._order, state=state, reason=reason)
        if reason:
            self._say(reason)

    def _moved(self, bytes_done: int) -> None:
        with self._changed:
            if self._cancelled:
                raise _CancelledError
            if self._order:
                self._order = replace(self._order, bytes_done=bytes_done)


class _OrderProgress(Progress):
    """Reports progress to the order. The file progress.json covers the start only."""

    def __init__(self, moved: Callable[[int], None], become: Callable[[State], None]) -> None:
        super().__init__(None)
        self._tell, self._become = moved, become

    def moved(self, model_id: str, bytes_done: int) -> None:
        super().moved(model_id, bytes_done)
        self._tell(bytes_done)

    def model(self, model_id: str, state: ModelState, *, reason: str | None = None) -> None:
        super().model(model_id, state, reason=reason)
        if state in ("downloading", "verifying"):
            self._become(state)


def _stays(kind: Kind, old: str) -> str:
    return "The voices that are here stay." if kind == "tts" else f"{old} stays."


def _begin_trial(kind: Kind, choice: Placed, store: Store) -> None:
    """Saves the previous choice first, so that it returns even if this program is killed during the trial."""
    target = str(pointed_at(kind, store).relative_to(store.root.resolve()))
    write_json(store.trial, {"kind": kind, "target": target, "entry": selected(kind, store)})
    select_one(kind, described(choice, store), store)
    point(kind, choice.path, store)


def _take_back_trial(store: Store) -> None:
    trial = read_json_object(store.trial)
    kind, target, entry = trial.get("kind"), trial.get("target"), trial.get("entry")
    if (kind == "llm" or kind == "stt") and isinstance(target, str) and isinstance(entry, dict):
        select_one(kind, entry, store)
        point(kind, store.root / target, store)
    store.trial.unlink(missing_ok=True)
