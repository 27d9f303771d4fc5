from pathlib import Path

import pytest
from stt_server.settings import SettingsError, cores_of_quota, read_settings


def test_needs_only_the_folder():
    settings = read_settings({"STT_MODEL_DIR": "/models/stt"})

    assert (settings.model_dir, settings.host, settings.port) == (Path("/models/stt"), "127.0.0.1", 8000)
    assert (settings.device, settings.compute_type, settings.language) == ("auto", None, None)


def test_an_empty_variable_counts_as_not_set():
    settings = read_settings({"STT_MODEL_DIR": "m", "STT_DEVICE": "", "STT_QUEUE": " ", "STT_LANGUAGE": "auto"})

    assert (settings.device, settings.queue_limit, settings.language) == ("auto", 32, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("STT_MODEL_DIR", ""),
        ("STT_PORT", "70000"),
        ("STT_PORT", "http"),
        ("STT_THREADS", "0"),
        ("STT_THREADS", "1.5"),
        ("STT_DEVICE", "gpu"),
        ("STT_QUEUE", "none"),
        ("STT_MAX_SECONDS", "nan"),
        ("LOG_LEVEL", "loud"),
    ],
)
def test_a_wrong_value_is_refused_by_name(name, value):
    with pytest.raises(SettingsError, match=name):
        read_settings({"STT_MODEL_DIR": "m", name: value})


def test_accepts_the_log_levels_of_the_api():
    assert read_settings({"STT_MODEL_DIR": "m", "LOG_LEVEL": "warn"}).log_level == "warning"


def test_threads_follow_a_containers_quota():
    assert [cores_of_quota(text, 8) for text in ("max", "max 100000", "150000 100000", "50000 100000")] == [8, 8, 2, 1]


@pytest.mark.parametrize(("tag", "language"), [("nb", "no"), ("nb-NO", "no"), ("pt-BR", "pt-BR"), ("de", "de")])
def test_norwegian_has_its_name_in_whisper(tag: str, language: str) -> None:
    assert read_settings({"STT_MODEL_DIR": "m", "STT_LANGUAGE": tag}).language == language


def test_has_no_default_language_in_a_household_of_several() -> None:
    assert read_settings({"STT_MODEL_DIR": "m", "STT_LANGUAGE": "de, en"}).language is None
