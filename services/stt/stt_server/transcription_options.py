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
    # Translates into English from any language.
    translate: bool = False
    # Never use the short window, because the caller asked for that or wants segment times.
    full_window: bool = False
    # Never use the full window, and drop a doubtful text. For an unfinished sentence.
    short_only: bool = False
    # Texts whose probability the caller wants to know, such as a word that it waits for.
    phrases: tuple[str, ...] = ()
