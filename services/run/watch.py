"""Ends programs that hang, so that the supervisor starts them anew: it only notices those that end by themselves."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from signs import Sign

LOOK_EVERY_S = 3.0
#: A program that was silent for so long never speaks again.
SILENCE_LIMIT_S = 20.0
#: One that has not given any sign since its start may still be busy with that.
START_LIMIT_S = 120.0
#: Longer than that a look never takes: the time beyond was spent stopped or asleep, by this program or the machine.
LOOK_LIMIT_S = 10.0


@dataclass
class Silence:
    """How long a program has been silent, counted only while this program ran itself."""

    pid: int = 0
    has_signed: bool = False
    seconds: float = 0.0

    def hear(self, sign: bool | None, pid: int, passed_s: float) -> bool:
        """Takes the result of a look. True: the process with this number hangs."""
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
    """Looks after one program, in a thread of its own: a silent one must not delay the look at another."""

    name: str
    sign: Sign
    #: The number of its process; 0 if it does not run.
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
        self.say(f"{self.name} has given no sign of life for {round(self.silence.seconds)} s and is started anew.\n")
        self.silence = Silence()
        # The supervisor makes each program the leader of a group; what it started hangs with it.
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
