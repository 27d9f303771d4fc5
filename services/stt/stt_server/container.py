"""Decodes compressed uploads (MP3, Ogg, WebM, M4A, FLAC ...) in a child process, with limits on time and length."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

from .errors import audio_too_long, audio_unreadable
from .sound import SAMPLE_RATE_HZ, Sound, checked, from_s16

_CHILD = Path(__file__).with_name("container_child.py")
_CHUNK_BYTES = 1 << 16
_UNREADABLE = "The file cannot be read as sound. Send WAV, MP3, Ogg, WebM, M4A or FLAC."


async def decode_container(upload: bytes, *, max_sound_s: float, timeout_s: float) -> Sound:
    """The sound in the upload. Kills the child at once when cancelled or at either limit."""
    # -I: nothing in the working folder or the environment can replace a module.
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-I", str(_CHILD), str(max(1, round(timeout_s))), stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    try:
        async with asyncio.timeout(timeout_s):
            raw = await _exchange(child, upload, max_sound_s)
            status = await child.wait()
    except TimeoutError:
        raise audio_unreadable("The file takes too long to decode. Send it as WAV.") from None
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if status != 0 and not raw:
        raise audio_unreadable(_UNREADABLE)
    return checked(from_s16(raw), max_sound_s)


async def _exchange(child: Process, upload: bytes, max_sound_s: float) -> bytes:
    writing = asyncio.create_task(_feed(child, upload))
    try:
        return await _collect(child, max_sound_s)
    finally:
        writing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writing


async def _feed(child: Process, upload: bytes) -> None:
    assert child.stdin is not None  # noqa: S101 -- it was asked for as a pipe
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        child.stdin.write(upload)
        await child.stdin.drain()
    child.stdin.close()


async def _collect(child: Process, max_sound_s: float) -> bytes:
    assert child.stdout is not None  # noqa: S101 -- it was asked for as a pipe
    limit_bytes = int(max_sound_s * SAMPLE_RATE_HZ) * 2
    raw = bytearray()
    while chunk := await child.stdout.read(_CHUNK_BYTES):
        raw += chunk
        if len(raw) > limit_bytes:
            raise audio_too_long(max_sound_s)
    return bytes(raw)
