"""The model itself. No other file knows faster-whisper and CTranslate2."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.audio import pad_or_trim
from faster_whisper.tokenizer import _LANGUAGE_CODES, Tokenizer
from faster_whisper.transcribe import get_suppressed_tokens
from faster_whisper.vad import get_vad_model

from .doubts import compression_ratio
from .sound import SAMPLE_RATE_HZ, Samples
from .transcript import ScoredText, Segment, Word
from .window import FRAMES_PER_SECOND, full_token_limit

LANGUAGES: frozenset[str] = frozenset(_LANGUAGE_CODES)
BEAM_SIZE = 5
# Each temperature is tried only if the previous one looped. With faster-whisper's own six, one naturally
# repetitive piece would block every other request for 8 s.
TEMPERATURES = (0.0, 0.4, 0.8)
_VAD_FRAME = 512
# The library rounds a smaller one to zero.
_LEAST_PROBABILITY = 1e-9


@dataclass(frozen=True)
class Prompt:
    """Tokens of text that the model treats as earlier speech."""

    tokens: tuple[int, ...] = ()
    cut: bool = False


@dataclass(frozen=True)
class ShortDecode:
    """The result of one pass over a short window."""

    text: str
    tokens: tuple[int, ...]
    avg_logprob: float
    no_speech_prob: float
    ended: bool
    # The other texts that its beam held, the likeliest first.
    others: tuple[ShortDecode, ...] = ()

    def as_alternative(self) -> ScoredText:
        return ScoredText(self.text, self.avg_logprob)


class Whisper:
    """One loaded model. Not safe for two threads at once."""

    def __init__(self, folder: Path, *, device: str, compute_type: str, threads: int) -> None:
        # The library must not look on the network for a missing file.
        self._model = WhisperModel(
            str(folder), device=device, compute_type=compute_type, cpu_threads=threads, local_files_only=True
        )
        if self._model.feature_extractor.mel_filters.shape[0] != self._model.model.n_mels:
            raise ValueError("it needs its preprocessor_config.json, which is missing or another model's")
        self._vad = get_vad_model()
        self._tokenizers: dict[str, Tokenizer] = {}
        self.device: str = self._model.model.device
        self.compute_type: str = self._model.model.compute_type

    @property
    def is_multilingual(self) -> bool:
        return bool(self._model.model.is_multilingual)

    def voice(self, samples: Samples) -> list[float]:
        """Silero's probability of speech for each 32 ms."""
        padded = np.pad(samples, (0, -len(samples) % _VAD_FRAME))
        return [float(probability) for probability in self._vad(padded).ravel()]

    def prompt(self, text: str | None, language: str) -> Prompt:
        """The prompt's tokens. Like Whisper, keeps the end of a long one, because it is the newest."""
        if not text or not text.strip():
            return Prompt()
        tokens = self._tokenizer(language).encode(" " + text.strip())
        limit = self._model.max_length // 2 - 1
        return Prompt(tuple(tokens[-limit:]), cut=len(tokens) > limit)

    def features(self, samples: Samples) -> Any:  # noqa: ANN401 -- the library's arrays have no types
        return self._model.feature_extractor(samples)

    def encode(self, features: Any, frames: int) -> Any:  # noqa: ANN401
        # The last column comes from the padding that the extractor adds.
        return self._model.encode(pad_or_trim(features[:, :-1], frames))

    def detect_language(self, encoded: Any) -> tuple[str, float]:  # noqa: ANN401
        token, probability = self._model.model.detect_language(encoded)[0][0]
        return token[2:-2], float(probability)

    def generate(self, encoded: Any, prompt: Prompt, language: str, token_limit: int) -> ShortDecode:  # noqa: ANN401
        """Text of a short window, without timestamps, of at most `token_limit` tokens."""
        tokenizer = self._tokenizer(language)
        tokens = self._model.get_prompt(tokenizer, list(prompt.tokens), without_timestamps=True)
        result = self._model.model.generate(
            encoded,
            [tokens],
            beam_size=BEAM_SIZE,
            # The beam computes them anyway, so returning them is free.
            num_hypotheses=BEAM_SIZE,
            # CTranslate2 uses the smaller of two limits: half of this, and this minus the prompt.
            max_length=max(2 * token_limit, token_limit + len(tokens)),
            return_scores=True,
            return_no_speech_prob=True,
            suppress_blank=True,
            suppress_tokens=get_suppressed_tokens(tokenizer, [-1]),
        )[0]
        first, *others = (
            ShortDecode(
                text=tokenizer.decode(ids).strip(),
                tokens=tuple(ids),
                # The score is the mean over the tokens, including the end token.
                avg_logprob=score * len(ids) / (len(ids) + 1),
                no_speech_prob=float(result.no_speech_prob),
                ended=len(ids) < token_limit,
            )
            for ids, score in zip(result.sequences_ids, result.scores, strict=True)
        )
        return replace(first, others=tuple(others))

    def score(self, encoded: Any, text: str, language: str, frames: int) -> ScoredText:  # noqa: ANN401
        """This text with its log probability, whether or not the model would write it."""
        return ScoredText(text, self.log_probability(encoded, self.tokens(text, language), language, frames))

    def tokens(self, text: str, language: str) -> tuple[int, ...]:
        return tuple(self._tokenizer(language).encode(" " + text))

    def log_probability(self, encoded: Any, tokens: Sequence[int], language: str, frames: int) -> float:  # noqa: ANN401
        """Mean log probability per token of this text for the sound alone, without a prompt."""
        start = self._tokenizer(language).sot_sequence
        # The encoder halves the frames.
        aligned = self._model.model.align(encoded, start, [list(tokens)], frames // 2)[0]
        probabilities = np.asarray(aligned.text_token_probs, dtype=np.float64)
        return float(np.log(np.maximum(probabilities, _LEAST_PROBABILITY)).mean())

    def align(self, encoded: Any, tokens: Sequence[int], language: str, frames: int) -> tuple[Word, ...]:  # noqa: ANN401
        """The times of the words in a short window's text."""
        segment = {"seek": 0, "start": 0.0, "end": frames / 100, "tokens": list(tokens)}
        self._model.add_word_timestamps(
            [[segment]], self._tokenizer(language), encoded, frames, _OPENING, _CLOSING, last_speech_timestamp=0.0
        )
        words: Any = segment.get("words") or []
        return tuple(_word(word["word"], word["start"], word["end"], word["probability"]) for word in words)

    def transcribe_full(
        self, samples: Samples, *, prompt: Prompt, language: str, temperature: float, words: bool, translate: bool
    ) -> list[Segment]:
        """faster-whisper's own transcription: the 30 s window, beam search, and its fallback from repetition.

        Its fallback from a low score stays off. That one samples at random, takes seconds for a short
        command, and gives a different text each time. It adds more errors than it fixes (102 hard clips: 53
        word errors with it, 50 without).
        """
        limit = full_token_limit(len(samples) * FRAMES_PER_SECOND // SAMPLE_RATE_HZ)
        segments, _ = self._model.transcribe(
            samples,
            language=language,
            task="translate" if translate else "transcribe",
            beam_size=BEAM_SIZE,
            initial_prompt=list(prompt.tokens) or None,
            temperature=list(TEMPERATURES) if temperature == 0 else [temperature],
            log_prob_threshold=None,
            # `silence.py` detects silence, for both windows.
            no_speech_threshold=None,
            word_timestamps=words,
            # Without a prompt, CTranslate2 halves it.
            max_new_tokens=2 * limit if limit else None,
        )
        return [_segment(segment) for segment in segments]

    def _tokenizer(self, language: str) -> Tokenizer:
        if language not in self._tokenizers:
            self._tokenizers[language] = Tokenizer(
                self._model.hf_tokenizer, self.is_multilingual, task="transcribe", language=language
            )
        return self._tokenizers[language]


_OPENING = "\"'“¿([{-"
_CLOSING = "\"'.。,，!！?？:：”)]}、"  # noqa: RUF001


def _word(text: str, start_s: float, end_s: float, probability: float) -> Word:
    return Word(text, round(float(start_s), 3), round(float(end_s), 3), float(probability))


def _segment(segment: Any) -> Segment:  # noqa: ANN401
    return Segment(
        text=segment.text,
        start_s=float(segment.start),
        end_s=float(segment.end),
        tokens=tuple(segment.tokens),
        temperature=float(segment.temperature),
        avg_logprob=float(segment.avg_logprob),
        compression_ratio=compression_ratio(segment.text.strip()),
        no_speech_prob=float(segment.no_speech_prob),
        words=tuple(_word(word.word, word.start, word.end, word.probability) for word in segment.words or ()),
    )


def elapsed_ms(since: float) -> float:
    return (time.perf_counter() - since) * 1000
