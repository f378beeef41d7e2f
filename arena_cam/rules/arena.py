"""Alex Randolph's Dilemma, where cards are thrown into an arena.

Read from top to bottom this is the rulebook: preparation, the provocation, the ruling, the duel, the end. EN is the
English rulebook, FR the French one of the same game; docs/rules/arena.md says where they are silent and what we rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena_cam.rules.arena_events import FACES, LANDINGS, Challenge, Close, Duel, Event, Moved, Throw, read
from arena_cam.rules.arena_names import find
from arena_cam.rules.arena_pile import (
    CARDS,
    COLOURS,
    FORFEITED,
    IN_HAND,
    IN_ROUND,
    RULED_OUT,
    ArenaCard,
    Lying,
    Pile,
    beneath,
    candidates,
    duelling_card,
    pile_of,
)
from arena_cam.rules.game import (
    NO_RULINGS,
    ForEach,
    Game,
    Header,
    Immutable,
    Legal,
    OneOf,
    Option,
    Ruling,
    SomeOf,
    msg,
    standing,
)
from arena_cam.rules.reading import awaited, refuse, shown, word

__all__ = ["GAME", "ArenaCard", "candidates", "duelling_card", "preview"]

OPTIONS = {
    "life_blocks": Option(range(11), None),  # None: as printed, three if three play, else two
    "rethrow": Option(("repeat", "once"), "repeat"),
    "pile": Option(("same_value", "any"), "same_value"),
    "missed": Option(("winnings", "lost"), "winnings"),
    "two_left_beside": Option(("return", "remove", "forfeit"), "return"),
}


# --- Preparation (EN, Preparation; FR, Préparatifs) ---


class Setup(NamedTuple):
    """What stays the same for the whole game. `player_of` tells whose colour it is."""

    players: tuple[str, ...]
    player_of: Mapping[str, str]
    options: Mapping[str, Any]


@dataclass(frozen=True)
class State(Immutable):
    """Where the game stands.

    awaiting: challenge, throws, duel, identify or nothing; round counts from 1.
    provocateur: who provokes in this round or, between rounds, in the next.
    opponent_left: the only other player with cards just before the challenge, if just two had any.
    lying: the challenge card, then every card thrown in this round in the order of throwing; empty between rounds.
    offered_at: the number of cards that lay when everybody was last offered to throw; offers: how often again.
    duelling: the place in `lying` of the duelling card.
    hands: the cards in hand, by player. won: (card, player). removed: out of the game.
    unidentified: `?N` names of face-down cards of the finished round that nobody has named.
    """

    setup: Setup
    awaiting: str
    round: int
    provocateur: str
    opponent_left: str | None
    lying: tuple[Lying, ...]
    offered_at: int
    offers: int
    duelling: int | None
    hands: Mapping[str, frozenset[str]]
    won: tuple[tuple[str, str], ...]
    lives: Mapping[str, int]
    removed: tuple[str, ...]
    unidentified: tuple[str, ...]


_TEN_CARDS = {colour: frozenset(f"{colour}-{value}" for value in range(1, 11)) for colour in COLOURS}


def start(header: Header) -> State:
    """Everybody has ten cards and two life blocks, three if three play."""
    player_of: dict[str, str] = {}
    for name, entry in zip(header.players, header.data["players"], strict=True):
        colour = word(entry, "colour", COLOURS)
        if colour in player_of:
            refuse("colour_twice", f"{colour} is the colour of two players; give each a colour of their own")
        player_of[colour] = name
    options = dict(header.options)
    if options["life_blocks"] is None:
        options["life_blocks"] = 3 if len(header.players) == 3 else 2
    return State(
        setup=Setup(header.players, player_of, options),
        awaiting="challenge",
        round=1,
        provocateur=header.data.get("first") or header.players[0],
        opponent_left=None,
        lying=(),
        offered_at=0,
        offers=0,
        duelling=None,
        hands={player: _TEN_CARDS[colour] for colour, player in player_of.items()},
        won=(),
        lives=dict.fromkeys(header.players, options["life_blocks"]),
        removed=(),
        unidentified=(),
    )


# --- The provocation (EN, The Provocation; FR, Provocation) ---


def apply(state: State, event: Event) -> tuple[State, Sequence[Ruling]]:
    """Plays one event. Raises Refused if it cannot happen now."""
    return _PLAY[type(event)](state, event)


def _challenge(state: State, event: Challenge) -> tuple[State, Sequence[Ruling]]:
    """The provocateur lays a card in the arena and opens the round."""
    if state.awaiting != "challenge":
        awaited("a challenge", "challenge", state.awaiting)
    owner = _from_hand(state, event.card)
    if owner != state.provocateur:
        refuse("not_the_provocateur", f"{event.card} is {owner}'s, but it is {state.provocateur}'s turn to provoke")
    others = [name for name in _with_cards(state) if name != owner]
    value = CARDS[event.card][1]
    return state.but(
        awaiting="throws",
        opponent_left=others[0] if len(others) == 1 else None,
        lying=(Lying(event.card, owner, value, "flat", "up", (), event.line, IN_ROUND, event.names),),
        offered_at=1,
        offers=0,
        hands={**state.hands, owner: state.hands[owner] - {event.card}},
    ), NO_RULINGS


def _throw(state: State, event: Throw) -> tuple[State, Sequence[Ruling]]:
    """A card from a hand comes to rest. Whoever still has cards may throw, as often as they like."""
    if state.awaiting != "throws":
        awaited("a throw", "throws", state.awaiting)
    card = event.card
    rests_on = _beneath(state.lying, event.rests_on, event.written) if event.rests_on else ()
    if card is None:
        thrown = Lying(f"?{event.line}", None, None, event.landing, event.face, rests_on, event.line)
        return state.but(lying=(*state.lying, thrown._replace(names=event.names))), NO_RULINGS
    owner = _from_hand(state, card)
    value = CARDS[card][1]
    thrown = Lying(card, owner, value, event.landing, event.face, rests_on, event.line, IN_ROUND, event.names)
    hands = {**state.hands, owner: state.hands[owner] - {card}}
    return state.but(lying=(*state.lying, thrown), hands=hands), NO_RULINGS


def _moved(state: State, event: Moved) -> tuple[State, Sequence[Ruling]]:
    """A card of the round was disturbed: from now on it lies as it is said to, but keeps its place in the order."""
    awaited("a moved card", "throws", state.awaiting)
    place = _lying(state.lying, event.card, event.card_written)
    before = state.lying[place]
    rests_on = before.rests_on
    if event.rests_on is not None:
        rests_on = _beneath(state.lying, event.rests_on, event.written)
        if place in rests_on:
            refuse("rests_on_itself", f"{before.name} cannot rest on itself")
    face = event.face or before.face
    if face == "up" and before.owner is None:
        refuse(
            "unnamed", f"a card that lies face up must be named; amend line {before.line} to say which {before.name} is"
        )
    after = before._replace(landing=event.landing or before.landing, face=face, rests_on=rests_on)
    return state.but(lying=(*state.lying[:place], after, *state.lying[place + 1 :])), NO_RULINGS


def _from_hand(state: State, card: str) -> str:
    """Whose card it is; Refused unless it is in a hand."""
    owner = state.setup.player_of.get(CARDS[card][0])
    if owner is None:
        refuse("colour_not_played", f"nobody plays {CARDS[card][0]}, so {card} cannot be in the game")
    if card not in state.hands[owner]:
        refuse("not_in_hand", f"{card} is not in {owner}'s hand any more")
    return owner


def _lying(lying: Sequence[Lying], name: str, written: int) -> int:
    place = find(lying, name, written)
    if place is None:
        refuse("not_there", f"{shown(name)} names no card that lies in the arena in this round")
    return place


def _beneath(lying: Sequence[Lying], names: Sequence[str | None], written: int) -> tuple[int, ...]:
    """The places of the cards that `names` mean. None is some face-down card that carries nothing on."""
    return tuple([_lying(lying, name, written) for name in names if name is not None])


def _with_cards(state: State) -> list[str]:
    """The players who have cards in hand, in seat order."""
    return [name for name in state.setup.players if state.hands[name]]


# --- The ruling at the close (EN, The Provocation and Special situations; FR the same) ---

_SENTENCES = {
    "returned": msg(
        "%(card)s lies beside the arena, which is not allowed with two players left: it goes back to %(player)s's hand."
    ),
    "forfeited": msg(
        "%(card)s lies beside the arena, which is not allowed with two players left: %(provocateur)s wins it."
    ),
    "beside": msg("%(card)s fell beside the arena and leaves the game."),
    "edge": msg("%(card)s lies on the edge of the arena, not flat inside it, and leaves the game."),
    "diagonal": msg("%(card)s leans on the wall instead of lying flat, and leaves the game."),
    "face_down": msg("%(card)s lies face down, so it does not count, and leaves the game."),
    "own_card": msg(
        "%(card)s is the provocateur's own card; nobody answers their own challenge, so it leaves the game."
    ),
    "same_value": msg("%(card)s lies on the challenge card %(challenge)s but has the same value, so it is not valid."),
    "duelling": msg(
        "%(card)s is the first valid card on the challenge card %(challenge)s: %(player)s accepts the duel."
    ),
    "not_first": msg(
        "%(card)s does not count, because %(duelling)s was first on the challenge card; it leaves the game."
    ),
    "not_on_challenge": msg("%(card)s does not lie on the challenge card %(challenge)s and leaves the game."),
    "rethrow": msg("Only cards of the same value lie on %(challenge)s: everyone may throw again."),
    "unanswered": msg("Nobody answered the challenge: %(player)s keeps %(card)s as winnings."),
    "wasted": msg("Cards were thrown but none of them counts: by the house rule %(card)s leaves the game."),
}
_RULES = {
    "returned": "EN, Special situations b",
    "forfeited": "EN, Special situations b; house rule two_left_beside",
    "beside": "EN, The Provocation",
    "edge": "EN, The Provocation c",
    "diagonal": "EN, The Provocation b; FR, Provocation b",
    "face_down": "house ruling: a card face down is invalid",
    "own_card": "house ruling: the provocateur does not answer",
    "same_value": "EN, The Provocation: the value must be different",
    "duelling": "EN, The Provocation a",
    "not_first": "EN, The Provocation: only one player can accept",
    "not_on_challenge": "EN, The Provocation: only the card on the challenge card counts",
    "rethrow": "EN, The Provocation: another card; FR, Provocation",
    "unanswered": "EN, Special situations a",
    "wasted": "house rule missed; EN, Special situations b",
}


def _close(state: State, event: Close) -> tuple[State, Sequence[Ruling]]:
    """The arena is at rest: each thrown card gets its verdict, then comes a duel, another throw, or the round's end."""
    if state.awaiting != "throws":
        awaited("a close", "throws", state.awaiting)
    pile = pile_of(state.lying, state.provocateur, any_passes=state.setup.options["pile"] == "any")
    verdicts = _verdicts(state, pile)
    words = {
        "challenge": state.lying[0].name,
        "provocateur": state.provocateur,
        "duelling": None if pile.duelling is None else state.lying[pile.duelling].name,
    }
    rulings = []
    for place, code in verdicts:
        card = state.lying[place]
        facts = {"card": card.name, "player": card.owner, "thrown": card.line}
        rulings.append(Ruling(event.line, code, facts, _SENTENCES[code], _RULES[code], words))
    if pile.duelling is not None:
        state = _take_away(state, verdicts, keep="duelling")
        return state.but(awaiting="duel", duelling=pile.duelling), rulings
    if _may_throw_again(state, verdicts):
        rulings.append(Ruling(event.line, "rethrow", {}, _SENTENCES["rethrow"], _RULES["rethrow"], words))
        state = _take_away(state, verdicts, keep="same_value")
        return state.but(offered_at=len(state.lying), offers=state.offers + 1), rulings
    state, ruling = _nobody_answered(_take_away(state, verdicts, keep=""), event.line)
    rulings.append(ruling)
    return _end_of_round(state), rulings


