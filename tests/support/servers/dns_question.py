"""Reads the question of a DNS packet."""

from __future__ import annotations


def question(packet: bytes) -> str | None:
    """The name in the question; None for any other packet."""
    if len(packet) < 17 or packet[2] & 0xF8 or packet[4:6] != b"\0\1":
        return None
    labels, at = [], 12
    while at < len(packet) and 0 < packet[at] < 64:
        labels.append(packet[at + 1 : at + 1 + packet[at]])
        at += 1 + packet[at]
    if not labels or at + 5 > len(packet) or packet[at]:
        return None
    return b".".join(labels).decode("ascii", "replace")
