import numpy as np
import pytest
from stt_server.resample import resample
from stt_support import tone


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000, 192_000])
def test_a_tone_stays_what_it_was(rate):
    heard = resample(tone(1.0, 1000, rate), rate, 16_000)

    assert np.abs(heard - tone(1.0, 1000))[400:-400].max() < 0.0005


@pytest.mark.parametrize("rate", [22_050, 44_100, 48_000, 96_000])
def test_what_is_too_high_disappears_instead_of_folding_back(rate):
    assert np.abs(resample(tone(1.0, 9_500, rate), rate, 16_000))[400:-400].max() < 0.0005


def test_an_odd_rate_keeps_pitch_and_length():
    heard = resample(tone(2.0, 1000, 44_101), 44_101, 16_000)

    peak_hz = np.argmax(np.abs(np.fft.rfft(heard))) / 2
    assert (len(heard), peak_hz) == (32_000, 1000)


def test_nothing_stays_nothing():
    assert len(resample(np.zeros(0, np.float32), 44_100, 16_000)) == 0
