"""Votes in secret: a ballot is a letter for each dilemma, in seat order; it is known to nobody until all are in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.legal import legal_to_json
from arena_cam.referee.game.match import Match
from arena_cam.referee.games.dilemmas.messages import DilemmasTable
from arena_cam.rules.games.dilemmas.messages import DilemmasRefusal

Json = dict[str, Any]
# A letter of a ballot: what it puts on the dilemma; nothing, on one's own where that has no vote.
LETTERS = {"y": "yes", "n": "no", "Y": "super_yes", "N": "super_no", "-": None}


def voters(match: Match) -> tuple[str, ...]:
    """Who votes in secret now: everybody, unless the votes of this round are entered at the desk."""
    state = match.ledger.played.state
    if match.ledger.awaiting != "votes" or state.counts or any(state.votes.values()):
        return ()
    return match.ledger.players


def missing(match: Match) -> list[str]:
    """Who has not yet all votes of the round in the record."""
    legal = match.ledger.record.game.legal(match.ledger.played.state)
    votes = [legal_to_json(each)["keys"]["player"]["one_of"] for each in legal if each.kind == "vote"]
    may = {name for names in votes for name in names}
    return [name for name in match.ledger.players if name in may]


def votes_of(match: Match, voter: str, ballot: str) -> list[Json]:
    """The events that a ballot stands for."""
    marks = zip(match.ledger.players, ballot, strict=True)
    return [
        {"type": "vote", "player": voter, "on": owner, "token": LETTERS[letter]}
        for owner, letter in marks
        if LETTERS[letter] is not None
    ]


def checked(match: Match, voter: object, ballot: object) -> str:
    """The ballot, if the rules allow these votes together. Raises Refused, which only the voter is told."""
    players = match.ledger.players
    if not voters(match):
        raise Refused("not_now", DilemmasTable.NO_VOTES_NOW())
    if not isinstance(voter, str) or voter not in players:
        raise Refused("not_yours", DilemmasTable.NOT_A_VOTER(player=str(voter)[:40]))
    if not isinstance(ballot, str) or len(ballot) != len(players) or not set(ballot) <= set(LETTERS):
        raise Refused("bad_argument", DilemmasTable.EVERY_DILEMMA(count=len(players)))
    own = players.index(voter)
    own_vote = match.ledger.record.header.options["own_vote"]
    if any((letter == "-") != (seat == own and not own_vote) for seat, letter in enumerate(ballot)):
        raise Refused("bad_argument", DilemmasTable.EVERY_DILEMMA(count=len(players) - (not own_vote)))
    match.ledger.appended(votes_of(match, voter, ballot))  # refused by the rules, if they do not allow it
    _check_last_round(match, voter, ballot)
    return ballot


def _check_last_round(match: Match, voter: str, ballot: str) -> None:
    """In the last round everybody uses the supervotes that they still have."""
    options, state = match.ledger.record.header.options, match.ledger.played.state
    due = options["supervotes"] and options["unused_supervotes"] == "refuse" and state.round == options["rounds"]
    for letter, token in (("Y", "super_yes"), ("N", "super_no")) if due else ():
        if letter not in ballot and (voter, token) not in state.supers_used:
            raise Refused("impossible", DilemmasRefusal.SUPERS_UNUSED())


def put_on(match: Match, ballots: Mapping[str, str], owner: str) -> Json:
    """By kind, how many tokens these ballots put on the dilemma of `owner`."""
    letters = [ballot[match.ledger.players.index(owner)] for ballot in ballots.values()]
    return {token: sum(LETTERS[letter] == token for letter in letters) for token in LETTERS.values() if token}


def revealed(match: Match, ballots: Mapping[str, str], told: Mapping[str, Any]) -> list[Json]:
    """All votes at once, and the reveal with what else is `told` then."""
    votes = [vote for voter in match.ledger.players for vote in votes_of(match, voter, ballots[voter])]
    return [*votes, {"type": "reveal", **told}]
