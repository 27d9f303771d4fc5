"""Signs that the short window misled the model. Each one costs a decode with the full window."""

from __future__ import annotations

import re
import zlib
from itertools import combinations, starmap
from typing import Literal

# Reasons to doubt the text of a short window:
#   cut             the text did not end within the number of tokens that fit such a sound
#   repetition      words or a whole sentence occur again
#   low_confidence  the model gave its own text a low score
Doubt = Literal["cut", "repetition", "low_confidence"]

# Whisper's own limits for a failed decode.
MAX_COMPRESSION_RATIO = 2.4
MIN_LOG_PROBABILITY = -1.0

_SENTENCE_END = re.compile(r"[.!?。！？…]+")  # noqa: RUF001 -- sentences end so in Chinese and Japanese
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def doubt_about(text: str, mean_log_probability: float, *, ended: bool) -> Doubt | None:
    """The reason to doubt this text, or None. `ended`: the model ended it itself, before the token limit."""
    if not ended:
        return "cut"
    if compression_ratio(text) > MAX_COMPRESSION_RATIO or repeats_itself(text):
        return "repetition"
    if mean_log_probability < MIN_LOG_PROBABILITY:
        return "low_confidence"
    return None


def compression_ratio(text: str) -> float:
    """How many times smaller zlib makes the text; 0 for no text. Loops compress far better than speech."""
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw)) if raw else 0.0


def repeats_itself(text: str) -> bool:
    """Whether a sentence occurs twice, or the same run of words follows itself.

    The model may repeat a word as a digit ("One week is seven days. 1 week is seven days."). Between
    sentences, a number therefore matches any word. People do say "no, no" and "stop. Stop!"; then the full
    window decides.
    """
    sentences = [words_of(part) for part in _SENTENCE_END.split(text)]
    spoken = [sentence for sentence in sentences if sentence]
    return any(starmap(_may_be_the_same, combinations(spoken, 2))) or _has_adjacent_repeat(words_of(text))


def said_once(text: str) -> list[str] | None:
    """Returns the words of the one sentence that this text repeats; None if it says anything else.

    The last repetition may be cut short.
    """
    first, *again = [words for part in _SENTENCE_END.split(text) if (words := words_of(part))] or [[]]
    if not again or _has_adjacent_repeat(first):
        return None
    *whole, last = again
    is_loop = all(_may_be_the_same(first, words) for words in whole) and _may_be_the_same(first[: len(last)], last)
    return first if is_loop else None


def first_sentence(text: str) -> str:
    """The text up to its first sentence end."""
    end = _SENTENCE_END.search(text)
    return text[: end.end()] if end else text


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
