"""watch-calls.py REPORT COMMAND...: runs COMMAND and records every address beyond this machine that it tries
to reach.

The kernel stops every call that may carry an address (seccomp user notification) and asks this process. This
process records the address and lets the call continue. It also watches programs that COMMAND starts; they
cannot escape. Root is not needed. Each record is a line of JSON: {"program": [command lines, from the caller
up to COMMAND], "to": "address:port", "names": [names in DNS questions]}
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import ipaddress
import json
import os
import platform
import queue
import select
import signal
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import NamedTuple

from dns_question import question

# From the kernel's headers, for each processor architecture: its name for seccomp, and the numbers of its calls.
MACHINES = {
    "x86_64": (0xC000003E, {"seccomp": 317, "connect": 42, "sendto": 44, "sendmsg": 46, "sendmmsg": 307}),
    "aarch64": (0xC00000B7, {"seccomp": 277, "connect": 203, "sendto": 206, "sendmsg": 211, "sendmmsg": 269}),
}
IO_URING_SETUP = 425
PR_SET_NO_NEW_PRIVS = 38
SET_MODE_FILTER, NEW_LISTENER = 1, 8
RET_ALLOW, RET_ERRNO, RET_NOTIFY = 0x7FFF0000, 0x00050000, 0x7FC00000
RECEIVE, SEND = 0xC0502100, 0xC0182101
GO_ON = 1
LOAD, JUMP_EQUAL, JUMP_GREATER, RETURN = 0x20, 0x15, 0x25, 0x06

#: id, pid, flags, then the call: its number, architecture, instruction pointer and six arguments.
ASKED = struct.Struct("=QIIiIQ6Q")
#: Exit status if the kernel does not support this.
CANNOT = 125

#: Header, a name of 253 letters, type and class, and the options that glibc adds.
QUESTION_BYTES = 300
DNS_PORTS = (53, 853, 5353, 5355)
#: Sockets of programs that would resolve names for others, outside the watch.
RESOLVERS = ("/run/systemd/resolve/", "/var/run/nscd/", "/run/nscd/", "/run/avahi-daemon/")

libc = ctypes.CDLL(None, use_errno=True)


class Call(NamedTuple):
    id: int
    pid: int
    number: int
    arguments: tuple[int, ...]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]


def install() -> int:
    """Puts this thread and every program that it starts under watch. Returns the file through which the kernel asks."""
    architecture, numbers = MACHINES[platform.machine()]
    steps = [
        (LOAD, 0, 0, 4),
        # A program for another architecture has other numbers for these calls.
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, RET_ERRNO | errno.ENOSYS),
        (LOAD, 0, 0, 0),
        # io_uring would bypass the filter, so refuse it; programs work without.
        (JUMP_EQUAL, 0, 1, IO_URING_SETUP),
        (RETURN, 0, 0, RET_ERRNO | errno.ENOSYS),
        *[(JUMP_EQUAL, left, 0, numbers[name]) for left, name in ((8, "connect"), (7, "sendmsg"), (6, "sendmmsg"))],
        # Without an address it goes to the connected one; a short message may still be a DNS question.
        (JUMP_EQUAL, 0, 6, numbers["sendto"]),
        (LOAD, 0, 0, 16 + 8 * 4),
        (JUMP_EQUAL, 0, 3, 0),
        (LOAD, 0, 0, 16 + 8 * 2),
        (JUMP_GREATER, 0, 1, QUESTION_BYTES),
        (RETURN, 0, 0, RET_ALLOW),
        (RETURN, 0, 0, RET_NOTIFY),
        (RETURN, 0, 0, RET_ALLOW),
    ]
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    kept = ctypes.create_string_buffer(code, len(code))
    program = Program(len(steps), ctypes.addressof(kept))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    listener: int = libc.syscall(numbers["seccomp"], SET_MODE_FILTER, NEW_LISTENER, ctypes.byref(program))
    if listener < 0:
        raise OSError(ctypes.get_errno(), "the kernel does not let calls be watched")
    return listener


class Watch:
    def __init__(self, listener: int, report: Path) -> None:
        self._listener = listener
        self._report = report.open("a", encoding="utf-8", buffering=1)
        self._names = {number: name for name, number in MACHINES[platform.machine()][1].items()}

    def answer_one(self) -> None:
        asked = bytearray(ASKED.size)
        try:
            fcntl.ioctl(self._listener, RECEIVE, asked)
        except OSError:
            return  # the caller was killed in the meantime
        number, pid, _, call, _, _, *arguments = ASKED.unpack(asked)
        try:
            error = self._look(Call(number, pid, call, tuple(arguments)))
        except (OSError, struct.error):
            error = 0  # killed in the meantime, or an address that the kernel will refuse
        answer = struct.pack("=QqiI", number, 0, -error, 0 if error else GO_ON)
        try:
            fcntl.ioctl(self._listener, SEND, answer)
        except OSError:
            return

    def _look(self, call: Call) -> int:
        """Records the destination of a call. Returns an error for the caller, or 0."""
        with Path(f"/proc/{call.pid}/mem").open("rb", buffering=0) as memory:
            sent = self._sent(memory.fileno(), call)
        for address, packets in sent:
            if address[:2] == struct.pack("=H", 1) and address[2:].startswith(tuple(r.encode() for r in RESOLVERS)):
                return errno.ECONNREFUSED
            to = destination(address)
            names = [name for name in map(question, packets) if name]
            if to or names:
                line = {"program": ancestry(call.pid), "to": to, "names": names}
                self._report.write(json.dumps(line) + "\n")
        return 0

    def _sent(self, memory: int, call: Call) -> list[tuple[bytes, list[bytes]]]:
        """Address and content of each message that a call sends."""
        name, arguments = self._names[call.number], call.arguments
        if name == "connect":
            return [(os.pread(memory, min(arguments[2], 128), arguments[1]), [])]
        if name == "sendto":
            address = os.pread(memory, min(arguments[5], 128), arguments[4]) if arguments[4] else b""
            return [(address, [os.pread(memory, min(arguments[2], 512), arguments[1])])]
        count, size = (1, 56) if name == "sendmsg" else (min(arguments[2], 16), 64)
        return [self._message(memory, arguments[1] + size * place) for place in range(count)]

    def _message(self, memory: int, at: int) -> tuple[bytes, list[bytes]]:
        place, length, parts, count = struct.unpack("=QI4xQQ", os.pread(memory, 32, at))
        address = os.pread(memory, min(length, 128), place) if place else b""
        content = b""
        for part in range(min(count, 4)):
            start, size = struct.unpack("=QQ", os.pread(memory, 16, parts + 16 * part))
            content += os.pread(memory, min(size, 512), start)
        return address, [content]


def destination(address: bytes) -> str | None:
    """Whether an address is beyond this machine or a name server: one on loopback passes questions on to others."""
    family = int.from_bytes(address[:2], sys.byteorder)
    if family == 2:
        host: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.IPv4Address(address[4:8])
    elif family == 10:
        host = ipaddress.IPv6Address(address[8:24])
        host = host.ipv4_mapped or host
    else:
        return None
    port = int.from_bytes(address[2:4], "big")
    # As a destination, 0.0.0.0 and :: mean this machine.
    if (host.is_loopback or host.is_unspecified) and port not in DNS_PORTS:
        return None
    return f"{host}:{port}"


def ancestry(pid: int) -> list[str]:
    """The command lines of a process and its parents, up to COMMAND, the only child of this process."""
    lines = []
    while pid > 1 and pid != os.getpid():
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            lines.append(b" ".join(words).decode(errors="replace").strip())
            status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
        except OSError:
            break
        pid = int(status.split("\nPPid:")[1].split()[0])
    return lines


def main() -> int:
    report, command = Path(sys.argv[1]), sys.argv[2:]
    handed: queue.SimpleQueue[tuple[int, subprocess.Popen[bytes]] | Exception] = queue.SimpleQueue()

    def start() -> None:
        # The filter applies to this thread and the programs it starts, so the main thread stays free to answer.
        try:
            handed.put((install(), subprocess.Popen(command)))
        except (KeyError, OSError) as error:
            handed.put(error)

    # COMMAND is in the same process group, so it gets the terminal's signals itself; answer until it has ended.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    result = handed.get()
    if isinstance(result, Exception):
        sys.stderr.write(f"Cannot watch calls on this machine: {result}\n")
        return CANNOT
    listener, running = result
    watch = Watch(listener, report)
    signal.signal(signal.SIGTERM, lambda *_: running.terminate())
    ended = os.pidfd_open(running.pid)
    while True:
        ready = select.select([listener, ended], [], [])[0]
        # After the last program has ended, the listener is always ready.
        if ended in ready and running.poll() is not None:
            return running.returncode if running.returncode >= 0 else 128 - running.returncode
        watch.answer_one()


if __name__ == "__main__":
    sys.exit(main())
