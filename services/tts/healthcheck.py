"""Exits with 0 if Piper speaks a word. An open port proves less: a loaded voice may still fail to speak.

Exits with 3 if Piper hangs: a living Piper lists its voices at once, even while it speaks.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request

TIMEOUT_S = 10.0
LIFE_SIGN_S = 20.0


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


def hangs(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/voices", timeout=LIFE_SIGN_S):  # noqa: S310 - the address is our own
            return False
    except TimeoutError:
        return True
    except OSError:
        return False


def main() -> int:
    address = f"http://127.0.0.1:{os.environ.get('TTS_PORT') or '5000'}"
    if hangs(address):
        return 3
    return 0 if speaks(address) else 1


if __name__ == "__main__":
    sys.exit(main())
