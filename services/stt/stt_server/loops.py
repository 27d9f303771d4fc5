"""Detects a sentence that the speaker said once and the model repeats (pure)."""

from __future__ import annotations

from .doubts import MIN_LOG_PROBABILITY, first_sentence, said_once

# The model fills the rest of a short window with the same sentence again. Up to this many words, that sentence is
# as often right as the text of the full window: of 1,200 sounds of 80 short sentences, in six voices and with
# noise, 154 ended in a loop. 141 of them score above MIN_LOG_PROBABILITY, with 55 wrong words where the full window
# has 49.
MAX_SHORT_WORDS = 3
# The voice of all of them had no longer pause. Who says "stop" twice makes one of a quarter of a second.
MAX_PAUSE_S = 0.1
# Minimum mean log probability per token of a longer one. Of 360 sounds of 20 sentences with loud noise, 38 ended
# in such a loop. This limit accepts 26 of them, with 14 wrong words where the full window has 12. A limit of -0.4
# would accept 30, with 21 wrong words against 13.
MIN_LONG_LOG_PROBABILITY = -0.3


def without_loop(text: str, mean_log_probability: float, pause_s: float) -> str | None:
    """Returns the sentence once, if the text only repeats it and the model is confident. Else None.

    `pause_s`: the longest pause in the voice.
    """
    sentence = said_once(text)
    if sentence is None:
        return None
    if len(sentence) <= MAX_SHORT_WORDS:
        is_believed = mean_log_probability >= MIN_LOG_PROBABILITY and pause_s <= MAX_PAUSE_S
    else:
        is_believed = mean_log_probability >= MIN_LONG_LOG_PROBABILITY
    return first_sentence(text) if is_believed else None
