"""Starts the language model's server: a `llama-server` on the PATH, else the same server from the xllamacpp wheel."""

import ctypes
import json
import math
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import xllamacpp

# The name that the api asks for, whichever file is behind it.
ALIAS = "local"
# A prompt can be cancelled only between batches.
BATCH_TOKENS = 512
# A reply that never ends is cut here; no spoken answer comes near it.
REPLY_TOKENS = 1024
# Saved prompts in memory: several conversations stay warm, and a small home server keeps its memory.
CACHE_RAM_MIB = 512
_CONTEXT_DEFAULT, _SLOTS_DEFAULT = 8192, 2
_ANSWER_WAIT_S = 10
# Where another program wants the same core this one gets a third of its share: the next words of a reply can wait for
# the voice that speaks the first ones, and for ears. Out of Docker's 1024, which every program has of itself.
_SHARES_DEFAULT, _SHARES_FULL = 341, 1024
# Linux: a step of niceness is a quarter more or less.
_SHARES_STEP = 1.25
_PR_SET_PDEATHSIG = 1


# What ends the server: a signal's number, or why it could not be served.
Events = queue.SimpleQueue[BaseException | int]


class StartError(Exception):
    """The message is one sentence that says what to do."""


@dataclass(frozen=True)
class Settings:
    model: Path
    host: str
    port: int
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
    def context_tokens(self) -> int:
        """llama.cpp divides the whole window among its slots."""
        return self.slot_tokens * self.slots


def read_settings(environment: Mapping[str, str]) -> Settings:
    folder = Path(environment.get("MODELS_DIR") or "/models")
    model = folder / "llm.gguf"
    if not model.is_file():
        raise StartError(f"No language model is in place ({model} is missing): fetch one first with `make models`.")
    chosen = _selection(folder / "selection.json")
    return Settings(
        model=model,
        host=environment.get("LLM_HOST") or "127.0.0.1",
        port=_number(environment, "LLM_PORT", 8080, 1, 65535),
        threads=_number(environment, "LLM_THREADS", physical_cores(), 1, 1024),
        slot_tokens=_chosen_number(chosen, "context", _CONTEXT_DEFAULT),
        slots=_chosen_number(chosen, "slots", _SLOTS_DEFAULT),
        gpu_layers=_number(environment, "LLM_GPU_LAYERS", 0, 0, 9999) if environment.get("LLM_GPU_LAYERS") else None,
        cpu_shares=_number(environment, "LLM_CPU_SHARES", _SHARES_DEFAULT, 2, _SHARES_FULL),
    )


def _selection(path: Path) -> Mapping[str, object]:
    """What fetch.py chose. Without it the defaults hold: the file alone is enough to start."""
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


