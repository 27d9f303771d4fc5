"""Turns a sound into a transcript: chooses the window, repeats a doubtful text, and cuts long sound into pieces."""

from __future__ import annotations

from collections.abc import Generator

from .decoding import Decoding
from .pauses import MAX_PIECE_S, Span, cut_at_pauses
from .silence import NO_VOICE
from .sound import Sound
from .transcript import Transcript
from .transcription_options import TranscriptionOptions
from .whisper import Whisper
from .window import is_short, window_frames

# A tenth of a second holds no word, and the model's features need some sound.
MIN_SOUND_S = 0.1

# A transcription pauses between its steps, so that a spoken turn need not wait for a long recording.
Steps = Generator[None, None, Transcript]


class Transcriber:
    """Transcribes with one model, one step at a time, on one thread."""

    def __init__(self, whisper: Whisper) -> None:
        self._whisper = whisper

    def steps(self, sound: Sound, options: TranscriptionOptions) -> Steps:
        """Yields where it may pause or be dropped; returns the transcript."""
        transcript = Transcript(language=options.language or "", duration_s=sound.duration_s)
        if not self._whisper.is_multilingual:
            transcript.language_forced = options.language not in (None, "en")
            transcript.language = "en"
        if sound.duration_s < MIN_SOUND_S:
            transcript.reason = "too_short"
            return transcript
        decoding = Decoding(self._whisper, sound, options, transcript)
        if decoding.listen() < NO_VOICE:
            transcript.reason = "no_voice"
        elif sound.duration_s > MAX_PIECE_S:
            yield from _pieces(decoding)
        else:
            yield from _one_window(decoding)
        return transcript


def _pieces(decoding: Decoding) -> Generator[None, None, None]:
    decoding.transcript.reason = "length"
    for span in cut_at_pauses(decoding.voice, decoding.sound.duration_s):
        yield
        decoding.full(span)


def _one_window(decoding: Decoding) -> Generator[None, None, None]:
    transcript, options = decoding.transcript, decoding.options
    frames = window_frames(decoding.sound_frames)
    if not is_short(frames):
        transcript.reason = "length"
    elif options.full_window or options.translate or options.temperature > 0:
        transcript.reason = "asked"
    else:
        doubt = yield from decoding.short(frames)
        if doubt is None:
            return
        # The short window was wasted; the full one now takes as long as it would have taken alone.
        transcript.reason = doubt
        if options.short_only:
            return
        yield
    decoding.full(Span(0.0, decoding.sound.duration_s))
