"""A fetch that is interrupted leaves nothing incomplete in place, and the next one continues it."""

import fcntl
import signal
import subprocess
from pathlib import Path

import pytest
from fake_hub import REVISION, FakeHub
from models_support import SMALL, Household, finish, served, wait_for

CDN_SMALL = f"cdn/acme/small-llm/resolve/{REVISION}/small.gguf"


def test_resumes_after_each_broken_connection_in_one_run(household: Household, hub: FakeHub) -> None:
    served(hub, "small.gguf").cut_after = 150_000

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 0, outcome.error
    assert household.stored("small-llm/small.gguf") == SMALL
    asked = hub.ranges(CDN_SMALL)
    assert asked == [None, "bytes=150000-", "bytes=300000-"]


def test_starts_over_when_the_server_ignores_ranges(household: Household, hub: FakeHub) -> None:
    file = served(hub, "small.gguf")
    file.ignores_ranges = True
    household.models.mkdir()
    household.partial("small.gguf").parent.mkdir()
    household.partial("small.gguf").write_bytes(SMALL[:100_000])

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 0, outcome.error
    assert household.stored("small-llm/small.gguf") == SMALL


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_resumes_a_stopped_fetch(household: Household, hub: FakeHub, number: int, code: int) -> None:
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


def test_installs_no_incomplete_file_when_stopped(household: Household, hub: FakeHub) -> None:
    served(hub, "small.gguf").hold_after = 100_000
    process = household.start("--kinds", "llm")
    wait_for(hub.holding.is_set)

    process.terminate()
    outcome = finish(process)

    assert outcome.error == "Stopped before all models were in place; the next start continues from here.\n"
    assert list((household.models / "store").rglob("*.gguf")) == []
    assert not (household.models / "llm.gguf").is_symlink()
    assert not (household.models / "selection.json").exists()
    assert household.progress()["state"] == "failed"


def test_stops_pip_too_when_stopped(household: Household, hub: FakeHub) -> None:
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

    assert told == "Another download of models is running; waiting for it to finish.\n"
    assert [outcome.code for outcome in outcomes] == [0, 0]
    assert len([path for method, path, _ in hub.requests if method == "GET" and "/cdn" in path]) == 1
    assert household.stored("small-llm/small.gguf") == SMALL


def test_gives_up_waiting_with_a_sentence(household: Household) -> None:
    household.models.mkdir()
    with (household.models / ".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)

        outcome = household.fetch("--lock-wait", "0.3")

    assert outcome.code == 1
    assert outcome.error.startswith("Another download of models is still running after 0 s")


def test_says_that_the_disk_became_full(household: Household) -> None:
    household.models.mkdir()
    household.partial("small.gguf").parent.mkdir()
    # Every write to this device fails with "no space left", an error of the kernel itself.
    household.partial("small.gguf").symlink_to("/dev/full")

    outcome = household.fetch("--kinds", "llm")

    assert outcome.code == 1
    assert outcome.error == (
        "The disk filled up while downloading Small LLM; no unfinished file is in place. Free some space.\n"
    )
    assert list((household.models / "store").rglob("*.gguf")) == []
    assert household.progress()["state"] == "failed"


def test_reports_the_space_needed_before_the_download(household: Household, hub: FakeHub) -> None:
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
