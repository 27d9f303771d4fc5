"""Hearth's speech-to-text server: one Whisper model, warm, behind OpenAI's transcription route."""

__version__ = "1.0.0"
