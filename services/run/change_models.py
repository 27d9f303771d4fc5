"""`make models` without Docker: fetches the chosen models and restarts the engines of a running Hearth with them."""

from __future__ import annotations

import http.client
import os
import sys
import xmlrpc.client
from pathlib import Path

from fetch_models import fetch_models
from messages import gettext
from settings import SettingsError, read_settings
from stop import Stop, stop_on_signals
from supervisor_link import Supervisor, control_socket

#: From the command line of make models; otherwise from .env.
CHOICES = ("MODELS", "LLM_MODEL", "STT_MODEL", "TTS_VOICE")


def main() -> int:
    stop_on_signals()
    try:
        settings = read_settings(Path(__file__).resolve().parents[2], os.environ)
        settings.models_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        fetch_models(settings, forget_choices=any(os.environ.get(name) for name in CHOICES))
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except Stop:
        return 130
    try:
        Supervisor(control_socket(settings)).restart("engines")
    except (FileNotFoundError, ConnectionRefusedError):
        return 0  # Hearth is not running, so no engine needs a restart
    except (OSError, http.client.HTTPException, xmlrpc.client.Error) as error:
        words = gettext("The models are in place, but the engines could not be restarted: %s", error)
        sys.stderr.write(f"{words}\n")
        return 1
    sys.stdout.write(f"{gettext('The engines are restarting with these models.')}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