def preview(state: State) -> list[Ruling]:
    """What a `close` would rule now, without closing: a verdict for each card, and what follows. Empty between rounds.

    The line of these rulings is 0. Raises Refused where a close would (a card beneath itself).
    """
    return list(_close(state, Close(0))[1]) if state.awaiting == "throws" else []


def _verdicts(state: State, pile: Pile) -> list[tuple[int, str]]:
    """For each thrown card still in the round its place and its verdict: the first that fits."""
    lying, challenge = state.lying, state.lying[0]
    verdicts = []
    for i, card in enumerate(lying):
        _, owner, value, landing, face, _, _, place, _ = card
        if i == 0 or place != IN_ROUND:
            continue
        if landing == "beside" and owner is not None and owner == state.opponent_left:
            verdict = _BESIDE_WITH_TWO_LEFT[state.setup.options["two_left_beside"]]
        elif landing != "flat":
            verdict = landing
        elif face == "down":
            verdict = "face_down"
        elif owner == state.provocateur:
            verdict = "own_card"
        elif pile.on_challenge[i] and value == challenge.value:
            verdict = "same_value"
        elif i == pile.duelling:
            verdict = "duelling"
        elif pile.on_challenge[i] or (pile.duelling is not None and pile.duelling in beneath(lying, i)):
            verdict = "not_first"
        else:
            verdict = "not_on_challenge"
        verdicts.append((i, verdict))
    return verdicts


