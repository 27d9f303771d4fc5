"""The settings of the language model's server, from the environment and from the fetcher's choice."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .cores import physical_cores
from .errors import StartError

_CONTEXT_DEFAULT, _SLOTS_DEFAULT = 8192, 2
# More than any model has.
_ALL_LAYERS = 9999
# If another program wants the same core, this one gets a third of its share. A reply's next words can wait
# for the voice and for speech recognition. Docker counts in 1024ths; a program has 1024 by default.
_SHARES_DEFAULT, _SHARES_FULL = 341, 1024
# On Linux one step of niceness changes a program's share by a quarter.
_SHARES_STEP = 1.25


@dataclass(frozen=True)
class Settings:
    model: Path
    # Points to `model` until another one is chosen.
    link: Path
    host: str
    port: int
    # Replaces host and port.
    socket: Path | None
    threads: int
    slot_tokens: int
    slots: int
    # None: the server keeps its own default.
    gpu_layers: int | None
    cpu_shares: int = _SHARES_DEFAULT

    @property
    def niceness(self) -> int:
        return round(math.log(_SHARES_FULL / self.cpu_shares, _SHARES_STEP))

    @property
    def listens_on(self) -> str:
        """The host for llama.cpp, which also accepts a socket path here."""
        return str(self.socket) if self.socket else self.host

    @property
    def context_tokens(self) -> int:
        """llama.cpp divides the whole window among its slots."""
        return self.slot_tokens * self.slots


def read_settings(environment: Mapping[str, str]) -> Settings:
    folder = Path(environment.get("MODELS_DIR") or "/models")
    model = folder / "llm.gguf"
    if not model.is_file():
        raise StartError(f"No language model is in place ({model} is missing). Download one first with `make models`.")
    chosen = _selection(folder / "selection.json")
    return Settings(
        model=model.resolve(),
        link=model,
        host=environment.get("LLM_HOST") or "127.0.0.1",
        port=_number(environment, "LLM_PORT", 8080, 1, 65535),
        socket=_socket(environment),
        threads=_number(environment, "LLM_THREADS", physical_cores(), 1, 1024),
        slot_tokens=_chosen_number(chosen, "context", _CONTEXT_DEFAULT),
        slots=_chosen_number(chosen, "slots", _SLOTS_DEFAULT),
        gpu_layers=_gpu_layers(environment),
        cpu_shares=_number(environment, "LLM_CPU_SHARES", _SHARES_DEFAULT, 2, _SHARES_FULL),
    )


def _gpu_layers(environment: Mapping[str, str]) -> int | None:
    """A number, or llama.cpp's own words, which compose passes on as they are."""
    text = environment.get("LLM_GPU_LAYERS", "").strip()
    if text in ("", "auto"):
        return None
    return _ALL_LAYERS if text == "all" else _number(environment, "LLM_GPU_LAYERS", 0, 0, _ALL_LAYERS)


def _socket(environment: Mapping[str, str]) -> Path | None:
    """llama.cpp recognises a Unix socket by the path's suffix."""
    text = environment.get("LLM_SOCKET", "").strip()
    if not text:
        return None
    if not text.startswith("/") or not text.endswith(".sock"):
        raise StartError(f"LLM_SOCKET={text} must be an absolute path that ends in .sock.")
    return Path(text)


def _selection(path: Path) -> Mapping[str, object]:
    """The fetcher's choice. Without one the defaults apply, because the model file alone is enough to start."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise StartError(f"{path} cannot be read ({error}): fetch the models again with `make models`.") from error
    models = content.get("models") if isinstance(content, dict) else None
    chosen = models.get("llm") if isinstance(models, dict) else None
    return chosen if isinstance(chosen, dict) else {}


def _chosen_number(chosen: Mapping[str, object], key: str, default: int) -> int:
    value = chosen.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= 1 << 20:
        raise StartError(f"selection.json holds no usable {key!r} for the language model: fetch the models again.")
    return value


def _number(environment: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = environment.get(name, "").strip()
    if not text:
        return default
    if not text.isdecimal() or not low <= int(text) <= high:
        raise StartError(f"{name}={text} must be a whole number from {low} to {high}.")
    return int(text)
