"""The message catalogues in the order of their messages, so that two changes seldom touch the same lines.

``python -m web.sorted_catalogues`` (or ``make format``) puts them in order.
"""

from __future__ import annotations

import io
import re

from babel.messages.pofile import read_po

from web.messages import LOCALE

ENTRY = re.compile(r'(?:^#.*\n)*^msgid (?:.*\n)(?:^(?:"|msgstr).*\n|^\n+(?="))*', re.MULTILINE)


def message_of(entry: str) -> str:
    """The message that an entry of a catalogue translates, "" for the head of the file."""
    return next((str(message.id) for message in read_po(io.BytesIO(entry.encode())) if message.id), "")


def in_order(catalogue: str) -> str:
    """A catalogue with its entries sorted by their messages; no entry's own lines change."""
    entries = [re.sub(r"\n+", "\n", entry) for entry in ENTRY.findall(catalogue)]
    return "\n".join(sorted(entries, key=message_of))


if __name__ == "__main__":
    for file in sorted(LOCALE.glob("*.po")):
        file.write_text(in_order(file.read_text()))
