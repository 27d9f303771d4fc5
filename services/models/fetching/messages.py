"""Messages in the language of the terminal. scripts/messages does the same for the shell.

services/run has a link to this file, because this folder alone goes into an image.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_ENTRY = re.compile(r'^msgid ((?:"[^\n]*"\s*)+)^msgstr ((?:"[^\n]*"\s*)+)', re.MULTILINE)
_LINE = re.compile(r'^"(.*)"\s*$', re.MULTILINE)


def gettext(text: str, *values: object) -> str:
    """A message with its values in the places of %s. The English text is the key."""
    own = _translations().get(text, text)
    return own % values if values else own.replace("%%", "%")


@cache
def _translations() -> Mapping[str, str]:
    return translations_for(os.environ)


def translations_for(environment: Mapping[str, str]) -> Mapping[str, str]:
    """The texts by their English ones. Empty: the language is English, or is not here."""
    for tag in _wanted(environment):
        if tag == "en":
            break
        if re.fullmatch(r"[a-z]+", tag) and (found := _read(f"{tag}.po")):
            return found
    return {}


def _wanted(environment: Mapping[str, str]) -> list[str]:
    """The languages of the standard variables, best first, as GNU gettext reads them."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "C")
    if re.fullmatch(r"C|C\..*|POSIX", locale):
        return []
    wanted = environment.get("LANGUAGE") or locale
    return [re.split(r"[_.@-]", tag)[0] for tag in wanted.split(":")]


def _read(name: str) -> Mapping[str, str]:
    for folder in Path(__file__).resolve().parents:
        path = folder / "scripts" / "language" / name
        if path.is_file():
            entries = _ENTRY.findall(path.read_text(encoding="utf-8"))
            texts = ((_joined(english), _joined(own)) for english, own in entries)
            return {english: own for english, own in texts if english and own}
    return {}


def _joined(lines: str) -> str:
    return "".join(_LINE.findall(lines)).replace(r"\"", '"').replace(r"\n", "\n")
