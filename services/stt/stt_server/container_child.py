"""Decodes one compressed upload: bytes on stdin, s16le mono 16 kHz on stdout. Run by `container.py`, never
imported.

FFmpeg reads files from strangers here, so it runs in a separate process. The parent can kill it at any
moment. It has separate limits on memory and time, and its leaks and crashes end with it.
"""

from __future__ import annotations

import io
import resource
import sys

RATE_HZ = 16_000
MEMORY_LIMIT_BYTES = 1 << 30
# Formats in which people record and send sound; no playlists, file lists or devices.
FORMATS = "aac,ac3,aiff,amr,asf,au,caf,flac,flv,gsm,matroska,webm,mov,mp3,mpegts,ogg,tta,w64,wav,wv"
UNREADABLE = 3


def main() -> int:
    seconds = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    import av

    av.logging.set_level(av.logging.PANIC)
    # FFmpeg may open no file or address; it can read only the upload in memory.
    options = {"format_whitelist": FORMATS, "protocol_whitelist": "none"}
    try:
        with av.open(io.BytesIO(sys.stdin.buffer.read()), mode="r", options=options) as container:
            if not container.streams.audio:
                return UNREADABLE
            _write_samples(container, av.AudioResampler(format="s16", layout="mono", rate=RATE_HZ))
    except BrokenPipeError:
        # The parent stopped reading because the sound is too long.
        return 0
    except (av.FFmpegError, ValueError, MemoryError, EOFError):
        return UNREADABLE
    return 0


def _write_samples(container, resampler) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 -- av comes late
    import av

    stream = container.streams.audio[0]
    stream.thread_type = "NONE"
    for packet in container.demux(stream):
        try:
            frames = packet.decode()
        except av.InvalidDataError:
            # A damaged packet is only a click, so go on with the next one.
            continue
        for frame in frames:
            frame.pts = None
            _write(resampler.resample(frame))
    _write(resampler.resample(None))
    sys.stdout.buffer.flush()


def _write(frames) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    for frame in frames:
        sys.stdout.buffer.write(bytes(frame.planes[0])[: frame.samples * 2])


if __name__ == "__main__":
    sys.exit(main())
