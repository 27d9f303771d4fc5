"""Decides which request is next: the most urgent, and of equals the first to arrive (pure)."""

from __future__ import annotations

import heapq
import re
from typing import Generic, TypeVar

Item = TypeVar("Item")

# RFC 9218: 0 is the most urgent, 7 the least.
DEFAULT_URGENCY = 3
_URGENCY = re.compile(r"(?:^|,)\s*u\s*=\s*([0-7])\s*(?=$|[,;])")


def urgency_of(priority_header: str | None) -> int:
    """The urgency in a `Priority` header. As the RFC asks, a header that cannot be parsed is ignored."""
    match = _URGENCY.search(priority_header or "")
    return int(match.group(1)) if match else DEFAULT_URGENCY


class WaitingLine(Generic[Item]):
    """Items by urgency, then by arrival. An item that is put back keeps its place."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Item]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, item: Item, *, urgency: int, arrival: int) -> None:
        """`arrival` is unique, so items themselves are never compared."""
        heapq.heappush(self._heap, (urgency, arrival, item))

    def next(self) -> Item:
        """Removes and returns the first item; IndexError if there is none."""
        return heapq.heappop(self._heap)[2]

    def remove(self, item: Item) -> bool:
        """Removes this item; False if it is not in the line."""
        kept = [entry for entry in self._heap if entry[2] is not item]
        removed = len(kept) < len(self._heap)
        self._heap = kept
        heapq.heapify(self._heap)
        return removed
