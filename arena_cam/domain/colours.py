"""The colours that cards, blocks and players may have, in the order in which they are listed."""

from __future__ import annotations

COLOURS = ("red", "blue", "green", "yellow", "violet")
