"""The messages of the programs in Python are those of the terminal's language, as in the scripts."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from fetching.errors import FetchError
from fetching.messages import translations_for

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("environment", "voice"),
    [
        ({}, None),
        ({"LANG": "C.UTF-8", "LANGUAGE": "de"}, None),
        ({"LANG": "de_DE.UTF-8"}, "Stimme"),
        ({"LANG": "en_US.UTF-8"}, None),
        ({"LANG": "../language/de"}, None),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "es_ES.UTF-8"}, "voz"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"}, None),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "pl:fr:es"}, "voix"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "en:de"}, None),
    ],
)
def test_chooses_the_language_of_the_terminal(environment: dict[str, str], voice: str | None) -> None:
    assert translations_for(environment).get("voice") == voice


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl"])
def test_reads_every_text(language: str) -> None:
    file = (ROOT / f"scripts/language/{language}.po").read_text(encoding="utf-8")

    texts = translations_for({"LANG": language})

    assert len(texts) == len(re.findall(r'^msgid "(?!")', file, re.MULTILINE)) > 0
    assert '"%s" no longer has access.' in texts


def test_an_error_is_english_for_the_page() -> None:
    error = FetchError("MODELS=%s is not a known size; it can be %s.", "100%", "tiny")

    assert str(error) == error.told == "MODELS=100% is not a known size; it can be tiny."


def test_fetch_speaks_the_language_of_the_terminal(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, ROOT / "services/models/fetch.py", "--models-dir", tmp_path],
        env={"LANG": "nl_NL.UTF-8", "PYTHONUTF8": "1", "MODELS": "huge"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("MODELS=huge is geen bekende maat; het kan ")
