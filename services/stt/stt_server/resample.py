"""Changes the sample rate with FFmpeg's own resampler; nothing above the new half rate folds back."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

import av
import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]


def resample(pieces: Iterable[Samples], from_hz: int, to_hz: int) -> Samples:
    """The sound of all pieces, one after the other, at `to_hz`."""
    if from_hz == to_hz:
        return np.concatenate([*pieces])
    resampler = av.AudioResampler(format="flt", layout="mono", rate=to_hz)
    resampled: list[Samples] = []
    given = 0
    for piece in pieces:
        given += len(piece)
        frame = av.AudioFrame.from_ndarray(piece[np.newaxis], format="flt", layout="mono")
        frame.sample_rate = from_hz
        resampled += _samples(resampler.resample(frame))
    resampled += _samples(resampler.resample(None))
    sound = np.concatenate(resampled) if resampled else np.zeros(0, np.float32)
    # A click shorter than the filter (a few milliseconds) gives nothing; here it is silence of the right length.
    missing = ceil(given * to_hz / from_hz) - len(sound)
    return np.pad(sound, (0, missing)) if missing > 0 else sound


def _samples(frames: list[av.AudioFrame]) -> list[Samples]:
    return [frame.to_ndarray()[0] for frame in frames]
