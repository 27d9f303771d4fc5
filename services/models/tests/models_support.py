"""A small household: models of a few hundred kilobytes, their packages, and the fetch as a process."""

import hashlib
import json
import os
import random
import socket
import struct
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fake_hub import REVISION, FakeHub, Served

FETCH = Path(__file__).resolve().parents[1] / "fetch.py"
LIMIT_S = 100.0
T = TypeVar("T")


def content_of(name: str, size: int) -> bytes:
    return random.Random(name).randbytes(size)


CONTENTS = {
    "tiny.gguf": content_of("tiny.gguf", 150_000),
    "small.gguf": content_of("small.gguf", 400_000),
    "large.gguf": content_of("large.gguf", 500_000),
    "tiny/model.bin": content_of("tiny/model.bin", 90_000),
    "tiny/config.json": b'{"tiny": true}',
    "small/model.bin": content_of("small/model.bin", 200_000),
    "small/config.json": b'{"small": true}',
    "en_US-joe-medium.onnx": content_of("joe", 70_000),
    "en_US-joe-medium.onnx.json": b'{"audio": {"sample_rate": 22050}}',
    "en_US-lj-medium.onnx": content_of("lj", 80_000),
    "en_US-lj-medium.onnx.json": b'{"audio": {"sample_rate": 22051}}',
    "hey.tflite": content_of("hey", 5_000),
    "hey.json": b'{"wake_word": "Hey"}',
    "pl.json": b'{"language": "pl"}',
}


def file(path: str, name: str | None = None) -> dict[str, object]:
    content = CONTENTS[name or path]
    return {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def hub(repo: str, folder: str = "") -> dict[str, object]:
    return {"type": "huggingface", "repo": repo, "revision": REVISION, "folder": folder}


def package(name: str) -> dict[str, object]:
    return {"type": "pypi", "package": name, "version": "1.0", "folder": name.replace("-", "_")}


def llm(name: str, source: dict[str, object], *, tools: bool = True) -> dict[str, object]:
    return {
        "kind": "llm",
        "id": f"{name}-llm",
        "name": f"{name.title()} LLM",
        "licence": "Apache-2.0",
        "languages": ["en"],
        "tools": tools,
        "contextTokens": 8192,
        "slotTokens": 4096,
        "files": [file(f"{name}.gguf")],
        "sources": [source],
    }


def stt(name: str, source: dict[str, object]) -> dict[str, object]:
    files = [file(path, f"{name}/{path}") for path in ("model.bin", "config.json")]
    common = {"licence": "MIT", "languages": ["en"], "files": files, "sources": [source]}
    return {"kind": "stt", "id": f"{name}-stt", "name": f"{name.title()} Whisper", **common}


def tts(voice: str, source: dict[str, object]) -> dict[str, object]:
    files = [file(f"{voice}.onnx"), file(f"{voice}.onnx.json")]
    common = {"licence": "CC0-1.0", "languages": ["en"], "sampleRateHz": 22050, "files": files, "sources": [source]}
    return {"kind": "tts", "id": voice, "name": voice, **common}


def wake_words(source: dict[str, object]) -> dict[str, object]:
    files = [file("hey.tflite"), file("hey.json")]
    common = {"licence": "Apache-2.0", "languages": ["en"], "files": files, "sources": [source]}
    return {"kind": "wake", "id": "words", "name": "Hey", **common}


def sentences(source: dict[str, object]) -> dict[str, object]:
    common = {"licence": "Apache-2.0", "languages": ["pl", "pt-BR"], "files": [file("pl.json")], "sources": [source]}
    return {"kind": "sentences", "id": "said", "name": "Sentences", **common}


def catalog() -> dict[str, object]:
    return {
        "sizes": {
            "tiny": {"llm": "tiny-llm", "stt": "tiny-stt", "tts": "en_US-joe-medium"},
            "small": {"llm": "small-llm", "stt": "small-stt", "tts": "en_US-lj-medium"},
            "large": {"llm": "large-llm", "stt": "small-stt", "tts": "en_US-lj-medium"},
        },
        "models": [
            llm("tiny", package("tiny-llm-wheel"), tools=False),
            llm("small", hub("acme/small-llm")),
            llm("large", hub("acme/large-llm")),
            stt("tiny", package("tiny-stt-wheel")),
            stt("small", hub("acme/small-stt", "ct2")),
            tts("en_US-joe-medium", package("joe-wheel")),
            tts("en_US-lj-medium", hub("acme/voices", "en/lj")),
            wake_words(package("wake-wheel")),
            sentences(package("sentences-wheel")),
        ],
    }


def serve_all(fake: FakeHub) -> dict[str, Served]:
    return {
        "small.gguf": fake.serve("acme/small-llm", "small.gguf", CONTENTS["small.gguf"]),
        "large.gguf": fake.serve("acme/large-llm", "large.gguf", CONTENTS["large.gguf"]),
        "model.bin": fake.serve("acme/small-stt", "ct2/model.bin", CONTENTS["small/model.bin"]),
        "config.json": fake.serve("acme/small-stt", "ct2/config.json", CONTENTS["small/config.json"]),
        "voice": fake.serve("acme/voices", "en/lj/en_US-lj-medium.onnx", CONTENTS["en_US-lj-medium.onnx"]),
        "voice.json": fake.serve(
            "acme/voices", "en/lj/en_US-lj-medium.onnx.json", CONTENTS["en_US-lj-medium.onnx.json"]
        ),
    }


def make_wheels(folder: Path) -> None:
    joe = ("en_US-joe-medium.onnx", "en_US-joe-medium.onnx.json")
    make_wheel(folder, "tiny-llm-wheel", {"tiny.gguf": CONTENTS["tiny.gguf"]})
    make_wheel(folder, "tiny-stt-wheel", {name: CONTENTS[f"tiny/{name}"] for name in ("model.bin", "config.json")})
    make_wheel(folder, "wake-wheel", {name: CONTENTS[name] for name in ("hey.tflite", "hey.json")})
    make_wheel(folder, "sentences-wheel", {"pl.json": CONTENTS["pl.json"]})
    make_wheel(folder, "joe-wheel", {name: CONTENTS[name] for name in joe})


def make_wheel(folder: Path, package_name: str, files: dict[str, bytes]) -> None:
    module = package_name.replace("-", "_")
    information = f"{module}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{module}-1.0-py3-none-any.whl", "w") as wheel:
        for name, content in files.items():
            wheel.writestr(f"{module}/{name}", content)
        wheel.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {package_name}\nVersion: 1.0\n")
        tag = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr(f"{information}/WHEEL", tag)
        wheel.writestr(f"{information}/RECORD", "")


