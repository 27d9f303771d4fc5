"""A graphics card that fails, with CTranslate2's own words from an H200. No card and no model is needed."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from stt_server.errors import ApiError
from stt_server.model import LoadedModel, Model
from stt_server.settings import Settings
from stt_server.sound import Sound
from stt_server.transcription_options import TranscriptionOptions
from stt_support import RunningServer, spoken, wav_bytes

ILLEGAL_ACCESS = "CUDA failed with error an illegal memory access was encountered"
NO_MEMORY = "CUDA failed with error out of memory"
NO_MEMORY_FOR_CUBLAS = "cuBLAS failed with status CUBLAS_STATUS_ALLOC_FAILED"
NO_MEMORY_FOR_THRUST = "parallel_for failed: cudaErrorMemoryAllocation: out of memory"

SERVER_WITH_A_FAILING_CARD = f"""
import sys
from types import SimpleNamespace
from stt_server import model
from stt_server.__main__ import main

def steps(sound, options):
    yield
    raise RuntimeError("{ILLEGAL_ACCESS}")

whisper, transcriber = SimpleNamespace(is_multilingual=False), SimpleNamespace(steps=steps)
model.load_model = lambda settings: model.LoadedModel(whisper, transcriber, "cuda", "float16", None)
sys.exit(main())
"""


def loaded_on(device: str, failure: Exception) -> LoadedModel:
    def steps(sound: Sound, options: TranscriptionOptions):
        yield
        raise failure

    stand_in: Any = SimpleNamespace(steps=steps)
    return LoadedModel(stand_in, stand_in, device, "float16", None)


def run_to_its_end(model: Model, loaded: LoadedModel) -> None:
    sound: Any = None
    for _ in model.steps(loaded, sound, TranscriptionOptions()):
        pass


@pytest.mark.parametrize("words", [ILLEGAL_ACCESS, NO_MEMORY, NO_MEMORY_FOR_CUBLAS, NO_MEMORY_FOR_THRUST])
def test_a_failing_card_is_reported_and_the_caller_may_try_again(words: str):
    reports: list[ApiError] = []
    model = Model(Settings(model_dir=Path("model")), reports.append)

    with pytest.raises(ApiError) as caught:
        run_to_its_end(model, loaded_on("cuda", RuntimeError(words)))

    assert reports == [caught.value]
    assert (caught.value.status, caught.value.code, caught.value.retry_after_s) == (503, "model_not_ready", 2)
    assert (model.state, model.reason) == ("failed", f"The graphics card failed ({words}).")


@pytest.mark.parametrize(
    ("device", "failure"),
    [
        ("cuda", RuntimeError("No position encodings are defined for positions >= 448")),
        ("cuda", ValueError("an input is invalid")),
        ("cpu", RuntimeError("failed to allocate memory")),
    ],
)
def test_another_error_is_the_failure_of_one_request(device: str, failure: Exception):
    model = Model(Settings(model_dir=Path("model")), pytest.fail)

    with pytest.raises(type(failure), match=str(failure)):
        run_to_its_end(model, loaded_on(device, failure))

    assert model.state == "loading"


def test_the_server_ends_when_its_card_fails(tmp_path: Path):
    question = wav_bytes(spoken("weather"))
    with RunningServer(tmp_path, program=("-c", SERVER_WITH_A_FAILING_CARD)) as server:
        server.wait_until_ready()
        with ThreadPoolExecutor(2) as callers:
            answers = [caller.result() for caller in [callers.submit(server.transcribe, question) for _ in range(2)]]

        for answer in answers:
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "model_not_ready")
            assert answer.json()["error"]["message"].startswith(f"The graphics card failed ({ILLEGAL_ACCESS}).")
        assert server.process.wait(60) == 1
        assert server.log().endswith(
            "The graphics card failed, so the server ends. A new process can use the card again.\n"
        )


class WhisperStandIn(SimpleNamespace):
    """Unlike its base, it can be watched until it is freed."""


SIZES = {"float16": 3, "int8_float16": 2}


class Card:
    """CTranslate2 on a card with room for models of some size; a CPU takes any number."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, room: int, types: Sequence[str] = ("float16",)) -> None:
        self.room = room
        self.now = 1000.0
        self.attempts = 0
        self.failure: Exception = RuntimeError(NO_MEMORY)
        monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: 1)
        monkeypatch.setattr("ctranslate2.get_supported_compute_types", lambda device: set(types))
        monkeypatch.setattr("stt_server.model.Whisper", self._load)
        monkeypatch.setattr("stt_server.model.warm_up", lambda transcriber: None)
        monkeypatch.setattr("time.monotonic", lambda: self.now)

    def _load(self, folder: Path, *, device: str, compute_type: str, threads: int) -> WhisperStandIn:
        model = WhisperStandIn(is_multilingual=False, compute_type=compute_type)
        if device == "cuda":
            self.attempts += 1
            size = SIZES[compute_type]
            if self.room < size:
                raise self.failure
            self.room -= size
            weakref.finalize(model, self._free, size)
        return model

    def _free(self, size: int) -> None:
        self.room += size


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for model in ("first", "second"):
        (tmp_path / model).mkdir()
        for name in ("model.bin", "config.json", "tokenizer.json"):
            (tmp_path / model / name).touch()
    choose(tmp_path / "stt", "first")
    return tmp_path / "stt"


