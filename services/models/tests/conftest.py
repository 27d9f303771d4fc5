import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_hub import FakeHub
from models_support import Household, serve_all

# The tests read the English messages of the terminal.
os.environ["LANGUAGE"] = "en"


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    fake = FakeHub()
    serve_all(fake)
    yield fake
    fake.close()


@pytest.fixture
def household(tmp_path: Path, hub: FakeHub) -> Household:
    return Household(tmp_path, hub.url)