SMALL = CONTENTS["small.gguf"]


def served(fake: FakeHub, name: str) -> Served:
    return next(value for path, value in fake.files.items() if path.endswith(name))


def closed_port() -> str:
    """An address without a listener. It stays reserved, so that no other program can listen there."""
    _reserved.append(socket.socket())
    _reserved[-1].bind(("127.0.0.1", 0))
    return f"http://127.0.0.1:{_reserved[-1].getsockname()[1]}"


_reserved: list[socket.socket] = []


class Household:
    """The surroundings of one fetch: a models folder, the packages' folder and the hub's address."""

    def __init__(self, root: Path, hub_url: str) -> None:
        self.root = root
        self.models = root / "models"
        self.wheels = root / "wheels"
        self.own = root / "own"
        self.catalog = root / "models.json"
        self.hub_url = hub_url
        self.settings: dict[str, str] = {}
        # Put before the command, for tests that run it inside another program.
        self.prefix: list[str] = []
        for folder in (self.wheels, self.own):
            folder.mkdir()
        make_wheels(self.wheels)
        self.write_catalog(catalog())

    def write_catalog(self, content: object) -> None:
        self.catalog.write_text(json.dumps(content))

    def environment(self, **settings: str) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PIP_", "HF_")) and "proxy" not in name.lower()
        }
        packages = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull}
        hub_settings = {"HF_ENDPOINT": self.hub_url, "HF_HOME": str(self.root / "hf")}
        return {**kept, **packages, **hub_settings, **self.settings, **settings}

    def start(self, *arguments: str, **settings: str) -> subprocess.Popen[str]:
        command = [
            *self.prefix,
            sys.executable,
            str(FETCH),
            "--models-dir",
            str(self.models),
            "--own-dir",
            str(self.own),
        ]
        command += ["--catalog", str(self.catalog), *arguments]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=self.environment(**settings), text=True, **pipes)  # type: ignore[call-overload,no-any-return]

    def fetch(self, *arguments: str, **settings: str) -> "Outcome":
        return finish(self.start(*arguments, **settings))

    def selection(self) -> dict[str, object]:
        content: dict[str, object] = json.loads((self.models / "selection.json").read_text())
        return content

    def progress(self) -> dict[str, object]:
        content: dict[str, object] = json.loads((self.models / "progress.json").read_text())
        return content

    def partial(self, name: str) -> Path:
        return self.models / ".partial" / f"{hashlib.sha256(CONTENTS[name]).hexdigest()}.part"

    def stored(self, path: str) -> bytes:
        return (self.models / "store" / path).read_bytes()


class Outcome:
    def __init__(self, code: int, told: str, error: str) -> None:
        self.code, self.told, self.error = code, told, error


def finish(process: subprocess.Popen[str]) -> Outcome:
    try:
        told, error = process.communicate(timeout=LIMIT_S)
    finally:
        process.kill()
    return Outcome(process.returncode, told, error)


def wait_for(condition: Callable[[], T | None], limit_s: float = LIMIT_S) -> T:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"not so within {limit_s} s")


def gguf(*, context: int = 2048, template: str = "{% if tools %}{% endif %}", tensor_bytes: int = 64) -> bytes:
    """A GGUF file with one tensor, which is enough to read its header."""

    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value.encode())) + value.encode()

    words = struct.pack("<IQ", 8, 3) + b"".join(text(word) for word in ("a", "bc", "def"))
    fields = [
        text("general.architecture") + struct.pack("<I", 8) + text("qwen3"),
        text("general.name") + struct.pack("<I", 8) + text("Our own"),
        text("qwen3.context_length") + struct.pack("<II", 4, context),
        text("tokenizer.ggml.tokens") + struct.pack("<I", 9) + words,
        text("tokenizer.chat_template") + struct.pack("<I", 8) + text(template),
    ]
    tensors = [text(f"t{index}") + struct.pack("<IQIQ", 1, 8, 0, offset) for index, offset in enumerate((0, 32))]
    header = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields)) + b"".join(fields) + b"".join(tensors)
    return header + b"\0" * (-len(header) % 32) + b"\x01" * tensor_bytes
