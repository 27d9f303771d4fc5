"""Finds why a program ended by itself: a signal with its likely cause, or its last log line."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

LOOK_EVERY_S = 0.25
#: A program that ends sooner has answered no one, so its last line contains no words of the household.
STARTING_S = 30.0
LINE_LIMIT = 300
LAST_BYTES = 8192

TITLES = {"llm": "The language model", "stt": "The speech recognition", "tts": "The voice", "redis": "Redis"}
_SPAWNED = re.compile(r" spawned: '([^']+)' with pid \d+$")
_EXITED = re.compile(r" exited: (\S+) \((exit status (\d+)|terminated by (SIG\w+)[^;]*); (?:not )?expected\)$")
#: Lines of a crashed program without a reason: stack frames, file names, exit messages.
_NOISE = re.compile(r"\s|[^a-zA-Z]*$|Node\.js v|.*\b(exiting|bye)\b", re.IGNORECASE)
_REDIS_PREFIX = re.compile(r"^\d+:[A-Z] \d+ \w+ \d{4} [\d:.]+ [.*#-] ")
_SHELL_SIGNALS = {132: "SIGILL", 134: "SIGABRT", 135: "SIGBUS", 136: "SIGFPE", 137: "SIGKILL", 139: "SIGSEGV"}
#: Signals that request an end and do not report a fault.
_WISHES = ("SIGTERM", "SIGINT", "SIGHUP")


@dataclass(frozen=True)
class Machine:
    """Properties of this machine that may explain a crash."""

    #: Instruction sets by name; empty if unknown.
    flags: frozenset[str]
    page_bytes: int
    #: Number of processes that the system has killed for lack of memory.
    memory_kills: int


def this_machine() -> Machine:
    return Machine(
        flags=frozenset(_field("/proc/cpuinfo", "flags").split()),
        page_bytes=os.sysconf("SC_PAGE_SIZE"),
        memory_kills=int(_field("/proc/vmstat", "oom_kill") or 0),
    )


def _field(path: str, name: str) -> str:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(rf"^{name}\b[\s:]+(.*)$", text, re.MULTILINE)
    return found[1] if found else ""


def signal_cause(name: str, machine: Machine, memory_ran_out: bool) -> str:
    """The cause, as the end of a sentence whose subject is the program."""
    if name == "SIGILL":
        lacks = [flag.upper() for flag in ("avx", "avx2", "fma") if machine.flags and flag not in machine.flags]
        why = f"this processor lacks {', '.join(lacks)}" if lacks else "its program was built for another processor"
        return f"ended by an illegal instruction (SIGILL): {why}."
    if name == "SIGBUS":
        return "ended by SIGBUS: a file that it reads is damaged or too short, or the disk or /dev/shm is full."
    if name == "SIGKILL":
        if memory_ran_out:
            return "was killed because the memory of this machine ran out. Free some, or choose smaller models."
        return "was killed by another program (SIGKILL)."
    if name == "SIGSEGV":
        return "crashed (SIGSEGV): its program is defective, does not fit this machine, or a model file is damaged."
    return f"crashed ({name})"


def last_line(log: str) -> str:
    """The last line that may contain a reason, without a logger's prefix; empty if there is none."""
    lines = [line.rstrip() for line in log.splitlines() if line.strip()]
    telling = [line for line in lines if not _NOISE.match(line)]
    line = (telling or lines or [""])[-1].strip()
    with suppress(ValueError):
        parsed = json.loads(line)
        line = str(parsed.get("msg", line)) if isinstance(parsed, dict) else line
    return _REDIS_PREFIX.sub("", line)[:LINE_LIMIT]


def line_cause(line: str, machine: Machine) -> str:
    """Adds the likely cause to a line that only an expert understands."""
    if "Unsupported system page size" in line:
        return f"{line}. It was built for smaller memory pages than the {machine.page_bytes} bytes of this machine."
    return line if line.endswith((".", "!", "?")) else f"{line}."


