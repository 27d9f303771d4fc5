"""Takes model orders from the api on a Unix socket while Hearth runs. See `python serve.py --help`."""

import argparse
import json
import os
import signal
import socketserver
import sys
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from fetch import HERE, HUB_SETTINGS
from fetching.catalog import KINDS
from fetching.catalog_file import load_catalog
from fetching.errors import FetchError
from fetching.offer import Offer
from fetching.orders import Orders, RefusedError
from fetching.store import Store
from fetching.wish import parse_kinds

_MOST_BODY_BYTES = 4096
_STATUS = {"not_found": 404, "conflict": 409}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.environ.update(HUB_SETTINGS)
    try:
        orders = _orders(options)
        server = _Server(options.socket, orders)
    except FetchError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    # The next order for an interrupted download continues it.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown, daemon=True).start())
    _say("Models can be chosen on the page.")
    server.serve_forever(0.5)
    return 0


def _orders(options: argparse.Namespace) -> Orders:
    store = Store(options.models_dir)
    store.prepare()
    kinds = [kind for kind in parse_kinds(options.kinds) if kind in KINDS]
    return Orders(Offer(load_catalog(options.catalog), store, options.own_dir, kinds), _say, options.try_for)


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def __init__(self, path: Path, orders: Orders) -> None:
        self.orders = orders
        # A killed server leaves its socket behind.
        path.unlink(missing_ok=True)
        super().__init__(str(path), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    server: _Server

    def do_GET(self) -> None:
        self._answer(lambda: None)

    def do_POST(self) -> None:
        body = self._body()
        kind, model_id = str(body.get("kind")), str(body.get("id"))
        orders = self.server.orders
        actions: dict[str, Callable[[], None]] = {
            "/order": lambda: orders.choose(kind, model_id),
            "/answered": lambda: orders.answered(kind, model_id),
            "/refused": lambda: orders.refused(kind, model_id),
            "/voices": orders.list_voices,
        }
        self._answer(actions.get(self.path))

    def do_DELETE(self) -> None:
        self._answer(self.server.orders.cancel if self.path == "/order" else None)

    def _body(self) -> dict[str, object]:
        length = self.headers.get("content-length") or "0"
        if not length.isdecimal() or int(length) > _MOST_BODY_BYTES:
            self.close_connection = True
            return {}
        try:
            body = json.loads(self.rfile.read(int(length)) or b"{}")
        except ValueError:
            return {}
        return body if isinstance(body, dict) else {}

    def _answer(self, action: Callable[[], None] | None) -> None:
        """Runs the requested action, and answers with the resulting state."""
        if action is None:
            return self._send(404, {"code": "not_found", "message": "There is no such address."})
        try:
            action()
        except RefusedError as refusal:
            return self._send(_STATUS[refusal.code], {"code": refusal.code, "message": str(refusal)})
        return self._send(200, self.server.orders.told())

    def _send(self, status: int, content: object) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """The api polls every few seconds, which would flood the log."""


def _say(sentence: str) -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Takes orders for models from the api, on a Unix socket.")
    parser.add_argument("--socket", type=Path, required=True, help="where the api finds it")
    parser.add_argument("--models-dir", type=Path, required=True, help="the folder for models")
    parser.add_argument("--own-dir", type=Path, default=None, help="folder with your own .gguf files")
    parser.add_argument("--kinds", default="llm,stt,tts", help="the engines that run here: llm, stt, tts")
    parser.add_argument("--catalog", type=Path, default=HERE / "models.json", help="the list of models")
    parser.add_argument(
        "--try-for", type=float, default=300.0, metavar="SECONDS", help="how long a new model may take to answer (300)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
