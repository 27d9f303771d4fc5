"""Moves segments and words to their times in the whole sound."""

from __future__ import annotations

from dataclasses import replace

from .doubts import compression_ratio
from .pauses import Span
from .transcript import Segment, Word
from .whisper import ShortDecode


def within(words: tuple[Word, ...], bounds: Span) -> tuple[Word, ...]:
    """Limits words to the voiced part, because the model stretches the first and the last over the silence."""
    return tuple(
        replace(word, start_s=_clamped(word.start_s, bounds), end_s=_clamped(word.end_s, bounds)) for word in words
    )


def short_segment(decode: ShortDecode, words: tuple[Word, ...], bounds: Span) -> Segment:
    return Segment(
        text=decode.text,
        start_s=round(words[0].start_s if words else bounds.start_s, 3),
        end_s=round(words[-1].end_s if words else bounds.end_s, 3),
        tokens=decode.tokens,
        temperature=0.0,
        avg_logprob=decode.avg_logprob,
        compression_ratio=compression_ratio(decode.text),
        no_speech_prob=decode.no_speech_prob,
        words=words,
    )


def moved(segment: Segment, span: Span) -> Segment:
    """The segment at its place in the whole sound; the model may end it after the sound has ended."""

    def at(seconds: float) -> float:
        return round(min(span.end_s, span.start_s + seconds), 3)

    words = tuple(replace(word, start_s=at(word.start_s), end_s=at(word.end_s)) for word in segment.words)
    return replace(segment, start_s=at(segment.start_s), end_s=at(segment.end_s), words=words)


def _clamped(seconds: float, bounds: Span) -> float:
    return round(min(bounds.end_s, max(bounds.start_s, seconds)), 3)
