"""Fetches the wake words, the sentences and the models of the engines that run here. Shows the progress."""

from __future__ import annotations

import subprocess
import sys

from guarded import SECRETS, guarded
from messages import gettext
from settings import Settings, SettingsError
from stop import Stop


def fetch_models(settings: Settings, forget_choices: bool = False) -> None:
    """`forget_choices`: the settings override the page's choices."""
    command = [
        *(sys.executable, str(settings.root / "services" / "models" / "fetch.py")),
        *("--models-dir", str(settings.models_dir), "--own-dir", str(settings.root / "models")),
        *("--kinds", ",".join((*settings.engines, "wake", "sentences"))),
        *(("--forget-choices",) if forget_choices else ()),
    ]
    with subprocess.Popen(guarded(command, SECRETS), env=dict(settings.environment)) as fetcher:
        try:
            code = fetcher.wait()
        except Stop:
            fetcher.terminate()
            raise
    if code != 0:
        raise SettingsError(gettext("The models are not in place."))
