"""The choices that a caller has about one transcription."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TranscriptionOptions:
    # None: found out from the sound, which only a multilingual model can.
    language: str | None = None
    prompt: str | None = None
    temperature: float = 0.0
    words: bool = False
    # Never the short window: asked for by the caller, or because times of segments are wanted.
    full_window: bool = False
    # Never the full window: a doubtful text is left out. For a sentence that is not over yet.
    short_only: bool = False
