"""The sources of `make run`'s settings, and its messages about unusable ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from settings import SettingsError, read_env_file, read_settings, write_private


def test_the_environment_wins_over_the_files(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MODELS=tiny\nTZ=Europe/Berlin\nLOG_LEVEL=info\n")
    (tmp_path / "secrets.env").write_text("SERVICE_TOKEN=kept\nLOG_LEVEL=warn\n")

    settings = read_settings(tmp_path, {"MODELS": "large"})

    assert dict(settings.environment) == {
        "MODELS": "large",
        "TZ": "Europe/Berlin",
        "LOG_LEVEL": "warn",
        "SERVICE_TOKEN": "kept",
    }


def test_an_empty_value_means_not_set(tmp_path: Path) -> None:
    (tmp_path / "secrets.env").write_text("SERVICE_TOKEN=kept\nLLM_API_KEY=\n")

    settings = read_settings(tmp_path, {"SERVICE_TOKEN": "", "TZ": ""})

    assert dict(settings.environment) == {"SERVICE_TOKEN": "kept"}


def test_starts_everything_by_itself_without_settings(tmp_path: Path) -> None:
    settings = read_settings(tmp_path, {})

    assert (settings.host, settings.port) == ("127.0.0.1", 8765)
    assert settings.engines == ("llm", "stt", "tts")
    assert settings.own_redis is True
    assert settings.data_dir == tmp_path / "data"


def test_starts_no_engine_that_is_remote_or_off(tmp_path: Path) -> None:
    environment = {"LLM_URL": "http://127.0.0.1:11434", "TTS_URL": "off", "REDIS_URL": "redis://127.0.0.1"}

    settings = read_settings(tmp_path, environment)

    assert settings.engines == ("stt",)
    assert settings.own_redis is False


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1", "80 80"])
def test_a_bad_port_is_named(tmp_path: Path, port: str) -> None:
    with pytest.raises(SettingsError, match=r"^PORT must be a port number from 1 to 65535"):
        read_settings(tmp_path, {"PORT": port})


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("NAME=plain", "plain"),
        ("  export NAME = spaced ", "spaced"),
        ("NAME='single # kept'", "single # kept"),
        ('NAME="double" # note', "double"),
        ("NAME=bare # note", "bare"),
        ("NAME=with#hash", "with#hash"),
        ("NAME=a=b=c", "a=b=c"),
        ("NAME=", ""),
        ('NAME="" # nothing but a note', ""),
        ("NAME='$x'# note with $y", "$x"),
        ("NAME=it's", "it's"),
    ],
)
def test_reads_a_line_as_compose_does(tmp_path: Path, line: str, value: str) -> None:
    file = tmp_path / "secrets.env"
    file.write_text(f"# a note\n\n{line}\n")

    assert read_env_file(file) == {"NAME": value}


def test_reports_a_line_that_is_not_a_setting_without_its_content(tmp_path: Path) -> None:
    file = tmp_path / "secrets.env"
    file.write_text("# a note\nsecret-without-a-name\n")

    with pytest.raises(SettingsError, match=r"^secrets\.env, line 2: expected NAME=value\.$"):
        read_env_file(file)


UNLIKE_COMPOSE = (
    *("pa$$word", "${HOME}/x", "$", "a#$b", '"pa$word"', r'"a\"b"', r"'it\'s'"),
    *('"open', "'open", '"a"b', "'a' b", '"a" $b', "#x", "# note", "a\t# note"),
)


@pytest.mark.parametrize("value", UNLIKE_COMPOSE)
def test_a_value_that_docker_compose_reads_differently_is_refused(tmp_path: Path, value: str) -> None:
    file = tmp_path / "secrets.env"
    file.write_text(f"# a note\nTOKEN={value}\n")

    with pytest.raises(SettingsError, match=r"^secrets\.env, line 2: put the value of TOKEN into single quotes, "):
        read_env_file(file)


@pytest.mark.parametrize(
    ("written", "value"), [("'pa$$word'", "pa$$word"), ("plain # costs $5", "plain"), (r"a\b", r"a\b")]
)
def test_keeps_other_values_unchanged(tmp_path: Path, written: str, value: str) -> None:
    file = tmp_path / "secrets.env"
    file.write_text(f"TOKEN={written}\n")

    assert read_env_file(file) == {"TOKEN": value}


def test_only_the_owner_can_read_private_files(tmp_path: Path) -> None:
    file = tmp_path / "private"
    file.write_text("old")
    file.chmod(0o644)

    write_private(file, "new")

    assert (file.read_text(), oct(file.stat().st_mode & 0o777)) == ("new", "0o600")
