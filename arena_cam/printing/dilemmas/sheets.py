"""Our own set of dilemmas on sheets of paper: which pieces, how many of each, front and back."""

from __future__ import annotations

from arena_cam.printing.dilemmas import faces
from arena_cam.printing.dilemmas.texts import KINDS, card_texts
from arena_cam.printing.pdf import Sheets

# For eight players: each has half as many YES and NO tokens as there are dilemmas, and one super token of each kind.
TOKENS = {"yes": 32, "no": 32, "super_yes": 8, "super_no": 8}
EMPTY_CARDS = 9  # of each kind, a sheet of paper
PARTS = ("cards", "empty", "tokens", "owners")


def print_set(pages: Sheets, language: str, parts: tuple[str, ...] = PARTS) -> None:
    """Adds the pages of those `parts` (of PARTS), each page of fronts followed by its backs."""
    card = (faces.WIDTH_MM, faces.HEIGHT_MM)
    if "cards" in parts:
        pages.both_sides([faces.card_face(text) for text in card_texts(language)], faces.card_back(), *card)
    if "empty" in parts:
        empty = [faces.empty_face(kind) for kind in KINDS for _ in range(EMPTY_CARDS)]
        pages.both_sides(empty, faces.card_back(), *card)
    if "tokens" in parts:
        tokens = [picture for kind, count in TOKENS.items() for picture in [faces.token_face(kind)] * count]
        pages.both_sides(tokens, faces.token_face("back"), faces.TOKEN_MM, faces.TOKEN_MM, gap_mm=2.0)
    if "owners" in parts:
        owners = [faces.owner_face(colour) for colour in faces.OWNER_COLOURS]
        pages.both_sides(owners, owners[0], faces.OWNER_MM, faces.OWNER_MM, gap_mm=2.0, backs=owners)
