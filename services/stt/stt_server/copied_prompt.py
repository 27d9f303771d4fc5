"""Detects a text that the model copied from its prompt instead of from the sound."""

from __future__ import annotations

from collections.abc import Callable

from .doubts import words_of

# A text is checked only if it shares so many words in a row with the prompt. Names of one or two words are
# what the prompt is for.
MIN_SHARED_WORDS = 3
# And only if the model is less sure than this. Commands that tiny.en hears well pass without the check.
SURE_LOG_PROBABILITY = -0.15
# Lowest mean log probability per token, without the prompt, of a text that was said. Whisper base heard 579
# household sentences of espeak-ng in five languages. 47 of its texts copied an example of the prompt. This
# limit finds 35 of them, and no text that was right. Most of the others copied one word, such as a number.
LEAST_LOG_PROBABILITY = -2.3


def is_copied(text: str, prompt: str, mean_log_probability: float, without_prompt: Callable[[], float]) -> bool:
    """Whether the text comes from the prompt. `without_prompt`: its mean log probability for the sound alone."""
    return (
        mean_log_probability < SURE_LOG_PROBABILITY
        and _shares_words(words_of(text), words_of(prompt))
        and without_prompt() < LEAST_LOG_PROBABILITY
    )


def _shares_words(said: list[str], prompt: list[str]) -> bool:
    return not _runs(said).isdisjoint(_runs(prompt))


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + MIN_SHARED_WORDS]) for at in range(len(words) - MIN_SHARED_WORDS + 1)}
