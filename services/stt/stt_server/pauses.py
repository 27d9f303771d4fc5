"""Cuts long sound into pieces that fit Whisper's window, at pauses rather than through words (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Silero's step: 512 samples at 16 kHz.
FRAME_S = 0.032
# A piece must fit the 30 s window, with some room for rounding to frames.
MAX_PIECE_S = 29.5
# An earlier cut would waste half a window, so a worse pause later is better.
MIN_PIECE_S = 15.0
VOICED = 0.5
# A pause between sentences lasts this long. The last such pause is chosen, to get the fewest pieces.
GOOD_PAUSE_S = 0.4
# Sound to keep on either side of speech, so that soft beginnings and ends of words are not lost.
MARGIN_S = 0.4


@dataclass(frozen=True)
class Span:
    """A stretch of the sound, in seconds."""

    start_s: float
    end_s: float


def cut_at_pauses(voice: Sequence[float], duration_s: float) -> list[Span]:
    """Spans of at most MAX_PIECE_S that hold all the speech, in order. `voice`: probability per FRAME_S."""
    spans: list[Span] = []
    start_s = 0.0
    while start_s < duration_s:
        speech_s = _next_voiced(voice, start_s)
        if speech_s is None:
            break
        start_s = max(start_s, speech_s - MARGIN_S)
        end_s = duration_s if duration_s - start_s <= MAX_PIECE_S else _best_cut(voice, start_s)
        spans.append(Span(start_s, min(end_s, _last_voiced_end(voice, start_s, end_s) + MARGIN_S)))
        start_s = end_s
    return spans


def speech_bounds(voice: Sequence[float], duration_s: float) -> Span:
    """Returns the bounds of the speech; the whole sound if no frame is clearly voiced."""
    voiced = [index for index, probability in enumerate(voice) if probability >= VOICED]
    if not voiced:
        return Span(0.0, duration_s)
    return Span(voiced[0] * FRAME_S, min(duration_s, (voiced[-1] + 1) * FRAME_S))


def longest_pause_s(voice: Sequence[float]) -> float:
    """The longest pause inside the speech; 0 without one."""
    voiced = [index for index, probability in enumerate(voice) if probability >= VOICED]
    if not voiced:
        return 0.0
    return max((pause.end_s - pause.start_s for pause in _pauses(voice, voiced[0], voiced[-1])), default=0.0)


def _next_voiced(voice: Sequence[float], from_s: float) -> float | None:
    for index in range(round(from_s / FRAME_S), len(voice)):
        if voice[index] >= VOICED:
            return index * FRAME_S
    return None


def _last_voiced_end(voice: Sequence[float], start_s: float, end_s: float) -> float:
    for index in range(min(len(voice), round(end_s / FRAME_S)) - 1, round(start_s / FRAME_S) - 1, -1):
        if voice[index] >= VOICED:
            return (index + 1) * FRAME_S
    return end_s


def _best_cut(voice: Sequence[float], start_s: float) -> float:
    """The middle of the best pause between MIN_PIECE_S and MAX_PIECE_S, else the least voiced moment there."""
    first = round((start_s + MIN_PIECE_S) / FRAME_S)
    last = min(len(voice), int((start_s + MAX_PIECE_S) / FRAME_S))
    pauses = _pauses(voice, first, last)
    if not pauses:
        return min(range(first, last), key=lambda index: voice[index]) * FRAME_S
    good = [pause for pause in pauses if pause.end_s - pause.start_s >= GOOD_PAUSE_S]
    best = good[-1] if good else max(pauses, key=lambda pause: pause.end_s - pause.start_s)
    return (best.start_s + best.end_s) / 2


def _pauses(voice: Sequence[float], first: int, last: int) -> list[Span]:
    """Runs of frames without a voice."""
    pauses: list[Span] = []
    start = first
    for index in range(first, last + 1):
        if index == last or voice[index] >= VOICED:
            if index > start:
                pauses.append(Span(start * FRAME_S, index * FRAME_S))
            start = index + 1
    return pauses
