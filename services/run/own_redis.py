"""Configures Hearth's own Redis."""

from __future__ import annotations

import shutil

from messages import gettext
from ports import LOOPBACK
from settings import Settings, SettingsError, write_private


def redis_command(settings: Settings, port: int, password: str) -> tuple[str, ...]:
    """Redis for this household only: on loopback, with a password for this run, stored in an append-only
    file.
    """
    binary = shutil.which("redis-server") or shutil.which("valkey-server")
    if binary is None:
        raise SettingsError(gettext("redis-server is missing: run make setup, or set REDIS_URL to a Redis elsewhere."))
    kept = settings.data_dir / "redis"
    kept.mkdir(mode=0o700, exist_ok=True)
    configuration = settings.run_dir / "redis.conf"
    lines = [
        f"bind {LOOPBACK}",
        f"port {port}",
        f"requirepass {password}",
        f'dir "{kept}"',
        "appendonly yes",
        "appendfsync everysec",
        'save ""',
        # A queue must never lose entries.
        "maxmemory-policy noeviction",
        # Timers end on Redis's tick: every 10 ms instead of every 100.
        "hz 100",
    ]
    write_private(configuration, "\n".join(lines) + "\n")
    # The script first repairs a damaged file, which would otherwise keep Redis from starting.
    return ("sh", str(settings.root / "services" / "redis" / "start.sh"), str(kept), binary, str(configuration))
