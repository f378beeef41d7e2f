"""Every message that templates and modules of the web package show, found by Babel as a translator's tool would."""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import getfile
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from babel.messages.extract import extract_from_dir

import arena_cam.web
from arena_cam.domain.lies import Hypothesis
from arena_cam.domain.messages import AsRecorded, Word

WEB = Path(arena_cam.web.__file__).parent
PACKAGE = WEB.parent
LOCALE = PACKAGE / "locale"
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2"), ("games/**.html", "jinja2")]
OPTIONS = {"templates/**.html": {"silent": "no"}, "games/**.html": {"silent": "no"}}
KEYWORDS = {"_": None, "N_": None, "n_": (1, 2)}


def all_messages() -> set[str]:
    found = extract_from_dir(str(WEB), METHODS, keywords=KEYWORDS, options_map=OPTIONS)
    messages: set[str] = set()
    for _file, _line, message, _comments, _context in found:
        messages |= {message} if isinstance(message, str) else {part for part in message if isinstance(part, str)}
    told = {sentence.english for table in tables() for sentence in table} - {AsRecorded.AS_RECORDED.english}
    return messages | told | {hypothesis.value for hypothesis in Hypothesis}


def tables() -> list[type[Word]]:
    """Every table of sentences, or of words in them, that the program has."""
    for module in iter_modules_below(arena_cam):
        if module.endswith(("messages", "doubts")):
            import_module(module)
    ours = [
        table for table in derived_from(Word) if len(table) and PACKAGE in Path(getfile(table)).parents
    ]  # no toy game's
    return sorted(ours, key=lambda table: (table.__module__, table.__name__))


def derived_from(base: type[Word]) -> list[type[Word]]:
    return [each for table in base.__subclasses__() for each in (table, *derived_from(table))]


def iter_modules_below(package: ModuleType) -> list[str]:
    return [found.name for found in walk_packages(package.__path__, package.__name__ + ".")]


if __name__ == "__main__":
    sys.stdout.write("\n".join(sorted(all_messages())) + "\n")
