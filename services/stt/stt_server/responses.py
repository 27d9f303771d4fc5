"""A transcript in the formats that OpenAI's clients ask for (pure)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from .transcript import Segment, Transcript, Word


def as_json(transcript: Transcript) -> dict[str, Any]:
    return {"text": transcript.text}


def as_text(transcript: Transcript) -> str:
    return transcript.text + "\n"


def as_verbose_json(transcript: Transcript, *, segments: bool, words: bool, translated: bool = False) -> dict[str, Any]:
    """OpenAI's verbose form, with details of the transcription under `hearth`."""
    body: dict[str, Any] = {
        "task": "translate" if translated else "transcribe",
        "language": transcript.language,
        "duration": round(transcript.duration_s, 3),
        "text": transcript.text,
    }
    if segments:
        body["segments"] = [_segment(number, segment) for number, segment in enumerate(transcript.segments)]
    if words:
        body["words"] = [_word(word) for segment in transcript.segments for word in segment.words]
    body["hearth"] = _account(transcript)
    return body


def as_srt(transcript: Transcript) -> str:
    cues = [
        f"{number}\n{_clock(segment.start_s, ',')} --> {_clock(segment.end_s, ',')}\n{segment.text.strip()}\n"
        for number, segment in enumerate(transcript.segments, start=1)
    ]
    return "\n".join(cues)


def as_vtt(transcript: Transcript) -> str:
    cues = [
        # Inside a cue an arrow would be read as times, and < and & as markup.
        f"{_clock(segment.start_s, '.')} --> {_clock(segment.end_s, '.')}\n{_vtt_text(segment.text)}\n"
        for segment in transcript.segments
    ]
    return "\n".join(["WEBVTT\n", *cues])


def _segment(number: int, segment: Segment) -> dict[str, Any]:
    return {
        "id": number,
        "seek": 0,
        "start": segment.start_s,
        "end": segment.end_s,
        "text": segment.text,
        "tokens": list(segment.tokens),
        "temperature": segment.temperature,
        "avg_logprob": segment.avg_logprob,
        "compression_ratio": segment.compression_ratio,
        "no_speech_prob": segment.no_speech_prob,
    }


def _word(word: Word) -> dict[str, Any]:
    return {"word": word.text.strip(), "start": word.start_s, "end": word.end_s, "probability": word.probability}


def _account(transcript: Transcript) -> dict[str, Any]:
    return {
        "window": transcript.window,
        "window_frames": transcript.window_frames,
        "reason": transcript.reason,
        "voice": transcript.voice,
        "no_speech_prob": transcript.no_speech_prob,
        "avg_logprob": transcript.avg_logprob,
        "alternatives": [asdict(alternative) for alternative in transcript.alternatives],
        "phrases": [asdict(phrase) for phrase in transcript.phrases],
        "prompt_tokens": transcript.prompt_tokens,
        "prompt_cut": transcript.prompt_cut,
        "prompt_dropped": transcript.prompt_dropped,
        "language_probability": transcript.language_probability,
        "language_forced": transcript.language_forced,
        "timings": {name: round(value, 2) for name, value in asdict(transcript.timings).items()},
    }


def _vtt_text(text: str) -> str:
    return text.strip().replace("&", "&amp;").replace("<", "&lt;").replace("-->", "--&gt;")


def _clock(seconds: float, mark: str) -> str:
    whole_ms = round(seconds * 1000)
    minutes, milliseconds = divmod(whole_ms, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{milliseconds // 1000:02d}{mark}{milliseconds % 1000:03d}"
