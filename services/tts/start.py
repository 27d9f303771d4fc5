"""Starts Piper's own HTTP server with the voice that the models folder holds.

Settings: MODELS_DIR, TTS_HOST, TTS_PORT, TTS_SOCKET. The process becomes Piper, so signals reach it directly.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import NoReturn


class VoiceError(Exception):
    """The reason why no voice can start, as a sentence."""


def chosen_voice(models_dir: Path) -> str:
    """Returns the fetcher's chosen voice. The fetcher writes selection.json last, so the voice named there is
    complete.
    """
    selection = models_dir / "selection.json"
    try:
        name = json.loads(selection.read_text(encoding="utf-8"))["models"]["tts"]["name"]
    except FileNotFoundError:
        raise VoiceError(f"There is no {selection}. Download the models first with make models.") from None
    except (ValueError, KeyError, TypeError):
        raise VoiceError(f"{selection} names no voice: fetch the models again, with make models.") from None
    # Without either file Piper would fail with a traceback.
    for ending in (".onnx", ".onnx.json"):
        if not (models_dir / "tts" / f"{name}{ending}").is_file():
            raise VoiceError(
                f"The voice {name} is incomplete: {name}{ending} is missing. Download it with make models."
            )
    return str(name)


def piper_command(voice: str, voices: Path, environment: dict[str, str]) -> list[str]:
    """Piper looks in the working directory first, so a name is enough. `voices`: folder of further voices
    that requests may name.
    """
    socket = environment.get("TTS_SOCKET")
    host = f"unix://{socket}" if socket else environment.get("TTS_HOST") or "127.0.0.1"
    port = environment.get("TTS_PORT") or "5000"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise VoiceError(f'TTS_PORT must be a port number from 1 to 65535, but is "{port}".')
    server = [sys.executable, "-m", "piper.http_server"]
    return [*server, "--host", host, "--port", port, "--data-dir", ".", "--data-dir", str(voices), "--model", voice]


def main() -> NoReturn:
    models_dir = Path(os.environ.get("MODELS_DIR") or "data/models").resolve()
    try:
        command = piper_command(chosen_voice(models_dir), models_dir / "voices", dict(os.environ))
    except VoiceError as error:
        sys.exit(f"tts: {error}")
    socket = os.environ.get("TTS_SOCKET")
    if socket:
        # A killed server leaves its socket behind.
        Path(socket).unlink(missing_ok=True)
    # Otherwise Piper's onnxruntime sends telemetry to its vendor and keeps an id of this device in the home folder.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    # Piper would write downloads into the working directory, which is read-only in the container.
    os.chdir(models_dir / "tts")
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
