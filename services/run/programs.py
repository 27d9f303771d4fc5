"""Lists the programs of a Hearth without Docker, and the environment with their addresses."""

from __future__ import annotations

import secrets
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import imageio_ffmpeg
from guarded import SECRETS
from own_redis import redis_command
from ports import LOOPBACK, free_port
from settings import Settings
from signs import HTTP_QUESTION, REDIS_QUESTION, Sign, answers, touches
from supervisor_link import control_socket

#: The settings that choose a model of an engine that runs here.
MODEL_SETTINGS = {"llm": "LLM_MODEL", "stt": "STT_MODEL", "tts": "TTS_VOICE"}

#: Pages that an engine serves at once, even while it loads a model or works.
LIFE_SIGNS = {"llm": "/health", "stt": "/health", "tts": "/voices"}


@dataclass(frozen=True)
class Program:
    name: str
    command: tuple[str, ...]
    #: Programs of one group stop together.
    group: str
    stop_wait_s: int
    #: Settings that the program must not see.
    hidden: str = SECRETS
    sign: Sign | None = None

    @property
    def full_name(self) -> str:
        """The supervisor's name for the program."""
        return f"{self.group}:{self.name}"


def plan(settings: Settings) -> tuple[list[Program], dict[str, str]]:
    """All programs in the order of their start, and their common environment."""
    environment = common_environment(settings)
    programs: list[Program] = []
    taken = {settings.port} | ({settings.https_port} if settings.https_port is not None else set())

    redis_port = free_port(settings.port + 1, taken)
    if settings.own_redis and not settings.is_lent:
        password = secrets.token_hex(24)
        environment["REDIS_URL"] = f"redis://:{password}@{LOOPBACK}:{redis_port}"
        command = redis_command(settings, redis_port, password)
        sign = answers((LOOPBACK, redis_port), REDIS_QUESTION)
        programs.append(Program("redis", command, "redis", stop_wait_s=2, sign=sign))

    for kind in settings.engines:
        name = kind.upper()
        # A port would answer every user of this machine, and every web page with a rebound DNS name.
        environment |= {
            f"{name}_SOCKET": str(engine_socket(settings, kind)),
            f"{name}_URL": f"http://{kind}.localhost",
        }
        sign = answers(str(engine_socket(settings, kind)), HTTP_QUESTION.format(path=LIFE_SIGNS[kind]))
        programs.append(Program(kind, engine_command(settings, kind), "engines", stop_wait_s=2, sign=sign))

    if settings.engines:
        # It talks to the internet, so it gets no secret.
        environment["MODELS_SOCKET"] = str(engine_socket(settings, "models"))
        sign = answers(str(engine_socket(settings, "models")), HTTP_QUESTION.format(path="/"))
        command, hidden = fetcher_command(settings), f"{SECRETS},REDIS_URL"
        programs.append(Program("fetcher", command, "fetcher", stop_wait_s=2, hidden=hidden, sign=sign))

    if settings.is_lent:
        return programs, environment
    environment["LENT_DIR"] = str(control_socket(settings).parent)

    # A small young generation halves the memory of a Node process, as in the image.
    node = (str(Path(sys.executable).with_name("node")), "--max-semi-space-size=4")
    sources = settings.root / "api" / "src"
    api, worker = (*node, str(sources / "server.ts")), (*node, str(sources / "worker.ts"))
    # Asks for the api's page: the api logs each /health request as a failure until it is ready.
    sign = answers((own_address(settings.host), settings.port), HTTP_QUESTION.format(path="/"))
    programs.append(Program("api", api, "hearth", stop_wait_s=4, hidden="", sign=sign))
    # It reads input from the whole network, so it gets no secret. It asks the api whether the page has opened
    # Hearth to the home network.
    if settings.environment.get("MDNS") != "0":
        announcer = (*node, str(sources / "announcer.ts"))
        programs.append(Program("announcer", announcer, "hearth", stop_wait_s=4))
    # Only the api asks callers for the token.
    sign = touches(settings.run_dir / "hearth-worker-alive")
    programs.append(Program("worker", worker, "hearth", stop_wait_s=4, hidden="SERVICE_TOKEN", sign=sign))
    return programs, environment


def common_environment(settings: Settings) -> dict[str, str]:
    environment = dict(settings.environment)
    # These settings are for the fetcher. The api would send them to the server, and only an external server
    # offers a choice.
    for kind in settings.engines:
        environment.pop(MODEL_SETTINGS[kind], None)
    # Precomputed for containers, which do not see the machine. Here the names are looked up after every
    # change.
    environment.pop("MACHINE_NAMES", None)
    environment |= {
        "HOST": settings.host,
        "PORT": str(settings.port),
        "DATA_DIR": str(settings.data_dir),
        "MODELS_DIR": str(settings.models_dir),
        "LANGUAGES_DIR": str(settings.root / "languages"),
        "WAKE_WORDS_DIR": str(settings.root / "wake-words"),
        "TMPDIR": str(settings.run_dir),
        # The same for every other Node process.
        "NODE_OPTIONS": settings.environment.get("NODE_OPTIONS") or "--max-semi-space-size=4",
        "NODE_COMPILE_CACHE": str(settings.run_dir / "compiled"),
        "PYTHONPATH": str(settings.root / "services" / "stt"),
        "PYTHONUNBUFFERED": "1",
        # Three of the programs load onnxruntime, which would send telemetry to its vendor.
        "ORT_DISABLE_TELEMETRY": "1",
        "STT_MODEL_DIR": str(settings.models_dir / "stt"),
        "CRASHES_DIR": str(crashes_dir(settings)),
    }
    environment.setdefault("FFMPEG", imageio_ffmpeg.get_ffmpeg_exe())
    # Speech recognition expects the household's language.
    if language := settings.environment.get("HEARTH_LANGUAGE"):
        environment.setdefault("STT_LANGUAGE", language)
    # The api and the worker start programs without a PATH to search.
    environment.setdefault("ESPEAK", shutil.which("espeak-ng") or "espeak-ng")
    return environment


def crashes_dir(settings: Settings) -> Path:
    """The file with the reasons for programs' ends, which the api reads."""
    return settings.run_dir / "crashes"


def own_address(host: str) -> str:
    """The api's address on this machine."""
    return {"0.0.0.0": LOOPBACK, "::": "::1"}.get(host, host)  # noqa: S104 -- listens there only if the owner says so


def engine_socket(settings: Settings, kind: str) -> Path:
    """The socket lies in the supervisor's folder, which only this user may enter and each run recreates."""
    return control_socket(settings).with_name(f"{kind}.sock")


def fetcher_command(settings: Settings) -> tuple[str, ...]:
    """Command of the program that takes model orders from the page."""
    program = settings.root / "services" / "models" / "serve.py"
    folders = ("--models-dir", str(settings.models_dir), "--own-dir", str(settings.root / "models"))
    socket = str(engine_socket(settings, "models"))
    return (sys.executable, str(program), "--socket", socket, *folders, "--kinds", ",".join(settings.engines))


def engine_command(settings: Settings, kind: str) -> tuple[str, ...]:
    if kind == "stt":
        return (sys.executable, "-m", "stt_server")
    return (sys.executable, str(settings.root / "services" / kind / "start.py"))
