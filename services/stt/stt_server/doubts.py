"""Signs that a short window has misled the model. Each of them costs one decode with the full window."""

from __future__ import annotations

import re
import zlib
from itertools import combinations, starmap
from typing import Literal

# Why a short window's answer is not believed:
#   cut             the text did not come to its own end within the tokens that so much sound can hold
#   repetition      words, or a whole sentence, said over again
#   low_confidence  the model itself did not believe what it wrote
Doubt = Literal["cut", "repetition", "low_confidence"]

# Whisper's own limits for a decode that has gone wrong.
MAX_COMPRESSION_RATIO = 2.4
MIN_LOG_PROBABILITY = -1.0

_SENTENCE_END = re.compile(r"[.!?。！？…]+")  # noqa: RUF001 -- sentences end so in Chinese and Japanese
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def doubt_about(text: str, mean_log_probability: float, *, ended: bool) -> Doubt | None:
    """What speaks against this text, or None. `ended`: the model closed it itself, before the token limit."""
    if not ended:
        return "cut"
    if compression_ratio(text) > MAX_COMPRESSION_RATIO or repeats_itself(text):
        return "repetition"
    if mean_log_probability < MIN_LOG_PROBABILITY:
        return "low_confidence"
    return None


def compression_ratio(text: str) -> float:
    """How many times smaller zlib makes the text; 0 for none. Loops compress far better than speech."""
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw)) if raw else 0.0


def repeats_itself(text: str) -> bool:
    """Whether a sentence occurs twice, or any run of words is followed at once by the same run.

    The second time the model may write in digits what it wrote in letters ("One week is seven days. 1 week is seven
    days."): between sentences a number stands for any word. People do say "no, no" and "stop. Stop!"; then the full
    window is asked, and its answer stands.
    """
    sentences = [words_of(part) for part in _SENTENCE_END.split(text)]
    spoken = [sentence for sentence in sentences if sentence]
    return any(starmap(_may_be_the_same, combinations(spoken, 2))) or _has_adjacent_repeat(words_of(text))


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _may_be_the_same(first: list[str], second: list[str]) -> bool:
    return len(first) == len(second) and all(
        one == other or one.isdecimal() != other.isdecimal() for one, other in zip(first, second, strict=True)
    )


def _has_adjacent_repeat(words: list[str]) -> bool:
    for length in range(1, len(words) // 2 + 1):
        for start in range(len(words) - 2 * length + 1):
            middle = start + length
            if words[start:middle] == words[middle : middle + length]:
                return True
    return False
