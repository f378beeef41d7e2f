"""This game's part of the pages, put together."""

from __future__ import annotations

from typing import Any

from arena_cam.referee.games.tricks.messages import TricksAnswer, TricksHint, TricksQuestion
from arena_cam.referee.games.tricks.snapshots import SYMBOLS
from arena_cam.referee.games.tricks.tricks_told import value
from arena_cam.referee.games.tricks.values import tricks_game
from arena_cam.referee.interface import GameDetail, GameSnapshot
from arena_cam.rules.games.tricks.engine import CARDS
from arena_cam.web.games.part import WebPart
from arena_cam.web.words.wording import N_, Words, sentences

SEAT_COLOURS = ("blue", "red")  # as `scoreboard/_players.html` shows the two
SUIT_NAMES = {"S": N_("spades"), "H": N_("hearts"), "D": N_("diamonds"), "C": N_("clubs")}


class TricksPages(WebPart):
    """Scoreboard, phones, desk and history of the game of tricks."""

    kept = N_("Cards played")
    none_kept = N_("No card has been played yet.")
    here_comes = N_("Here lie the cards of the trick, with the sums of both players.")
    tables = ("throws",)
    words = Words(
        badges={"trick": N_("won a trick")},
        hints=sentences(TricksHint),
        questions=sentences(TricksQuestion),
        answers=sentences(TricksAnswer),
        events={"deal": N_("deal"), "play": N_("play"), "exchange": N_("exchange")},
        # A suit's letter is its symbol, as a card's is in its name; no player's name is chosen from these forms.
        choices=SYMBOLS,
        keys={
            "suit": N_("Suit"),
            "given": N_("Card given"),
            "returned": N_("Card given back"),
            "none": N_("No card of that suit"),
        },
    )

    def all_cards(self, game: GameSnapshot | None) -> list[str]:
        del game
        return list(CARDS)

    def helpers(self) -> dict[str, Any]:
        return {"symbols": SYMBOLS, "suit_names": SUIT_NAMES, "face_of": face_of, "sums_of": sums_of}

    def colours(self, detail: GameDetail) -> dict[str, str]:
        return dict(zip(detail["players"], SEAT_COLOURS, strict=True))

    def rematch(self, game: GameSnapshot) -> dict[str, Any]:
        """The same players; the other one deals first."""
        dealt_last = tricks_game(game)["dealer"]
        names = [player["name"] for player in game["players"]]
        return {**super().rematch(game), "dealer": next((name for name in names if name != dealt_last), names[0])}


def face_of(card: str) -> tuple[str, str, str]:
    """The index of a card: rank, symbol, and the letter of its suit."""
    rank, suit = card[0], card[1]
    return ("10" if rank == "T" else rank), SYMBOLS[suit], suit


def sums_of(game: GameSnapshot) -> dict[str, int]:
    """By player the sum of what lies in the trick; of the one before while none lies there."""
    tricks = tricks_game(game)
    if not tricks["table"]:
        return tricks["last"]["sums"] if tricks["last"] is not None else {}
    sums = {player["name"]: 0 for player in game["players"]}
    for each in tricks["table"]:
        sums[each["player"]] += value(each["card"])
    return sums


PART = TricksPages()