_BESIDE_WITH_TWO_LEFT = {"return": "returned", "remove": "beside", "forfeit": "forfeited"}


def _take_away(state: State, verdicts: Sequence[tuple[int, str]], keep: str) -> State:
    """All cards judged leave the game, but those whose verdict is `keep` and those that are returned or forfeited."""
    if not verdicts:
        return state
    lying = list(state.lying)
    hands, won, removed = state.hands, state.won, state.removed
    for i, verdict in verdicts:
        card = lying[i]
        if verdict == keep:
            continue
        lying[i] = card.put(_PLACES.get(verdict, RULED_OUT))
        if card.owner is None:
            continue  # nobody has said which card it is
        if verdict == "returned":
            hands = {**hands, card.owner: hands[card.owner] | {card.name}}
            lying = [each._replace(rests_on=tuple(j for j in each.rests_on if j != i)) for each in lying]
            lying[i] = lying[i]._replace(rests_on=())  # what lay on it or beneath it touches it no more
        elif verdict == "forfeited":
            won += ((card.name, state.provocateur),)
        else:
            removed += (card.name,)
    return state.but(lying=tuple(lying), hands=hands, won=won, removed=removed)


_PLACES = {"returned": IN_HAND, "forfeited": FORFEITED}


def _may_throw_again(state: State, verdicts: Sequence[tuple[int, str]]) -> bool:
    """A card of the same value, thrown since the last offer, gives everybody another throw (EN, The Provocation)."""
    if state.offers and state.setup.options["rethrow"] == "once":
        return False
    return any(verdict == "same_value" and i >= state.offered_at for i, verdict in verdicts)


