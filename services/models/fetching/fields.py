"""One object of `models.json`, read field by field.

Written by hand, because pydantic costs more than it saves here. With it, a process that reads the list takes
170 ms of CPU instead of 50. The image's packages grow from 59 to 69 MB. Its messages name no model, so we
would still have to rewrite each of them.
"""

import re

from .errors import FetchError


class Fields:
    """One JSON object. Every look-up is typed, and its error names the place."""

    def __init__(self, value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise FetchError(f"models.json: {place} must be an object.")
        self.fields: dict[str, object] = value
        self.place = place

    def only(self, allowed: set[str]) -> None:
        for key in self.fields:
            if key not in allowed:
                raise FetchError(f"models.json: {self.place} has an unknown field {key!r}.")

    def _bad(self, key: str, wanted: str) -> FetchError:
        return FetchError(f"models.json: {key!r} of {self.place} must be {wanted}.")

    def text(self, key: str, *, pattern: re.Pattern[str] | None = None, wanted: str = "a text") -> str:
        value = self.fields.get(key)
        if not isinstance(value, str) or (pattern and not pattern.fullmatch(value)):
            raise self._bad(key, wanted)
        return value

    def filled(self, key: str) -> str:
        value = self.text(key)
        if not value.strip():
            raise self._bad(key, "a text that is not empty")
        return value

    def count(self, key: str) -> int:
        value = self.fields.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            raise self._bad(key, "a whole number above 0")
        return value

    def flag(self, key: str) -> bool:
        value = self.fields.get(key)
        if not isinstance(value, bool):
            raise self._bad(key, "true or false")
        return value

    def items(self, key: str) -> list[object]:
        value = self.fields.get(key)
        if not isinstance(value, list) or not value:
            raise self._bad(key, "a list that is not empty")
        return value
