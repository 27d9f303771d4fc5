"""Writes the supervisor's configuration: each program, and the groups that start and stop together."""

from __future__ import annotations

import shlex
from pathlib import Path

from guarded import guarded
from programs import Program
from settings import Settings

#: Each group with its priority. Groups start in this order and stop in reverse, so callers stop before the
#: programs that answer them.
GROUPS = {"redis": 10, "engines": 20, "fetcher": 25, "hearth": 30}

_SUPERVISOR = """[supervisord]
nodaemon=true
directory={root}
logfile={logs}/supervisor.log
logfile_maxbytes=1MB
logfile_backups=1
pidfile={run}/supervisor.pid
umask=077

[unix_http_server]
file={control}
chmod=0700

[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface

[supervisorctl]
serverurl=unix://{control}
"""
_PROGRAM = """[program:{name}]
command={command}
autorestart=true
; However soon it ends, it is started again; guard.py waits. The supervisor's own wait would grow without end.
startsecs=0
stopsignal=TERM
stopwaitsecs={stop_wait_s}
stopasgroup=true
killasgroup=true
redirect_stderr=true
stdout_logfile={logs}/{name}.log
stdout_logfile_maxbytes=10MB
stdout_logfile_backups=3
"""


def supervisor_configuration(settings: Settings, programs: list[Program], control: Path) -> str:
    logs = _escaped(settings.logs_dir)
    folders = {"root": _escaped(settings.root), "logs": logs, "run": _escaped(settings.run_dir)}
    sections = [_SUPERVISOR.format(control=_escaped(control), **folders)]
    sections += [_section(program, logs, settings.run_dir / "starts") for program in programs]
    for group, priority in GROUPS.items():
        members = [program.name for program in programs if program.group == group]
        if members:
            sections.append(f"[group:{group}]\nprograms={','.join(members)}\npriority={priority}\n")
    return "\n".join(sections)


def _section(program: Program, logs: str, starts: Path) -> str:
    command = guarded(program.command, program.hidden, starts / program.name)
    return _PROGRAM.format(
        name=program.name, command=_escaped(shlex.join(command)), stop_wait_s=program.stop_wait_s, logs=logs
    )


def _escaped(value: str | Path) -> str:
    """The supervisor expands %(...)s itself, so a percent sign is doubled."""
    return str(value).replace("%", "%%")
