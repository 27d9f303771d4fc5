"""Fetches one file over HTTP and continues where an earlier attempt broke off."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .catalog import ModelFile
from .errors import SourceError
from .store import Watch

if TYPE_CHECKING:
    import httpx

# Seconds a server may take to answer, and to send the next piece.
ANSWER_S = 6.0
STALL_S = 20.0
_TRIES_WITHOUT_PROGRESS = 5


class HubBusyError(SourceError):
    """A retry in a moment may succeed."""


@dataclass(frozen=True)
class Transfer:
    client: "httpx.Client"
    url: str
    headers: Mapping[str, str]
    file: ModelFile
    target: Path
    watch: Watch

    def run(self) -> None:
        """Fills `target` to the file's full length. If that fails, keeps the received part."""
        import httpx

        tries = 0
        while True:
            before = self._have()
            try:
                if self._stream():
                    return
                reason = "the connection was cut off or the server was busy"
            except httpx.TransportError as error:
                reason = f"the connection broke ({type(error).__name__})"
            tries = 1 if self._have() > before else tries + 1
            if tries >= _TRIES_WITHOUT_PROGRESS:
                name = self.file.path
                raise SourceError(f"{reason} while fetching {name}; the part that arrived is kept for the next start")
            # 0.5, 1, 2, 4 s: long enough for a router to come back, short enough to watch.
            time.sleep(0.25 * 2**tries)

    def _stream(self) -> bool:
        """Requests the rest of the file once; True when the file has its full length."""
        import httpx

        have = self._have()
        if have > self.file.size_bytes:
            self.target.unlink()
            have = 0
        if have == self.file.size_bytes:
            return True
        asked = {**self.headers, "Range": f"bytes={have}-"} if have else dict(self.headers)
        timeout = httpx.Timeout(STALL_S, connect=ANSWER_S)
        with self.client.stream("GET", self.url, headers=asked, timeout=timeout, follow_redirects=True) as response:
            if response.status_code == 416:
                self.target.unlink(missing_ok=True)
            elif response.status_code not in (200, 206):
                refused = refusal(response.status_code)
                if not isinstance(refused, HubBusyError):
                    raise refused
            else:
                self._append(response, self._start(response, have))
        return self._have() == self.file.size_bytes

    def _start(self, response: "httpx.Response", have: int) -> int:
        """Returns 0 if the server ignored the range, because appending would repeat the beginning."""
        if response.status_code == 200:
            return 0
        if not response.headers.get("content-range", "").startswith(f"bytes {have}-"):
            raise SourceError(f"the server sends a different part of {self.file.path} from the one requested")
        return have

    def _append(self, response: "httpx.Response", start: int) -> None:
        with self.target.open("r+b" if start else "wb") as stream:
            if start:
                stream.seek(start)
                stream.truncate()
            done = start
            # Writes each piece at once; a broken connection would lose larger ones.
            for piece in response.iter_bytes():
                done += len(piece)
                if done > self.file.size_bytes:
                    raise SourceError(
                        f"the server sends more than the {self.file.size_bytes} bytes of {self.file.path}"
                    )
                stream.write(piece)
                self.watch(done)
            stream.flush()
            os.fsync(stream.fileno())

    def _have(self) -> int:
        return self.target.stat().st_size if self.target.exists() else 0


def refusal(status: int) -> SourceError:
    if status in (408, 429) or status >= 500:
        return HubBusyError(f"Hugging Face answered with status {status}")
    reasons = {401: "asks for a login (HF_TOKEN)", 403: "forbids this file", 404: "no longer has this file"}
    return SourceError(f"Hugging Face {reasons.get(status, f'answered with status {status}')}")
