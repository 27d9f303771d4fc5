"""`python -m stt_server.healthcheck`: exits with 0 if the server on this machine has just transcribed
something.

Exits with 3 if the server hangs: a living server reports at once, however hard it works.

While people speak, their transcriptions are the proof and this costs nothing. Otherwise it sends one
sentence, with the lowest priority.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
import uuid
from pathlib import Path

CLIP = Path(__file__).with_name("clips") / "ready.wav"
_FRESH_S = 60
_TIMEOUT_S = 10
_LIFE_SIGN_S = 20


def main() -> int:
    base = f"http://127.0.0.1:{os.environ.get('STT_PORT', '').strip() or '8000'}"
    try:
        health = _read(_request(f"{base}/health"), _LIFE_SIGN_S)
    except TimeoutError:
        return _say(f"hung: no answer within {_LIFE_SIGN_S} s", 3)
    except (OSError, ValueError) as error:
        return _say(f"not healthy: {error}", 1)
    try:
        seconds_ago = health["last_transcription_s_ago"]
        if isinstance(seconds_ago, float) and seconds_ago <= _FRESH_S:
            return _say(f"transcribed {seconds_ago} s ago", 0)
        text = _read(_transcription(base))["text"]
    except (OSError, ValueError, KeyError) as error:
        return _say(f"not healthy: {error}", 1)
    return _say("transcribed now", 0) if text else _say("not healthy: no transcript", 1)


def _request(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> urllib.request.Request:
    return urllib.request.Request(url, data=body, headers=headers or {})  # noqa: S310 -- always http, this machine


def _transcription(base: str) -> urllib.request.Request:
    boundary = uuid.uuid4().hex
    parts = [
        _part(boundary, 'name="model"', b"whisper-1"),
        _part(boundary, 'name="language"', b"en"),
        _part(boundary, 'name="file"; filename="ready.wav"\r\nContent-Type: audio/wav', CLIP.read_bytes()),
        f"--{boundary}--\r\n".encode(),
    ]
    headers = {"content-type": f"multipart/form-data; boundary={boundary}", "priority": "u=7"}
    return _request(f"{base}/v1/audio/transcriptions", b"".join(parts), headers)


def _part(boundary: str, disposition: str, body: bytes) -> bytes:
    return f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n".encode() + body + b"\r\n"


def _read(request: urllib.request.Request, timeout_s: float = _TIMEOUT_S) -> dict[str, object]:
    # Never ask a proxy for this machine itself.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=timeout_s) as answer:
        body: dict[str, object] = json.loads(answer.read())
        return body


def _say(sentence: str, status: int) -> int:
    sys.stdout.write(sentence + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
