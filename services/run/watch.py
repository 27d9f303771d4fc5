"""Ends hanging programs, so that the supervisor restarts them: it only notices programs that exit."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from messages import gettext
from signs import Sign

LOOK_EVERY_S = 3.0
#: A program silent for this long has hung for good.
SILENCE_LIMIT_S = 20.0
#: Limit for a program that gave no sign since its start, which may still be in progress.
START_LIMIT_S = 120.0
#: A check never takes longer. Any time beyond it was a suspension of this program or the machine.
LOOK_LIMIT_S = 10.0


@dataclass
class Silence:
    """How long a program has been silent, counted only while this program itself ran."""

    pid: int = 0
    has_signed: bool = False
    seconds: float = 0.0

    def hear(self, sign: bool | None, pid: int, passed_s: float) -> bool:
        """Takes the result of a check. True: the process with this id hangs."""
        if pid != self.pid:
            self.pid, self.has_signed, self.seconds = pid, False, 0.0
        elif sign is not False:
            self.has_signed = self.has_signed or sign is True
            self.seconds = 0.0
        else:
            self.seconds += min(passed_s, LOOK_LIMIT_S)
        return pid != 0 and self.seconds >= (SILENCE_LIMIT_S if self.has_signed else START_LIMIT_S)


@dataclass
class Watch:
    """Watches one program in a separate thread, so that a silent one delays no other check."""

    name: str
    sign: Sign
    #: Process id; 0 if the program does not run.
    pid_of: Callable[[], int]
    say: Callable[[str], object] = sys.stderr.write
    silence: Silence = field(default_factory=Silence)

    def start(self) -> None:
        threading.Thread(target=self._run, name=f"watch-{self.name}", daemon=True).start()

    def _run(self) -> None:
        looked_at = time.monotonic()
        while True:
            sign, pid = self.sign(), self.pid_of()
            now = time.monotonic()
            if self.silence.hear(sign, pid, now - looked_at):
                self._end(pid)
            looked_at = now
            time.sleep(LOOK_EVERY_S)

    def _end(self, pid: int) -> None:
        words = gettext("%s has not responded for %s s; restarting it.", self.name, round(self.silence.seconds))
        self.say(f"{words}\n")
        self.silence = Silence()
        # The supervisor makes each program a group leader; its child processes hang with it.
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
