"""Turns uploads into sound, a few at a time, because reading takes memory and cores from the transcription."""

from __future__ import annotations

import asyncio

from .container import decode_container
from .sound import Sound, read_plain_sound
from .upload import Upload

# Reading a smaller upload takes at most ten milliseconds, so it does not queue.
_SMALL_BYTES = 2**20
_DECODERS = 2


class SoundReader:
    """Reads plain uploads itself, and starts a decoder for the others."""

    def __init__(self, *, max_sound_s: float, decode_timeout_s: float) -> None:
        self._max_sound_s = max_sound_s
        self._decode_timeout_s = decode_timeout_s
        self._large = asyncio.Semaphore(1)
        self._decoders = asyncio.Semaphore(_DECODERS)

    async def read(self, upload: Upload) -> Sound:
        """Returns the sound; an ApiError names the upload's fault."""
        plain = await self._read_plain(upload)
        if plain is not None:
            return plain
        async with self._decoders:
            return await decode_container(upload.audio, max_sound_s=self._max_sound_s, timeout_s=self._decode_timeout_s)

    async def _read_plain(self, upload: Upload) -> Sound | None:
        arguments = (upload.audio, upload.content_type, self._max_sound_s)
        if len(upload.audio) <= _SMALL_BYTES:
            return await asyncio.to_thread(read_plain_sound, *arguments)
        # A large 8-bit file briefly takes three times its size.
        async with self._large:
            return await asyncio.to_thread(read_plain_sound, *arguments)
