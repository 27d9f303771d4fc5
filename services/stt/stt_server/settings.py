"""Reads and checks the environment once at the start; no other module reads it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

Device = Literal["auto", "cpu", "cuda"]

_LOG_LEVELS = ("debug", "info", "warning", "error")
# The api and the worker use these names for the same levels.
_LOG_LEVEL_ALIASES = {"trace": "debug", "warn": "warning", "fatal": "error", "silent": "error"}


class SettingsError(Exception):
    """Names an unusable setting and lists the usable values."""


@dataclass(frozen=True)
class Settings:
    """All settings of the server."""

    model_dir: Path
    host: str = "127.0.0.1"
    port: int = 8000
    # A Unix socket, in place of host and port.
    socket: str | None = None
    model_id: str | None = None
    device: Device = "auto"
    compute_type: str | None = None
    threads: int = 2
    # Language of requests that name none; None lets the model detect it.
    language: str | None = None
    # Requests at once: running, waiting and uploading.
    queue_limit: int = 32
    # Memory for the sound and the uploads of all requests together.
    memory_limit_bytes: int = 192 * 2**20
    max_upload_bytes: int = 25 * 2**20
    max_sound_s: float = 600.0
    # From the first byte of a request to its last; a slower caller loses its place.
    upload_timeout_s: float = 30.0
    # Time limit for decoding a compressed file; a spoken turn takes some hundredths of a second.
    decode_timeout_s: float = 20.0
    # After SIGTERM, accepted requests may finish for this long.
    grace_s: float = 15.0
    log_level: str = "info"


def read_settings(env: Mapping[str, str]) -> Settings:
    """Reads the settings from the environment; a SettingsError names the wrong variable."""
    model_dir = _text(env, "STT_MODEL_DIR")
    if model_dir is None:
        raise SettingsError("STT_MODEL_DIR is not set: name the folder that holds the Whisper model (model.bin).")
    return Settings(
        model_dir=Path(model_dir),
        host=_text(env, "STT_HOST") or "127.0.0.1",
        port=int(_number(env, "STT_PORT", default=8000, low=0, high=65535, whole=True)),
        socket=_text(env, "STT_SOCKET"),
        model_id=_text(env, "STT_MODEL_ID"),
        device=_device(env),
        compute_type=_text(env, "STT_COMPUTE_TYPE"),
        threads=int(_number(env, "STT_THREADS", default=default_threads(), low=1, high=256, whole=True)),
        language=_language(env),
        queue_limit=int(_number(env, "STT_QUEUE", default=32, low=1, high=1000, whole=True)),
        max_sound_s=_number(env, "STT_MAX_SECONDS", default=600, low=30, high=3600),
        upload_timeout_s=_number(env, "STT_UPLOAD_SECONDS", default=30, low=1, high=600),
        grace_s=_number(env, "STT_GRACE_SECONDS", default=15, low=0, high=600),
        log_level=_log_level(env),
    )


def default_threads() -> int:
    """The cores this process may use, at most four: Whisper's small encoders gain little from more."""
    cores = len(os.sched_getaffinity(0))
    return max(1, min(4, cores, cores_of_quota(_read_cpu_quota(), cores)))


def cores_of_quota(cpu_max: str, cores: int) -> int:
    """Whole cores within a container's quota (`cpu.max`: quota and period in microseconds)."""
    quota, _, period = cpu_max.partition(" ")
    if not quota.isdigit() or not period.strip().isdigit():
        return cores
    return max(1, math.ceil(int(quota) / int(period)))


def _read_cpu_quota() -> str:
    try:
        return Path("/sys/fs/cgroup/cpu.max").read_text().strip()
    except OSError:
        return "max"


def _text(env: Mapping[str, str], name: str) -> str | None:
    # Compose passes an unset variable as an empty one.
    return env.get(name, "").strip() or None


def _number(
    env: Mapping[str, str], name: str, *, default: float, low: float, high: float, whole: bool = False
) -> float:
    text = _text(env, name)
    if text is None:
        return default
    kind = "a whole number" if whole else "a number"
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise SettingsError(f"{name} is {text!r}; it must be {kind} from {low:g} to {high:g}.")
    return value


def _device(env: Mapping[str, str]) -> Device:
    text = _text(env, "STT_DEVICE") or "auto"
    for device in get_args(Device):
        if text.lower() == device:
            return device  # type: ignore[no-any-return]
    raise SettingsError(f"STT_DEVICE is {text!r}; it must be auto, cpu or cuda.")


def _language(env: Mapping[str, str]) -> str | None:
    text = _text(env, "STT_LANGUAGE")
    # In a household of several languages each request names its own.
    if text is None or text.lower() == "auto" or "," in text:
        return None
    # Whisper has one name for Norwegian.
    return "no" if text.lower().replace("_", "-").partition("-")[0] == "nb" else text


def _log_level(env: Mapping[str, str]) -> str:
    text = (_text(env, "LOG_LEVEL") or "info").lower()
    level = _LOG_LEVEL_ALIASES.get(text, text)
    if level not in _LOG_LEVELS:
        raise SettingsError(f"LOG_LEVEL is {text!r}; it must be one of {', '.join(_LOG_LEVELS)}.")
    return level
