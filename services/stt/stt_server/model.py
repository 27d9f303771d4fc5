"""Loads the model, falls back to the CPU, warms it up, and explains failures, also those of the card."""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import ctranslate2

from .errors import ApiError, not_ready
from .settings import Settings
from .sound import SAMPLE_RATE_HZ, Sound
from .transcriber import Steps, Transcriber
from .transcript import Transcript
from .transcription_options import TranscriptionOptions
from .wav import read_wav
from .whisper import LANGUAGES, Whisper

log = logging.getLogger("stt_server.model")

ModelState = Literal["loading", "ready", "failed"]
# One spoken sentence; a model that cannot transcribe it does not work.
READY_CLIP = Path(__file__).with_name("clips") / "ready.wav"
_NEEDED_FILES = ("model.bin", "config.json", "tokenizer.json")
# Cards before NVIDIA's Volta have no fast float16, and a few of these no fast int8.
_CARD_TYPES = ("float16", "int8_float32", "float32")
# A third less memory than float16: large-v3-turbo takes 1.7 GiB of a card instead of 2.7 GiB.
_SMALL_TYPE = "int8_float16"
_DOES_NOT_LOAD = "The model does not load: "
# The reasons that CTranslate2 gives for a full card. Memory can become free again, unlike a missing library.
_CARD_IS_FULL = ("out of memory", "CUBLAS_STATUS_ALLOC_FAILED", "CUBLAS_STATUS_NOT_INITIALIZED")
# Time between attempts to return to the card. Each one keeps the model's thread busy for up to a second.
_CARD_AGAIN_S = 300.0
# Marks of CTranslate2's errors from the card and its libraries.
_CARD_ERRORS = ("CUDA failed with error ", "cuBLAS failed with status ", "cuDNN failed with status ", "cudaError")


class ModelError(Exception):
    """The reason why the model cannot be used, as a sentence."""


@dataclass(frozen=True)
class LoadedModel:
    """A model that has already transcribed a sentence."""

    whisper: Whisper
    transcriber: Transcriber
    device: str
    compute_type: str
    # A note for /health and the log if `auto` could not use the card.
    note: str | None
    # The card had too little memory, which may change.
    card_was_full: bool = False


class Model:
    """The one model and its state. Only `load` writes, on the worker thread; all other code reads."""

    def __init__(self, settings: Settings, on_card_failure: Callable[[ApiError], None]) -> None:
        self._settings = settings
        self._on_card_failure = on_card_failure
        self._started_at = time.monotonic()
        # The folder of the last attempt. The setting may name a link, which moves when another model is
        # chosen.
        self._tried: Path | None = None
        self.id = settings.model_id or model_id_of(settings.model_dir)
        self.state: ModelState = "loading"
        self.reason: str | None = None
        self.loaded: LoadedModel | None = None
        self.created_at = int(time.time())
        self.ready_after_s: float | None = None
        # The time of the next attempt to leave the CPU for the card.
        self._card_again_at = 0.0

    @property
    def has_moved(self) -> bool:
        """Whether another model has been chosen since the last attempt."""
        return self._settings.model_dir.resolve() != self._tried

    @property
    def may_return_to_card(self) -> bool:
        """Whether the model is on the CPU only because the card was full, and it is time for another attempt."""
        return self.loaded is not None and self.loaded.card_was_full and time.monotonic() >= self._card_again_at

    def return_to_card(self) -> None:
        """Moves the model to the card if that has memory now; otherwise it stays on the CPU."""
        self._card_again_at = time.monotonic() + _CARD_AGAIN_S
        with contextlib.suppress(ModelError):
            self.loaded = _load_on_card(self._settings)
            log.info("The graphics card has free memory again. Transcription now runs on it.")

    def load(self) -> None:
        """Loads and warms up the model; sets `state` and `reason`. A working model stays if the next one
        fails.
        """
        self._tried = self._settings.model_dir.resolve()
        try:
            loaded = load_model(self._settings)
        except ModelError as error:
            if str(error) != self.reason:
                log.error("The speech model cannot be used: %s", error)
            self.reason = str(error)
            if self.loaded is None:
                self.state = "failed"
            return
        self.id = self._settings.model_id or model_id_of(self._settings.model_dir)
        self.created_at = int(time.time())
        # The model that it replaces may have filled the card, so try that again at once.
        is_freed = self.loaded is not None and self.loaded.device == "cuda"
        self._card_again_at = time.monotonic() + (0 if is_freed else _CARD_AGAIN_S)
        self.loaded, self.state, self.reason = loaded, "ready", None
        self.ready_after_s = time.monotonic() - self._started_at
        log.info(
            "The speech model %s is ready after %.1f s: %s, %s, %d threads.",
            self.id, self.ready_after_s, loaded.device, loaded.compute_type, self._settings.threads,
        )  # fmt: skip

    def steps(self, loaded: LoadedModel, sound: Sound, options: TranscriptionOptions) -> Steps:
        """The steps of one transcription. Reports an error of the card once, because every later call of this
        process would fail too.
        """
        try:
            return (yield from loaded.transcriber.steps(sound, options))
        except RuntimeError as error:
            if loaded.device != "cuda" or not any(mark in str(error) for mark in _CARD_ERRORS):
                raise
            raise self._card_fails(str(error)) from error

    def _card_fails(self, why: str) -> ApiError:
        self.state, self.reason = "failed", f"The graphics card failed ({why})."
        error = not_ready(self.state, f"{self.reason} The server starts again. Try again in a moment.")
        self._on_card_failure(error)
        return error

    @property
    def translates(self) -> bool:
        """Whether it was trained to translate into English; the turbo and distilled models were not."""
        multilingual = self.loaded is not None and self.loaded.whisper.is_multilingual
        return multilingual and not any(kind in self.id.lower() for kind in ("turbo", "distil"))

    @property
    def languages(self) -> list[str]:
        if self.loaded is None:
            return []
        return sorted(LANGUAGES) if self.loaded.whisper.is_multilingual else ["en"]


