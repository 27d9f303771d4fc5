"""Which programs make up a Hearth without Docker, on which ports, and the supervisor's configuration for them."""

from __future__ import annotations

import errno
import secrets
import shlex
import shutil
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import imageio_ffmpeg
from settings import Settings, SettingsError, write_private

#: What the engines and Redis must not see.
SECRETS = "SERVICE_TOKEN,LLM_API_KEY,HOME_ASSISTANT_TOKEN"
LOOPBACK = "127.0.0.1"
GUARD = Path(__file__).with_name("guard.py")


@dataclass(frozen=True)
class Program:
    name: str
    command: tuple[str, ...]
    #: Programs of one group stop together; groups start in this order and stop in the reverse one.
    group: str
    stop_wait_s: int
    sees_secrets: bool = False


#: (group, priority): those who ask stop before those who answer.
GROUPS = {"redis": 10, "engines": 20, "hearth": 30}


def free_port(preferred: int, taken: set[int]) -> int:
    """The preferred port when it is free, else any free one. Loopback only, so nobody outside needs to know it."""
    for port in (preferred, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            chosen: int = probe.getsockname()[1]
            if chosen not in taken:
                taken.add(chosen)
                return chosen
    return free_port(0, taken)


def check_address(host: str, port: int) -> None:
    """Unlike the engines' ports, the api's is known to others: it never moves, it is free or we say so."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                message = f"Port {port} is taken by another program: end that, or choose another with PORT."
            elif error.errno == errno.EACCES:
                message = f"Port {port} needs the rights of root: choose one above 1023 with PORT."
            else:
                message = f'HOST must be an address of this machine, but is "{host}" ({error.strerror}).'
            raise SettingsError(message) from None


def redis_command(settings: Settings, port: int, password: str) -> tuple[str, ...]:
    """Redis for this household alone: on loopback, behind a password of this run, kept in an append-only file."""
    binary = shutil.which("redis-server") or shutil.which("valkey-server")
    if binary is None:
        raise SettingsError("redis-server is missing: run make setup, or set REDIS_URL to a Redis elsewhere.")
    kept = settings.data_dir / "redis"
    kept.mkdir(mode=0o700, exist_ok=True)
    configuration = settings.run_dir / "redis.conf"
    lines = [
        f"bind {LOOPBACK}",
        f"port {port}",
        f"requirepass {password}",
        f'dir "{kept}"',
        "appendonly yes",
        "appendfsync everysec",
        'save ""',
        # A queue must never lose entries.
        "maxmemory-policy noeviction",
        # Timers end on Redis's tick: every 10 ms instead of every 100.
        "hz 100",
    ]
    write_private(configuration, "\n".join(lines) + "\n")
    return (binary, str(configuration))


def engine_command(settings: Settings, kind: str) -> tuple[str, ...]:
    if kind == "stt":
        return (sys.executable, "-m", "stt_server")
    return (sys.executable, str(settings.root / "services" / kind / "start.py"))


def plan(settings: Settings) -> tuple[list[Program], dict[str, str]]:
    """The programs, and the environment that tells each where the others are."""
    environment = dict(settings.environment)
    # The name of a local model means nothing to the api; only a foreign server has models to choose from.
    for kind, chosen in (("llm", "LLM_MODEL"), ("stt", "STT_MODEL"), ("tts", "TTS_VOICE")):
        if kind in settings.engines:
            environment.pop(chosen, None)
    environment |= {
        "HOST": settings.host,
        "PORT": str(settings.port),
        "DATA_DIR": str(settings.data_dir),
        "MODELS_DIR": str(settings.models_dir),
        "LANGUAGES_DIR": str(settings.root / "languages"),
        "TMPDIR": str(settings.run_dir),
        # As in the image: a small nursery for young objects halves what they take in memory.
        "NODE_OPTIONS": settings.environment.get("NODE_OPTIONS") or "--max-semi-space-size=4",
        "NODE_COMPILE_CACHE": str(settings.run_dir / "compiled"),
        "PYTHONPATH": str(settings.root / "services" / "stt"),
        "PYTHONUNBUFFERED": "1",
        # onnxruntime, which three of them load, would report to its maker.
        "ORT_DISABLE_TELEMETRY": "1",
        "STT_MODEL_DIR": str(settings.models_dir / "stt"),
    }
    environment.setdefault("FFMPEG", imageio_ffmpeg.get_ffmpeg_exe())
    # The api and the worker start programs without a PATH to search.
    environment.setdefault("ESPEAK", shutil.which("espeak-ng") or "espeak-ng")
    programs: list[Program] = []
    taken = {settings.port}

    redis_port = free_port(settings.port + 1, taken)
    if settings.own_redis:
        password = secrets.token_hex(24)
        environment["REDIS_URL"] = f"redis://:{password}@{LOOPBACK}:{redis_port}"
        programs.append(Program("redis", redis_command(settings, redis_port, password), "redis", stop_wait_s=2))

    for offset, kind in enumerate(("llm", "stt", "tts"), start=2):
        port = free_port(settings.port + offset, taken)
        if kind not in settings.engines:
            continue
        name = kind.upper()
        environment |= {f"{name}_HOST": LOOPBACK, f"{name}_PORT": str(port), f"{name}_URL": f"http://{LOOPBACK}:{port}"}
        programs.append(Program(kind, engine_command(settings, kind), "engines", stop_wait_s=2))

    node = str(Path(sys.executable).with_name("node"))
    for name, entry in (("api", "server.ts"), ("worker", "worker.ts")):
        command = (node, str(settings.root / "api" / "src" / entry))
        programs.append(Program(name, command, "hearth", stop_wait_s=4, sees_secrets=True))
    return programs, environment


def guarded(command: Sequence[str], hidden: str = "") -> list[str]:
    """The command under guard.py: it ends with its parent and does not see the variables that are hidden from it."""
    without = ("--without", hidden) if hidden else ()
    return [sys.executable, "-I", "-S", str(GUARD), *without, "--", *command]


def supervisor_configuration(settings: Settings, programs: list[Program], control: Path) -> str:
    """The supervisor expands %(...)s itself, so a percent sign of a path is doubled."""

    def escaped(value: str | Path) -> str:
        return str(value).replace("%", "%%")

    sections = [
        f"""[supervisord]
nodaemon=true
directory={escaped(settings.root)}
logfile={escaped(settings.logs_dir / "supervisor.log")}
logfile_maxbytes=1MB
logfile_backups=1
pidfile={escaped(settings.run_dir / "supervisor.pid")}
umask=077

[unix_http_server]
file={escaped(control)}
chmod=0700

[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface

[supervisorctl]
serverurl=unix://{escaped(control)}
"""
    ]
    sections += [
        f"""[program:{program.name}]
command={escaped(shlex.join(guarded(program.command, "" if program.sees_secrets else SECRETS)))}
autorestart=true
startsecs=2
startretries=100000
stopsignal=TERM
stopwaitsecs={program.stop_wait_s}
stopasgroup=true
killasgroup=true
redirect_stderr=true
stdout_logfile={escaped(settings.logs_dir / f"{program.name}.log")}
stdout_logfile_maxbytes=10MB
stdout_logfile_backups=3
"""
        for program in programs
    ]
    for group, priority in GROUPS.items():
        members = [program.name for program in programs if program.group == group]
        if members:
            sections.append(f"[group:{group}]\nprograms={','.join(members)}\npriority={priority}\n")
    return "\n".join(sections)
