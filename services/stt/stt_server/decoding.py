"""Decodes a sound in the short or the full window, and writes the text into the transcript."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import replace
from typing import Any

from .alternatives import likely_alternatives
from .copied_prompt import is_copied
from .doubts import Doubt, doubt_about
from .loops import without_loop
from .pauses import Span, longest_pause_s, speech_bounds
from .placed_segments import moved, short_segment, within
from .silence import is_silent
from .sound import SAMPLE_RATE_HZ, Sound
from .transcript import ScoredText, Transcript, Word
from .transcription_options import TranscriptionOptions
from .whisper import Prompt, ShortDecode, Whisper, elapsed_ms
from .window import FRAMES_PER_SECOND, FULL_FRAMES, token_limit

# Phrases are single words. A longer sound holds more than one.
MAX_PHRASE_SOUND_FRAMES = 2 * FRAMES_PER_SECOND


class Decoding:
    """One sound; the transcriber decides which window to use."""

    def __init__(self, whisper: Whisper, sound: Sound, options: TranscriptionOptions, transcript: Transcript) -> None:
        self._whisper = whisper
        self.sound = sound
        self.options = options
        self.transcript = transcript
        # Silero's probability of a voice, chunk by chunk; empty until `listen`.
        self.voice: list[float] = []

    @property
    def sound_frames(self) -> int:
        return len(self.sound.samples) * FRAMES_PER_SECOND // SAMPLE_RATE_HZ

    def listen(self) -> float:
        """The highest probability of a voice anywhere in the sound."""
        since = time.perf_counter()
        self.voice = self._whisper.voice(self.sound.samples)
        self.transcript.voice = max(self.voice)
        self.transcript.timings.voice_ms += elapsed_ms(since)
        return self.transcript.voice

    def short(self, frames: int) -> Generator[None, None, Doubt | None]:
        """Transcribes in a short window. Returns the reason why a full window is needed, or None."""
        transcript = self.transcript
        encoded = self._encode(frames)
        # Encoding takes half of the time. Here a finished utterance may overtake unfinished speech.
        yield
        since = time.perf_counter()
        self._settle_language(encoded)
        decode = self._generate(encoded)
        if self._is_copied(encoded, decode):
            # The full window would copy it, too.
            transcript.prompt_dropped = True
            decode = self._generate(encoded)
        transcript.phrases = self._phrases(encoded)
        transcript.timings.generate_ms += elapsed_ms(since)
        transcript.no_speech_prob, transcript.avg_logprob = decode.no_speech_prob, decode.avg_logprob
        transcript.window, transcript.window_frames = "short", frames
        if is_silent(decode.no_speech_prob, decode.avg_logprob, transcript.voice):
            transcript.reason = "silence"
            return None
        doubt = doubt_about(decode.text, decode.avg_logprob, ended=decode.ended)
        pause_s = longest_pause_s(self.voice)
        if doubt in ("repetition", "cut") and (once := without_loop(decode.text, decode.avg_logprob, pause_s)):
            tokens = self._whisper.tokens(once, transcript.language)
            decode, doubt = replace(decode, text=once, tokens=tokens), None
        if doubt is None and decode.text:
            bounds = speech_bounds(self.voice, self.sound.duration_s)
            words = self._align(encoded, decode, bounds) if self.options.words else ()
            transcript.segments = [short_segment(decode, words, bounds)]
            others = (other.as_alternative() for other in decode.others)
            transcript.alternatives = likely_alternatives(decode.as_alternative(), others)
        return doubt

    def full(self, span: Span) -> None:
        """Adds the text of this part of the sound; it fits into one full window."""
        transcript = self.transcript
        samples = self.sound.samples[int(span.start_s * SAMPLE_RATE_HZ) : int(span.end_s * SAMPLE_RATE_HZ)]
        since = time.perf_counter()
        if not transcript.language:
            self._settle_language(self._whisper.encode(self._whisper.features(samples), FULL_FRAMES))
        segments = self._whisper.transcribe_full(
            samples,
            prompt=self._prompt(),
            language=transcript.language,
            temperature=self.options.temperature,
            words=self.options.words,
            translate=self.options.translate,
        )
        transcript.timings.generate_ms += elapsed_ms(since)
        transcript.window, transcript.window_frames = "full", FULL_FRAMES
        for segment in segments:
            transcript.no_speech_prob, transcript.avg_logprob = segment.no_speech_prob, segment.avg_logprob
            if not is_silent(segment.no_speech_prob, segment.avg_logprob, transcript.voice):
                transcript.segments.append(moved(segment, span))

    def _encode(self, frames: int) -> Any:  # noqa: ANN401 -- the library's arrays have no types
        timings = self.transcript.timings
        since = time.perf_counter()
        features = self._whisper.features(self.sound.samples)
        timings.features_ms += elapsed_ms(since)
        since = time.perf_counter()
        encoded = self._whisper.encode(features, frames)
        timings.encode_ms += elapsed_ms(since)
        return encoded

    def _generate(self, encoded: Any) -> ShortDecode:  # noqa: ANN401
        language = self.transcript.language
        return self._whisper.generate(encoded, self._prompt(), language, token_limit(self.sound_frames, language))

    def _is_copied(self, encoded: Any, decode: ShortDecode) -> bool:  # noqa: ANN401
        def without_prompt() -> float:
            return self._whisper.log_probability(encoded, decode.tokens, self.transcript.language, self.sound_frames)

        return is_copied(decode.text, self.options.prompt or "", decode.avg_logprob, without_prompt)

    def _phrases(self, encoded: Any) -> tuple[ScoredText, ...]:  # noqa: ANN401
        if self.sound_frames > MAX_PHRASE_SOUND_FRAMES:
            return ()
        language, frames = self.transcript.language, self.sound_frames
        return tuple(self._whisper.score(encoded, phrase, language, frames) for phrase in self.options.phrases)

    def _align(self, encoded: Any, decode: ShortDecode, bounds: Span) -> tuple[Word, ...]:  # noqa: ANN401
        since = time.perf_counter()
        words = self._whisper.align(encoded, decode.tokens, self.transcript.language, self.sound_frames)
        self.transcript.timings.generate_ms += elapsed_ms(since)
        return within(words, bounds)

    def _settle_language(self, encoded: Any) -> None:  # noqa: ANN401
        transcript = self.transcript
        if not transcript.language:
            transcript.language, transcript.language_probability = self._whisper.detect_language(encoded)

    def _prompt(self) -> Prompt:
        text = None if self.transcript.prompt_dropped else self.options.prompt
        prompt = self._whisper.prompt(text, self.transcript.language)
        self.transcript.prompt_tokens, self.transcript.prompt_cut = len(prompt.tokens), prompt.cut
        return prompt
