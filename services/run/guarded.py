"""Wraps every command in guard.py."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

#: Settings that the engines and Redis must not see.
SECRETS = "SERVICE_TOKEN,LLM_API_KEY,HOME_ASSISTANT_TOKEN,BACKUP_PASSPHRASE"
GUARD = Path(__file__).with_name("guard.py")


def guarded(command: Sequence[str], hidden: str = "", pace: Path | None = None) -> list[str]:
    """Returns the command under guard.py: it ends with its parent and does not see the hidden variables.

    `pace` is the file that counts how often it ended.
    """
    without = ("--without", hidden) if hidden else ()
    paced = ("--pace", str(pace)) if pace else ()
    return [sys.executable, "-I", "-S", str(GUARD), *without, *paced, "--", *command]
