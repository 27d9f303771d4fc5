"""Exits with 0 if Piper speaks a word. An open port proves less: a loaded voice may still fail to speak."""

from __future__ import annotations

import json
import os
import sys
import urllib.request

TIMEOUT_S = 10.0


def speaks(address: str) -> bool:
    """Whether one word comes back as a WAV with sound. Piper calls every body text/html, so look at the bytes."""
    request = urllib.request.Request(  # noqa: S310 - the address is our own
        f"{address}/synthesize",
        data=json.dumps({"text": "Yes."}).encode(),
        # Without this header Piper sees an empty request and fails.
        headers={"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
            body: bytes = answer.read()
    except OSError:
        return False
    return body.startswith(b"RIFF") and len(body) > 1000


if __name__ == "__main__":
    sys.exit(0 if speaks(f"http://127.0.0.1:{os.environ.get('TTS_PORT') or '5000'}") else 1)
