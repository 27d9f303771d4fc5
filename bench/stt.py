"""Compares services/stt in speed and accuracy with the full window and with faster-whisper's own `transcribe()`.

Asks all three over HTTP in the same run, in turn in each round, with 1, 2 and 4 callers:

    STT_TEST_MODEL_DIR=... .venv/bin/python bench/stt.py [--rounds 2] [--json FILE]

Needs the spoken clips (STT_TEST_SPEECH_DIR or ../shared/speech) and a quiet machine.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import httpx

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "services" / "stt"), str(REPOSITORY / "services" / "stt" / "tests")]

from stt_server.settings import default_threads  # noqa: E402
from stt_support import PROMPT, Clip, RunningServer, free_port, read_cases, wait_for, word_errors, words  # noqa: E402

CALLERS = (1, 2, 4)
# Enough to keep four callers busy nearly all the time.
CLIPS_AT_A_TIME = 15
PLAIN = "faster-whisper transcribe()"
# The promise: the short window takes at most this fraction of the time of plain transcribe().
PROMISE = 0.45


@dataclass
class Way:
    """One way of asking, and its results."""

    name: str
    url: str
    pid: int
    fields: dict[str, str]
    times_ms: dict[int, list[float]] = field(default_factory=lambda: {callers: [] for callers in CALLERS})
    # CPU time of the server's process, which does not depend on the machine's other work.
    cpu_s: float = 0.0
    errors: int = 0
    words: int = 0

    def ask(self, http: httpx.Client, clip: Clip, callers: int) -> None:
        since = time.perf_counter()
        answer = http.post(
            f"{self.url}/v1/audio/transcriptions",
            files={"file": (clip.path.name, clip.path.read_bytes(), "audio/wav")},
            data={"model": "whisper-1", **self.fields},
        )
        self.times_ms[callers].append((time.perf_counter() - since) * 1000)
        answer.raise_for_status()
        self.errors += word_errors(words(clip.text), words(answer.json()["text"]))
        self.words += len(words(clip.text))

    def summary(self) -> dict[str, Any]:
        figures = {
            str(callers): {"median_ms": round(median(times), 1), "p95_ms": round(percentile(times, 0.95), 1)}
            for callers, times in self.times_ms.items()
        }
        asked = sum(len(times) for times in self.times_ms.values())
        return {
            "name": self.name,
            "word_error_rate": round(self.errors / self.words, 4),
            "cpu_ms_per_clip": round(self.cpu_s * 1000 / asked, 1),
            "callers": figures,
        }


def cpu_seconds(pid: int) -> float:
    """User and system time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


@contextlib.contextmanager
def plain_server(model_dir: Path, threads: int) -> Iterator[tuple[str, int]]:
    port = free_port()
    script = Path(__file__).with_name("stt_plain_server.py")
    process = subprocess.Popen([sys.executable, str(script), str(model_dir), str(port), str(threads)])
    try:
        wait_for(lambda: _answers(f"http://127.0.0.1:{port}/health"), 60)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def run_round(ways: list[Way], clips: list[Clip], callers: int) -> None:
    """Sends every clip once in every way. A few clips at a time, so that other work here affects all ways alike."""
    for start in range(0, len(clips), CLIPS_AT_A_TIME):
        some = clips[start : start + CLIPS_AT_A_TIME]
        for way in ways:
            since = cpu_seconds(way.pid)
            with httpx.Client(timeout=120, trust_env=False) as http, ThreadPoolExecutor(callers) as pool:
                list(pool.map(lambda clip, way=way, http=http: way.ask(http, clip, callers), some))
            way.cpu_s += cpu_seconds(way.pid) - since


def measure(model_dir: Path, clips: list[Clip], rounds: int) -> dict[str, Any]:
    threads = default_threads()
    with (
        plain_server(model_dir, threads) as (plain_url, plain_pid),
        RunningServer(model_dir, STT_THREADS=str(threads)) as server,
    ):
        server.wait_until_ready()
        own_pid = server.process.pid
        ready_s = time.monotonic() - server.started_at
        resident_ready = server.resident_bytes()
        ways = [
            Way("short window, prompt", server.url, own_pid, {"language": "en", "prompt": PROMPT}),
            Way("short window", server.url, own_pid, {"language": "en"}),
            Way("window=full", server.url, own_pid, {"language": "en", "window": "full"}),
            Way(PLAIN, plain_url, plain_pid, {}),
        ]
        for callers in CALLERS:
            for _ in range(rounds):
                run_round(ways, clips, callers)
        resident_end = server.resident_bytes()
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "load_average": os.getloadavg(),
        "clips": len(clips),
        "rounds": rounds,
        "threads": threads,
        "start_to_ready_s": round(ready_s, 2),
        "resident_ready_mb": round(resident_ready / 1e6),
        "resident_after_mb": round(resident_end / 1e6),
        "ways": [way.summary() for way in ways],
    }


def table(result: dict[str, Any]) -> str:
    plain = next(way for way in result["ways"] if way["name"] == PLAIN)
    header = "".join(f"{callers:>10} caller{'s' if callers > 1 else ' '}" for callers in CALLERS)
    lines = [f"{'median / p95 ms (ratio)':30}{header}   CPU ms/clip   word errors"]
    for way in result["ways"]:
        cells = []
        for callers, figures in way["callers"].items():
            ratio = figures["median_ms"] / plain["callers"][callers]["median_ms"]
            cells.append(f"{figures['median_ms']:5.0f}/{figures['p95_ms']:5.0f} ({ratio:.2f})")
        cost = f"{way['cpu_ms_per_clip']:8.0f} ({way['cpu_ms_per_clip'] / plain['cpu_ms_per_clip']:.2f})"
        row = f"{way['name']:30}{''.join(f'{cell:>18}' for cell in cells)}{cost}{way['word_error_rate']:12.2%}"
        lines.append(row)
    lines.append(
        f"start to ready {result['start_to_ready_s']} s; resident {result['resident_ready_mb']} MB when ready, "
        f"{result['resident_after_mb']} MB after; {result['clips']} clips x {result['rounds']}, "
        f"{result['threads']} threads; {result['machine']}; load {result['load_average'][0]:.1f}"
    )
    return "\n".join(lines)


def is_kept(result: dict[str, Any]) -> bool:
    """Whether the promise holds, alone and with four callers."""
    medians = {way["name"]: way["callers"] for way in result["ways"]}
    short, plain = medians["short window, prompt"], medians[PLAIN]
    return all(short[n]["median_ms"] <= PROMISE * plain[n]["median_ms"] for n in ("1", "4"))


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures services/stt.")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", type=Path, default=REPOSITORY / ".test-reports" / "bench-stt.json")
    options = parser.parse_args()
    model_dir = Path(os.environ.get("STT_TEST_MODEL_DIR") or REPOSITORY / "data" / "models" / "stt")
    speech_dir = Path(os.environ.get("STT_TEST_SPEECH_DIR") or REPOSITORY.parent / "shared" / "speech")
    for needed in (model_dir / "model.bin", speech_dir / "cases.json"):
        if not needed.is_file():
            print(f"skipped: {needed} is missing (STT_TEST_MODEL_DIR, STT_TEST_SPEECH_DIR)")
            return 0
    result = measure(model_dir, list(read_cases(speech_dir).values()), options.rounds)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1) + "\n")
    print(table(result))
    kept = is_kept(result)
    print(f"at most {PROMISE} of plain transcribe(), alone and with 4 callers: {'yes' if kept else 'NO'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
