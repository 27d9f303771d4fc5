"""`python -m stt_server`: reads the settings, serves until SIGTERM, and exits with 0."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from types import FrameType

import uvicorn

from .app import create_app
from .settings import Settings, SettingsError, read_settings
from .work_queue import WorkQueue

# Seconds after the grace period to send the last answers, which say that the server is stopping.
_FAREWELL_S = 2


class _Server(uvicorn.Server):
    """Closes the queue at the first signal, so that accepted requests finish and no new ones come in."""

    def __init__(self, config: uvicorn.Config, queue: WorkQueue, grace_s: float) -> None:
        super().__init__(config)
        self._queue = queue
        self._grace_s = grace_s
        self._loop = asyncio.get_running_loop()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._queue.close()
        self._loop.call_soon_threadsafe(self._loop.call_later, self._grace_s, self._queue.give_up_waiting)


async def serve(settings: Settings) -> None:
    queue = WorkQueue(limit=settings.queue_limit, memory_limit_bytes=settings.memory_limit_bytes)
    config = uvicorn.Config(
        create_app(settings, queue),
        host=settings.host,
        port=settings.port,
        uds=settings.socket,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=65,
        timeout_graceful_shutdown=round(settings.grace_s) + _FAREWELL_S,
    )
    await _Server(config, queue, settings.grace_s).serve()


def main() -> int:
    try:
        settings = read_settings(os.environ)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    logging.basicConfig(
        level=settings.log_level.upper(), stream=sys.stdout, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    # At lower levels these libraries log file names and every step.
    for chatty in ("faster_whisper", "python_multipart", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    # uvicorn raises the signal again when it is done, but a requested stop is not a failure.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    asyncio.run(serve(settings))
    return 0


if __name__ == "__main__":
    sys.exit(main())
