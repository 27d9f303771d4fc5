"""The parts of a transcript."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

WindowName = Literal["short", "full", "none"]


@dataclass(frozen=True)
class Word:
    """One word and its time, in seconds from the start of the sound."""

    text: str
    start_s: float
    end_s: float
    probability: float


@dataclass(frozen=True)
class ScoredText:
    """A text for the sound, with the mean log probability of its tokens."""

    text: str
    avg_logprob: float


@dataclass(frozen=True)
class Segment:
    """A part of the text as the model wrote it, with its scores."""

    text: str
    start_s: float
    end_s: float
    tokens: tuple[int, ...]
    temperature: float
    avg_logprob: float
    compression_ratio: float
    no_speech_prob: float
    words: tuple[Word, ...] = ()


@dataclass
class Timings:
    """Milliseconds spent on one request. `encode_ms` is 0 where the library encodes and generates in one call."""

    upload_ms: float = 0.0
    decode_ms: float = 0.0
    queue_ms: float = 0.0
    features_ms: float = 0.0
    voice_ms: float = 0.0
    encode_ms: float = 0.0
    generate_ms: float = 0.0


@dataclass
class Transcript:
    """The answer to one request."""

    language: str
    duration_s: float
    segments: list[Segment] = field(default_factory=list)
    # Other plausible texts, likeliest first; empty for the full window.
    alternatives: tuple[ScoredText, ...] = ()
    # The requested phrases; empty for a long sound.
    phrases: tuple[ScoredText, ...] = ()
    # The window of the text; "none" if no voice was found and the model did not run.
    window: WindowName = "none"
    window_frames: int = 0
    # Why the full window was used, or why there is no text.
    reason: str | None = None
    # Silero's highest probability of speech over the whole sound.
    voice: float = 0.0
    no_speech_prob: float = 0.0
    avg_logprob: float = 0.0
    prompt_tokens: int = 0
    prompt_cut: bool = False
    # Whether the model copied the prompt, so that the sound was transcribed again without it.
    prompt_dropped: bool = False
    language_probability: float | None = None
    language_forced: bool = False
    timings: Timings = field(default_factory=Timings)

    @property
    def text(self) -> str:
        return " ".join(text for segment in self.segments if (text := segment.text.strip()))
