"""Reads and checks the fields of a transcription request."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from .errors import ApiError, invalid
from .transcription_options import TranscriptionOptions
from .upload import Upload

ResponseFormat = Literal["json", "text", "srt", "verbose_json", "vtt"]
# Formats with times, which come from the full window's segments.
_TIMED_FORMATS = ("srt", "vtt")
# OpenAI's own clients send this name unless told which model runs here.
_USUAL_NAMES = ("whisper-1", "whisper", "local")
MAX_PROMPT_CHARACTERS = 16_000
# Each phrase takes as long as half of a short transcription.
MAX_PHRASES = 8
MAX_PHRASE_CHARACTERS = 40


@dataclass(frozen=True)
class TranscriptionForm:
    """A checked request."""

    response_format: ResponseFormat
    options: TranscriptionOptions
    # False only if the caller asked for words alone.
    segments: bool


def read_form(
    upload: Upload, *, model_id: str, languages: Collection[str], language: str | None, translate: bool = False
) -> TranscriptionForm:
    """The form; an ApiError names the wrong field. `language` is for requests that name none."""
    _check_model(upload.field("model"), model_id)
    response_format = _response_format(upload.field("response_format"))
    granularities = _granularities(upload)
    asked = upload.field("language")
    window = _window(upload.field("window"))
    detect = asked is not None and asked.lower() == "auto"
    code = None if detect else _language(asked or language, languages)
    options = TranscriptionOptions(
        language=code,
        prompt=_prompt(upload.field("prompt")),
        temperature=_temperature(upload.field("temperature")),
        words="word" in granularities and response_format == "verbose_json",
        translate=translate,
        full_window=window == "full" or response_format in _TIMED_FORMATS,
        short_only=window == "short",
        phrases=_phrases(upload),
    )
    return TranscriptionForm(response_format, options, segments=granularities != {"word"})


def _check_model(name: str | None, model_id: str) -> None:
    if name is None:
        raise ApiError(400, "missing_required_parameter", "The field model is missing.", param="model")
    if name not in (model_id, model_id.rpartition("/")[2], *_USUAL_NAMES):
        message = f"The model {name[:100]!r} is not installed. This server has {model_id!r}."
        raise ApiError(404, "model_not_found", message, param="model")


def _response_format(text: str | None) -> ResponseFormat:
    for name in get_args(ResponseFormat):
        if (text or "json") == name:
            return name  # type: ignore[no-any-return]
    raise invalid("response_format", f"response_format must be one of {', '.join(get_args(ResponseFormat))}.")


def _granularities(upload: Upload) -> set[str]:
    values = [*upload.fields.getlist("timestamp_granularities[]"), *upload.fields.getlist("timestamp_granularities")]
    names = {part.strip() for value in values if isinstance(value, str) for part in value.split(",") if part.strip()}
    if not names <= {"word", "segment"}:
        raise invalid("timestamp_granularities[]", "timestamp_granularities[] must be word or segment.")
    return names


def _phrases(upload: Upload) -> tuple[str, ...]:
    phrases = tuple(value.strip() for value in upload.fields.getlist("phrases[]") if isinstance(value, str))
    if len(phrases) > MAX_PHRASES:
        raise invalid("phrases[]", f"phrases[] has more than {MAX_PHRASES} phrases.")
    if any(not phrase or len(phrase) > MAX_PHRASE_CHARACTERS for phrase in phrases):
        raise invalid("phrases[]", f"Each of phrases[] needs 1 to {MAX_PHRASE_CHARACTERS} characters.")
    return phrases


def _language(text: str | None, languages: Collection[str]) -> str | None:
    if text is None:
        return None
    # "en-GB" means English here.
    code = text.lower().replace("_", "-").partition("-")[0]
    if code not in languages:
        raise invalid("language", f"The language {text[:20]!r} is not known; send an ISO 639-1 code such as en.")
    return code


def _prompt(text: str | None) -> str | None:
    if text is not None and len(text) > MAX_PROMPT_CHARACTERS:
        raise invalid("prompt", f"The prompt is longer than {MAX_PROMPT_CHARACTERS} characters.")
    return text


def _temperature(text: str | None) -> float:
    try:
        value = float(text or 0)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise invalid("temperature", "temperature must be a number from 0 to 1.")
    return value


def _window(text: str | None) -> str:
    if text not in (None, "auto", "short", "full"):
        raise invalid("window", "window must be short, full, or auto.")
    return text or "auto"
