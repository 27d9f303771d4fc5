"""Runs a server in its own process, makes sounds to send, and compares words."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from types import TracebackType
from typing import Any

import av
import httpx
import numpy as np
from numpy.typing import NDArray

SERVICE = Path(__file__).resolve().parents[1]
CLIPS = Path(__file__).with_name("clips")
RATE_HZ = 16_000
# `cuda` runs the tests of the server on a graphics card.
TEST_DEVICE = os.environ.get("STT_TEST_DEVICE") or "cpu"

Samples = NDArray[np.float32]

# Sentences of a household, then its timers, lists and rooms.
EXAMPLES = "Set a tea timer for five minutes. Add bread to the shopping list. Cancel the oven timer."
THERE_NOW = "Timers: pasta, oven. Shopping list: eggs, milk. Rooms: kitchen, bedroom."
PROMPT = f"{EXAMPLES} {THERE_NOW}"


@dataclass(frozen=True)
class Clip:
    """A recording and what is said in it."""

    path: Path
    text: str


class RunningServer:
    """`python -m stt_server` on a free port."""

    def __init__(self, model_dir: Path, *, program: Sequence[str] = ("-m", "stt_server"), **settings: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        env = {**os.environ, "PYTHONPATH": str(SERVICE), "STT_MODEL_DIR": str(model_dir), "STT_PORT": str(self.port)}
        env |= {"STT_DEVICE": TEST_DEVICE, "STT_MODEL_ID": "test-model", **settings}
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, *program], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.http = httpx.Client(base_url=self.url, timeout=60, trust_env=False)

    def __enter__(self) -> RunningServer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.http.close()
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def wait_until_ready(self) -> None:
        wait_for(lambda: self.health().get("status") == "ready", 60)

    def wait_until_answering(self) -> None:
        wait_for(lambda: bool(self.health()), 20)

    def health(self) -> dict[str, Any]:
        if self.process.poll() is not None:
            raise AssertionError(f"the server ended with {self.process.returncode}: {self.log()}")
        try:
            return self.http.get("/health").json()
        except httpx.TransportError:
            return {}

    def transcribe(
        self, sound: bytes | Path, *, content_type: str = "audio/wav", route: str = "transcriptions", **fields: Any
    ) -> httpx.Response:
        headers = {"priority": f"u={fields.pop('urgency')}"} if "urgency" in fields else {}
        return self.http.post(
            f"/v1/audio/{route}",
            files={"file": ("sound.wav", sound if isinstance(sound, bytes) else sound.read_bytes(), content_type)},
            data={"model": "test-model", **fields},
            headers=headers,
        )

    def hear(self, sound: bytes | Path, **fields: Any) -> dict[str, Any]:
        """The verbose transcript."""
        answer = self.transcribe(sound, response_format="verbose_json", **fields)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def resident_bytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024

    def metric(self, line_start: str) -> float:
        text = self.http.get("/metrics").text
        return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(line_start))

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def log(self) -> str:
        return self.process.stdout.read() if self.process.stdout else ""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(is_so: Any, limit_s: float) -> None:
    """Polls until the condition holds."""
    deadline = time.monotonic() + limit_s
    while not is_so():
        assert time.monotonic() < deadline, f"not so within {limit_s} s"
        time.sleep(0.02)


def wav_bytes(samples: Samples, rate_hz: int = RATE_HZ) -> bytes:
    """A 16-bit WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(rate_hz)
        writer.writeframes(s16(samples))
    return file.getvalue()


def encode(samples: Samples, container: str, codec: str, rate_hz: int = 48_000) -> bytes:
    """A compressed recording."""
    file = io.BytesIO()
    with av.open(file, "w", format=container) as output:
        stream = output.add_stream(codec, rate=rate_hz, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.frombuffer(s16(samples), "<i2")[None, :], format="s16", layout="mono")
        frame.rate = rate_hz
        for part in av.AudioResampler(format=stream.format, layout="mono", rate=rate_hz).resample(frame):
            output.mux(stream.encode(part))
        output.mux(stream.encode(None))
    return file.getvalue()


def s16(samples: Samples) -> bytes:
    return (np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()


def read_clip(path: Path) -> Samples:
    with wave.open(str(path)) as reader:
        return np.frombuffer(reader.readframes(reader.getnframes()), "<i2").astype(np.float32) / 32768


def spoken(name: str, *, before_s: float = 0, after_s: float = 0) -> Samples:
    """A clip from the folder beside the tests, with silence before and after it."""
    return np.concatenate([silence(before_s), read_clip(CLIPS / f"{name}.wav"), silence(after_s)])


def long_sound(seconds: float) -> Samples:
    """Sentences with pauses between them, at least this long."""
    three = np.concatenate([spoken(name, after_s=4) for name in ("weather", "stop-stop", "hello")])
    return np.tile(three, ceil(seconds * RATE_HZ / len(three)))


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE_HZ), np.float32)


def tone(seconds: float, hertz: float = 440, rate_hz: int = RATE_HZ) -> Samples:
    return (0.5 * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate_hz)) / rate_hz)).astype(np.float32)


def pink_noise(seconds: float, loudness: float, seed: int = 1) -> Samples:
    """Noise like that of a room: equally loud in each octave."""
    count = round(seconds * RATE_HZ)
    random = np.random.default_rng(seed)
    spectrum = random.standard_normal(count // 2 + 1) + 1j * random.standard_normal(count // 2 + 1)
    noise = np.fft.irfft(spectrum / np.sqrt(np.arange(1, count // 2 + 2)), count)
    return (loudness * noise / noise.std()).astype(np.float32)


def read_cases(folder: Path) -> dict[str, Clip]:
    cases = json.loads((folder / "cases.json").read_text())
    return {case["file"]: Clip(folder / case["file"], case["text"].replace("|", " ")) for case in cases}


_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty"""
_NUMBERS = {word: str(value) for value, word in enumerate(_SMALL.split())}
_SPELLINGS = {"ok": "okay", "colour": "color", "capitol": "capital"}


def words(text: str) -> list[str]:
    """The words of a text by their sound: "10" and "ten" are the same."""
    spelt = (_SPELLINGS.get(word, word) for word in re.findall(r"[a-z0-9']+", text.lower()))
    return [_NUMBERS.get(word, word) for word in spelt]


def word_errors(expected: Sequence[str], heard: Sequence[str]) -> int:
    """Counts words that were changed, left out or added (Levenshtein)."""
    row = list(range(len(heard) + 1))
    for position, word in enumerate(expected, start=1):
        above, row = row, [position]
        for column, other in enumerate(heard, start=1):
            row.append(min(above[column] + 1, row[-1] + 1, above[column - 1] + (word != other)))
    return row[-1]
