import numpy as np
import pytest
from stt_server.resample import resample
from stt_support import tone


@pytest.mark.parametrize("rate", [4_000, 8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000])
def test_keeps_the_frequency_of_a_tone(rate):
    heard = resample([tone(1.0, 1000, rate)], rate, 16_000)

    assert len(heard) == 16_000
    assert np.abs(heard - tone(1.0, 1000))[400:-400].max() < 0.00005


@pytest.mark.parametrize("rate", [22_050, 44_100, 48_000, 96_000])
def test_removes_frequencies_above_the_limit_without_aliasing(rate):
    assert np.abs(resample([tone(1.0, 9_500, rate)], rate, 16_000))[400:-400].max() < 0.00005


def test_an_odd_rate_keeps_pitch_and_length():
    heard = resample([tone(2.0, 1000, 44_101)], 44_101, 16_000)

    assert len(heard) == 32_000
    assert np.abs(heard - tone(2.0, 1000))[400:-400].max() < 0.00005


@pytest.mark.parametrize("rate", [16_000, 44_100])
def test_pieces_are_joined_without_a_seam(rate):
    whole = tone(1.0, 1000, rate)

    heard = resample([whole[:1000], whole[1000:1001], whole[1001:]], rate, 16_000)

    assert np.abs(heard - resample([whole], rate, 16_000)).max() < 1e-6


@pytest.mark.parametrize("rate", [4_000, 44_100, 192_000])
def test_a_click_shorter_than_the_filter_keeps_its_length(rate):
    assert len(resample([tone(0.001, 440, rate)], rate, 16_000)) == 16
