"""A game of tricks as pages are told of it."""

from __future__ import annotations

from typing import Any

from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.snapshots import phrase
from arena_cam.referee.games.tricks.messages import TricksHint
from arena_cam.referee.games.tricks.tricks_told import tricks, value, with_players
from arena_cam.referee.games.tricks.values import PlayedCard, TrickSnapshot, TricksPlayer
from arena_cam.referee.interface import Phrase

Json = dict[str, Any]
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def snapshot(match: Match) -> Json:
    """The fields of values.TricksGame beside those of all games."""
    ledger = match.ledger
    state, played = ledger.state, ledger.played.state
    return {
        "round": state["deal"],
        "deal": state["deal"],
        "dealer": state["dealer"],
        "trick": state["trick"],
        "to_play": state["to_play"],
        "suits": state["legal_suits"],
        "may_ask": may_ask(match),
        "owed": played.owed,
        "table": _played(match, with_players(ledger, played.leader, state["table"])),
        "stock": state["stock"],
        "last": _last(match),
        "seats": _seats(ledger),
        "target": played.setup.options["target"],
    }


def may_ask(match: Match) -> list[str]:
    """The suits that who is to play may ask for."""
    state, played = match.ledger.state, match.ledger.played.state
    if not state["table"] or played.owed is not None:
        return []
    return [suit for suit in state["legal_suits"] if suit not in played.refused]


def over(match: Match) -> Phrase:
    """Why the game is over: after a whole deal somebody has the points that end it."""
    scores, target = match.ledger.result["scores"], match.ledger.record.header.options["target"]
    most = max(scores, key=lambda name: scores[name])
    return phrase(TricksHint.OVER, player=most, points=scores[most], target=target)


def hint(match: Match) -> Phrase:
    """The hint: the table waits for this."""
    state, played = match.ledger.state, match.ledger.played.state
    if state["awaiting"] == "deal":
        return phrase(TricksHint.DEAL, player=state["dealer"])
    player, suits = state["to_play"], state["legal_suits"]
    if played.owed is not None:
        return phrase(TricksHint.GIVEN, player=player, suits=SYMBOLS[played.owed[-1]])
    if not state["table"]:
        return phrase(TricksHint.LEAD, player=player)
    if len(played.refused) == len(suits):
        return phrase(TricksHint.ANY_CARD, player=player)
    return phrase(TricksHint.FOLLOW, player=player, suits=" ".join(SYMBOLS[suit] for suit in suits))


def _played(match: Match, cards: list[tuple[str, str]]) -> list[PlayedCard]:
    throws = _throws(match.ledger)
    doubted = {q.lie.card for q in match.questions if q.line is not None and q.lie is not None}
    return [
        {"card": card, "player": player, "throw": throws.get(card), "doubtful": card in doubted}
        for card, player in cards
    ]


def _throws(ledger: Ledger) -> dict[str, str]:
    """The evidence of each card, of the deal in which it was played last."""
    plays = (line.data for line in ledger.amended if line.data["type"] == "play")
    return {str(play["card"]): str(play["throw"]) for play in plays if play.get("throw")}


def _last(match: Match) -> TrickSnapshot | None:
    told = None
    for told in tricks(match.ledger):  # noqa: B007 the last one
        pass
    if told is None:
        return None
    ruling, cards = told
    sums = dict.fromkeys(match.ledger.players, 0)
    for card, player in cards:
        sums[player] += value(card)
    return {
        "trick": ruling["trick"],
        "deal": ruling["deal"],
        "winner": ruling["winner"],
        "by": ruling["by"],
        "points": ruling["points"],
        "cards": _played(match, cards),
        "sums": sums,
    }


def _seats(ledger: Ledger) -> list[TricksPlayer]:
    state, scores = ledger.state, ledger.result["scores"]
    return [
        {
            "name": name,
            "points": scores[name],
            "tricks": state["tricks"][name],
            "score_cards": state["score_cards"][name],
            "deal_points": sum(map(value, state["score_cards"][name])),
            "is_dealer": name == state["dealer"],
            "to_play": name == state["to_play"],
        }
        for name in ledger.players
    ]
