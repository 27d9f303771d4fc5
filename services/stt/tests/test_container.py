"""Compressed uploads, and hostile ones that try to reach other files."""

from __future__ import annotations

import asyncio
import io
import subprocess
from pathlib import Path

import av
import numpy as np
import pytest
from stt_server.container import decode_container
from stt_server.errors import ApiError
from stt_server.sound import Sound
from stt_support import encode, tone, wav_bytes


def decode(upload: bytes, *, max_sound_s: float = 60, timeout_s: float = 20) -> Sound:
    return asyncio.run(decode_container(upload, max_sound_s=max_sound_s, timeout_s=timeout_s))


def code_of(upload: bytes, **limits: float) -> str:
    with pytest.raises(ApiError) as refused:
        decode(upload, **limits)
    assert refused.value.status == 400
    return refused.value.code


FORMATS = [
    ("mp3", "libmp3lame"),
    ("ogg", "libopus"),
    ("webm", "libopus"),
    ("mp4", "aac"),
    ("adts", "aac"),
    ("flac", "flac"),
    ("wav", "pcm_mulaw"),
]


@pytest.mark.parametrize(("container", "codec"), FORMATS)
def test_decodes_the_usual_recordings(container, codec):
    sound = decode(encode(tone(2.0, 1000, 48_000), container, codec))

    loudest_hz = np.argmax(np.abs(np.fft.rfft(sound.samples))) / sound.duration_s
    assert abs(sound.duration_s - 2.0) < 0.1
    assert abs(loudest_hz - 1000) < 2


def test_decodes_the_beginning_of_a_truncated_file():
    upload = encode(tone(4.0, 440, 48_000), "ogg", "libopus")

    assert 1 < decode(upload[: len(upload) // 2]).duration_s < 3


@pytest.mark.parametrize(
    "upload",
    [b"x", b"\0" * 100_000, b"not a sound at all, only words\n" * 50, b"ID3" + bytes(500), b"OggS" + bytes(500)],
)
def test_refuses_a_file_that_is_not_sound(upload):
    assert code_of(upload) in ("audio_unreadable", "no_audio")


def test_random_bytes_are_unreadable():
    assert code_of(np.random.default_rng(5).bytes(50_000)) in ("audio_unreadable", "no_audio")


def test_a_picture_or_a_film_without_sound_is_unreadable():
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as output:
        stream = output.add_stream("mpeg4", rate=10)
        stream.width = stream.height = 16
        stream.pix_fmt = "yuv420p"
        frame = av.VideoFrame.from_ndarray(np.zeros((16, 16, 3), np.uint8), format="rgb24")
        output.mux(stream.encode(frame))
        output.mux(stream.encode(None))

    assert code_of(file.getvalue()) == "audio_unreadable"


def test_two_hours_that_compress_well_are_refused_early():
    # Two hours of silence take a few hundred kilobytes as FLAC, and 460 MB as samples.
    upload = encode(np.zeros(7200 * 8000, np.float32), "flac", "flac", rate_hz=8000)

    assert len(upload) < 2_000_000
    assert code_of(upload, max_sound_s=600) == "audio_too_long"


def test_a_decoder_that_takes_too_long_is_ended():
    assert code_of(encode(tone(2.0, 440, 48_000), "mp3", "libmp3lame"), timeout_s=0.001) == "audio_unreadable"
    children = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "container_child.py 1" not in children


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A sound on this machine that no upload may reach."""
    path = tmp_path / "secret.wav"
    path.write_bytes(wav_bytes(tone(3.0)))
    return path


@pytest.mark.parametrize(
    "playlist",
    [
        "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n{path}\n#EXT-X-ENDLIST\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nfile://{path}\n#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile '{path}'\n",
        "[playlist]\nFile1={path}\nNumberOfEntries=1\n",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n",
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet mimeType="audio/wav">'
        "<Representation><BaseURL>{path}</BaseURL></Representation></AdaptationSet></Period></MPD>",
    ],
)
def test_no_file_or_address_named_in_an_upload_is_opened(secret, playlist):
    assert code_of(playlist.format(path=secret).encode()) == "audio_unreadable"


def test_opens_no_other_file_for_the_sound_of_a_film(secret):
    # An MP4 may name another file for its samples, in its `url ` box.
    upload = encode(tone(2.0, 440, 48_000), "mp4", "aac")
    inside = b"\0\0\0\x0curl \0\0\0\x01"
    name = str(secret).encode() + b"\0"
    outside = (12 + len(name)).to_bytes(4, "big") + b"url \0\0\0\0" + name
    assert inside in upload

    assert code_of(upload.replace(inside, outside)) == "audio_unreadable"
