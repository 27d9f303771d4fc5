import struct

import numpy as np
import pytest
from stt_server.errors import ApiError
from stt_server.wav import CompressedWavError, read_wav
from stt_support import s16, tone

TONE = tone(1.0)


def wav(data: bytes, *, tag=1, channels=1, rate=16_000, bits=16, data_size=None, riff_size=None, extra=b"") -> bytes:
    frame = channels * ((bits + 7) // 8)
    fmt = struct.pack("<HHIIHH", tag, channels, rate, (rate * frame) & 0xFFFFFFFF, frame & 0xFFFF, bits) + extra
    chunks = b"fmt " + struct.pack("<I", len(fmt)) + fmt
    chunks += b"data" + struct.pack("<I", len(data) if data_size is None else data_size) + data
    return b"RIFF" + struct.pack("<I", len(chunks) + 4 if riff_size is None else riff_size) + b"WAVE" + chunks


def read(upload: bytes):
    return read_wav(upload, 16_000, max_sound_s=60)


def code_of(upload: bytes) -> tuple[int, str]:
    with pytest.raises(ApiError) as refused:
        read(upload)
    return refused.value.status, refused.value.code


def encoded(samples, bits: int, *, floats=False) -> bytes:
    if floats:
        return samples.astype("<f4" if bits == 32 else "<f8").tobytes()
    if bits == 8:
        return np.round(samples * 127 + 128).astype(np.uint8).tobytes()
    if bits == 24:
        return (samples * (2**23 - 1)).astype("<i4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
    return (samples * (2 ** (bits - 1) - 1)).astype(f"<i{bits // 8}").tobytes()


@pytest.mark.parametrize(("bits", "error"), [(8, 0.01), (16, 1e-4), (24, 1e-6), (32, 1e-6)])
def test_whole_numbers_of_every_width_are_read(bits, error):
    assert np.abs(read(wav(encoded(TONE, bits), bits=bits)) - TONE).max() < error


@pytest.mark.parametrize("bits", [32, 64])
def test_floats_are_read(bits):
    assert np.array_equal(read(wav(encoded(TONE, bits, floats=True), tag=3, bits=bits)), TONE)


def test_tolerates_floats_that_are_not_sound():
    data = np.array([np.nan, np.inf, -np.inf, 1e30, 0.25], dtype="<f4").tobytes()

    assert read(wav(data, tag=3, bits=32)).tolist() == [0.0, 1.0, -1.0, 1.0, 0.25]


@pytest.mark.parametrize("channels", [2, 6, 8])
def test_channels_are_mixed(channels):
    frames = np.zeros((len(TONE), channels), np.float32)
    frames[:, 0] = TONE

    assert np.abs(read(wav(s16(frames), channels=channels)) * channels - TONE).max() < 0.01


def test_an_extensible_header_is_understood():
    guid = struct.pack("<H", 1) + bytes.fromhex("000000001000800000aa00389b71")
    upload = wav(encoded(TONE, 24), tag=0xFFFE, bits=24, extra=struct.pack("<HHI", 22, 24, 4) + guid)

    assert np.abs(read(upload) - TONE).max() < 1e-6


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF, 0x7FFFFFFF])
def test_a_streamed_file_has_no_true_size(size):
    upload = wav(s16(TONE), data_size=size, riff_size=size)

    assert len(read(upload)) == 16_000


def test_decodes_the_beginning_of_a_truncated_file():
    assert len(read(wav(s16(TONE))[: 44 + 1001])) == 500


def test_skips_chunks_before_the_samples():
    upload = wav(s16(TONE))
    listed = upload[:12] + b"LIST" + struct.pack("<I", 5) + b"hello\0" + upload[12:]

    assert len(read(listed)) == 16_000


@pytest.mark.parametrize("rate", [4_000, 8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000])
def test_every_usual_rate_gives_the_same_sound(rate):
    heard = read(wav(s16(tone(1.0, rate_hz=rate)), rate=rate))

    assert len(heard) == 16_000
    assert np.abs(heard - TONE)[400:-400].max() < 0.001


@pytest.mark.parametrize(
    "header",
    [{"channels": 0}, {"channels": 100}, {"rate": 1}, {"rate": 10_000_000}, {"bits": 0}, {"bits": 12_000}],
)
def test_an_impossible_header_is_refused_with_a_sentence(header):
    assert code_of(wav(s16(TONE), **header)) == (400, "audio_unreadable")


@pytest.mark.parametrize("length", [12, 20, 35])
def test_a_header_cut_short_is_unreadable(length):
    assert code_of(wav(s16(TONE))[:length]) == (400, "audio_unreadable")


@pytest.mark.parametrize("upload", [wav(b""), wav(b"\0"), wav(s16(TONE))[:36]])
def test_a_file_without_samples_holds_no_sound(upload):
    assert code_of(upload) == (400, "no_audio")


def test_samples_before_their_format_are_unreadable():
    assert code_of(b"RIFF\0\0\0\0WAVEdata" + struct.pack("<I", 4) + b"\0\0\0\0") == (400, "audio_unreadable")


def test_a_file_over_the_limit_is_refused():
    assert code_of(wav(bytes(4_000 * 61), bits=8, rate=4_000)) == (400, "audio_too_long")


def test_a_compressed_file_is_for_the_decoder():
    with pytest.raises(CompressedWavError):
        read(wav(b"\0" * 100, tag=7, bits=8))
