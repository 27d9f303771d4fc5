"""Wraps every command in guard.py."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

#: Settings that the engines and Redis must not see.
SECRETS = "SERVICE_TOKEN,LLM_API_KEY,HOME_ASSISTANT_TOKEN"
GUARD = Path(__file__).with_name("guard.py")


def guarded(command: Sequence[str], hidden: str = "") -> list[str]:
    """The command under guard.py: it ends with its parent and does not see the hidden variables."""
    without = ("--without", hidden) if hidden else ()
    return [sys.executable, "-I", "-S", str(GUARD), *without, "--", *command]
