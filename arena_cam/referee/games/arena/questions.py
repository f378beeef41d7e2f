"""What the referee is asked: the sentence, the choices with the camera's second guesses first, and what each does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arena_cam.domain.lies import Face, Landing
from arena_cam.domain.messages import messages_to_json
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.match import Asked, Match, chosen, withdraw
from arena_cam.referee.game.part import Request
from arena_cam.referee.games.arena import block_duel, corrections
from arena_cam.referee.games.arena.messages import ArenaAnswer, ArenaQuestion
from arena_cam.referee.games.arena.rounds import lying_in, swapped
from arena_cam.referee.games.arena.seeing import believe
from arena_cam.referee.interface import Choice
from arena_cam.referee.messages import Answer
from arena_cam.rules.games.arena.awaiting import Awaiting
from arena_cam.rules.games.arena.pile import CARDS

Json = dict[str, Any]

# Second choices that are less likely than this are not worth a button.
WORTH_A_BUTTON = 0.001


def to_json(match: Match, question: Asked) -> Json:
    """The question as pages show it (interface.Question without `picture`'s file name and the time)."""
    params = _params(match, question)
    doubts = () if question.kind in ("order", *block_duel.KINDS) else question.doubts
    return {
        "id": question.id,
        "code": question.kind,
        "text": str(ArenaQuestion.of(question.kind)(**params)),
        "params": params | messages_to_json(doubts),
        "card": question.lie.card if question.lie is not None else None,
        "line": question.line,
        "choices": _choices(match, question),
        "cards": _possible_cards(match, question),
        "blocking": question.blocking,
    }


def answer(match: Match, question: Asked, choice: str, request: Request) -> Match:
    """What the answer does. Raises Refused `bad_argument` for what is no choice, Impossible where the rules object."""
    who, now_s = request.who, request.now_s
    kind, value = chosen(choice, request.args, _choices(match, question), _possible_cards(match, question))
    after = withdraw(match, question.id)
    if question.line is None:
        return _about_unbelieved(after, question, kind, value, request)
    if kind in ("keep", "counts") or (kind == "first" and value == "as_seen"):
        note = {"type": "note", "confirmed": question.line, "who": who}
        return append(after, [note], who, now_s)
    if kind == "first":
        first = next(card.line for card in lying_in(match.ledger) if card.name == question.about[0])
        return append(after, swapped(match, first, question.line), who, now_s)
    args: Json = {"line": question.line, "reason": "answer to the question"}
    if kind == "never":
        events = corrections.throw_never_happened(match, args, who)
    else:
        events = corrections.correct_card(match, args | {("id" if kind == "card" else "landing"): value}, who)
    return append(after, events, who, now_s)


def _about_unbelieved(match: Match, question: Asked, kind: str, value: str, request: Request) -> Match:
    """A card that was not written down yet: now it is, or it counts for nothing."""
    lie = question.lie
    if kind == "ignore" or lie is None:
        key = lie.key if lie is not None else ""
        note = {"type": "note", "ignored": lie.card if lie is not None else None, "who": request.who}
        return append(replace(match, stale=match.stale | {key}), [note], request.who, request.now_s)
    return believe(match, lie.key, replace(lie, card=value, face=Face.UP, sure=True, other_names=()), request.who)


def _params(match: Match, question: Asked) -> Json:
    lie = question.lie
    state = match.ledger.state
    if question.kind in block_duel.KINDS:
        return {"player": question.about[0]}
    params: Json = {
        "card": lie.card if lie is not None else None,
        "landing": lie.landing.value if lie is not None and lie.landing is not None else "flat",
        "player": state["provocateur"] or "",
        "round": state["round"],
    }
    if question.kind == "order":
        params |= {"first": question.about[0], "second": question.about[1]}
    return params


def _choice(id: str, recommended: bool = False, asks_card: bool = False, **params: Any) -> Choice:
    code = id.partition(":")[0]
    sentence = Answer.IGNORE if code == Answer.IGNORE.value else ArenaAnswer.of(code)
    return {
        "id": id,
        "text": str(sentence(**params)),
        "code": code,
        "params": params,
        "recommended": recommended,
        "asks_card": asks_card,
    }


def _choices(match: Match, question: Asked) -> list[Choice]:
    if question.kind in block_duel.KINDS:
        return [_choice(answer, answer == block_duel.LAY_ANEW) for answer in block_duel.offered(match, question)]
    if question.kind == "order":
        first, second = question.about
        return [_choice("first:as_seen", True, card=first), _choice("first:other", card=second)]
    if question.kind == "taken_back":
        return [_choice("counts", True), _choice("never")]
    names = _likely_names(match, question)
    if question.line is None or question.kind == "identify":
        choices = [_choice(f"card:{name}", i == 0, card=name) for i, name in enumerate(names)]
        choices.append(_choice("other_card", asks_card=True))
        last = "never" if question.line is not None else "ignore"
        return [*choices, _choice(last, recommended=not names)]
    params = _params(match, question)
    choices = [_choice("keep", True, card=params["card"], landing=params["landing"])]
    if match.ledger.event(question.line)["type"] == "throw":
        for landing in _likely_landings(question):
            choices.append(_choice(f"landing:{landing}", card=params["card"], landing=landing))
    choices += [_choice(f"card:{name}", card=name) for name in names]
    return [*choices, _choice("other_card", asks_card=True), _choice("never")]


def _likely_landings(question: Asked) -> list[str]:
    lie = question.lie
    if lie is None:
        return []
    probable = sorted(lie.landing_probabilities, key=lambda pair: -pair[1])
    order = [landing for landing, _ in probable] + list(Landing)
    return [landing.value for landing in dict.fromkeys(order) if landing is not lie.landing]


def _likely_names(match: Match, question: Asked) -> list[str]:
    possible = set(_possible_cards(match, question))
    if question.lie is None:
        return []
    return [name for name, p in question.lie.other_names if name in possible and p >= WORTH_A_BUTTON][:3]


def _possible_cards(match: Match, question: Asked) -> list[str]:
    """The cards that it could be by the rules: those in hands; of the provocateur where a challenge is asked about."""
    state = match.ledger.state
    if question.kind in block_duel.KINDS:
        return []
    hands = state["hands"]
    names = [card for hand in hands.values() for card in hand]
    challenge = question.line is not None and match.ledger.event(question.line)["type"] == "challenge"
    if (challenge or match.ledger.awaiting == Awaiting.CHALLENGE) and state["provocateur"] is not None:
        names = list(hands[state["provocateur"]])
    own = question.lie.card if question.lie is not None else None
    return [card for card in CARDS if card in set(names) and card != own]
