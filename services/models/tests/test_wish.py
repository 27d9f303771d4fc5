"""The household's language decides which speech recognition a size brings."""

from pathlib import Path

import pytest
from fetching.catalog_file import load_catalog
from fetching.wish import read_wish

CATALOG = load_catalog(Path(__file__).parents[1] / "models.json")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"MODELS": "small"}, "whisper-base.en"),
        ({"MODELS": "small", "HEARTH_LANGUAGE": "en-GB"}, "whisper-base.en"),
        ({"MODELS": "small", "HEARTH_LANGUAGE": "de"}, "whisper-small"),
        ({"MODELS": "tiny", "HEARTH_LANGUAGE": "DE_at"}, "whisper-small"),
        ({"MODELS": "small", "HEARTH_LANGUAGE": "en, de"}, "whisper-small"),
        ({"MODELS": "small", "HEARTH_LANGUAGE": "en,en-GB"}, "whisper-base.en"),
        ({"MODELS": "large", "HEARTH_LANGUAGE": "de"}, "whisper-large-v3-turbo"),
        ({"HEARTH_LANGUAGE": "de", "STT_MODEL": "whisper-base.en"}, "whisper-base.en"),
    ],
)
def test_transcribes_the_language_of_the_household(environment: dict[str, str], expected: str) -> None:
    wish = read_wish(environment, ("stt",), CATALOG, None)

    assert wish.models["stt"].id == expected
    assert wish.named["stt"] == expected
