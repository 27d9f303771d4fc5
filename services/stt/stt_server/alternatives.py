"""Other plausible transcripts of the same sound (pure)."""

from __future__ import annotations

from collections.abc import Iterable

from .doubts import doubt_about
from .transcript import ScoredText

# Maximum distance per token from the first text; less likely texts are seldom right. Of 37 commands where no
# rule matched tiny.en's text, another beam text was right 21 times, always within 0.5.
MAX_BELOW = 0.5
MOST = 4
# A shorter text drops speech, such as the second of two sentences.
LEAST_LENGTH = 0.75


def likely_alternatives(first: ScoredText, others: Iterable[ScoredText]) -> tuple[ScoredText, ...]:
    """Returns the credible texts whose words differ from the first and from each other, likeliest first."""
    said = _words(first.text)
    known = {said}
    found: list[ScoredText] = []
    for other in sorted(others, key=lambda alternative: -alternative.avg_logprob):
        words = _words(other.text)
        is_whole = words != "" and len(words) >= LEAST_LENGTH * len(said)
        is_likely = first.avg_logprob - other.avg_logprob <= MAX_BELOW
        if is_whole and is_likely and words not in known and _is_believed(other):
            known.add(words)
            found.append(other)
    return tuple(found[:MOST])


def _is_believed(alternative: ScoredText) -> bool:
    return doubt_about(alternative.text, alternative.avg_logprob, ended=True) is None


def _words(text: str) -> str:
    """The text without case and punctuation, which are inaudible. Spaces stay, because a rule reads words."""
    return "".join(sign for sign in text.casefold() if sign.isalnum() or sign.isspace())