def _nobody_answered(state: State, line: int) -> tuple[State, Ruling]:
    """The provocateur keeps the challenge card as winnings (EN and FR, Special situations a)."""
    card = state.lying[0].name
    missed = any(c.owner != state.provocateur and c.place not in (IN_HAND, FORFEITED) for c in state.lying[1:])
    if missed and state.setup.options["missed"] == "lost":
        facts = {"card": card, "player": None}
        ruling = Ruling(line, "wasted", facts, _SENTENCES["wasted"], _RULES["wasted"])
        return state.but(removed=(*state.removed, card)), ruling
    facts = {"card": card, "player": state.provocateur}
    ruling = Ruling(line, "unanswered", facts, _SENTENCES["unanswered"], _RULES["unanswered"])
    return state.but(won=(*state.won, (card, state.provocateur))), ruling


# --- The duel (EN, The duel) ---

_DUEL_SENTENCES = {
    "both_peace": msg(
        "%(provocateur)s and %(opponent)s both chose peace: each takes the other's card, "
        "%(duelling)s for %(provocateur)s and %(challenge)s for %(opponent)s."
    ),
    "one_conflict": msg(
        "Only %(aggressor)s chose conflict and wins both cards, %(challenge)s and %(duelling)s, for one life block."
    ),
    "both_conflict": msg(
        "%(provocateur)s and %(opponent)s both chose conflict: each gives up a life block, "
        "and %(challenge)s and %(duelling)s leave the game."
    ),
}


