"""Files from the Hugging Face hub at a pinned commit, resumed where an earlier attempt broke off."""

import json
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from .catalog import HubSource, ModelFile
from .errors import SourceError
from .store import Watch
from .transfer import ANSWER_S, STALL_S, HubBusyError, Transfer, refusal

# The first contact decides whether the hub is reachable. Name lookups and silent firewalls may outlast a
# socket's own timeout, so this limit ends the attempt.
_FIRST_CONTACT_S = 12.0
_TRIES_WHEN_BUSY = 3


class HubUnreachableError(SourceError):
    """The whole hub is out of reach, not just one file."""


# Size, etag and commit of a file; None if the hub does not report them.
_Described = tuple[int | None, str | None, str | None]


@dataclass
class Hub:
    """Remembers that the hub is out of reach, so that one run waits for it only once."""

    unreachable: str | None = None
    _reached: bool = field(default=False, init=False)

    def fetch(self, source: HubSource, file: ModelFile, target: Path, watch: Watch) -> None:
        """Fills `target` to the file's full length; the caller checks its content."""
        from huggingface_hub import get_session
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

        self.look(source, file)
        headers = {**build_hf_headers(library_name="hearth"), "Accept-Encoding": "identity"}
        Transfer(get_session(), _url(source, file.path), headers, file, target, watch).run()

    def read(self, source: HubSource, path: str, max_bytes: int) -> object:
        """Reads a small JSON file. Only its commit vouches for its content."""
        import httpx
        from huggingface_hub import get_session
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

        self._require_reachable()
        url = _url(source, path)
        size, _, commit = self._ask(url)
        if commit is None or size is None or size > max_bytes:
            raise SourceError(f"something other than Hugging Face answers for {source.repo}")
        headers = build_hf_headers(library_name="hearth")
        timeout = httpx.Timeout(STALL_S, connect=ANSWER_S)
        try:
            with get_session().stream("GET", url, headers=headers, timeout=timeout, follow_redirects=True) as response:
                if response.status_code != 200:
                    raise refusal(response.status_code)
                content = b""
                for piece in response.iter_bytes():
                    content += piece
                    if len(content) > max_bytes:
                        raise SourceError(f"{path} of {source.repo} is implausibly large")
        except httpx.TransportError as error:
            raise SourceError(f"the connection broke ({type(error).__name__})") from error
        try:
            return json.loads(content)
        except ValueError as error:
            raise SourceError(f"{path} of {source.repo} is not JSON") from error

    def look(self, source: HubSource, file: ModelFile) -> None:
        """Checks before the download whether the hub is reachable and still has the same file."""
        self._require_reachable()
        size, etag, commit = self._ask(_url(source, file.path))
        if commit is None:
            raise SourceError(f"something other than Hugging Face answers for {source.repo}")
        # The etag of a large file is its SHA-256; small files have another kind of hash.
        if (size is not None and size != file.size_bytes) or (
            file.algorithm == "sha256" and etag and len(etag) == 64 and etag != file.digest
        ):
            raise SourceError(f"the repository {source.repo} now has a different {file.path} than expected")

    def _require_reachable(self) -> None:
        if self.unreachable:
            raise HubUnreachableError(self.unreachable)

    def _ask(self, url: str) -> _Described:
        """Retries if the hub is busy, or if it answered a moment ago."""
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
        thread.join(STALL_S if self._reached else _FIRST_CONTACT_S)
        return answer[0] if answer else HubUnreachableError("Hugging Face did not answer in time")


def _url(source: HubSource, file_path: str) -> str:
    from huggingface_hub import hf_hub_url

    path = f"{source.folder}/{file_path}" if source.folder else file_path
    return hf_hub_url(source.repo, path, revision=source.revision)


def _describe(url: str, answer: list[_Described | SourceError]) -> None:
    """Runs in its own thread, so it returns an error instead of raising it."""
    answer.append(_description(url))


def _description(url: str) -> _Described | SourceError:
    import httpx
    from huggingface_hub import get_hf_file_metadata
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    try:
        metadata = get_hf_file_metadata(url, timeout=ANSWER_S)
    except OfflineModeIsEnabled:
        return HubUnreachableError("Hugging Face is switched off by HF_HUB_OFFLINE")
    except HfHubHTTPError as error:
        return refusal(error.response.status_code)
    except httpx.TransportError as error:
        return HubUnreachableError(_unreachable(error))
    except (OSError, ValueError, httpx.HTTPError) as error:
        return SourceError(f"Hugging Face gave an unexpected answer ({type(error).__name__})")
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
