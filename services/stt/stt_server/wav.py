"""Reads uncompressed WAV with numpy, so that a spoken turn waits for no decoder process."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import audio_too_long, audio_unreadable, no_audio
from .resample import resample

MIN_RATE_HZ = 4_000
MAX_RATE_HZ = 192_000
MAX_CHANNELS = 8
_PIECE_FRAMES = 1 << 17

_PCM, _FLOAT, _EXTENSIBLE = 0x0001, 0x0003, 0xFFFE
# In an extensible sub-format these bytes follow the format tag: the rest of the Microsoft GUID.
_SUBFORMAT_TAIL = bytes.fromhex("000000001000800000aa00389b71")
_WIDTHS = {_PCM: (1, 2, 3, 4), _FLOAT: (4, 8)}


class CompressedWavError(Exception):
    """The samples of the WAV are compressed, so the container decoder has to read it."""


@dataclass(frozen=True)
class _Format:
    tag: int
    channels: int
    rate_hz: int
    sample_bytes: int

    @property
    def frame_bytes(self) -> int:
        return self.channels * self.sample_bytes


def read_wav(upload: bytes, rate_hz: int, max_sound_s: float) -> NDArray[np.float32]:
    """Returns mono samples at `rate_hz`. Reads a truncated file to its end, and ignores a streamed file's
    stated sizes.
    """
    wav_format, body = _find_chunks(upload)
    frames = len(body) // wav_format.frame_bytes
    if frames == 0:
        raise no_audio("The WAV file has no samples.")
    if frames > max_sound_s * wav_format.rate_hz:
        raise audio_too_long(max_sound_s)
    return resample(_pieces(body, frames, wav_format), wav_format.rate_hz, rate_hz)


def _pieces(body: memoryview, frames: int, wav_format: _Format) -> Iterator[NDArray[np.float32]]:
    # In pieces, because floats of a large file take several times its size.
    size = wav_format.frame_bytes
    for start in range(0, frames, _PIECE_FRAMES):
        end = min(frames, start + _PIECE_FRAMES)
        yield _mix_down(body[start * size : end * size], wav_format)


def _find_chunks(upload: bytes) -> tuple[_Format, memoryview]:
    view = memoryview(upload)
    wav_format: _Format | None = None
    position = 12
    while position + 8 <= len(view):
        name = bytes(view[position : position + 4])
        (size,) = struct.unpack_from("<I", view, position + 4)
        start = position + 8
        if name == b"fmt ":
            wav_format = _read_format(bytes(view[start : start + size]))
        elif name == b"data":
            if wav_format is None:
                raise audio_unreadable("The WAV file has no format before its samples.")
            # A streaming recorder does not know the size and writes 0 or the largest number.
            streamed = size == 0xFFFFFFFF or (size == 0 and _is_streamed(upload))
            return wav_format, view[start:] if streamed else view[start : start + size]
        position = start + size + size % 2
    if wav_format is None:
        raise audio_unreadable("The WAV file ends within its header.")
    raise no_audio("The WAV file has no samples.")


def _is_streamed(upload: bytes) -> bool:
    # A complete file without samples has its true RIFF size. A file from a pipe has 0 or the largest number.
    (riff_size,) = struct.unpack_from("<I", upload, 4)
    return riff_size in (0, 0xFFFFFFFF) or riff_size + 8 < len(upload)


def _read_format(chunk: bytes) -> _Format:
    if len(chunk) < 16:
        raise audio_unreadable("The WAV file ends within its header.")
    tag, channels, rate_hz, _, frame_bytes, bits = struct.unpack_from("<HHIIHH", chunk)
    if tag == _EXTENSIBLE:
        tag = _tag_of_extensible(chunk)
    if tag not in _WIDTHS:
        raise CompressedWavError
    if not 1 <= channels <= MAX_CHANNELS:
        raise audio_unreadable(f"The WAV file says it has {channels} channels; 1 to {MAX_CHANNELS} can be read.")
    if not MIN_RATE_HZ <= rate_hz <= MAX_RATE_HZ:
        raise audio_unreadable(
            f"The WAV file says it has {rate_hz} samples a second; {MIN_RATE_HZ} to {MAX_RATE_HZ} can be read."
        )
    sample_bytes = (bits + 7) // 8
    # For 20 bits in 3 bytes, or 24 in 4: the frame size gives the sample size.
    if frame_bytes % channels == 0 and frame_bytes // channels >= sample_bytes:
        sample_bytes = frame_bytes // channels
    if sample_bytes not in _WIDTHS[tag] or bits == 0:
        raise audio_unreadable(f"The WAV file says its samples have {bits} bits, which cannot be read.")
    return _Format(tag, channels, rate_hz, sample_bytes)


def _tag_of_extensible(chunk: bytes) -> int:
    subformat = chunk[24:40]
    if len(subformat) < 16 or subformat[2:] != _SUBFORMAT_TAIL:
        raise CompressedWavError
    return int.from_bytes(subformat[:2], "little")


def _mix_down(body: memoryview, wav_format: _Format) -> NDArray[np.float32]:
    samples = _to_float(body, wav_format)
    if wav_format.channels > 1:
        samples = samples.reshape(-1, wav_format.channels).mean(axis=1, dtype=np.float32)
    return samples


def _to_float(body: memoryview, wav_format: _Format) -> NDArray[np.float32]:
    width = wav_format.sample_bytes
    if wav_format.tag == _FLOAT:
        floats = np.frombuffer(body, dtype="<f4" if width == 4 else "<f8")
        # A float file may hold anything: NaN becomes silence, and loud samples are clipped.
        clipped: NDArray[np.float32] = np.clip(np.nan_to_num(floats, nan=0.0), -1.0, 1.0).astype(np.float32)
        return clipped
    if width == 1:
        return _from_u8(body)
    if width == 3:
        return _from_s24(body)
    integers = np.frombuffer(body, dtype="<i2" if width == 2 else "<i4")
    return _scaled(integers, 2 ** (8 * width - 1))


def _from_u8(body: memoryview) -> NDArray[np.float32]:
    samples = np.frombuffer(body, dtype=np.uint8).astype(np.float32)
    samples -= 128
    samples /= 128
    return samples


def _from_s24(body: memoryview) -> NDArray[np.float32]:
    triples = np.frombuffer(body, dtype=np.uint8).reshape(-1, 3)
    widened = np.zeros((len(triples), 4), dtype=np.uint8)
    # In the upper bytes, the sign is where a 32-bit integer has it.
    widened[:, 1:] = triples
    return _scaled(widened.view("<i4").reshape(-1), 2**31)


def _scaled(integers: NDArray[np.int16] | NDArray[np.int32], full_scale: int) -> NDArray[np.float32]:
    samples = integers.astype(np.float32)
    # In place, to save a copy.
    samples /= full_scale
    return samples