def _duel(state: State, event: Duel) -> tuple[State, Sequence[Ruling]]:
    """Peace and peace swaps the cards; one conflict takes both for a life block; two take none and cost two blocks."""
    awaited("a duel", "duel", state.awaiting)
    assert state.duelling is not None  # awaiting a duel means that a duelling card lies there
    challenge, duelling = state.lying[0].name, state.lying[state.duelling].name
    provocateur, opponent = state.provocateur, state.lying[state.duelling].owner or ""
    fighters = _fighters(state, (provocateur, opponent), event.choices)
    words = {"provocateur": provocateur, "opponent": opponent, "challenge": challenge, "duelling": duelling}
    winner_of: dict[str, str | None]
    if not fighters:
        code, winner_of = "both_peace", {challenge: opponent, duelling: provocateur}
    elif len(fighters) == 1:
        code, winner_of = "one_conflict", dict.fromkeys((challenge, duelling), fighters[0])
        words["aggressor"] = fighters[0]
    else:
        code, winner_of = "both_conflict", {challenge: None, duelling: None}
    state = state.but(
        lives={name: left - (name in fighters) for name, left in state.lives.items()},
        won=(*state.won, *((card, winner) for card, winner in winner_of.items() if winner is not None)),
        removed=(*state.removed, *(card for card, winner in winner_of.items() if winner is None)),
    )
    facts = {"cards": winner_of, "lost_block": fighters}
    return _end_of_round(state), [Ruling(event.line, code, facts, _DUEL_SENTENCES[code], "EN, The duel", words)]


def _fighters(state: State, duellists: tuple[str, str], choices: Mapping[str, Any]) -> list[str]:
    """Who of the duellists chose conflict; without a life block one may not."""
    if set(choices) != set(duellists):
        refuse("not_the_duellists", f"choices must hold the choices of {' and '.join(duellists)}, and nobody else's")
    for name in duellists:
        if word(choices, name, ("peace", "conflict")) == "conflict" and state.lives[name] == 0:
            refuse("no_life_block", f"{name} has no life block left and may not choose conflict")
    return [name for name in duellists if choices[name] == "conflict"]


# --- The next round and the end (EN and FR, The end of the game) ---


def _end_of_round(state: State) -> State:
    """The stumbling block passes to the left, over players without cards; with one player left the game is over."""
    unidentified = tuple([card.name for card in state.lying[1:] if card.owner is None])
    with_cards = _with_cards(state)
    awaiting, number, provocateur = "challenge", state.round + 1, state.provocateur
    if unidentified or len(with_cards) <= 1:
        awaiting, number = "identify" if unidentified else "nothing", state.round
    else:
        seat = state.setup.players.index(provocateur)
        to_the_left = (*state.setup.players[seat + 1 :], *state.setup.players[:seat])
        provocateur = next(name for name in to_the_left if name in with_cards)
    return state.but(
        awaiting=awaiting,
        round=number,
        provocateur=provocateur,
        opponent_left=None,
        lying=(),
        duelling=None,
        unidentified=unidentified,
    )


