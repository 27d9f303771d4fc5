"""Finds a `llama-server` on the PATH and runs it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import NoReturn

from .options import server_command
from .say import say
from .settings import Settings

_ANSWER_WAIT_S = 10


def find_llama_server(settings: Settings) -> str | None:
    """The faster `llama-server` on the PATH, built for this machine; None if it fails or is too old."""
    program = shutil.which("llama-server")
    if program is None:
        return None
    try:
        _asked(program, "--version")
        known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", _asked(program, "--help")))
    except (OSError, subprocess.SubprocessError):
        say(f"{program} does not answer `--version`, so the server from the xllamacpp package is used.")
        return None
    unknown = [word for word in server_command(program, settings)[1:] if word.startswith("-") and word not in known]
    if unknown:
        say(f"{program} does not know {unknown[0]}, so the server from the xllamacpp package is used.")
        return None
    return program


def _asked(program: str, question: str) -> str:
    answer = subprocess.run(
        [program, question],
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_ANSWER_WAIT_S,
    )
    return answer.stdout + answer.stderr


def run_program(command: Sequence[str]) -> NoReturn:
    """Replaces this process, so that signals reach the server directly and no Python stays in memory."""
    sys.stdout.flush()
    os.execv(command[0], list(command))
