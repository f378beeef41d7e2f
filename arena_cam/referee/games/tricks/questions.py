"""Questions to the referee about a card: the sentence, the choices with the likeliest first, and what each does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arena_cam.domain.messages import messages_to_json
from arena_cam.referee.game import corrections
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.match import Asked, Match, chosen, withdraw
from arena_cam.referee.game.part import Request
from arena_cam.referee.games.tricks.messages import TricksAnswer, TricksQuestion
from arena_cam.referee.games.tricks.seeing import UNSURE, played, waiting, with_waiting
from arena_cam.referee.games.tricks.tricks_told import leader_of_deal
from arena_cam.referee.interface import Choice
from arena_cam.rules.games.tricks.engine import CARDS, playable
from arena_cam.rules.games.tricks.interpret import NEXT_DEAL, NOT_ALLOWED

Json = dict[str, Any]
MOST_NAMES = 3  # second guesses that are worth a button each


def to_json(match: Match, question: Asked) -> Json:
    """The question as pages show it (interface.Question without `picture`'s file name and the time)."""
    card = question.lie.card if question.lie is not None else None
    params = {"card": card, "player": match.ledger.state["to_play"] or ""}
    return {
        "id": question.id,
        "code": question.kind,
        "text": str(TricksQuestion.of(question.kind)(**params)),
        "params": params | messages_to_json(question.doubts),
        "card": card,
        "line": question.line,
        "choices": _choices(match, question),
        "cards": _possible(match, question),
        "blocking": question.blocking,
    }


def answer(match: Match, question: Asked, choice: str, request: Request) -> Match:
    """The match after the answer. Raises Refused `bad_argument` for what is no choice, Impossible where the rules
    object."""
    kind, card = chosen(choice, request.args, _choices(match, question), _possible(match, question))
    after = withdraw(match, question.id)
    after = (
        _of_line(after, question, kind, card, request)
        if question.line
        else _of_table(after, question, kind, card, request)
    )
    return with_waiting(after, waiting(after))


def _of_line(match: Match, question: Asked, kind: str, card: str, request: Request) -> Match:
    """An answer about a play that is in the record."""
    if kind == "keep":
        note = {"type": "note", "confirmed": question.line, "who": request.who}
        return append(match, [note], request.who, request.now_s)
    setting = {"card": card} if kind == "card" else {"type": "note"}
    events = corrections.amendments(match.ledger, [{"line": question.line, "set": setting}])
    return append(match, corrections.signed(events, "answer to the question", request.who), request.who, request.now_s)


def _of_table(match: Match, question: Asked, kind: str, card: str, request: Request) -> Match:
    """An answer about a card that is not in the record: now it is, or it counts for nothing."""
    assert question.lie is not None
    assert question.lie.card is not None
    key = question.lie.key
    if kind in ("card", "keep"):
        return played(match, key, card if kind == "card" else question.lie.card, request.who)
    if kind == "begun":
        return played(match, key, question.lie.card, request.who, [{"type": "deal", "who": request.who}])
    if kind == "nobody_has":
        suits = [suit for suit in match.ledger.state["legal_suits"] if suit not in match.ledger.played.state.refused]
        asked = [{"type": "exchange", "suit": suit, "none": True, "who": request.who} for suit in suits]
        return played(match, key, question.lie.card, request.who, asked)
    note = {"type": "note", "ignored": question.lie.card, "who": request.who}
    return append(replace(match, stale=match.stale | {key}), [note], request.who, request.now_s)


def _choices(match: Match, question: Asked) -> list[Choice]:
    card = question.lie.card if question.lie is not None else None
    if question.kind == NEXT_DEAL:
        leader = leader_of_deal(match.ledger, match.ledger.state["deal"])
        return [_choice("begun", True, player=leader, card=card), _choice("taken_back")]
    possible = set(_possible(match, question))
    others = [name for name, _ in question.lie.other_names if name in possible] if question.lie is not None else []
    names = [_choice(f"card:{name}", card=name) for name in others[:MOST_NAMES]]
    another = _choice("other_card", asks_card=True)
    if question.line is not None:
        return [_choice("keep", True, card=card), *names, another, _choice("never")]
    if question.kind == UNSURE:
        return [_choice("keep", True, card=card), *names, another, _choice("taken_back")]
    nobody = [_choice("nobody_has")] if question.kind == NOT_ALLOWED and match.ledger.state["table"] else []
    return [*names, _choice("taken_back", not names), *nobody, another]


def _choice(id: str, recommended: bool = False, asks_card: bool = False, **params: Any) -> Choice:
    code = id.partition(":")[0]
    return {
        "id": id,
        "text": str(TricksAnswer.of(code)(**params)),
        "code": code,
        "params": params,
        "recommended": recommended,
        "asks_card": asks_card,
    }


def _possible(match: Match, question: Asked) -> list[str]:
    """The cards that it could be: by the rules, or of a play in the record all that were not seen in this deal."""
    state = match.ledger.played.state
    own = question.lie.card if question.lie is not None else None
    if question.line is None:
        return [card for card in playable(state) if card != own]
    seen = {*state.played, *state.table}
    return [card for card in CARDS if card not in seen and card != own]
