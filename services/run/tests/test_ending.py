"""The children of a process are found in any state of their parents."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ending import descendants

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell who runs below whom")

# Its first thread ends while another lives on: the kernel shows a zombie that still has a child.
ENDING_SLOWLY = """
import ctypes, subprocess, threading, time
threading.Thread(target=lambda: time.sleep(600)).start()
print(subprocess.Popen(["sleep", "600"]).pid, flush=True)
ctypes.CDLL(None).pthread_exit(None)
"""


def test_finds_the_child_of_a_program_that_is_still_ending() -> None:
    with subprocess.Popen([sys.executable, "-c", ENDING_SLOWLY], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        child = int(program.stdout.readline())
        try:
            wait_for_zombie(program.pid)

            assert {program.pid, child} <= descendants()
        finally:
            os.kill(child, signal.SIGKILL)
            program.kill()


def wait_for_zombie(process: int) -> None:
    deadline = time.monotonic() + 20
    while Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < deadline, "its first thread has not ended"
        time.sleep(0.02)
