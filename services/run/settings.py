"""The settings of `make run`: the environment first, then secrets.env, then .env, as compose has them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from messages import gettext

ENGINES = ("llm", "stt", "tts")
#: A voice needs no faster machine, and must stay the same.
LENT = ("llm", "stt")
LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$")
#: Values that docker compose reads as we do: in single quotes, in double quotes without $ and \, or bare.
#: In others it fills in variables, resolves escapes, keeps a # in the value, or reads on.
PLAIN = re.compile(r"""(?:'(?:[^']*[^'\\])?'|"[^"$\\]*")(?:[ \t]*#.*)?|(?:[^#'"$\t][^$\t]*)?(?: +#.*)?""")


class SettingsError(Exception):
    """Names an unusable setting in a sentence."""


@dataclass(frozen=True)
class Settings:
    root: Path
    data_dir: Path
    host: str
    port: int
    #: None: https is not served.
    https_port: int | None
    #: The environment for the programs, including the values from the files.
    environment: Mapping[str, str]
    #: The engines that run here. Those with a *_URL run elsewhere or are switched off.
    engines: tuple[str, ...]
    own_redis: bool
    #: This machine has joined the Hearth of another one, and only lends it its engines.
    is_lent: bool

    @property
    def household_file(self) -> Path:
        return household_file(self.data_dir)

    @property
    def models_dir(self) -> Path:
        return self.data_dir / "models"

    @property
    def logs_dir(self) -> Path:
        return self.data_dir / "logs"

    @property
    def run_dir(self) -> Path:
        """Files of the current run: configuration, lock, sockets."""
        return self.data_dir / "run"


def read_settings(root: Path, environment: Mapping[str, str]) -> Settings:
    merged = read_env_file(root / ".env") | read_env_file(root / "secrets.env")
    # An empty value means "not set", as for compose. An empty TZ would be no time zone.
    merged |= {name: value for name, value in environment.items() if value}
    merged = {name: value for name, value in merged.items() if value}
    data_dir = (root / Path(merged.get("DATA_DIR") or "data").expanduser()).resolve()
    is_lent = household_file(data_dir).exists()
    if is_lent and (language := household_language(data_dir)):
        merged.setdefault("HEARTH_LANGUAGE", language)
    return Settings(
        root=root,
        data_dir=data_dir,
        host=merged.get("HOST") or "127.0.0.1",
        port=port_of("PORT", merged.get("PORT") or "8765"),
        https_port=port_of("HTTPS_PORT", merged.get("HTTPS_PORT") or "8443") if merged.get("HTTPS") == "1" else None,
        environment=merged,
        engines=tuple(kind for kind in (LENT if is_lent else ENGINES) if not merged.get(f"{kind.upper()}_URL")),
        own_redis=not merged.get("REDIS_URL"),
        is_lent=is_lent,
    )


def household_file(data_dir: Path) -> Path:
    """The Hearth of another machine that this one has joined (api/src/cli/join.ts)."""
    return data_dir / "household.json"


def household_language(data_dir: Path) -> str | None:
    """The language of that household, for the speech recognition here."""
    try:
        return json.loads(household_file(data_dir).read_text(encoding="utf-8")).get("language")
    except (OSError, ValueError) as error:
        raise SettingsError(
            gettext("%s cannot be read: %s. Run make join again.", household_file(data_dir), error)
        ) from error


def port_of(name: str, value: str) -> int:
    if not value.isdecimal() or not 0 < int(value) < 65536:
        raise SettingsError(gettext('%s must be a port number from 1 to 65535, but is "%s".', name, value))
    return int(value)


def read_env_file(path: Path) -> dict[str, str]:
    """Reads NAME=value lines. Removes quotes round a value; an unquoted value ends before ` #`."""
    values: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return values
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(gettext("%s cannot be read: %s.", path.name, error)) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = LINE.match(line)
        if match is None:
            raise SettingsError(gettext("%s, line %s: expected NAME=value.", path.name, number))
        values[match[1]] = unquoted(match[2])
        if not PLAIN.fullmatch(match[2]):
            raise SettingsError(
                gettext(
                    "%s, line %s: put the value of %s into single quotes, and use none inside."
                    " Without them, docker compose reads it differently.",
                    path.name,
                    number,
                    match[1],
                )
            )
    return values


def unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] in "\"'":
        end = value.find(value[0], 1)
        if end > 0:
            return value[1:end]
    return re.sub(r"\s+#.*$", "", value)


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner may read, from its first byte on."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
