"""Files from the Hugging Face hub at a pinned commit, resumed where an earlier try was cut off."""

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .catalog import HubSource, ModelFile
from .errors import SourceError
from .store import Watch

if TYPE_CHECKING:
    import httpx

# The first contact decides whether there is a hub at all. Names that do not resolve and silent firewalls may
# take much longer than a socket's own timeout, so a clock of ours ends it.
_FIRST_CONTACT_S = 12.0
_ANSWER_S = 6.0
_STALL_S = 20.0
_TRIES_WITHOUT_PROGRESS = 5
_TRIES_WHEN_BUSY = 3


class HubUnreachableError(SourceError):
    """Not one file is missing: nothing can be had from the hub now."""


class HubBusyError(SourceError):
    """Another moment may be better."""


# Size, etag and commit of a file, as far as the hub tells them.
_Described = tuple[int | None, str | None, str | None]


@dataclass
class Hub:
    """Remembers that the hub is out of reach, so that the wait is paid once in a run."""

    unreachable: str | None = None
    _reached: bool = field(default=False, init=False)

    def fetch(self, source: HubSource, file: ModelFile, target: Path, watch: Watch) -> None:
        """Brings `target` to the file's full length; what it holds is the caller's to check."""
        from huggingface_hub import get_session
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

        self.look(source, file)
        headers = {**build_hf_headers(library_name="hearth"), "Accept-Encoding": "identity"}
        _download(get_session(), _url(source, file), headers, file, target, watch)

    def look(self, source: HubSource, file: ModelFile) -> None:
        """A hub that is away, or holds another file by now, is known before gigabytes flow."""
        if self.unreachable:
            raise HubUnreachableError(self.unreachable)
        size, etag, commit = self._ask(_url(source, file))
        if commit is None:
            raise SourceError(f"something else answers in the place of Hugging Face for {source.repo}")
        # Large files carry their SHA-256 as etag, small ones a hash of another kind.
        if (size is not None and size != file.size_bytes) or (etag and len(etag) == 64 and etag != file.sha256):
            raise SourceError(
                f"the repository {source.repo} now holds another {file.path} than the one that was checked"
            )

    def _ask(self, url: str) -> _Described:
        """A busy hub is asked again, and so is one that was there a moment ago."""
        tries = 1
        while True:
            outcome = self._answer(url)
            if not isinstance(outcome, SourceError):
                self._reached = True
                return outcome
            away = isinstance(outcome, HubUnreachableError)
            if tries == _TRIES_WHEN_BUSY or not (isinstance(outcome, HubBusyError) or (away and self._reached)):
                self.unreachable = str(outcome) if away else None
                raise outcome
            time.sleep(tries)
            tries += 1

    def _answer(self, url: str) -> _Described | SourceError:
        answer: list[_Described | SourceError] = []
        thread = threading.Thread(target=_describe, args=(url, answer), daemon=True)
        thread.start()
        thread.join(_STALL_S if self._reached else _FIRST_CONTACT_S)
        return answer[0] if answer else HubUnreachableError("Hugging Face did not answer in time")


def _url(source: HubSource, file: ModelFile) -> str:
    from huggingface_hub import hf_hub_url

    path = f"{source.folder}/{file.path}" if source.folder else file.path
    return hf_hub_url(source.repo, path, revision=source.revision)


def _describe(url: str, answer: list[_Described | SourceError]) -> None:
    """Runs in its own thread, so it hands over what went wrong instead of raising it."""
    answer.append(_description(url))


def _description(url: str) -> _Described | SourceError:
    import httpx
    from huggingface_hub import get_hf_file_metadata
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    try:
        metadata = get_hf_file_metadata(url, timeout=_ANSWER_S)
    except OfflineModeIsEnabled:
        return HubUnreachableError("Hugging Face is switched off by HF_HUB_OFFLINE")
    except HfHubHTTPError as error:
        return _refusal(error.response.status_code)
    except httpx.TransportError as error:
        return HubUnreachableError(_unreachable(error))
    except (OSError, ValueError, httpx.HTTPError) as error:
        return SourceError(f"Hugging Face gave an answer that makes no sense ({type(error).__name__})")
    return metadata.size, metadata.etag, metadata.commit_hash


