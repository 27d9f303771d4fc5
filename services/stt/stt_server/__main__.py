"""`python -m stt_server`: reads the settings, serves until SIGTERM, and exits with 0.

Exits with 1 if the graphics card fails: only a new process can use the card again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from types import FrameType

import uvicorn

from .app import create_app
from .errors import ApiError
from .settings import Settings, SettingsError, read_settings
from .work_queue import WorkQueue

log = logging.getLogger("stt_server")

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
        self._loop.call_soon_threadsafe(self._loop.call_later, self._grace_s, lambda: self._queue.give_up_waiting())

    async def end_after(self, failure: asyncio.Future[ApiError]) -> None:
        """Ends at once, because no accepted request can succeed any more. Every request gets the failure."""
        self._queue.give_up_waiting(await failure)
        self.config.timeout_graceful_shutdown = _FAREWELL_S
        self.should_exit = True


async def serve(settings: Settings) -> bool:
    """Serves until it should end; returns whether the card failed."""
    loop = asyncio.get_running_loop()
    card_failure: asyncio.Future[ApiError] = loop.create_future()

    def report(error: ApiError) -> None:
        if not card_failure.done():
            card_failure.set_result(error)

    def on_card_failure(error: ApiError) -> None:
        loop.call_soon_threadsafe(report, error)

    queue = WorkQueue(limit=settings.queue_limit, memory_limit_bytes=settings.memory_limit_bytes)
    config = uvicorn.Config(
        create_app(settings, queue, on_card_failure),
        host=settings.host,
        port=settings.port,
        uds=settings.socket,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=65,
        timeout_graceful_shutdown=round(settings.grace_s) + _FAREWELL_S,
    )
    server = _Server(config, queue, settings.grace_s)
    ending = asyncio.create_task(server.end_after(card_failure))
    await server.serve()
    # Cancelling the task also cancels the future that it awaits.
    has_failed = card_failure.done()
    ending.cancel()
    return has_failed


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
    if not asyncio.run(serve(settings)):
        return 0
    log.error("The graphics card failed, so the server ends. A new process can use the card again.")
    logging.shutdown()
    # Freeing the model's memory on a failed card would abort the process.
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
