"""This game's part of the pages, put together."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from typing import Any

from arena_cam.printing.dilemmas.texts import LANGUAGES, card_texts
from arena_cam.referee.games.dilemmas.laid_cards import cards_seen, laid_in_record
from arena_cam.referee.games.dilemmas.messages import DilemmasHint
from arena_cam.referee.games.dilemmas.values import Counting, DilemmasGame, dilemmas_game
from arena_cam.referee.interface import GameSnapshot
from arena_cam.rules import all_games
from arena_cam.rules.games.dilemmas.messages import Token
from arena_cam.web.games.part import WebPart
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import N_, Words, sentences

DISC_COLOURS = ("red", "blue", "green", "yellow", N_("white"), N_("black"))  # of the owner discs that we print
BORDER = 0.05  # of the photograph's width, round what was seen in it: half of a token beyond a card, and a name below
FINGERTIP = 40  # CSS pixels across; WCAG 2.2, 2.5.8, wants 24 at least
OFFERED = 4  # of each kind: a hand of cards
_CARD = re.compile(r"[pnx]-\d+")  # as a set that is printed or learned here names a card; its own print has capitals


class DilemmasPages(WebPart):
    """Scoreboard, phones and history of the Game of Dilemmas."""

    kept = N_("Photographs")
    none_kept = WebPart.NO_PHOTOGRAPHS
    here_comes = N_("Here lie everybody's dilemmas, and the votes on each once they are revealed.")
    words = Words(
        hints=sentences(DilemmasHint),
        events={
            "dilemma": N_("lay a dilemma"),
            "vote": N_("vote"),
            "tokens": N_("count tokens"),
            "reveal": N_("turn the tokens"),
        },
        choices=sentences(Token),
        keys={
            "neutral_by": N_("Whose neutral card"),
            "on": N_("Whose dilemma"),
            "token": N_("Token"),
            **sentences(Token),
        },
    )

    def new_game(self) -> dict[str, Any]:
        return {"disc_colours": DISC_COLOURS, "most_players": all_games()["dilemmas"].players[-1]}

    def rematch(self, game: GameSnapshot) -> dict[str, Any]:
        """The same players with their discs, in the same seats."""
        colours = dilemmas_game(game)["colours"]
        players = [{"name": name} | ({"colour": colour} if colour else {}) for name, colour in colours.items()]
        return {**super().rematch(game), "players": players}

    def helpers(self) -> dict[str, Any]:
        return {
            "offered_cards": offered_cards,
            "cards_seen": cards_seen,
            "laid_in_record": laid_in_record,
            "seen_box": seen_box,
            "side_said": side_said,
            "tapped_width": tapped_width,
            "who_has_a_neutral_card": who_has_a_neutral_card,
        }


def side_said(dilemma: Mapping[str, Any], side: str, _: Translate) -> str:
    """What a side of a dilemma says: what was written, else the words of the card that lies there, else which card it
    is; "" where nothing is known of it."""
    written, card = dilemma.get(side), (dilemma.get("cards") or {}).get(side) or {}
    if written and not _CARD.fullmatch(written):
        return str(written)
    name = written or card.get("id")
    return str(card.get("text") or (_("card %(name)s", name=name.upper()) if name else ""))


def who_has_a_neutral_card(game: DilemmasGame, owner: str) -> list[str]:
    """Who may still add a neutral card to the dilemma that `owner` lays now."""
    for each in game["may_play"]:
        keys = each["keys"]
        if each["type"] == "dilemma" and owner in keys["player"]["one_of"] and "neutral_by" in keys:
            return list(keys["neutral_by"]["one_of"])
    return []


def tapped_width(counting: Counting) -> int:
    """How many CSS pixels wide `seen_box` is shown where tokens are tapped: the smallest one is as large as a fingertip
    then. 0 where no token was seen."""
    radii = [token["radius_px"] for each in counting["seen"] for token in each["token_list"]]
    return math.ceil(seen_box(counting)[2] * FINGERTIP / (2 * min(radii))) if radii else 0


def seen_box(counting: Counting) -> tuple[int, int, int, int]:
    """The part of the photograph in which cards and tokens were seen, with a border; all of it where none was.

    (x, y, width, height) in its pixels.
    """
    width, height = counting["size_px"]
    points = [corner for each in counting["seen"] for outline in each["outlines_px"] for corner in outline]
    points += [token["centre_px"] for each in counting["seen"] for token in each["token_list"]]
    if not points:
        return 0, 0, width, height
    border = BORDER * width
    (left, right), (top, bottom) = (
        (max(0.0, min(along) - border), min(float(size), max(along) + border))
        for size, along in zip((width, height), zip(*points, strict=True), strict=True)
    )
    return round(left), round(top), round(right - left), round(bottom - top)


def offered_cards(kind: str, language: str, *whose: object) -> list[str]:
    """Some cards of our own set, the same for the same player of a round, others for another."""
    texts = [card.text for card in card_texts(language if language in LANGUAGES else "en") if card.kind == kind]

    def order(text: str) -> bytes:
        return hashlib.sha256(repr((whose, texts.index(text))).encode()).digest()

    return sorted(texts, key=order)[:OFFERED]


PART = DilemmasPages()