def physical_cores(cpuinfo: Path = Path("/proc/cpuinfo")) -> int:
    """Two threads on one core slow token generation down. Never more than this process may use."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    try:
        blocks = cpuinfo.read_text(encoding="utf-8").split("\n\n")
    except OSError:
        return allowed
    fields = [dict(_pair(line) for line in block.splitlines() if ":" in line) for block in blocks]
    cores = {
        (field["physical id"], field["core id"]) for field in fields if "physical id" in field and "core id" in field
    }
    return max(1, min(allowed, len(cores) or allowed))


def _pair(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip(), value.strip()


def find_llama_server(settings: Settings) -> str | None:
    """One on the PATH was built for this machine and is faster, if it runs at all and is not too old."""
    program = shutil.which("llama-server")
    if program is None:
        return None
    try:
        _asked(program, "--version")
        known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", _asked(program, "--help")))
    except (OSError, subprocess.SubprocessError):
        _say(f"{program} does not answer `--version`, so the server from the xllamacpp package is taken.")
        return None
    unknown = [word for word in server_command(program, settings)[1:] if word.startswith("-") and word not in known]
    if unknown:
        _say(f"{program} does not know {unknown[0]}, so the server from the xllamacpp package is taken.")
        return None
    return program


def _asked(program: str, question: str) -> str:
    answer = subprocess.run(
        [program, question],
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_ANSWER_WAIT_S,
    )
    return answer.stdout + answer.stderr


def server_command(program: str, settings: Settings) -> list[str]:
    command = [program, "-m", str(settings.model), "--alias", ALIAS]
    command += ["--host", settings.host, "--port", str(settings.port)]
    command += ["-c", str(settings.context_tokens), "-np", str(settings.slots), "-b", str(BATCH_TOKENS)]
    command += ["-n", str(REPLY_TOKENS), "-t", str(settings.threads), "--cache-ram", str(CACHE_RAM_MIB)]
    command += ["--jinja", "--reasoning", "off", "--metrics", "--slots", "--no-ui", "--cors-origins", "localhost"]
    return command if settings.gpu_layers is None else [*command, "-ngl", str(settings.gpu_layers)]


def wheel_parameters(settings: Settings) -> "xllamacpp.CommonParams":
    """The same settings as `server_command` gives; the two must be changed together."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(settings.model)
    parameters.model_alias = [ALIAS]
    parameters.hostnames = [settings.host]
    parameters.port = settings.port
    parameters.n_ctx = settings.context_tokens
    parameters.n_parallel = settings.slots
    # As `-np N` does: the window is split, so that one conversation cannot push another out.
    parameters.kv_unified = False
    parameters.n_batch = BATCH_TOKENS
    parameters.n_predict = REPLY_TOKENS
    parameters.cpuparams.n_threads = settings.threads
    parameters.cpuparams_batch.n_threads = settings.threads
    parameters.cache_ram_mib = CACHE_RAM_MIB
    parameters.use_jinja = True
    parameters.enable_reasoning = 0
    parameters.default_template_kwargs = {"enable_thinking": "false"}
    parameters.endpoint_metrics = True
    parameters.endpoint_slots = True
    parameters.ui = False
    parameters.cors_origins = "localhost"
    if settings.gpu_layers is not None:
        parameters.n_gpu_layers = settings.gpu_layers
    return parameters


def hear_signals() -> Events:
    events: Events = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: events.put(number))
    return events


def run_wheel(settings: Settings, events: Events) -> NoReturn:
    """Loading happens beside the main thread, which alone hears signals: a half-loaded model can be stopped, too."""
    threading.Thread(target=_serve, args=(settings, events), daemon=True).start()
    event = events.get()
    if isinstance(event, int):
        # The server's own threads would finish their replies first; whoever stops us does not wait for that.
        sys.stdout.flush()
        os._exit(0)
    raise StartError(f"The language model {settings.model} cannot be served: {str(event).rstrip('.')}.") from event


def _serve(settings: Settings, events: Events) -> None:
    try:
        import xllamacpp

        server = xllamacpp.Server(wheel_parameters(settings))
        _say(f"The language model answers on {server.listening_address}.")
        # The server lives as long as this thread keeps it.
        threading.Event().wait()
    except Exception as error:  # noqa: BLE001 -- whatever the wheel raises ends the process with one sentence
        events.put(error)


def die_with_parent() -> None:
    """Without this a killed supervisor leaves a server behind that holds the port and the memory. Linux only."""
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        raise StartError("The program that started the language model has ended, so it is not started.")


def run_program(command: Sequence[str]) -> NoReturn:
    """In our place, so that signals reach it directly and nothing of ours stays in memory."""
    sys.stdout.flush()
    os.execv(command[0], list(command))


def _say(sentence: str) -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def main() -> int:
    events = hear_signals()
    try:
        settings = read_settings(os.environ)
        die_with_parent()
        os.nice(settings.niceness)
        program = find_llama_server(settings)
        if program:
            _say(f"Starting {program} with {settings.threads} threads.")
            if not events.empty():
                return 0
            run_program(server_command(program, settings))
        _say(f"Starting the language model's server from the xllamacpp package with {settings.threads} threads.")
        run_wheel(settings, events)
    except StartError as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
