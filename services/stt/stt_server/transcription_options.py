"""A caller's choices for one transcription."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TranscriptionOptions:
    # None: a multilingual model finds out from the sound.
    language: str | None = None
    prompt: str | None = None
    temperature: float = 0.0
    words: bool = False
    # Into English, whatever is spoken.
    translate: bool = False
    # Never use the short window, because the caller says so or wants times of segments.
    full_window: bool = False
    # Never use the full window, and leave out a doubtful text. For a sentence that is not over yet.
    short_only: bool = False
