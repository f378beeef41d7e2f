"""Every message that templates and modules of the web package show, found by Babel as a translator's tool would."""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.extract import extract_from_dir

import arena_cam.web

WEB = Path(arena_cam.web.__file__).parent
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2")]
KEYWORDS = {"_": None, "N_": None, "n_": (1, 2)}


def all_messages() -> set[str]:
    found = extract_from_dir(str(WEB), METHODS, keywords=KEYWORDS, options_map={"templates/**.html": {"silent": "no"}})
    messages: set[str] = set()
    for _file, _line, message, _comments, _context in found:
        messages |= {message} if isinstance(message, str) else {part for part in message if isinstance(part, str)}
    return messages


if __name__ == "__main__":
    sys.stdout.write("\n".join(sorted(all_messages())) + "\n")