def model_id_of(folder: Path) -> str:
    """The name in `selection.json` beside the folder, else the name of the folder."""
    try:
        selection = json.loads((folder.parent / "selection.json").read_text(encoding="utf-8"))
        name = selection["models"]["stt"]["id"]
    except (OSError, ValueError, KeyError, TypeError):
        name = None
    return name if isinstance(name, str) and name else folder.resolve().name or "whisper"


def load_model(settings: Settings) -> LoadedModel:
    """The warm model on the chosen device; with `auto`, on the CPU if the card cannot be used."""
    check_files(settings.model_dir)
    if settings.device == "cpu":
        return _load_on(settings, "cpu", note=None)
    if settings.device == "cuda":
        return _load_on_card(settings)
    if ctranslate2.get_cuda_device_count() == 0:
        return _load_on(settings, "cpu", note=_fell_back("no NVIDIA card was found"))
    try:
        return _load_on_card(settings)
    except ModelError as error:
        why = str(error)
    reason = why.removeprefix(_DOES_NOT_LOAD).rstrip(".")
    loaded = _load_on(settings, "cpu", note=_fell_back(f"the graphics card cannot be used ({reason})"))
    return replace(loaded, card_was_full=_is_full(why))


def _load_on_card(settings: Settings) -> LoadedModel:
    """The warm model on the card, in the small type if the card has no memory for the fastest one."""
    try:
        return _load_on(settings, "cuda", note=None)
    except ModelError as error:
        if settings.compute_type or not _is_full(str(error)) or _SMALL_TYPE not in _card_types():
            raise
    # Outside the handler, because the error keeps the memory of the first attempt.
    log.warning("The graphics card has no memory for the model in %s: trying %s.", _fastest_type("cuda"), _SMALL_TYPE)
    return _load_on(replace(settings, compute_type=_SMALL_TYPE), "cuda", note=None)


def _is_full(reason: str) -> bool:
    return any(mark in reason for mark in _CARD_IS_FULL)


def check_files(folder: Path) -> None:
    # The library would try to fetch a missing one from the network.
    for name in _NEEDED_FILES:
        if not (folder / name).is_file():
            raise ModelError(f"The folder that STT_MODEL_DIR names has no {name}.")


def _fell_back(why: str) -> str:
    note = f"STT_DEVICE is auto and {why}: transcribing on the CPU."
    log.warning("%s", note)
    return note


def _load_on(settings: Settings, device: Literal["cpu", "cuda"], note: str | None) -> LoadedModel:
    # A compute type chosen for the card need not suit the CPU that replaces it.
    asked = settings.compute_type if note is None else None
    try:
        chosen = asked or _fastest_type(device)
        whisper = Whisper(settings.model_dir, device=device, compute_type=chosen, threads=settings.threads)
        transcriber = Transcriber(whisper)
        warm_up(transcriber)
    except Exception as error:  # CTranslate2 raises RuntimeError and ValueError, tokenizers a bare Exception
        raise ModelError(_sentence(error, settings.model_dir)) from error
    return LoadedModel(whisper, transcriber, device, whisper.compute_type, note)


def _fastest_type(device: Literal["cpu", "cuda"]) -> str:
    if device == "cpu":
        return "int8"
    return next(kind for kind in _CARD_TYPES if kind in _card_types())


def _card_types() -> set[str]:
    types: set[str] = ctranslate2.get_supported_compute_types("cuda")
    return types


def warm_up(transcriber: Transcriber) -> None:
    """Transcribes a sentence in both windows. The first decode is slow, and a missing library shows only
    here.
    """
    sound = Sound(read_wav(READY_CLIP.read_bytes(), SAMPLE_RATE_HZ, max_sound_s=30))
    for full_window in (False, True):
        transcript = finish(transcriber.steps(sound, TranscriptionOptions(language="en", full_window=full_window)))
        if not transcript.text:
            raise RuntimeError("it hears nothing in the test sentence")


def finish(steps: Steps) -> Transcript:
    """Runs a transcription to its end without pauses."""
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            transcript: Transcript = finished.value
            return transcript


def _sentence(error: Exception, folder: Path) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    # Callers of /health must not learn where the folder is.
    return f"{_DOES_NOT_LOAD}{lines[0].replace(str(folder), 'the model folder').rstrip('.')}."
