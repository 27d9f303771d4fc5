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
    is_likely = decode.avg_logprob >= LEAST_LOG_PROBABILITY
    return is_likely and doubt_about(decode.text, decode.avg_logprob, ended=decode.ended) is None
