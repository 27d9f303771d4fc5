"""Detects a sentence that the speaker said once and the model repeats (pure)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .doubts import doubt_about, said_once, words_of

if TYPE_CHECKING:
    from .whisper import ShortDecode

# A text less likely than this, per token, may be another sentence or the end of a longer one. Then the full
# window decides. Of 284 sounds, most with noise or an echo, 70 ended in a loop. This limit accepts 38 of
# them, with 12 wrong words where the full window has 10. A limit of -0.4 would accept 52, with 22 wrong words
# against 15.
LEAST_LOG_PROBABILITY = -0.3
# One or two words have a lower score, because it is the mean of so few tokens. Of 720 sounds of 40 short
# sentences, in six voices and with noise, 58 ended in a loop of one word and 39 in a loop of two. These limits
# accept 42 and 18 of them (0 and 8 with the limit above), with 14 wrong words where the full window has 14.
LEAST_LOG_PROBABILITY_BY_WORDS = {1: -0.8, 2: -0.4}


def without_loop(decode: ShortDecode) -> ShortDecode | None:
    """Returns the sentence once, as the beam held it, if the text only repeats it and the model is confident.
    Else None.
    """
    sentence = said_once(decode.text)
    if sentence is None:
        return None
    once = next((other for other in decode.others if words_of(other.text) == sentence), None)
    return replace(once, others=decode.others) if once and _is_believed(once) else None


def _is_believed(decode: ShortDecode) -> bool:
    least = LEAST_LOG_PROBABILITY_BY_WORDS.get(len(words_of(decode.text)), LEAST_LOG_PROBABILITY)
    is_likely = decode.avg_logprob >= least
    return is_likely and doubt_about(decode.text, decode.avg_logprob, ended=decode.ended) is None
