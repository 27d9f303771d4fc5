"""Which programs run, on which ports, and which of them see the household's secrets."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest
from ports import check_address, free_port
from programs import plan
from settings import Settings, SettingsError, read_settings
from supervisor_conf import supervisor_configuration
from supervisor_link import control_socket


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("run", "logs", "models"):
        (tmp_path / "data" / name).mkdir(parents=True)
    return tmp_path


def settings_of(folder: Path, **environment: str) -> Settings:
    return read_settings(folder, {"PORT": "18765", **environment})


def listener() -> socket.socket:
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    return taken


def test_a_foreign_engine_and_redis_are_not_started(folder: Path) -> None:
    programs, environment = plan(
        settings_of(folder, LLM_URL="http://elsewhere:1", STT_URL="off", REDIS_URL="redis://elsewhere")
    )

    assert [program.name for program in programs] == ["tts", "fetcher", "api", "announcer", "worker"]
    assert environment["LLM_URL"] == "http://elsewhere:1"
    assert environment["STT_URL"] == "off"
    assert environment["REDIS_URL"] == "redis://elsewhere"
    assert environment["TTS_URL"] == "http://tts.localhost"


def test_a_joined_machine_runs_only_the_engines_that_it_lends(folder: Path) -> None:
    (folder / "data" / "household.json").write_text('{"url": "https://hearth.lan:8443", "language": "de"}')
    settings = settings_of(folder)
    programs, environment = plan(settings)

    assert [program.name for program in programs] == ["llm", "stt", "fetcher"]
    assert settings.is_lent
    assert environment["HEARTH_LANGUAGE"] == "de"
    assert environment["STT_LANGUAGE"] == "de"
    assert "REDIS_URL" not in environment


def test_a_joined_machine_starts_no_engine_that_runs_there_already(folder: Path) -> None:
    (folder / "data" / "household.json").write_text('{"url": "https://hearth.lan:8443", "language": "de"}')
    given = {"LLM_URL": "http://127.0.0.1:11434", "LLM_MODEL": "qwen3:8b", "STT_URL": "off"}

    programs, environment = plan(read_settings(folder, given))

    assert programs == []
    assert {name: environment[name] for name in given} == given
    assert "LLM_SOCKET" not in environment


def test_a_joined_machine_keeps_its_own_settings(folder: Path) -> None:
    (folder / "data" / "household.json").write_text('{"url": "https://hearth.lan:8443", "language": "de"}')

    settings = settings_of(folder, STT_URL="off", HEARTH_LANGUAGE="en")

    assert settings.engines == ("llm",)
    assert settings.environment["HEARTH_LANGUAGE"] == "en"


def test_a_damaged_file_of_the_household_is_named(folder: Path) -> None:
    (folder / "data" / "household.json").write_text("{")

    with pytest.raises(SettingsError, match=r"household\.json cannot be read.*Run make join again"):
        settings_of(folder)


def test_the_fetcher_serves_the_engines_that_run_here_and_sees_no_secret(folder: Path) -> None:
    programs, environment = plan(settings_of(folder, LLM_URL="http://elsewhere:1"))

    (fetcher,) = (program for program in programs if program.name == "fetcher")
    assert fetcher.command[-2:] == ("--kinds", "stt,tts")
    assert environment["MODELS_SOCKET"] in fetcher.command
    assert {"REDIS_URL", "SERVICE_TOKEN", "HOME_ASSISTANT_TOKEN"} <= set(fetcher.hidden.split(","))
    # make models restarts the engines, and an order may be under way.
    assert fetcher.group != "engines"


def test_fetches_nothing_when_every_engine_is_elsewhere(folder: Path) -> None:
    programs, environment = plan(settings_of(folder, LLM_URL="off", STT_URL="off", TTS_URL="off"))

    assert "fetcher" not in [program.name for program in programs]
    assert "MODELS_SOCKET" not in environment


@pytest.mark.parametrize(
    ("environment", "found"),
    [({}, True), ({"HOST": "0.0.0.0"}, True), ({"HOST": "0.0.0.0", "MDNS": "0"}, False)],
)
def test_the_announcer_runs_unless_it_is_switched_off(folder: Path, environment: dict[str, str], found: bool) -> None:
    programs = plan(settings_of(folder, REDIS_URL="redis://elsewhere", SERVICE_TOKEN="secret", **environment))[0]

    announcer = [program for program in programs if program.name == "announcer"]
    assert len(announcer) == (1 if found else 0)
    assert all("SERVICE_TOKEN" in program.hidden for program in announcer)


def test_our_own_engines_listen_on_no_port(folder: Path) -> None:
    environment = plan(settings_of(folder, REDIS_URL="redis://elsewhere"))[1]

    sockets = {name: environment[f"{name}_SOCKET"] for name in ("LLM", "STT", "TTS")}
    assert [name for name in environment if name in ("LLM_PORT", "STT_PORT", "TTS_PORT")] == []
    assert {str(Path(path).parent) for path in sockets.values()} == {str(control_socket(settings_of(folder)).parent)}


def test_names_no_model_to_our_own_engine(folder: Path) -> None:
    elsewhere = {"STT_URL": "off", "TTS_URL": "off", "REDIS_URL": "redis://elsewhere"}

    own = plan(settings_of(folder, LLM_MODEL="mine.gguf", **elsewhere))[1]
    foreign = plan(settings_of(folder, LLM_MODEL="llama3", LLM_URL="http://elsewhere:1", **elsewhere))[1]

    assert "LLM_MODEL" not in own
    assert foreign["LLM_MODEL"] == "llama3"


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
def test_ignores_the_machine_names_found_for_containers(folder: Path) -> None:
    (folder / ".env").write_text("MACHINE_NAMES=box,192.168.1.5 # written by make for docker compose\n")

    _, environment = plan(settings_of(folder))

    assert "MACHINE_NAMES" not in environment


def test_redis_is_private_and_keeps_everything(folder: Path) -> None:
    environment = plan(settings_of(folder, LLM_URL="off", STT_URL="off", TTS_URL="off"))[1]

    written = folder / "data" / "run" / "redis.conf"
    lines = dict(line.split(" ", 1) for line in written.read_text().splitlines())
    assert written.stat().st_mode & 0o077 == 0
    assert lines["bind"] == "127.0.0.1"
    assert lines["appendonly"] == "yes"
    assert lines["maxmemory-policy"] == "noeviction"
    assert environment["REDIS_URL"] == f"redis://:{lines['requirepass']}@127.0.0.1:{lines['port']}"


def test_only_our_own_processes_see_secrets(folder: Path) -> None:
    settings = settings_of(folder, SERVICE_TOKEN="s3cret", REDIS_URL="redis://elsewhere")

    configuration = supervisor_configuration(settings, plan(settings)[0], Path("/tmp/s"))

    commands = {
        section.split("]")[0]: next(line for line in section.splitlines() if line.startswith("command="))
        for section in configuration.split("[program:")[1:]
    }
    hiding = {name for name, command in commands.items() if "--without SERVICE_TOKEN,LLM_API_KEY" in command}
    assert set(commands) - hiding == {"api", "worker"}
    assert "--without SERVICE_TOKEN --" in commands["worker"]
    assert "s3cret" not in configuration


def test_recordings_and_the_fallback_voice_have_their_programs(folder: Path) -> None:
    elsewhere = {"LLM_URL": "off", "STT_URL": "off", "TTS_URL": "off", "REDIS_URL": "redis://elsewhere"}

    found = plan(settings_of(folder, **elsewhere))[1]
    chosen = plan(settings_of(folder, FFMPEG="/opt/ffmpeg", ESPEAK="/opt/espeak-ng", **elsewhere))[1]

    assert os.access(found["FFMPEG"], os.X_OK)
    assert Path(found["FFMPEG"]).is_absolute()
    assert found["ESPEAK"] == (shutil.which("espeak-ng") or "espeak-ng")
    assert (chosen["FFMPEG"], chosen["ESPEAK"]) == ("/opt/ffmpeg", "/opt/espeak-ng")


def test_a_taken_port_moves_to_a_free_one() -> None:
    with listener() as busy:
        port = busy.getsockname()[1]

        chosen = free_port(port, set())

    assert chosen != port


def test_no_port_is_given_twice() -> None:
    taken: set[int] = set()

    ports = [free_port(38123, taken) for _ in range(5)]

    assert len(set(ports)) == 5


def test_the_apis_port_never_moves() -> None:
    with listener() as busy:
        port = busy.getsockname()[1]

        with pytest.raises(SettingsError, match=f"^Port {port} is taken by another program"):
            check_address("127.0.0.1", port)


def test_a_host_that_is_not_ours_is_named() -> None:
    with pytest.raises(SettingsError, match=r'^HOST must be an address of this machine, but is "192\.0\.2\.1"'):
        check_address("192.0.2.1", 0)


def test_no_program_reports_to_its_maker(folder: Path) -> None:
    settings = settings_of(folder, ORT_DISABLE_TELEMETRY="0", REDIS_URL="redis://elsewhere")

    environment = plan(settings)[1]

    assert environment["ORT_DISABLE_TELEMETRY"] == "1"
