"""A small local server with the hub's routes, which misbehaves on demand."""

import contextlib
import hashlib
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REVISION = "0123456789abcdef0123456789abcdef01234567"
# Limit in seconds for a test to release an answer.
HELD_S = 30.0
_PIECE = 8192


@dataclass
class Served:
    content: bytes
    # Set to make the description lie about the content.
    claimed_sha256: str | None = None
    # The connection is closed after this many bytes of each answer.
    cut_after: int | None = None
    # The answer stops here until `release` is set.
    hold_after: int | None = None
    ignores_ranges: bool = False
    status: int = 200
    # This many answers are 429 before the first good one.
    busy_answers: int = 0


@dataclass
class FakeHub:
    files: dict[str, Served] = field(default_factory=dict)
    # Method, path and range of every request.
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)
    holding: threading.Event = field(default_factory=threading.Event)
    release: threading.Event = field(default_factory=threading.Event)
    silent: bool = False
    # Seconds after which the client gave up each request that a silent hub left unanswered.
    given_up_after_s: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.server = _Server(self)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def serve(self, repo: str, path: str, content: bytes, **how: object) -> Served:
        served = Served(content, **how)  # type: ignore[arg-type]
        self.files[f"/{repo}/resolve/{REVISION}/{path}"] = served
        return served

    def ranges(self, path: str) -> list[str | None]:
        """The requested ranges of a file's content, in order."""
        return [asked for method, where, asked in self.requests if method == "GET" and where.endswith(path)]

    def close(self) -> None:
        self.release.set()
        self.server.shutdown()
        self.server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, hub: FakeHub) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.hub = hub

    def handle_error(self, *_: object) -> None:
        """Ignores the broken connections that a killed client leaves behind."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self) -> None:
        hub = self.server.hub
        hub.requests.append((self.command, self.path, self.headers.get("Range")))
        if hub.silent:
            began = time.monotonic()
            self.connection.settimeout(HELD_S)
            with contextlib.suppress(OSError):
                self.rfile.read(1)
            hub.given_up_after_s.append(time.monotonic() - began)
            self.close_connection = True
            return
        on_cdn = self.path.startswith("/cdn")
        served = hub.files.get(self.path.removeprefix("/cdn"))
        if served is not None and served.busy_answers > 0:
            served.busy_answers -= 1
            self._refuse(429)
        elif served is None or served.status != 200:
            self._refuse(404 if served is None else served.status)
        elif on_cdn:
            self._content(served)
        else:
            self._describe(served)

    def _refuse(self, status: int) -> None:
        self.send_response(status)
        self.send_header("X-Error-Code", "EntryNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _describe(self, served: Served) -> None:
        """Redirects to another host with the file's description in the headers, as the hub does for large files."""
        self.send_response(302)
        self.send_header("Location", f"http://localhost:{self.server.server_address[1]}/cdn{self.path}")
        self.send_header("X-Repo-Commit", REVISION)
        self.send_header("X-Linked-Size", str(len(served.content)))
        claimed = served.claimed_sha256 or hashlib.sha256(served.content).hexdigest()
        self.send_header("X-Linked-Etag", f'"{claimed}"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _content(self, served: Served) -> None:
        start, total = 0, len(served.content)
        asked = self.headers.get("Range")
        if asked and not served.ignores_ranges:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{total - 1}/{total}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(total - start))
        self.end_headers()
        self._send(served, start)

    def _send(self, served: Served, start: int) -> None:
        hub = self.server.hub
        end = len(served.content)
        if served.cut_after is not None:
            end = min(end, start + served.cut_after)
        try:
            for at in range(start, end, _PIECE):
                if served.hold_after is not None and at >= served.hold_after:
                    self.wfile.flush()
                    hub.holding.set()
                    hub.release.wait(HELD_S)
                self.wfile.write(served.content[at : min(at + _PIECE, end)])
        except (BrokenPipeError, ConnectionResetError):
            pass
        if end < len(served.content):
            self.close_connection = True
