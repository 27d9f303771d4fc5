"""The server inside the xllamacpp wheel, which runs in this process."""

import os
import queue
import signal
import sys
import threading
from typing import NoReturn

from .errors import StartError
from .options import wheel_parameters
from .say import say
from .settings import Settings

# A signal's number, or the reason why the model cannot be served; either one ends the server.
Events = queue.SimpleQueue[BaseException | int]


def hear_signals() -> Events:
    events: Events = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: events.put(number))
    return events


def run_wheel(settings: Settings, events: Events) -> NoReturn:
    """Loads in a second thread. The main thread alone receives signals, so it can stop a half-loaded model too."""
    threading.Thread(target=_serve, args=(settings, events), daemon=True).start()
    event = events.get()
    if isinstance(event, int):
        # Skip the server's own threads: they would finish replies that no client awaits after a stop.
        sys.stdout.flush()
        os._exit(0)
    raise StartError(f"The language model {settings.model} cannot be served: {str(event).rstrip('.')}.") from event


def _serve(settings: Settings, events: Events) -> None:
    try:
        import xllamacpp

        server = xllamacpp.Server(wheel_parameters(settings))
        say(f"The language model answers on {server.listening_address}.")
        # The server lives while this thread holds it.
        threading.Event().wait()
    except Exception as error:  # noqa: BLE001 -- any error of the wheel ends the process with one sentence
        events.put(error)
