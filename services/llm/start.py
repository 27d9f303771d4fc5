"""Starts the language model's server: a `llama-server` on the PATH, else the same server from the xllamacpp wheel."""

import os
import sys

from starting.errors import StartError
from starting.follow import end_when_moved
from starting.options import server_command
from starting.parent import die_with_parent
from starting.program import find_llama_server, run_program
from starting.say import say
from starting.settings import read_settings
from starting.wheel import hear_signals, run_wheel


def main() -> int:
    events = hear_signals()
    try:
        settings = read_settings(os.environ)
        die_with_parent()
        end_when_moved(settings.link, settings.model)
        os.nice(settings.niceness)
        if settings.socket:
            # A killed server leaves its socket behind, and llama.cpp does not start if it exists.
            settings.socket.unlink(missing_ok=True)
        program = find_llama_server(settings)
        if program:
            say(f"Starting {program} with {settings.threads} threads.")
            if not events.empty():
                return 0
            run_program(server_command(program, settings))
        say(f"Starting the language model's server from the xllamacpp package with {settings.threads} threads.")
        run_wheel(settings, events)
    except StartError as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
