"""What else may have been said (pure)."""

from __future__ import annotations

from collections.abc import Iterable

from .doubts import doubt_about
from .transcript import Alternative

# A text that is less likely than the first by more than this, per token, is seldom what was said. Of 37 commands that
# no rule took as tiny.en had heard them, another text of the beam was right 21 times, always within 0.5.
MAX_BELOW = 0.5
MOST = 4
# A shorter text leaves out something that was said: the second of two sentences.
LEAST_LENGTH = 0.75


def likely_alternatives(first: Alternative, others: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Those that can be believed and differ in their words from the first and from each other, the likeliest first."""
    said = _words(first.text)
    known = {said}
    found: list[Alternative] = []
    for other in sorted(others, key=lambda alternative: -alternative.avg_logprob):
        words = _words(other.text)
        is_whole = words != "" and len(words) >= LEAST_LENGTH * len(said)
        is_likely = first.avg_logprob - other.avg_logprob <= MAX_BELOW
        if is_whole and is_likely and words not in known and _is_believed(other):
            known.add(words)
            found.append(other)
    return tuple(found[:MOST])


def _is_believed(alternative: Alternative) -> bool:
    return doubt_about(alternative.text, alternative.avg_logprob, ended=True) is None


def _words(text: str) -> str:
    """The text without what cannot be heard: case and punctuation. Spaces stay, because a rule reads words."""
    return "".join(sign for sign in text.casefold() if sign.isalnum() or sign.isspace())
