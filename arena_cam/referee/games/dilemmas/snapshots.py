"""A match of dilemmas -> what pages are told of it. Votes are in it once they are in the record, never before."""

from __future__ import annotations

from typing import Any

from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.games.dilemmas.laid_cards import laid_cards, laid_in_record
from arena_cam.rules.games.dilemmas.engine import makers_of

Json = dict[str, Any]


def snapshot(match: Match) -> Json:
    """`dilemmas`: those of this round; `shown`: those of the round before with their votes, until one is laid anew.
    `makers`: who works on whose dilemma, in coop two. `cards` of each: laid_cards.Cards, as they were photographed."""
    rounds = dilemmas_by_round(match.ledger)
    now = rounds[-1] if rounds and not rounds[-1]["ruling"] else None
    told = next((each for each in reversed(rounds) if each["ruling"]), None)
    state, photographed = match.ledger.played.state, laid_cards(match)
    return {
        "dilemmas": [each | {"cards": photographed.get(each["player"], {})} for each in now["dilemmas"]] if now else [],
        "shown": told["dilemmas"] if told is not None and now is None else [],
        "shown_round": told["ruling"]["round"] if told is not None else 0,
        "laid": sorted(state.dilemmas),
        "own_vote": match.ledger.record.header.options["own_vote"],
        "supers_used": [list(used) for used in state.supers_used if used[0] is not None],
        "each_kind": state.setup.each_kind,
        "makers": {name: makers_of(state.setup, state.round, name) for name in match.ledger.players},
    }


def dilemmas_by_round(ledger: Ledger) -> list[Json]:
    """Each round that was begun: {dilemmas: [{player, positive, negative, neutral, cards, tokens, winning}], ruling}.

    `tokens`: by voter, where that is known, the token that was put on it. `ruling` None: it goes on.
    """
    rounds: list[Json] = []
    for _, event, _, rulings in ledger.steps:
        if not rounds or rounds[-1]["ruling"]:
            rounds.append({"dilemmas": [], "ruling": None})
        laid = rounds[-1]["dilemmas"]
        if event["type"] == "dilemma":
            laid.append({key: event.get(key) for key in ("player", "positive", "negative", "neutral")} | {"tokens": {}})
        for each in laid if event["type"] == "vote" else ():
            if each["player"] == event["on"]:
                each["tokens"][event["player"]] = event["token"]
        for ruling in rulings:
            if ruling["code"] == "round":
                rounds[-1]["ruling"] = ruling
                for each in laid:
                    each |= ruling["votes"][each["player"]] | {"winning": each["player"] in ruling["winning"]}
                    each["cards"] = laid_in_record(event, each["player"])
    return [each for each in rounds if each["dilemmas"]]
