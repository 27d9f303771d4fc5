"""The type for sound, 16 kHz mono float32 between -1 and 1, and the reader of plain uploads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import audio_too_long, no_audio
from .wav import CompressedWavError, read_wav

SAMPLE_RATE_HZ = 16_000
# Content types of raw samples: s16le, mono, 16 kHz.
RAW_PCM_TYPES = frozenset({"audio/pcm", "audio/raw", "audio/l16", "audio/x-raw"})

Samples = NDArray[np.float32]


@dataclass(frozen=True)
class Sound:
    """Samples at SAMPLE_RATE_HZ."""

    samples: Samples

    @property
    def duration_s(self) -> float:
        return len(self.samples) / SAMPLE_RATE_HZ

    @property
    def size_bytes(self) -> int:
        return int(self.samples.nbytes)


def read_plain_sound(upload: bytes, content_type: str, max_sound_s: float) -> Sound | None:
    """Reads raw PCM and uncompressed WAV in this process; None sends the upload to the container decoder."""
    if not upload:
        raise no_audio("The file is empty.")
    if content_type in RAW_PCM_TYPES and not upload.startswith(b"RIFF"):
        return checked(_read_raw_pcm(upload), max_sound_s)
    if upload.startswith(b"RIFF") and upload[8:12] in (b"WAVE", b""):
        try:
            return checked(read_wav(upload, SAMPLE_RATE_HZ, max_sound_s), max_sound_s)
        except CompressedWavError:
            return None
    return None


def checked(samples: Samples, max_sound_s: float) -> Sound:
    """The sound, if it is within the limits."""
    if len(samples) == 0:
        raise no_audio()
    if len(samples) > max_sound_s * SAMPLE_RATE_HZ:
        raise audio_too_long(max_sound_s)
    return Sound(samples)


def from_s16(raw: bytes) -> Samples:
    """Little-endian 16-bit samples as floats; half a sample at the end is dropped."""
    whole = np.frombuffer(raw, dtype="<i2", count=len(raw) // 2)
    return whole.astype(np.float32) / np.float32(32768)


def _read_raw_pcm(upload: bytes) -> Samples:
    return from_s16(upload)
