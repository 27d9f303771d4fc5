"""Shows the progress of a fetch: as a bar or lines for people, as `progress.json` for the api."""

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TextIO

from .catalog import KINDS, Kind, Model
from .jsonfile import write_json
from .messages import gettext

OverallState = Literal["checking", "downloading", "verifying", "done", "failed"]
ModelState = Literal["waiting", "downloading", "verifying", "ready", "failed"]

# Four writes a second give a smooth bar on the page and spare the memory card.
_WRITE_EVERY_S = 0.25
_LINE_EVERY_S = 5.0
_BAR_CELLS = 24


@dataclass
class _Row:
    kind: Kind
    id: str
    name: str
    bytes_total: int
    state: ModelState = "waiting"
    bytes_done: int = 0
    reason: str | None = None


class Progress:
    def __init__(
        self, path: Path | None, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._out = out or sys.stdout
        self._clock = clock
        self._state: OverallState = "checking"
        self._note: str | None = None
        self._rows: list[_Row] = []
        self._written_at = self._shown_at = -60.0
        self._dirty = True
        self._bar_open = False
        self._said: set[str] = set()
        self._speed = _Speed()

    def expect(self, models: Iterable[Model]) -> None:
        self._rows = [_Row(model.kind, model.id, model.name, model.size_bytes) for model in models]
        self._changed()

    def replace(self, old_id: str, model: Model) -> None:
        """Replaces a failed model in its row."""
        for index, row in enumerate(self._rows):
            if row.id == old_id and row.kind == model.kind:
                self._rows[index] = _Row(model.kind, model.id, model.name, model.size_bytes)
        self._changed()

    def overall(self, state: OverallState, note: str | None = None) -> None:
        self._state = state
        self._note = note or self._note
        self._changed()

    def model(self, model_id: str, state: ModelState, *, reason: str | None = None) -> None:
        row = self._row(model_id)
        row.state, row.reason = state, reason
        if state == "ready":
            row.bytes_done = row.bytes_total
        if state in ("downloading", "verifying"):
            self._state = state
            # A file that finishes within the interval gets no line.
            self._shown_at = max(self._shown_at, self._clock() - (_LINE_EVERY_S if self._out.isatty() else 0))
        self._speed = _Speed()
        self._changed()

    def moved(self, model_id: str, bytes_done: int) -> None:
        """Called for every received piece, but shows and writes at a limited rate."""
        row = self._row(model_id)
        row.bytes_done = min(bytes_done, row.bytes_total)
        self._speed.at(self._clock(), row.bytes_done)
        self._changed()
        self._show(row)

    def say(self, sentence: str) -> None:
        self._close_bar()
        self._out.write(f"{sentence}\n")
        self._out.flush()

    def say_once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self.say(sentence)

    def finish(self, state: OverallState, note: str | None = None) -> None:
        self._close_bar()
        self._state, self._note = state, note or self._note
        self._write()

    def _row(self, model_id: str) -> _Row:
        return next(row for row in self._rows if row.id == model_id)

    def _changed(self) -> None:
        self._dirty = True
        if self._clock() - self._written_at >= _WRITE_EVERY_S:
            self._write()

    def _write(self) -> None:
        self._dirty = False
        if self._path is None:
            return
        rows = [
            {
                "kind": row.kind,
                "id": row.id,
                "state": row.state,
                "bytesDone": row.bytes_done,
                "bytesTotal": row.bytes_total,
                "reason": row.reason,
            }
            for row in self._rows
            # The api shows the engines' models.
            if row.kind in KINDS
        ]
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        write_json(self._path, {"state": self._state, "updatedAt": now, "note": self._note, "models": rows})
        self._written_at = self._clock()

    def _show(self, row: _Row) -> None:
        live = self._out.isatty()
        if self._clock() - self._shown_at < (_WRITE_EVERY_S if live else _LINE_EVERY_S):
            return
        self._shown_at = self._clock()
        text = f"{row.name}: {_amount(row)}{self._speed.told(row.bytes_total)}"
        if live:
            cells = _BAR_CELLS * row.bytes_done // max(row.bytes_total, 1)
            self._out.write(f"\r\033[K[{'#' * cells}{'.' * (_BAR_CELLS - cells)}] {text}")
            self._bar_open = True
        else:
            self._out.write(f"{text}\n")
        self._out.flush()

    def _close_bar(self) -> None:
        if self._bar_open:
            self._out.write("\r\033[K")
            self._bar_open = False


class _Speed:
    """Bytes per second since this model's transfer began in this run."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None
        self._last: tuple[float, int] = (0.0, 0)

    def at(self, second: float, bytes_done: int) -> None:
        self._first = self._first or (second, bytes_done)
        self._last = (second, bytes_done)

    def told(self, bytes_total: int) -> str:
        if self._first is None or self._last[0] - self._first[0] < 1 or self._last[1] <= self._first[1]:
            return ""
        speed = (self._last[1] - self._first[1]) / (self._last[0] - self._first[0])
        return gettext(", %s/s, %s left", told_bytes(int(speed)), _duration((bytes_total - self._last[1]) / speed))


def _amount(row: _Row) -> str:
    percent = 100 * row.bytes_done // max(row.bytes_total, 1)
    values = (told_bytes(row.bytes_done), told_bytes(row.bytes_total), percent)
    if row.state == "verifying":
        return gettext("checking %s of %s (%s %%)", *values)
    return gettext("have %s of %s (%s %%)", *values)


def _duration(seconds: float) -> str:
    return f"{round(seconds)} s" if seconds < 90 else f"{round(seconds / 60)} min"


def told_bytes(count: int) -> str:
    if count < 1_000_000:
        return f"{count / 1000:.0f} kB"
    return f"{count / 1e6:.0f} MB" if count < 1_000_000_000 else f"{count / 1e9:.1f} GB"