def choose(link: Path, name: str) -> None:
    link.unlink(missing_ok=True)
    link.symlink_to(name)


@pytest.mark.parametrize("failure", [NO_MEMORY, NO_MEMORY_FOR_CUBLAS, NO_MEMORY_FOR_THRUST])
def test_the_model_moves_to_the_card_when_that_has_memory_again(folder: Path, monkeypatch, failure: str):
    card = Card(monkeypatch, room=0)
    card.failure = RuntimeError(failure)
    model = Model(Settings(model_dir=folder), pytest.fail)
    model.load()
    assert model.loaded is not None
    assert model.loaded.device == "cpu"
    assert model.loaded.note == (
        f"STT_DEVICE is auto and the graphics card cannot be used ({failure}): transcribing on the CPU."
    )
    assert not model.may_return_to_card

    card.now += 300
    assert model.may_return_to_card
    model.return_to_card()
    assert (model.loaded.device, model.state) == ("cpu", "ready")
    assert not model.may_return_to_card

    card.now += 300
    card.room = 3
    model.return_to_card()

    assert (model.loaded.device, model.loaded.note, model.may_return_to_card) == ("cuda", None, False)


def test_a_new_model_moves_to_the_card_once_the_old_one_has_left_it(folder: Path, monkeypatch):
    card = Card(monkeypatch, room=3)
    model = Model(Settings(model_dir=folder), pytest.fail)
    model.load()
    assert model.loaded is not None
    assert model.loaded.device == "cuda"

    choose(folder, "second")
    model.load()
    assert (model.id, model.loaded.device, card.room) == ("second", "cpu", 3)
    assert model.may_return_to_card
    model.return_to_card()

    assert (model.id, model.loaded.device, model.loaded.note) == ("second", "cuda", None)


def test_a_card_without_its_library_is_not_tried_again(folder: Path, monkeypatch):
    card = Card(monkeypatch, room=0)
    card.failure = RuntimeError("Library libcublas.so.12 is not found or cannot be loaded")
    model = Model(Settings(model_dir=folder), pytest.fail)
    model.load()

    card.now += 10_000

    assert (card.attempts, model.may_return_to_card) == (1, False)


@pytest.mark.parametrize(
    ("types", "device", "compute_type"),
    [(["float16", "int8_float16"], "cuda", "int8_float16"), (["float16"], "cpu", "int8")],
)
def test_a_card_with_little_memory_takes_the_model_in_a_smaller_type(
    folder: Path, monkeypatch, types: list[str], device: str, compute_type: str
):
    Card(monkeypatch, room=2, types=types)

    model = Model(Settings(model_dir=folder), pytest.fail)
    model.load()

    assert model.loaded is not None
    assert (model.loaded.device, model.loaded.compute_type) == (device, compute_type)


def test_keeps_a_requested_compute_type(folder: Path, monkeypatch):
    Card(monkeypatch, room=2, types=["float16", "int8_float16"])

    model = Model(Settings(model_dir=folder, device="cuda", compute_type="float16"), pytest.fail)
    model.load()

    assert (model.state, model.loaded) == ("failed", None)