@dataclass
class Crashes:
    """Follows the supervisor's log. Prints each reason once, and writes the latest ones to a folder for the api."""

    logs: Path
    #: Gets a file for the last crash of each program: its reason, and its time in Unix ms.
    folder: Path
    say: Callable[[str], object] = sys.stderr.write
    machine: Callable[[], Machine] = this_machine
    #: Programs that print the reason for their end themselves, or whose end this run reports.
    unsaid: tuple[str, ...] = ("api",)
    _ends: Counter[str] = field(default_factory=Counter)
    _hung: set[str] = field(default_factory=set)
    #: The last start of each program, by the monotonic clock.
    _started: dict[str, float] = field(default_factory=dict)
    #: The read position in each log.
    _read: dict[str, int] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _reasons: dict[str, str] = field(default_factory=dict)
    _memory_kills: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for told in self.folder.glob("*.json"):
            told.unlink()
        self._memory_kills = self.machine().memory_kills
        self._read = {log.stem: log.stat().st_size for log in self.logs.glob("*.log")}

    def start(self) -> None:
        threading.Thread(target=self._run, name="crashes", daemon=True).start()

    def ends(self, program: str) -> int:
        """Number of times the program has ended by itself."""
        return self._ends[program]

    def reason(self, program: str) -> str | None:
        """The reason for the program's last end."""
        return self._reasons.get(program)

    def hung(self, program: str, sentence: str) -> None:
        """Marks a program that this run ends itself, after printing the reason."""
        self._hung.add(program)
        self.say(sentence)

    def look(self) -> None:
        """Reads the new lines of the supervisor's log."""
        for line in self._new("supervisor").splitlines():
            if found := _SPAWNED.search(line):
                self._started[found[1]] = time.monotonic()
            elif found := _EXITED.search(line):
                self._end(found[1], found[4] or _SHELL_SIGNALS.get(int(found[3]), ""), int(found[3] or 0))

    def _run(self) -> None:
        while True:
            self.look()
            time.sleep(LOOK_EVERY_S)

    def _end(self, program: str, signal: str, status: int) -> None:
        self._ends[program] += 1
        line = last_line(self._new(program, whole_lines=False))
        if program in self._hung:
            self._hung.discard(program)
        elif signal not in _WISHES and (signal or status != 0):
            is_starting = time.monotonic() - self._started.get(program, 0.0) < STARTING_S
            words = self._words(signal, status, line)
            self._keep(program, words if is_starting else self._words(signal, status, ""))
            self._say_once(program, words)
            self._memory_kills = self.machine().memory_kills

    def _words(self, signal: str, status: int, line: str) -> str:
        machine = self.machine()
        memory_ran_out = machine.memory_kills > self._memory_kills
        told = signal_cause(signal, machine, memory_ran_out) if signal else f"ended with exit status {status}"
        if told.endswith("."):
            return told
        return f"{told}: {line_cause(line, machine)}" if line else f"{told}."

    def _say_once(self, program: str, words: str) -> None:
        sentence = f"{title_of(program)} {words}"
        if program not in self.unsaid and sentence not in self._told:
            self._told.add(sentence)
            self.say(f"{sentence} It restarts; {self.logs / program}.log may have details.\n")

    def _keep(self, program: str, words: str) -> None:
        self._reasons[program] = f"{title_of(program)} {words}"
        crash = {"at": int(time.time() * 1000), "reason": self._reasons[program]}
        part = self.folder / f"{program}.part"
        with suppress(OSError):  # the disk is full: the terminal has the reason
            part.write_text(json.dumps(crash), encoding="utf-8")
            part.replace(self.folder / f"{program}.json")

    def _new(self, name: str, whole_lines: bool = True) -> str:
        """The text added to a log since the last call, at most LAST_BYTES. A log that is shorter than before was
        created again.
        """
        try:
            with (self.logs / f"{name}.log").open("rb") as log:
                size = log.seek(0, os.SEEK_END)
                read = self._read.get(name, 0)
                log.seek(max(read if read <= size else 0, size - LAST_BYTES))
                text = log.read(LAST_BYTES)
                # The next call returns a line that is incomplete now.
                taken = text[: text.rfind(b"\n") + 1] if whole_lines else text
                self._read[name] = log.tell() - len(text) + len(taken)
        except OSError:
            return ""
        return taken.decode(errors="replace")


def title_of(program: str) -> str:
    return TITLES.get(program, f"The {program}")
