"""How a sound becomes a transcript: the short window, its safeguards, and long sound piece by piece."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

from .doubts import Doubt, compression_ratio, doubt_about
from .pauses import MAX_PIECE_S, Span, cut_at_pauses, speech_bounds
from .silence import NO_VOICE, is_silent
from .sound import SAMPLE_RATE_HZ, Sound
from .transcript import Segment, Transcript, Word
from .whisper import Prompt, ShortDecode, Whisper, elapsed_ms
from .window import FRAMES_PER_SECOND, FULL_FRAMES, is_short, token_limit, window_frames

# A tenth of a second holds no word; the model's features need a little sound to begin with.
MIN_SOUND_S = 0.1


@dataclass(frozen=True)
class TranscriptionOptions:
    """What a caller may choose about one transcription."""

    # None: found out from the sound, which only a multilingual model can.
    language: str | None = None
    prompt: str | None = None
    temperature: float = 0.0
    words: bool = False
    # Never the short window: asked for by the caller, or because times of segments are wanted.
    full_window: bool = False
    # Never the full window: what the short one makes doubtful is left out. For a sentence that is not over yet.
    short_only: bool = False


# A transcription that can be put aside between its steps, so that a spoken turn need not wait for a long recording.
Steps = Generator[None, None, Transcript]


class Transcriber:
    """Transcribes with one model; one step at a time, on one thread."""

    def __init__(self, whisper: Whisper) -> None:
        self._whisper = whisper

    def steps(self, sound: Sound, options: TranscriptionOptions) -> Steps:
        """Yields where it may be put aside or given up; returns the transcript."""
        return _Transcription(self._whisper, sound, options).steps()


class _Transcription:
    """One sound on its way to a transcript."""

    def __init__(self, whisper: Whisper, sound: Sound, options: TranscriptionOptions) -> None:
        self._whisper = whisper
        self._sound = sound
        self._options = options
        self._voice: list[float] = []
        self._transcript = Transcript(language=options.language or "", duration_s=sound.duration_s)

    def steps(self) -> Steps:
        transcript = self._transcript
        if not self._whisper.is_multilingual:
            transcript.language_forced = self._options.language not in (None, "en")
            transcript.language = "en"
        if self._sound.duration_s < MIN_SOUND_S:
            transcript.reason = "too_short"
        elif not self._is_voice_heard():
            transcript.reason = "no_voice"
        elif self._sound.duration_s > MAX_PIECE_S:
            yield from self._pieces()
        else:
            yield from self._one_window()
        return transcript

    def _is_voice_heard(self) -> bool:
        since = time.perf_counter()
        self._voice = self._whisper.voice(self._sound.samples)
        self._transcript.voice = max(self._voice)
        self._transcript.timings.voice_ms += elapsed_ms(since)
        return self._transcript.voice >= NO_VOICE

    def _pieces(self) -> Generator[None, None, None]:
        self._transcript.reason = "length"
        for span in cut_at_pauses(self._voice, self._sound.duration_s):
            yield
            self._decode_full(span)

    def _one_window(self) -> Generator[None, None, None]:
        frames = window_frames(self._sound_frames)
        if not is_short(frames):
            self._transcript.reason = "length"
        elif self._options.full_window or self._options.temperature > 0:
            self._transcript.reason = "asked"
        else:
            doubt = yield from self._decode_short(frames)
            if doubt is None:
                return
            # What the short window cost is lost; from here on it is what everyone else pays always.
            self._transcript.reason = doubt
            if self._options.short_only:
                return
            yield
        self._decode_full(Span(0.0, self._sound.duration_s))

    @property
    def _sound_frames(self) -> int:
        return len(self._sound.samples) * FRAMES_PER_SECOND // SAMPLE_RATE_HZ

    def _decode_short(self, frames: int) -> Generator[None, None, Doubt | None]:
        """Writes the transcript; or says why the full window has to."""
        transcript = self._transcript
        encoded = self._encode(frames)
        # Half of the time has gone by: whoever has finished speaking need not wait for a look at somebody else's words.
        yield
        since = time.perf_counter()
        self._settle_language(encoded)
        decode = self._whisper.generate(encoded, self._prompt(), transcript.language, token_limit(self._sound_frames))
        transcript.timings.generate_ms += elapsed_ms(since)
        transcript.no_speech_prob, transcript.avg_logprob = decode.no_speech_prob, decode.avg_logprob
        transcript.window, transcript.window_frames = "short", frames
        if is_silent(decode.no_speech_prob, decode.avg_logprob, transcript.voice):
            transcript.reason = "silence"
            return None
        doubt = doubt_about(decode.text, decode.avg_logprob, ended=decode.ended)
        if doubt is None and decode.text:
            bounds = speech_bounds(self._voice, self._sound.duration_s)
            words = self._align(encoded, decode, bounds) if self._options.words else ()
            transcript.segments = [_short_segment(decode, words, bounds)]
        return doubt

    def _encode(self, frames: int) -> Any:  # noqa: ANN401 -- the library's arrays have no types
        timings = self._transcript.timings
        since = time.perf_counter()
        features = self._whisper.features(self._sound.samples)
        timings.features_ms += elapsed_ms(since)
        since = time.perf_counter()
        encoded = self._whisper.encode(features, frames)
        timings.encode_ms += elapsed_ms(since)
        return encoded

    def _align(self, encoded: Any, decode: ShortDecode, bounds: Span) -> tuple[Word, ...]:  # noqa: ANN401
        since = time.perf_counter()
        words = self._whisper.align(encoded, decode.tokens, self._transcript.language, self._sound_frames)
        self._transcript.timings.generate_ms += elapsed_ms(since)
        return _within(words, bounds)

    def _decode_full(self, span: Span) -> None:
        """Adds what is said in this part of the sound; it fits into one full window."""
        transcript = self._transcript
        samples = self._sound.samples[int(span.start_s * SAMPLE_RATE_HZ) : int(span.end_s * SAMPLE_RATE_HZ)]
        since = time.perf_counter()
        if not transcript.language:
            self._settle_language(self._whisper.encode(self._whisper.features(samples), FULL_FRAMES))
        segments = self._whisper.transcribe_full(
            samples,
            prompt=self._prompt(),
            language=transcript.language,
            temperature=self._options.temperature,
            words=self._options.words,
        )
        transcript.timings.generate_ms += elapsed_ms(since)
        transcript.window, transcript.window_frames = "full", FULL_FRAMES
        for segment in segments:
            transcript.no_speech_prob, transcript.avg_logprob = segment.no_speech_prob, segment.avg_logprob
            if not is_silent(segment.no_speech_prob, segment.avg_logprob, transcript.voice):
                transcript.segments.append(_moved(segment, span))

    def _settle_language(self, encoded: Any) -> None:  # noqa: ANN401
        transcript = self._transcript
        if not transcript.language:
            transcript.language, transcript.language_probability = self._whisper.detect_language(encoded)

    def _prompt(self) -> Prompt:
        prompt = self._whisper.prompt(self._options.prompt, self._transcript.language)
        self._transcript.prompt_tokens, self._transcript.prompt_cut = len(prompt.tokens), prompt.cut
        return prompt


def _within(words: tuple[Word, ...], bounds: Span) -> tuple[Word, ...]:
    """The model stretches the first and the last word over the silence beside them; a voice is heard only here."""

    def at(seconds: float) -> float:
        return round(min(bounds.end_s, max(bounds.start_s, seconds)), 3)

    return tuple(replace(word, start_s=at(word.start_s), end_s=at(word.end_s)) for word in words)


def _short_segment(decode: ShortDecode, words: tuple[Word, ...], bounds: Span) -> Segment:
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


def _moved(segment: Segment, span: Span) -> Segment:
    """The segment at its place in the whole sound; the model may set its end behind the sound's."""

    def at(seconds: float) -> float:
        return round(min(span.end_s, span.start_s + seconds), 3)

    words = tuple(replace(word, start_s=at(word.start_s), end_s=at(word.end_s)) for word in segment.words)
    return replace(segment, start_s=at(segment.start_s), end_s=at(segment.end_s), words=words)
