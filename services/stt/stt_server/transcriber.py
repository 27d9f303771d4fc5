"""How a sound becomes a transcript: the short window, its safeguards, and long sound piece by piece."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, replace

from .doubts import compression_ratio, doubt_about
from .pauses import MAX_PIECE_S, Span, cut_at_pauses, speech_bounds
from .silence import NO_VOICE, is_silent
from .sound import SAMPLE_RATE_HZ, Samples, Sound
from .transcript import Segment, Transcript, Word
from .whisper import Prompt, ShortDecode, Whisper, elapsed_ms
from .window import FULL_FRAMES, is_short, token_limit, window_frames

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


# A transcription that can be put aside between its steps, so that a spoken turn need not wait for a long recording.
Steps = Generator[None, None, Transcript]


class Transcriber:
    """Transcribes with one model; one step at a time, on one thread."""

    def __init__(self, whisper: Whisper) -> None:
        self._whisper = whisper

    def steps(self, sound: Sound, options: TranscriptionOptions) -> Steps:
        """Yields where it may be put aside or given up; returns the transcript."""
        transcript = Transcript(language=options.language or "", duration_s=sound.duration_s)
        self._settle_language(transcript, options)
        if sound.duration_s < MIN_SOUND_S:
            transcript.reason = "too_short"
            return transcript
        voice = self._listen(sound, transcript)
        if transcript.voice < NO_VOICE:
            transcript.reason = "no_voice"
            return transcript
        if sound.duration_s > MAX_PIECE_S:
            yield from self._long(sound, voice, transcript, options)
            return transcript
        yield from self._one_window(sound, voice, transcript, options)
        return transcript

    def _settle_language(self, transcript: Transcript, options: TranscriptionOptions) -> None:
        if not self._whisper.is_multilingual:
            transcript.language_forced = options.language not in (None, "en")
            transcript.language = "en"

    def _listen(self, sound: Sound, transcript: Transcript) -> list[float]:
        since = time.perf_counter()
        voice = self._whisper.voice(sound.samples)
        transcript.voice = max(voice)
        transcript.timings.voice_ms += elapsed_ms(since)
        return voice

    def _one_window(
        self, sound: Sound, voice: list[float], transcript: Transcript, options: TranscriptionOptions
    ) -> Steps:
        since = time.perf_counter()
        features = self._whisper.features(sound.samples)
        transcript.timings.features_ms += elapsed_ms(since)
        sound_frames = features.shape[-1] - 1
        frames = window_frames(sound_frames)
        if options.full_window or options.temperature > 0 or not is_short(frames):
            transcript.reason = "asked" if is_short(frames) else "length"
            self._full(sound.samples, 0.0, transcript, options)
            return transcript

        since = time.perf_counter()
        encoded = self._whisper.encode(features, frames)
        transcript.timings.encode_ms += elapsed_ms(since)
        since = time.perf_counter()
        if not transcript.language:
            transcript.language, transcript.language_probability = self._whisper.detect_language(encoded)
        prompt = self._prompt(transcript, options)
        decode = self._whisper.generate(encoded, prompt, transcript.language, token_limit(sound_frames))
        transcript.timings.generate_ms += elapsed_ms(since)
        _note_scores(transcript, decode.no_speech_prob, decode.avg_logprob)
        transcript.window, transcript.window_frames = "short", frames
        if is_silent(decode.no_speech_prob, decode.avg_logprob, transcript.voice):
            transcript.reason = "silence"
            return transcript
        doubt = doubt_about(decode.text, decode.avg_logprob, ended=decode.ended)
        if doubt is None:
            words: tuple[Word, ...] = ()
            if options.words:
                since = time.perf_counter()
                words = self._whisper.align(encoded, decode.tokens, transcript.language, sound_frames)
                words = _within(words, speech_bounds(voice, sound.duration_s))
                transcript.timings.generate_ms += elapsed_ms(since)
            if decode.text:
                transcript.segments = [_short_segment(decode, words, speech_bounds(voice, sound.duration_s))]
            return transcript

        # What the short window cost is lost; from here on it is what everyone else pays always.
        yield
        transcript.reason = doubt
        self._full(sound.samples, 0.0, transcript, options)
        return transcript

    def _long(self, sound: Sound, voice: list[float], transcript: Transcript, options: TranscriptionOptions) -> Steps:
        transcript.reason = "length"
        for span in cut_at_pauses(voice, sound.duration_s):
            piece = sound.samples[int(span.start_s * SAMPLE_RATE_HZ) : int(span.end_s * SAMPLE_RATE_HZ)]
            self._full(piece, span.start_s, transcript, options)
            yield
        return transcript

    def _full(self, samples: Samples, offset_s: float, transcript: Transcript, options: TranscriptionOptions) -> None:
        since = time.perf_counter()
        if not transcript.language:
            encoded = self._whisper.encode(self._whisper.features(samples), FULL_FRAMES)
            transcript.language, transcript.language_probability = self._whisper.detect_language(encoded)
        segments = self._whisper.transcribe_full(
            samples,
            prompt=self._prompt(transcript, options),
            language=transcript.language,
            temperature=options.temperature,
            words=options.words,
        )
        transcript.timings.generate_ms += elapsed_ms(since)
        transcript.window, transcript.window_frames = "full", FULL_FRAMES
        end_s = offset_s + len(samples) / SAMPLE_RATE_HZ
        for segment in segments:
            if is_silent(segment.no_speech_prob, segment.avg_logprob, transcript.voice):
                continue
            transcript.segments.append(_moved(segment, offset_s, end_s))
        if segments:
            _note_scores(
                transcript,
                max(segment.no_speech_prob for segment in segments),
                min(segment.avg_logprob for segment in segments),
            )

    def _prompt(self, transcript: Transcript, options: TranscriptionOptions) -> Prompt:
        prompt = self._whisper.prompt(options.prompt, transcript.language)
        transcript.prompt_tokens, transcript.prompt_cut = len(prompt.tokens), prompt.cut
        return prompt


def _within(words: tuple[Word, ...], bounds: Span) -> tuple[Word, ...]:
    """The model stretches the first and the last word over the silence beside them; a voice is heard only here."""

    def at(seconds: float) -> float:
        return round(min(bounds.end_s, max(bounds.start_s, seconds)), 3)

    return tuple(replace(word, start_s=at(word.start_s), end_s=at(word.end_s)) for word in words)


def _note_scores(transcript: Transcript, no_speech_prob: float, avg_logprob: float) -> None:
    transcript.no_speech_prob, transcript.avg_logprob = no_speech_prob, avg_logprob


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


def _moved(segment: Segment, offset_s: float, end_s: float) -> Segment:
    """The segment at its place in the whole sound; the model may set its end behind the sound's."""

    def at(seconds: float) -> float:
        return round(min(end_s, offset_s + seconds), 3)

    words = tuple(replace(word, start_s=at(word.start_s), end_s=at(word.end_s)) for word in segment.words)
    return replace(segment, start_s=at(segment.start_s), end_s=at(segment.end_s), words=words)
