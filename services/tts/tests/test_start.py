"""How start.py reads the models folder, and how the health check recognises speech."""

from __future__ import annotations

import importlib.util
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType

import pytest


def load(name: str) -> ModuleType:
    """The scripts are not a package, so they are loaded from their files."""
    path = Path(__file__).parent.parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"tts_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


start = load("start")
healthcheck = load("healthcheck")


def models_folder(root: Path, voice: str, endings: tuple[str, ...] = (".onnx", ".onnx.json")) -> Path:
    (root / "tts").mkdir(parents=True)
    for ending in endings:
        (root / "tts" / f"{voice}{ending}").write_bytes(b"voice")
    selection = {"models": {"tts": {"id": "joe", "name": voice, "sampleRateHz": 22050}}}
    (root / "selection.json").write_text(json.dumps(selection))
    return root


def test_uses_the_chosen_voice(tmp_path: Path) -> None:
    assert start.chosen_voice(models_folder(tmp_path, "en_US-joe-medium")) == "en_US-joe-medium"


def test_says_that_models_are_missing(tmp_path: Path) -> None:
    with pytest.raises(start.VoiceError, match=r"selection\.json\. Download the models first with make models"):
        start.chosen_voice(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"models": {"tts": null}}'])
def test_says_that_no_voice_was_chosen(tmp_path: Path, content: str) -> None:
    (tmp_path / "selection.json").write_text(content)

    with pytest.raises(start.VoiceError, match="names no voice"):
        start.chosen_voice(tmp_path)


@pytest.mark.parametrize(("there", "missing"), [(".onnx", ".onnx.json"), (".onnx.json", ".onnx")])
def test_names_an_incomplete_voice(tmp_path: Path, there: str, missing: str) -> None:
    folder = models_folder(tmp_path, "en_US-joe-medium", (there,))

    with pytest.raises(start.VoiceError, match=f"en_US-joe-medium{missing} is missing"):
        start.chosen_voice(folder)


def test_piper_listens_on_the_given_port() -> None:
    command = start.piper_command(
        "en_US-joe-medium", Path("/models/voices"), {"TTS_HOST": "0.0.0.0", "TTS_PORT": "5001"}
    )

    assert command[1:] == [
        *("-m", "piper.http_server", "--host", "0.0.0.0", "--port", "5001"),
        *("--data-dir", ".", "--data-dir", "/models/voices", "--model", "en_US-joe-medium"),
    ]


def test_listens_on_loopback_unless_told() -> None:
    assert start.piper_command("v", Path("voices"), {"TTS_HOST": ""})[3:7] == ["--host", "127.0.0.1", "--port", "5000"]


def test_piper_listens_on_a_socket_instead_of_a_port() -> None:
    assert start.piper_command("v", Path("voices"), {"TTS_HOST": "0.0.0.0", "TTS_SOCKET": "/run/tts.sock"})[3:5] == [
        "--host",
        "unix:///run/tts.sock",
    ]


@pytest.mark.parametrize("port", ["0", "70000", "http", "-1"])
def test_a_bad_port_is_named(port: str) -> None:
    with pytest.raises(start.VoiceError, match="TTS_PORT must be a port number"):
        start.piper_command("v", Path("voices"), {"TTS_PORT": port})


class PiperLike(BaseHTTPRequestHandler):
    """Answers like Piper: any body as text/html, 500 without the JSON content type."""

    body = b""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200 if self.headers["Content-Type"] == "application/json" else 500)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def piper() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), PiperLike)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("body", "healthy"),
    [(b"RIFF" + bytes(9000), True), (b"RIFF" + bytes(40), False), (b"<!doctype html>" + bytes(9000), False)],
)
def test_only_sound_is_healthy(piper: HTTPServer, monkeypatch: pytest.MonkeyPatch, body: bytes, healthy: bool) -> None:
    monkeypatch.setattr(PiperLike, "body", body)

    assert healthcheck.speaks(f"http://127.0.0.1:{piper.server_port}") is healthy


def test_a_missing_server_is_not_healthy(piper: HTTPServer) -> None:
    gone = piper.server_port
    piper.shutdown()
    piper.server_close()

    assert healthcheck.speaks(f"http://127.0.0.1:{gone}") is False


def test_a_silent_piper_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(healthcheck, "LIFE_SIGN_S", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]

        monkeypatch.setenv("TTS_PORT", str(port))
        assert healthcheck.main() == 3

    # No program listens there any more: it is starting, or has ended.
    assert healthcheck.main() == 1
