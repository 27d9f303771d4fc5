"""Checks that services/stt does not grow over thousands of requests, good and bad.

STT_TEST_MODEL_DIR=... .venv/bin/python bench/stt_memory.py [--requests 2000]
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "services" / "stt"), str(REPOSITORY / "services" / "stt" / "tests")]

from stt_support import PROMPT, RunningServer, long_sound, pink_noise, silence, spoken, wav_bytes  # noqa: E402

# After this many requests the allocators hold enough for the largest of each kind, and must need no more.
WARM_REQUESTS = 200
# Growth allowed after that: noise of the allocators, independent of the number of requests.
ALLOWED_MB = 15


def requests_of_every_kind() -> list[dict[str, object]]:
    """Speech for both windows, silence, noise, long sound, and uploads that are unreadable or too large."""
    question = wav_bytes(spoken("weather", before_s=0.3, after_s=0.7))
    return [
        {"sound": question, "prompt": PROMPT},
        {"sound": wav_bytes(spoken("hello")), "prompt": PROMPT},
        {"sound": question, "response_format": "verbose_json", "timestamp_granularities[]": "word"},
        {"sound": wav_bytes(silence(3))},
        {"sound": wav_bytes(pink_noise(3, 0.01))},
        {"sound": b""},
        {"sound": question[:30]},
        {"sound": bytes(200_000)},
        {"sound": question, "language": "klingon"},
        {"sound": question, "response_format": "xml"},
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures the memory of services/stt.")
    parser.add_argument("--requests", type=int, default=2000)
    count = parser.parse_args().requests
    model_dir = Path(os.environ.get("STT_TEST_MODEL_DIR") or REPOSITORY / "data" / "models" / "stt")
    kinds = requests_of_every_kind()
    statuses: Counter[int] = Counter()

    with RunningServer(model_dir) as server:
        server.wait_until_ready()

        def ask(number: int) -> None:
            kind = dict(kinds[number % len(kinds)])
            statuses[server.transcribe(kind.pop("sound"), **kind).status_code] += 1
            if number % 50 == 0:
                _leave_early(server)

        def ask_all(numbers: range) -> None:
            # Three at once: one runs, the others wait.
            with ThreadPoolExecutor(3) as callers:
                list(callers.map(ask, numbers))

        sizes = [("ready", server.resident_bytes())]
        server.transcribe(wav_bytes(long_sound(120)))
        server.transcribe(bytes(26 * 2**20))
        ask_all(range(WARM_REQUESTS))
        warm = server.resident_bytes()
        sizes.append((f"{WARM_REQUESTS} requests", warm))
        since = time.monotonic()
        for start in range(WARM_REQUESTS, count, 300):
            ask_all(range(start, min(count, start + 300)))
            sizes.append((f"{min(count, start + 300)} requests", server.resident_bytes()))
        seconds = time.monotonic() - since

    for name, size in sizes:
        print(f"{name:>16}: {size / 1e6:6.1f} MB resident")
    grown_mb = (sizes[-1][1] - warm) / 1e6
    print(f"grown by {grown_mb:.1f} MB after the first {WARM_REQUESTS}; {dict(statuses)}; {seconds:.0f} s")
    return 0 if grown_mb <= ALLOWED_MB and max(statuses) < 500 else 1


def _leave_early(server: RunningServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as caller:
        caller.sendall(b"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: stt\r\nContent-Length: 99999\r\n\r\nleft")


if __name__ == "__main__":
    sys.exit(main())
