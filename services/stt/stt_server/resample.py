"""Changing the sample rate with a windowed-sinc polyphase filter; nothing above the new half rate folds back."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

# Zero crossings of the sinc on either side, and the Kaiser window's shape: about 80 dB of stop band.
_ZERO_CROSSINGS = 24
_KAISER_BETA = 8.0
# The filter begins to fall here, in parts of the lower half rate, and is down where the alias would begin.
_PASS_BAND = 0.94
# Exact for every usual rate (11,025 Hz needs 640); an odd one such as 44,101 Hz is wrong by 2 parts in a million.
_MAX_PHASES = 640


def resample(samples: NDArray[np.float32], from_hz: int, to_hz: int) -> NDArray[np.float32]:
    """The same sound at `to_hz`."""
    if from_hz == to_hz or len(samples) == 0:
        return samples
    # Output sample n lies at input position n * step / phases.
    step, phases = Fraction(from_hz, to_hz).limit_denominator(_MAX_PHASES).as_integer_ratio()
    stretch = max(1.0, from_hz / to_hz) / _PASS_BAND
    reach = ceil(_ZERO_CROSSINGS * stretch)
    padded = np.pad(samples, (reach, reach + 1))
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)
    out = np.zeros(ceil(len(samples) * phases / step), dtype=np.float32)
    for phase in range(min(phases, len(out))):
        base, remainder = divmod(phase * step, phases)
        taps = _taps(remainder / phases, reach, stretch)
        places = out[phase::phases]
        places[:] = windows[base::step][: len(places)] @ taps
    return out


def _taps(offset: float, reach: int, stretch: float) -> NDArray[np.float32]:
    """Weights of the inputs around a point that lies `offset` (0 to 1) after one of them."""
    distance = (np.arange(-reach, reach + 1) - offset) / stretch
    window = np.i0(_KAISER_BETA * np.sqrt(np.clip(1 - (distance / _ZERO_CROSSINGS) ** 2, 0, 1)))
    weights = np.sinc(distance) * window
    taps: NDArray[np.float32] = (weights / weights.sum()).astype(np.float32)
    return taps
