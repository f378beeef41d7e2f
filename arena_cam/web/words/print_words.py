"""Printable parts by name: a title, and a sentence on the use."""

from __future__ import annotations

from arena_cam.web.words.wording import N_

PARTS = {
    "cards": (N_("Cards"), N_("Print on card of 200 to 300 g, both sides, and cut along the marks.")),
    "rules": (N_("Rules cards"), N_("One for each player, both sides.")),
    "blocks": (N_("Blocks"), N_("For duels, lives, and whoever provokes: glue them on wood or thick card.")),
    "scores": (N_("Score sheets"), N_("Two on a page, to write on.")),
    "box": (N_("Box"), N_("Cut along the outline, fold along the dashes, glue the strip: it holds the deck.")),
    "fiducials": (N_("Fiducials"), N_("Lay four round the tray, this side up as marked, and glue them down.")),
    "board": (N_("Calibration board"), N_("Glue it flat onto something stiff; it teaches the program the lens.")),
    "empty": (N_("Empty cards"), N_("To write on.")),
    "tokens": (N_("Tokens"), N_("Print both sides on thick card.")),
    "owners": (N_("Owner discs"), N_("One lies on each dilemma and tells whose it is.")),
    "boards": (N_("Boards"), N_("Print at 100 % and glue on thick card.")),
    "tiles": (N_("Tiles"), N_("Glue on thick card, then cut the hexagons.")),
}
