"""Counts the cores of this machine."""

import os
from pathlib import Path


def physical_cores(cpuinfo: Path = Path("/proc/cpuinfo")) -> int:
    """Counts cores, not threads, because two threads on one core slow token generation down. The result never
    exceeds the cores this process may use.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    try:
        blocks = cpuinfo.read_text(encoding="utf-8").split("\n\n")
    except OSError:
        return allowed
    fields = [dict(_pair(line) for line in block.splitlines() if ":" in line) for block in blocks]
    cores = {
        (field["physical id"], field["core id"]) for field in fields if "physical id" in field and "core id" in field
    }
    return max(1, min(allowed, len(cores) or allowed))


def _pair(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip(), value.strip()