def _unreachable(error: Exception) -> str:
    text = str(error)
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return "Hugging Face cannot be reached: its certificate is not trusted here (a proxy in between?)"
    if "Name or service not known" in text or "name resolution" in text:
        return "Hugging Face cannot be reached: its name does not resolve here"
    if "refused" in text:
        return "Hugging Face cannot be reached: the connection was refused"
    return f"Hugging Face cannot be reached ({type(error).__name__})"


def _is_busy(status: int) -> bool:
    return status in (408, 429) or status >= 500


def _refusal(status: int) -> SourceError:
    if _is_busy(status):
        return HubBusyError(f"Hugging Face answered with status {status}")
    reasons = {401: "asks for a login (HF_TOKEN)", 403: "forbids this file", 404: "no longer has this file"}
    return SourceError(f"Hugging Face {reasons.get(status, f'answered with status {status}')}")


def _download(
    client: "httpx.Client", url: str, headers: Mapping[str, str], file: ModelFile, target: Path, watch: Watch
) -> None:
    import httpx

    tries = 0
    while True:
        before = _size(target)
        try:
            if _stream(client, url, headers, file, target, watch):
                return
            reason = "the connection was cut off or the server was busy"
        except httpx.TransportError as error:
            reason = f"the connection broke ({type(error).__name__})"
        tries = 1 if _size(target) > before else tries + 1
        if tries >= _TRIES_WITHOUT_PROGRESS:
            raise SourceError(f"{reason} while {file.path} was fetched; what has arrived is kept for the next start")
        # 0.5, 1, 2, 4 s: long enough for a router to come back, short enough to watch.
        time.sleep(0.25 * 2**tries)


def _stream(
    client: "httpx.Client", url: str, headers: Mapping[str, str], file: ModelFile, target: Path, watch: Watch
) -> bool:
    """One request for what is still missing; True when the file has its full length."""
    import httpx

    have = _size(target)
    if have > file.size_bytes:
        target.unlink()
        have = 0
    if have == file.size_bytes:
        return True
    asked = {**headers, "Range": f"bytes={have}-"} if have else dict(headers)
    timeout = httpx.Timeout(_STALL_S, connect=_ANSWER_S)
    with client.stream("GET", url, headers=asked, timeout=timeout, follow_redirects=True) as response:
        if response.status_code == 416:
            target.unlink(missing_ok=True)
            return False
        if response.status_code not in (200, 206):
            refusal = _refusal(response.status_code)
            if isinstance(refusal, HubBusyError):
                return False
            raise refusal
        continued = response.status_code == 206 and response.headers.get("content-range", "").startswith(
            f"bytes {have}-"
        )
        if response.status_code == 206 and have and not continued:
            raise SourceError(f"the server sends another part of {file.path} than was asked for")
        _append(response, file, target, have if continued else 0, watch)
    return _size(target) == file.size_bytes


def _append(response: "httpx.Response", file: ModelFile, target: Path, start: int, watch: Watch) -> None:
    """From the first byte when the server ignored the range: appending would make a file of two beginnings."""
    with target.open("r+b" if start else "wb") as stream:
        if start:
            stream.seek(start)
            stream.truncate()
        done = start
        # Whatever arrives is written at once: gathered into larger pieces it would be lost when the line breaks.
        for piece in response.iter_bytes():
            done += len(piece)
            if done > file.size_bytes:
                raise SourceError(f"the server sends more than the {file.size_bytes} bytes of {file.path}")
            stream.write(piece)
            watch(done)
        stream.flush()
        os.fsync(stream.fileno())


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
