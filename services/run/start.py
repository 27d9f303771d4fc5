"""`make run`: fetches the models, starts Hearth's programs under one supervisor, and stops them all at the
end.

This process stays in the foreground. It adopts its programs' orphans, so that nothing survives it. If it is
killed itself, the kernel tells the supervisor to stop (guard.py).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from crashes import Crashes
from ending import adopt_orphans, end
from fetch_models import fetch_models
from guarded import guarded
from messages import gettext
from one_run import only_one
from ports import check_address
from programs import Program, common_environment, crashes_dir, plan
from settings import Settings, SettingsError, read_settings, write_private
from stop import Stop, stop_on_signals
from supervisor_conf import supervisor_configuration
from supervisor_link import Supervisor, control_socket
from watch import Watch

ROOT = Path(__file__).resolve().parents[2]
#: An api that fails this often right after its start will never start.
API_ATTEMPTS = 2


def main() -> int:
    stop_on_signals()
    try:
        settings = read_settings(ROOT, os.environ)
        with only_one(settings) as lock:
            if not settings.is_lent:
                check_address(settings.host, settings.port)
                if settings.https_port is not None:
                    check_address(settings.host, settings.https_port, "HTTPS_PORT")
                check_settings(settings)
            fetch_models(settings)
            return run(settings, lock)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except Stop:
        sys.stdout.write(f"{gettext('Hearth has stopped. Its data is kept: make run continues with it.')}\n")
        return 0


def check_settings(settings: Settings) -> None:
    """Raises SettingsError with the api's complaint, before gigabytes of models are fetched."""
    node = str(Path(sys.executable).with_name("node"))
    command = [node, str(ROOT / "api" / "src" / "cli" / "check-config.ts")]
    environment = common_environment(settings)
    checked = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if checked.returncode != 0:
        raise SettingsError(checked.stderr.strip())


def run(settings: Settings, lock: int) -> int:
    programs, environment = plan(settings)
    api_log = NewLines(settings.logs_dir / "api.log")
    control = control_socket(settings)
    shutil.rmtree(control.parent, ignore_errors=True)
    control.parent.mkdir(mode=0o700)
    shutil.rmtree(settings.run_dir / "starts", ignore_errors=True)
    (settings.run_dir / "starts").mkdir(mode=0o700)
    configuration = settings.run_dir / "supervisor.conf"
    write_private(configuration, supervisor_configuration(settings, programs, control))
    adopt_orphans()
    crashes = Crashes(settings.logs_dir, crashes_dir(settings))
    # Ctrl-C must reach only this process; otherwise all programs would end at once and in no order.
    supervisor = subprocess.Popen(
        guarded([str(Path(sys.executable).with_name("supervisord")), "-c", str(configuration)]),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[lock],
        start_new_session=True,
    )
    try:
        crashes.start()
        look_after(programs, control, crashes)
        if settings.is_lent:
            lend(settings, environment, supervisor)
        else:
            announce(environment, crashes, supervisor, api_log)
            supervisor.wait()
        words = gettext(
            "The supervisor has stopped unexpectedly. %s may say why.", settings.logs_dir / "supervisor.log"
        )
        sys.stderr.write(f"{words}\n")
        return 1
    finally:
        end(supervisor)
        shutil.rmtree(control.parent, ignore_errors=True)


def announce(
    environment: dict[str, str], crashes: Crashes, supervisor: subprocess.Popen[bytes], api_log: NewLines
) -> None:
    """Shows the progress until the assistant answers. If the api cannot start, the run ends and shows its
    last log lines.
    """
    node = str(Path(sys.executable).with_name("node"))
    command = [node, str(ROOT / "api" / "src" / "cli" / "await-ready.ts")]
    with subprocess.Popen(
        guarded(command), env=environment, stdin=subprocess.DEVNULL, start_new_session=True
    ) as waiter:
        try:
            while waiter.poll() is None and supervisor.poll() is None:
                if crashes.ends("api") >= API_ATTEMPTS:
                    raise SettingsError(f"{gettext('Hearth cannot start:')}\n{api_log.last() or crashes.reason('api')}")
                time.sleep(0.2)
        finally:
            waiter.terminate()
    # `make phone` started this run to show the code.
    if waiter.returncode == 0 and environment.get("PHONE") == "1":
        phone = [node, str(ROOT / "api" / "src" / "cli" / "phone.ts")]
        subprocess.run(guarded(phone, hidden=""), env=environment, stdin=subprocess.DEVNULL)


def lend(settings: Settings, environment: dict[str, str], supervisor: subprocess.Popen[bytes]) -> None:
    """Lends the engines to the household that this machine has joined, until the supervisor ends."""
    command = [str(Path(sys.executable).with_name("node")), str(ROOT / "api" / "src" / "cli" / "lend.ts")]
    environment = environment | {"HOUSEHOLD_FILE": str(settings.household_file)}
    while supervisor.poll() is None:
        with subprocess.Popen(
            guarded(command), env=environment, stdin=subprocess.DEVNULL, start_new_session=True
        ) as lender:
            try:
                while lender.poll() is None and supervisor.poll() is None:
                    time.sleep(0.2)
            finally:
                lender.terminate()
        time.sleep(2)


def look_after(programs: list[Program], control: Path, crashes: Crashes) -> None:
    for program in programs:
        if program.sign:
            pid_of = partial(Supervisor(control).pid_of, program.full_name)
            Watch(program.name, program.sign, pid_of, partial(crashes.hung, program.name)).start()


class NewLines:
    """The lines added to a log during this run, each once: a failing program repeats its message."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._from = log.stat().st_size if log.exists() else 0

    def last(self, lines: int = 5) -> str:
        try:
            # A truncated log is shorter than before.
            start = self._from if self._log.stat().st_size >= self._from else 0
            text = self._log.read_bytes()[start:].decode(errors="replace")
        except OSError:
            return gettext("%s cannot be read.", self._log)
        return "\n".join(list(dict.fromkeys(text.splitlines()))[-lines:])


if __name__ == "__main__":
    sys.exit(main())
