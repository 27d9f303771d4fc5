"""`make run`: fetches the models, starts Hearth's programs under one supervisor, and ends them all again.

This process stays in the foreground. It adopts whatever its programs leave behind, so that nothing survives it; and
should it be killed itself, the kernel tells the supervisor to stop (guard.py).
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import xmlrpc.client
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from programs import GUARD, check_address, plan, supervisor_configuration
from settings import Settings, SettingsError, read_settings, write_private

ROOT = Path(__file__).resolve().parents[2]
PR_SET_CHILD_SUBREAPER = 36
#: All groups' stop waits together, and a little.
STOP_LIMIT_S = 9.0
#: An api that failed this often in a row right after the start will not start at all.
API_ATTEMPTS = 2
#: A Unix socket's path cannot be longer.
SOCKET_PATH_LIMIT = 100


class Stop(BaseException):
    """Somebody wants us to end. Not an Exception, so that nothing on the way takes it for a failure."""


def main() -> int:
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, stop)
    try:
        settings = read_settings(ROOT, os.environ)
        with only_one(settings) as lock:
            check_address(settings.host, settings.port)
            fetch_models(settings)
            return run(settings, lock)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except Stop:
        return 0


def stop(_signal: int, _frame: FrameType | None) -> None:
    raise Stop


@contextmanager
def only_one(settings: Settings) -> Iterator[int]:
    """One run per data folder: the lock ends with the last process that holds it, even one that was killed."""
    for folder in (settings.data_dir, settings.run_dir, settings.logs_dir, settings.models_dir):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"DATA_DIR cannot be used: {folder}: {error.strerror}.") from None
    descriptor = os.open(settings.run_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 200, 0).decode() or "unknown"
        os.close(descriptor)
        raise SettingsError(
            f"Hearth already runs with the data in {settings.data_dir} (process {holder}). "
            "End that with Ctrl-C or make down, or choose another folder with DATA_DIR."
        ) from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def fetch_models(settings: Settings) -> None:
    """In the foreground, with its progress on the terminal: nothing can start without the models."""
    if not settings.engines:
        return
    command = [
        *(sys.executable, str(ROOT / "services" / "models" / "fetch.py")),
        *("--models-dir", str(settings.models_dir), "--own-dir", str(ROOT / "models")),
        *("--kinds", ",".join(settings.engines)),
    ]
    with subprocess.Popen(guarded(command), env=dict(settings.environment)) as fetcher:
        try:
            code = fetcher.wait()
        except Stop:
            fetcher.terminate()
            raise
    if code != 0:
        raise SettingsError("The models are not in place; nothing was started.")


def guarded(command: list[str]) -> list[str]:
    return [sys.executable, "-I", "-S", str(GUARD), "--", *command]


def run(settings: Settings, lock: int) -> int:
    programs, environment = plan(settings)
    control = control_socket(settings)
    configuration = settings.run_dir / "supervisor.conf"
    write_private(configuration, supervisor_configuration(settings, programs, control))
    adopt_orphans()
    # The terminal's Ctrl-C must reach only us, or every program would end at once and in no order.
    supervisor = subprocess.Popen(
        guarded([str(Path(sys.executable).with_name("supervisord")), "-c", str(configuration)]),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[lock],
        start_new_session=True,
    )
    try:
        announce(settings, environment, control, supervisor)
        supervisor.wait()
        sys.stderr.write(f"The supervisor has ended by itself. {settings.logs_dir}/supervisor.log may say why.\n")
        return 1
    finally:
        end(supervisor)
        shutil.rmtree(control.parent, ignore_errors=True)


def announce(
    settings: Settings, environment: dict[str, str], control: Path, supervisor: subprocess.Popen[bytes]
) -> None:
    """Shows how the start goes until the assistant answers; an api that cannot start ends the run with its words."""
    node = str(Path(sys.executable).with_name("node"))
    command = [node, str(ROOT / "api" / "src" / "await-ready.ts")]
    with subprocess.Popen(
        guarded(command), env=environment, stdin=subprocess.DEVNULL, start_new_session=True
    ) as waiter:
        try:
            failures = ApiFailures(control)
            while waiter.poll() is None and supervisor.poll() is None:
                if failures.count() >= API_ATTEMPTS:
                    raise SettingsError(f"Hearth cannot start:\n{last_lines(settings.logs_dir / 'api.log')}")
                time.sleep(0.2)
        finally:
            waiter.terminate()


class ApiFailures:
    """Counts how often the api has ended since the start, from what the supervisor tells."""

    def __init__(self, control: Path) -> None:
        self._supervisor = xmlrpc.client.ServerProxy("http://supervisor", transport=UnixTransport(control))
        self._ends: set[int] = set()

    def count(self) -> int:
        try:
            state = self._supervisor.supervisor.getProcessInfo("hearth:api")
        except (OSError, http.client.HTTPException, xmlrpc.client.Error):
            return 0  # the supervisor is not up yet
        if isinstance(state, dict) and isinstance(state.get("stop"), int) and state["stop"] > 0:
            self._ends.add(state["stop"])
        return len(self._ends)


class UnixTransport(xmlrpc.client.Transport):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def make_connection(self, host: object) -> http.client.HTTPConnection:
        del host  # there is only one at the end of a Unix socket
        return UnixConnection(self._path)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=2)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def control_socket(settings: Settings) -> Path:
    """A folder of its own, private to this user; beside the data unless that path is too long for a socket."""
    folder = settings.run_dir / "control"
    if len(str(folder)) > SOCKET_PATH_LIMIT:
        name = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"hearth-{os.getuid()}-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder / "supervisor.sock"


def last_lines(log: Path, lines: int = 5) -> str:
    try:
        return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
    except OSError:
        return f"{log} cannot be read."


def adopt_orphans() -> None:
    """Makes us the parent of whatever loses its own, so that end() finds it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end(supervisor: subprocess.Popen[bytes]) -> None:
    """Everything stops in order within STOP_LIMIT_S; what is still there then, or on a second Ctrl-C, is killed."""
    supervisor.terminate()
    try:
        supervisor.wait(STOP_LIMIT_S)
        for process in descendants():
            os.kill(process, signal.SIGTERM)
        wait_for_none(time.monotonic() + 1.0)
    except (subprocess.TimeoutExpired, Stop, ProcessLookupError):
        pass  # what is left is killed
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    supervisor.kill()
    deadline = time.monotonic() + 2.0
    while (left := descendants()) and time.monotonic() < deadline:
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        reap()
        time.sleep(0.05)


def wait_for_none(deadline: float) -> None:
    while descendants() and time.monotonic() < deadline:
        reap()
        time.sleep(0.05)


def reap() -> None:
    """Takes note of ended processes that became ours, or they would stay as zombies."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            continue
    except ChildProcessError:
        return


def descendants() -> list[int]:
    """Everything that still runs below this process. Linux tells by /proc; elsewhere the supervisor's word must do."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name stands in parentheses and may contain anything; state and parent follow it.
            state, parent = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            children.setdefault(int(parent), []).append(int(stat.parent.name))
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


if __name__ == "__main__":
    sys.exit(main())
