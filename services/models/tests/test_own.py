"""The owner's own .gguf file is read, checked, put in place, and renewed when it changes."""

import errno
import os
from pathlib import Path

import pytest
from fetching.errors import FetchError
from fetching.gguf import read_gguf
from fetching.own import find_own_model, place_own_model
from fetching.store import Store
from models_support import Household, gguf


@pytest.fixture
def own(household: Household) -> Path:
    path = household.own / "mine.gguf"
    path.write_bytes(gguf())
    return path


def test_points_the_engine_at_the_owners_file(household: Household, own: Path) -> None:
    outcome = household.fetch("--kinds", "llm", LLM_MODEL="mine.gguf")

    assert outcome.code == 0
    assert household.selection()["models"] == {
        "llm": {
            "id": "mine.gguf",
            "name": "Our own",
            "file": "store/own/mine.gguf",
            "context": 2048,
            "slots": 2,
            "tools": True,
            "licence": "unknown",
        }
    }
    assert (household.models / "llm.gguf").read_bytes() == own.read_bytes()


def test_accepts_an_absolute_path(household: Household, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.gguf"
    elsewhere.write_bytes(gguf())

    outcome = household.fetch("--kinds", "llm", LLM_MODEL=str(elsewhere))

    assert outcome.code == 0
    assert household.selection()["models"]["llm"]["id"] == "elsewhere.gguf"


def test_reads_a_changed_file_again(household: Household, own: Path) -> None:
    household.fetch("--kinds", "llm", LLM_MODEL="mine.gguf")
    # Another file under the same name, as editors and copies make it.
    replacement = own.with_suffix(".new")
    replacement.write_bytes(gguf(context=1024))
    replacement.replace(own)

    household.fetch("--kinds", "llm", LLM_MODEL="mine.gguf")

    assert household.selection()["models"]["llm"]["context"] == 1024
    assert (household.models / "llm.gguf").read_bytes() == own.read_bytes()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("none.gguf", "LLM_MODEL=none.gguf: there is no such file ("),
        ("../mine.gguf", "LLM_MODEL=../mine.gguf must be the bare name of a file in your own models' folder"),
    ],
)
def test_reports_the_searched_folders(household: Household, own: Path, name: str, sentence: str) -> None:
    outcome = household.fetch("--kinds", "llm", LLM_MODEL=name)

    assert outcome.code == 1
    assert outcome.error.startswith(sentence)


def test_copies_without_hard_links(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EXDEV, "another file system")

    store = Store(tmp_path / "models")
    store.prepare()
    monkeypatch.setattr(os, "link", refuse)
    copied: list[int] = []
    said: list[str] = []

    target = place_own_model(find_own_model("mine.gguf", own.parent), store, copied.append, said.append)

    assert target.read_bytes() == own.read_bytes()
    assert target.stat().st_ino != own.stat().st_ino
    assert copied[-1] == own.stat().st_size
    assert said == ["Copying mine.gguf into the models folder."]


@pytest.mark.parametrize(
    ("template", "tools"),
    [("{% if tools %}{{ tools }}{% endif %}", True), ("{{ messages }}", False), ("{# toolset #}", False)],
)
def test_detects_tool_support_in_the_template(tmp_path: Path, template: str, tools: bool) -> None:
    (tmp_path / "a.gguf").write_bytes(gguf(template=template))

    summary = read_gguf(tmp_path / "a.gguf")

    assert (summary.name, summary.context_tokens, summary.tools) == ("Our own", 2048, tools)


WHOLE = gguf()
DAMAGED = {
    "it does not begin with the letters GGUF": b"GGML" + WHOLE[4:],
    "its format version is not known here": WHOLE[:4] + b"\x09\0\0\0" + WHOLE[8:],
    "it ends in the middle of its header": WHOLE[:150],
    "its header is implausibly large": WHOLE[:16] + b"\xff" * 8 + WHOLE[24:],
    "it is cut off: weights are missing at its end": WHOLE[:-40],
}


@pytest.mark.parametrize("sentence", DAMAGED)
def test_refuses_an_incomplete_model(tmp_path: Path, sentence: str) -> None:
    (tmp_path / "a.gguf").write_bytes(DAMAGED[sentence])

    with pytest.raises(FetchError) as caught:
        read_gguf(tmp_path / "a.gguf")

    assert str(caught.value) == f"a.gguf is not a usable GGUF model: {sentence}."


def test_refuses_a_text_that_claims_to_be_endless(tmp_path: Path) -> None:
    claimed = WHOLE.replace((len("Our own")).to_bytes(8, "little") + b"Our own", b"\xff" * 7 + b"\0" + b"Our own")
    (tmp_path / "a.gguf").write_bytes(claimed)

    with pytest.raises(FetchError, match="its header is implausibly large"):
        read_gguf(tmp_path / "a.gguf")