# --- What a page or a program may ask ---


def legal(state: State) -> list[Legal]:
    """What may come next."""
    hands = {name: sorted(hand, key=_ORDER.__getitem__) for name, hand in state.hands.items()}
    if state.awaiting == "challenge":
        return [Legal("challenge", {"card": OneOf(tuple(hands[state.provocateur]))})]
    if state.awaiting == "duel":
        assert state.duelling is not None  # as in _duel
        duellists = (state.provocateur, state.lying[state.duelling].owner or "")
        choices = {name: ("peace", "conflict") if state.lives[name] else ("peace",) for name in duellists}
        return [Legal("duel", {"choices": ForEach(choices)})]
    if state.awaiting != "throws":
        return []
    names = tuple(card.name for card in state.lying if card.place != IN_HAND)
    landing, rests_on = OneOf(LANDINGS, weights=(7, 1, 1, 1)), SomeOf(names)
    legal = [Legal("close", weight=3)]
    hand = tuple(card for cards in hands.values() for card in cards)
    if hand:
        face = OneOf(FACES, weights=(19, 1))
        throw: dict[str, OneOf | SomeOf] = {"card": OneOf(hand), "landing": landing, "face": face, "rests_on": rests_on}
        legal.append(Legal("throw", throw, weight=6))
    return [*legal, Legal("moved", {"card": OneOf(names), "landing": landing})]


def result(state: State) -> dict[str, Any]:
    """The game's answers: over, winners, scores, state."""
    setup = state.setup
    scores = dict.fromkeys(setup.players, 0)
    for card, winner in state.won:
        scores[winner] += CARDS[card][1]
    return standing(scores, state.awaiting == "nothing", _answers(state))


def _answers(state: State) -> dict[str, Any]:
    setup, lying = state.setup, state.lying
    duelling = None if state.duelling is None else lying[state.duelling]
    unidentified = [card.name for card in lying[1:] if card.owner is None]
    won: dict[str, list[str]] = {name: [] for name in setup.players}
    for card, winner in state.won:
        won[winner].append(card)
    return {
        "awaiting": state.awaiting,
        "round": state.round,
        "provocateur": None if state.awaiting in ("nothing", "identify") else state.provocateur,
        "challenge": lying[0].name if lying else None,
        "duelling": duelling.name if duelling else None,
        "opponent": duelling.owner if duelling else None,
        "arena": [card.name for card in lying if card.place == IN_ROUND],
        "hands": {name: sorted(state.hands[name], key=_ORDER.__getitem__) for name in setup.players},
        "won": {name: sorted(cards, key=_ORDER.__getitem__) for name, cards in won.items()},
        "lives": dict(state.lives),
        "removed": sorted(state.removed, key=_ORDER.__getitem__),
        "unidentified": unidentified or list(state.unidentified),
    }


_ORDER = {card: place for place, card in enumerate(CARDS)}


_PLAY: dict[type, Callable[[State, Any], tuple[State, Sequence[Ruling]]]] = {
    Challenge: _challenge,
    Throw: _throw,
    Moved: _moved,
    Close: _close,
    Duel: _duel,
}

GAME = Game(
    name="arena",
    title="Dilemma (Alex Randolph)",
    source="EN, FR",
    players=range(3, 6),
    options=OPTIONS,
    events={
        "challenge": frozenset({"card"}),
        "throw": frozenset({"card", "landing", "face", "rests_on"}),
        "moved": frozenset({"card", "landing", "face", "rests_on"}),
        "close": frozenset(),
        "duel": frozenset({"choices"}),
    },
    start=start,
    read=read,
    apply=apply,
    legal=legal,
    result=result,
    seats={"colour": COLOURS},
    starters=("first",),
)
