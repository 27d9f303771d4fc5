"""Progress for people and for the api, written at a limited rate."""

import io
import json
from itertools import pairwise
from pathlib import Path

import pytest
from fetching.catalog_file import parse_catalog
from fetching.progress import Progress
from models_support import catalog

MODEL = parse_catalog(catalog()).models["small-llm"]


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock() -> Clock:
    return Clock()


def download(progress: Progress, clock: Clock, seconds: float, steps: int) -> None:
    progress.expect([MODEL])
    progress.model(MODEL.id, "downloading")
    for step in range(1, steps + 1):
        clock.now += seconds / steps
        progress.moved(MODEL.id, MODEL.size_bytes * step // steps)


def test_prints_a_line_every_few_seconds_without_a_terminal(tmp_path: Path, clock: Clock) -> None:
    out = io.StringIO()

    download(Progress(tmp_path / "progress.json", out, clock), clock, seconds=12, steps=12)

    assert out.getvalue().splitlines() == [
        "Small LLM: have 167 kB of 400 kB (41 %), 33 kB/s, 7 s left",
        "Small LLM: have 333 kB of 400 kB (83 %), 33 kB/s, 2 s left",
    ]


def test_draws_a_bar_on_a_terminal(tmp_path: Path, clock: Clock) -> None:
    out = Terminal()
    progress = Progress(tmp_path / "progress.json", out, clock)

    download(progress, clock, seconds=4, steps=4)
    progress.say("Done.")

    assert "\r\033[K[############............] Small LLM: have 200 kB of 400 kB (50 %)" in out.getvalue()
    assert out.getvalue().endswith("\r\033[KDone.\n")


def test_writes_at_most_four_times_a_second(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[float] = []
    monkeypatch.setattr("fetching.progress.write_json", lambda *_: written.append(clock.now))

    download(Progress(tmp_path / "progress.json", io.StringIO(), clock), clock, seconds=10, steps=5000)

    assert len(written) > 30
    assert min(later - earlier for earlier, later in pairwise(written)) >= 0.25


def test_writes_the_reason_of_a_failed_model_to_the_file(tmp_path: Path, clock: Clock) -> None:
    progress = Progress(tmp_path / "progress.json", io.StringIO(), clock)
    progress.expect([MODEL])

    progress.model(MODEL.id, "failed", reason="no hub")
    progress.finish("failed", "Nothing can be had.")

    content = json.loads((tmp_path / "progress.json").read_text())
    assert (content["state"], content["note"]) == ("failed", "Nothing can be had.")
    assert [(row["id"], row["state"], row["reason"]) for row in content["models"]] == [
        ("small-llm", "failed", "no hub")
    ]
