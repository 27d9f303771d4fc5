import json
import logging
from pathlib import Path

import pytest
from stt_server.model import Model, ModelError, check_files, load_model, model_id_of
from stt_server.settings import Settings


def test_the_selection_beside_the_folder_names_the_model(tmp_path: Path):
    (tmp_path / "selection.json").write_text(json.dumps({"models": {"stt": {"id": "whisper-tiny.en"}}}))

    assert model_id_of(tmp_path / "stt") == "whisper-tiny.en"


@pytest.mark.parametrize("selection", ["", "[]", "{}", '{"models": {"stt": null}}', '{"models": {"stt": {"id": 5}}}'])
def test_without_a_usable_selection_the_folder_names_it(tmp_path: Path, selection: str):
    (tmp_path / "selection.json").write_text(selection)
    (tmp_path / "store" / "whisper-base").mkdir(parents=True)
    (tmp_path / "stt").symlink_to("store/whisper-base")

    assert model_id_of(tmp_path / "stt") == "whisper-base"


def test_a_missing_file_is_named_and_nothing_is_fetched(tmp_path: Path):
    (tmp_path / "model.bin").touch()
    (tmp_path / "config.json").touch()

    with pytest.raises(ModelError, match=r"has no tokenizer\.json"):
        check_files(tmp_path)


def test_a_damaged_model_is_a_sentence_without_a_path(tmp_path: Path):
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).write_text("{}")

    model = Model(Settings(model_dir=tmp_path, device="cpu"), pytest.fail)
    model.load()

    assert model.state == "failed"
    assert model.reason is not None
    assert model.reason.startswith("The model does not load:")
    assert str(tmp_path) not in model.reason


@pytest.mark.engine
@pytest.mark.parametrize("damage", ["", "{}", "not json"])
def test_a_damaged_tokenizer_is_a_failure_too(model_dir: Path, tmp_path: Path, damage: str):
    for file in model_dir.iterdir():
        (tmp_path / file.name).symlink_to(file.resolve())
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "tokenizer.json").write_text(damage)

    with pytest.raises(ModelError, match="does not load"):
        load_model(Settings(model_dir=tmp_path, device="cpu"))


@pytest.mark.engine
def test_features_of_another_model_are_a_failure(model_dir: Path, tmp_path: Path):
    for file in model_dir.iterdir():
        if file.is_file():
            (tmp_path / file.name).symlink_to(file.resolve())
    (tmp_path / "preprocessor_config.json").write_text('{"feature_size": 128}')

    with pytest.raises(ModelError, match="preprocessor_config"):
        load_model(Settings(model_dir=tmp_path, device="cpu"))


@pytest.mark.engine
def test_auto_logs_its_fallback(model_dir: Path, monkeypatch, caplog):
    # This looks like a machine whose card lacks its libraries: loading on the card fails.
    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: 1)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with caplog.at_level(logging.WARNING):
        loaded = load_model(Settings(model_dir=model_dir, device="auto", compute_type="float16"))

    assert loaded.device == "cpu"
    assert loaded.note is not None
    assert loaded.note.startswith("STT_DEVICE is auto and ")
    assert loaded.note in caplog.text


@pytest.mark.engine
def test_a_requested_card_that_is_missing_is_a_failure(model_dir: Path, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")

    with pytest.raises(ModelError, match="does not load"):
        load_model(Settings(model_dir=model_dir, device="cuda"))


# CTranslate2's answers for Volta and newer, for the GTX 10 series (6.1), and for the P100 (6.0).
@pytest.mark.parametrize(
    ("supported", "chosen"),
    [
        ({"float32", "float16", "bfloat16", "int8", "int8_float16", "int8_float32", "int8_bfloat16"}, "float16"),
        ({"float32", "int8", "int8_float32"}, "int8_float32"),
        ({"float32"}, "float32"),
    ],
)
def test_a_card_computes_in_the_fastest_type_it_has(tmp_path: Path, monkeypatch, supported: set[str], chosen: str):
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).touch()
    monkeypatch.setattr("ctranslate2.get_supported_compute_types", lambda device: supported)
    kinds: list[str] = []

    def stand_in(folder: Path, *, device: str, compute_type: str, threads: int):
        kinds.append(compute_type)
        raise RuntimeError("there is no card here")

    monkeypatch.setattr("stt_server.model.Whisper", stand_in)

    with pytest.raises(ModelError, match=r"^The model does not load: there is no card here\.$"):
        load_model(Settings(model_dir=tmp_path, device="cuda"))
    assert kinds == [chosen]


def test_a_reason_that_is_a_sentence_keeps_one_full_stop(tmp_path: Path, monkeypatch):
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).touch()

    def stand_in(folder: Path, *, device: str, compute_type: str, threads: int):
        # CTranslate2's own words for int16 on an H200.
        raise ValueError(
            "Requested int16 compute type, but the target device or backend do not support efficient int16 computation."
        )

    monkeypatch.setattr("stt_server.model.Whisper", stand_in)

    with pytest.raises(ModelError, match=r"[^.]\.$"):
        load_model(Settings(model_dir=tmp_path, device="cuda", compute_type="int16"))


@pytest.mark.engine
def test_a_compute_type_that_does_not_exist_is_a_failure(model_dir: Path):
    with pytest.raises(ModelError, match="does not load"):
        load_model(Settings(model_dir=model_dir, device="cpu", compute_type="int3"))


@pytest.mark.engine
def test_another_model_replaces_the_first_if_it_works(model_dir: Path, tmp_path: Path):
    for name in ("first", "second"):
        (tmp_path / "store" / name).mkdir(parents=True)
        for file in model_dir.iterdir():
            if file.is_file():
                (tmp_path / "store" / name / file.name).symlink_to(file.resolve())
    (tmp_path / "store" / "broken").mkdir()

    def choose(name: str) -> None:
        (tmp_path / ".link").symlink_to(f"store/{name}")
        (tmp_path / ".link").replace(tmp_path / "stt")

    choose("first")
    model = Model(Settings(model_dir=tmp_path / "stt", device="cpu"), pytest.fail)
    model.load()
    first = model.loaded
    assert (model.id, model.state, model.has_moved) == ("first", "ready", False)

    choose("broken")
    assert model.has_moved
    model.load()
    assert (model.id, model.state, model.loaded) == ("first", "ready", first)
    assert model.reason is not None
    assert "has no model.bin" in model.reason
    # It is not tried again and again.
    assert not model.has_moved

    choose("second")
    model.load()
    assert (model.id, model.state, model.reason) == ("second", "ready", None)
    assert model.loaded is not first
