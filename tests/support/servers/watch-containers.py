"""watch-containers.py REPORT PROJECT: records where a compose project's containers try to connect.

It listens inside each container's network before the program starts, so it also sees DNS questions that
Docker answers itself. Only root may do this. Each record is a line of JSON: {"program": [service], "to":
"address:port", "names": [names in DNS questions]}
"""

from __future__ import annotations

import ctypes
import ipaddress
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from dns_question import question

#: Docker puts the network of each container here before it starts the program in it.
NETWORKS = Path("/var/run/docker/netns")
LOOK_EVERY_S = 0.01
CLONE_NEWNET = 0x40000000
SO_ATTACH_FILTER = 26
ETH_P_ALL = 3
OUTGOING = 4
TCP, UDP, ICMP, IGMP = 6, 17, 1, 2
DOCKERS_RESOLVER = ipaddress.ip_address("127.0.0.11")

#: Passes only outgoing packets, and of TCP only those that open a connection, because the others are many.
FILTER = [
    (0x28, 0, 0, 0xFFFFF004),  # direction of the packet: in or out
    (0x15, 0, 10, OUTGOING),
    (0x30, 0, 0, 0),
    (0x74, 0, 0, 4),
    (0x15, 0, 6, 4),  # IPv6 is rare, and is checked below
    (0x30, 0, 0, 9),
    (0x15, 0, 4, TCP),
    (0xB1, 0, 0, 0),
    (0x50, 0, 0, 13),
    (0x54, 0, 0, 0x12),
    (0x15, 0, 1, 0x02),  # SYN without ACK
    (0x06, 0, 0, 0xFFFF),
    (0x06, 0, 0, 0),
]

libc = ctypes.CDLL(None, use_errno=True)


@dataclass
class Container:
    """One network. Its service becomes known a moment after the first packets."""

    packets: socket.socket
    network: int
    service: str | None = None
    waiting: list[dict[str, object]] = field(default_factory=list)
    seen: set[object] = field(default_factory=set)


def enter(network: int) -> None:
    if libc.setns(network, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "a container's network cannot be entered")


def listen(network: int, home: int) -> socket.socket:
    enter(network)
    try:
        packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_ALL))
    finally:
        enter(home)
    steps = b"".join(struct.pack("=HBBI", *step) for step in FILTER)
    kept = ctypes.create_string_buffer(steps, len(steps))
    packets.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("@HP", len(FILTER), ctypes.addressof(kept)))
    packets.setblocking(False)
    return packets


def neighbours(network: int, home: int) -> list[ipaddress.IPv4Network]:
    """A container's networks in the project."""
    enter(network)
    try:
        lines = Path("/proc/thread-self/net/route").read_text(encoding="ascii").splitlines()[1:]
    finally:
        enter(home)
    found = []
    for _, to, gateway, _, _, _, _, mask, *_ in map(str.split, lines):
        if int(gateway, 16) == 0:
            place, width = (socket.inet_ntoa(struct.pack("=I", int(part, 16))) for part in (to, mask))
            found.append(ipaddress.IPv4Network(f"{place}/{width}"))
    return found


class Watch:
    def __init__(self, report: Path) -> None:
        self._report = report.open("a", encoding="utf-8", buffering=1)
        self._home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        self._containers: dict[str, Container] = {}
        self._lock = threading.Lock()

    def look(self) -> None:
        there = {path.name for path in NETWORKS.iterdir()} if NETWORKS.is_dir() else set()
        for name in there - self._containers.keys():
            try:
                network = os.open(NETWORKS / name, os.O_RDONLY)
            except FileNotFoundError:
                continue
            try:
                container = Container(listen(network, self._home), network)
            except OSError:
                os.close(network)  # still being created: the next look finds it complete
                continue
            with self._lock:
                self._containers[name] = container
        self._read()
        for name in self._containers.keys() - there:
            container = self._containers[name]
            container.packets.close()
            os.close(container.network)
            with self._lock:
                del self._containers[name]

    def is_of(self, name: str, service: str) -> None:
        with self._lock:
            container = self._containers.get(name)
            if container is None:
                return
            container.service = service
            for line in container.waiting:
                self._write(service, line)
            container.waiting.clear()

    def _read(self) -> None:
        by_socket = {each.packets: each for each in self._containers.values()}
        for packets in select.select(list(by_socket), [], [], LOOK_EVERY_S)[0]:
            while True:
                try:
                    self._note(by_socket[packets], packets.recv(2048))
                except OSError:
                    break  # nothing more for now, or its interface is gone

    def _note(self, container: Container, packet: bytes) -> None:
        looked_at = read_packet(packet)
        if looked_at is None or looked_at in container.seen:
            return
        container.seen.add(looked_at)
        host, port, name = looked_at
        if host == DOCKERS_RESOLVER:
            line: dict[str, object] = {"to": None, "names": [name]}
            if name is None:
                return
        elif host.is_loopback or any(host in each for each in neighbours(container.network, self._home)):
            return
        else:
            line = {"to": f"{host}:{port}", "names": [name] if name else []}
        with self._lock:
            if container.service is None:
                container.waiting.append(line)
            else:
                self._write(container.service, line)

    def _write(self, service: str, line: dict[str, object]) -> None:
        self._report.write(json.dumps({"program": [service], **line}) + "\n")


Seen = tuple[ipaddress.IPv4Address | ipaddress.IPv6Address, int, str | None]


def read_packet(packet: bytes) -> Seen | None:
    """The destination of a packet and the name in its DNS question; None for packets that only run the
    network itself.
    """
    version = packet[0] >> 4
    if version not in (4, 6):
        return None  # asks for a neighbour's hardware address
    if version == 4:
        kind, at = packet[9], 4 * (packet[0] & 15)
        host: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.IPv4Address(packet[16:20])
        if kind in (ICMP, IGMP):
            return None
    else:
        kind, at = packet[6], 40
        host = ipaddress.IPv6Address(packet[24:40])
        is_connecting = kind == TCP and packet[at + 13] & 0x12 == 0x02
        if not is_connecting and kind != UDP:
            return None
    port = int.from_bytes(packet[at + 2 : at + 4], "big") if kind in (TCP, UDP) else 0
    name = question(packet[at + 8 :]) if kind == UDP else None
    # Docker's resolver listens on a different port each time.
    return host, 0 if host == DOCKERS_RESOLVER else port, name


def follow(project: str, watch: Watch) -> None:
    """Tells the watch the service of each network as Docker starts containers."""
    label = "com.docker.compose"
    events = [
        *("docker", "events", "--filter", f"label={label}.project={project}", "--filter", "event=start"),
        *("--format", f'{{{{.ID}}}} {{{{index .Actor.Attributes "{label}.service"}}}}'),
    ]
    with subprocess.Popen(events, stdout=subprocess.PIPE, text=True) as following:
        for line in following.stdout or []:
            container, service = line.split()
            inspect = ["docker", "inspect", "--format", "{{.NetworkSettings.SandboxKey}}", container]
            told = subprocess.run(inspect, capture_output=True, text=True, check=False).stdout.strip()
            watch.is_of(Path(told).name, service)


def main() -> None:
    watch = Watch(Path(sys.argv[1]))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))
    threading.Thread(target=follow, args=(sys.argv[2], watch), daemon=True).start()
    while True:
        watch.look()
        time.sleep(LOOK_EVERY_S)


if __name__ == "__main__":
    main()
