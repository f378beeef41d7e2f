"""Alex Randolph's Dilemma, where cards are thrown into an arena.

Read from top to bottom this is the rulebook: preparation, the provocation, the ruling, the duel, the end. EN is the
English rulebook, FR the French one of the same game; docs/rules/arena.md says where they are silent and what we rule.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from arena_cam.domain.colours import COLOURS
from arena_cam.rules.drafts import Playing
from arena_cam.rules.game import (
    NO_RULINGS,
    ForEach,
    Game,
    Header,
    History,
    Keys,
    Kind,
    Legal,
    OneOf,
    Option,
    Ruling,
    SomeOf,
    Value,
    standing,
)
from arena_cam.rules.games.arena.awaiting import CHALLENGE, DUEL, IDENTIFY, NOTHING, THROWS, Awaiting
from arena_cam.rules.games.arena.events import (
    FACES,
    LANDINGS,
    Challenge,
    Close,
    Duel,
    Moved,
    Throw,
    read_challenge,
    read_close,
    read_duel,
    read_moved,
    read_throw,
)
from arena_cam.rules.games.arena.messages import ArenaEvent, ArenaHouseRule, ArenaRefusal, ArenaRuleNote, ArenaRuling
from arena_cam.rules.games.arena.names import find, names_given
from arena_cam.rules.games.arena.pile import (
    CARDS,
    ArenaCard,
    Lying,
    Pile,
    beneath,
    candidates,
    duelling_card,
    pile_of,
)
from arena_cam.rules.reading import awaited, refuse, word

if TYPE_CHECKING:
    from arena_cam.rules.games.arena.interpret import Observed, Round
    from arena_cam.rules.interpreting import Interpretation

__all__ = ["GAME", "ArenaCard", "candidates", "duelling_card", "preview", "round_of"]

OPTIONS = {
    "life_blocks": Option(range(11), None),  # None: as printed, three if three play, else two
    "rethrow": Option(("repeat", "once"), "repeat"),
    "pile": Option(("same_value", "any"), "same_value"),
    "missed": Option(("winnings", "lost"), "winnings"),
    "two_left_beside": Option(("return", "remove", "forfeit"), "return"),
}


# --- Preparation (EN, Preparation; FR, Préparatifs) ---


class Setup(Value, frozen=True):
    """What stays the same for the whole game. `player_of` tells whose colour it is, `left_of` who sits there."""

    players: tuple[str, ...]
    player_of: Mapping[str, str]
    left_of: Mapping[str, str]
    options: Mapping[str, Any]


class State(Playing):
    """Where the game stands.

    awaiting: challenge, throws, duel, identify or nothing; round counts from 1.
    provocateur: who provokes in this round or, between rounds, in the next.
    two_left: whether just before the challenge only two players had cards.
    lying: the challenge card, then every card thrown in this round in the order of throwing; empty between rounds.
    verdicts: those that are final, by place in `lying`; cards without one are still in the round.
    offered_at: the number of cards that lay when everybody was last offered to throw; offers: how often again.
    duelling: the place in `lying` of the duelling card.
    hands: the cards in hand, by player. won: (card, player). removed: out of the game.
    unidentified: `?N` names of face-down cards of the finished round that nobody has named.
    """

    setup: Setup
    awaiting: Awaiting
    round: int
    provocateur: str
    two_left: bool
    lying: list[Lying]
    verdicts: dict[int, str]
    offered_at: int
    offers: int
    duelling: int | None
    hands: dict[str, set[str]]
    won: list[tuple[str, str]]
    lives: dict[str, int]
    removed: list[str]
    unidentified: list[str]


_TEN_CARDS = {colour: [f"{colour}-{value}" for value in range(1, 11)] for colour in COLOURS}


def prepare(header: Header) -> State:
    """Everybody has ten cards and two life blocks, three if three play."""
    player_of: dict[str, str] = {}
    for name, entry in zip(header.players, header.data["players"], strict=True):
        colour = word(entry, "colour", COLOURS)
        if colour in player_of:
            refuse("colour_twice", ArenaRefusal.COLOUR_TWICE(colour=colour))
        player_of[colour] = name
    left_of = dict(zip(header.players, header.players[1:] + header.players[:1], strict=True))
    options = dict(header.options)
    if options["life_blocks"] is None:
        options["life_blocks"] = 3 if len(header.players) == 3 else 2
    return State(
        setup=Setup(header.players, player_of, left_of, options),
        awaiting=CHALLENGE,
        round=1,
        provocateur=header.data.get("first") or header.players[0],
        two_left=False,
        lying=[],
        verdicts={},
        offered_at=0,
        offers=0,
        duelling=None,
        hands={player: set(_TEN_CARDS[colour]) for colour, player in player_of.items()},
        won=[],
        lives=dict.fromkeys(header.players, options["life_blocks"]),
        removed=[],
        unidentified=[],
    )


# --- The provocation (EN, The Provocation; FR, Provocation) ---


def _challenge(state: State, event: Challenge) -> Sequence[Ruling]:
    """The provocateur lays a card in the arena and opens the round."""
    if state.awaiting != CHALLENGE:
        awaited(ArenaEvent.CHALLENGE, CHALLENGE, state.awaiting)
    line, card, history = event.line, event.card, event.history
    owner = _take_from_hand(state, card)
    if owner != state.provocateur:
        refuse(
            "not_the_provocateur",
            ArenaRefusal.NOT_PROVOCATEUR(card=card, player=owner, player_awaited=state.provocateur),
        )
    names = names_given(line, history) if history else ()
    state.lying.append(Lying(card, owner, CARDS[card][1], "flat", "up", (), line, names))
    state.offered_at, state.offers = 1, 0
    state.awaiting = THROWS
    return NO_RULINGS


def _throw(state: State, event: Throw) -> Sequence[Ruling]:
    """A card from a hand comes to rest. Whoever still has cards may throw, as often as they like."""
    if state.awaiting != THROWS:
        awaited(ArenaEvent.THROW, THROWS, state.awaiting)
    line, card, landing, face, history = event.line, event.card, event.landing, event.face, event.history
    beneath_it = _places(state, event.rests_on, _written("rests_on", line, history)) if event.rests_on else ()
    names = names_given(line, history) if history else ()
    if card is None:  # nobody's, and so still in its owner's hand, until somebody says which card it is
        state.lying.append(Lying(f"?{line}", None, None, landing, face, beneath_it, line, names))
        return NO_RULINGS
    owner = _take_from_hand(state, card)
    state.lying.append(Lying(card, owner, CARDS[card][1], landing, face, beneath_it, line, names))
    return NO_RULINGS


def _moved(state: State, event: Moved) -> Sequence[Ruling]:
    """A card of the round was disturbed: from now on it lies as it is said to, but keeps its place in the order."""
    if state.awaiting != THROWS:
        awaited(ArenaEvent.MOVED, THROWS, state.awaiting)
    (place,) = _places(state, [event.card], _written("card", event.line, event.history))
    before = state.lying[place]
    beneath_it = before.rests_on
    if event.rests_on is not None:
        beneath_it = _places(state, event.rests_on, _written("rests_on", event.line, event.history))
        if place in beneath_it:
            refuse("rests_on_itself", ArenaRefusal.RESTS_ON_ITSELF(card=before.name))
    face = event.face or before.face
    if face == "up" and before.owner is None:
        refuse("unnamed", ArenaRefusal.FACE_UP_UNNAMED_LINE(line=before.line, name=before.name))
    landing = event.landing or before.landing
    state.lying[place] = replace(before, landing=landing, face=face, rests_on=beneath_it)
    return NO_RULINGS


def _take_from_hand(state: State, card: str) -> str:
    """Takes the card out of its owner's hand and says whose it was; Refused unless it is in a hand."""
    owner = state.setup.player_of.get(CARDS[card][0])
    if owner is None:
        refuse("colour_not_played", ArenaRefusal.NOBODY_PLAYS(colour=CARDS[card][0], card=card))
    hand = state.hands[owner]
    if card not in hand:
        refuse("not_in_hand", ArenaRefusal.NOT_IN_HAND(card=card, player=owner))
    hand.remove(card)
    return owner


def _places(state: State, names: Sequence[str | None], written: int) -> tuple[int, ...]:
    """The places of the cards that `names` mean. None is some face-down card that carries nothing on."""
    lying, in_hand = state.lying, _back_in_hand(state) if state.verdicts else ()
    places = []
    for name in names:
        if name is not None:
            places.append(find(lying, name, written, in_hand))
    return tuple(places)


def _written(key: str, line: int, history: History | None) -> int:
    """The line that wrote what the event of `line` says under `key`: itself, or an amendment."""
    return line if history is None else history.written.get(key, line)


def _back_in_hand(state: State) -> Collection[int]:
    """The places of the cards whose throw was undone: they lie there no more."""
    return [place for place, verdict in state.verdicts.items() if verdict == "returned"]


# --- The ruling at the close (EN, The Provocation and Special situations; FR the same) ---

_SENTENCES = {sentence.value: sentence for sentence in ArenaRuling}  # by the ruling's code
_RULES = {
    "returned": "EN, Special situations b",
    "forfeited": "EN, Special situations b; house rule two_left_beside",
    "beside": "EN, The Provocation",
    "edge": "EN, The Provocation c",
    "diagonal": "EN, The Provocation b; FR, Provocation b",
    "face_down": ArenaRuleNote.FACE_DOWN.english,
    "own_card": ArenaRuleNote.OWN_CARD.english,
    "same_value": f"EN, The Provocation: {ArenaRuleNote.OTHER_VALUE.english}",
    "duelling": "EN, The Provocation a",
    "not_first": f"EN, The Provocation: {ArenaRuleNote.ONE_ACCEPTS.english}",
    "not_on_challenge": f"EN, The Provocation: {ArenaRuleNote.ON_CHALLENGE.english}",
    "rethrow": f"EN, The Provocation: {ArenaRuleNote.ANOTHER_CARD.english}; FR, Provocation",
    "unanswered": "EN, Special situations a",
    "wasted": "house rule missed; EN, Special situations b",
}


def _close(state: State, event: Close) -> Sequence[Ruling]:
    """The arena is at rest: each thrown card gets its verdict, then comes a duel, another throw, or the round's end."""
    if state.awaiting != THROWS:
        awaited(ArenaEvent.CLOSE, THROWS, state.awaiting)
    pile = pile_of(state.lying, state.provocateur, state.setup.options["pile"] == "any", state.verdicts)
    verdicts = _verdicts(state, pile)
    rulings = [_verdict_ruling(state, pile, place, code, event.line) for place, code in verdicts.items()]
    if pile.duelling is not None:
        _take_away(state, verdicts, keep="duelling")
        state.awaiting, state.duelling = DUEL, pile.duelling
    elif _may_throw_again(state, verdicts):
        _take_away(state, verdicts, keep="same_value")
        state.offered_at, state.offers = len(state.lying), state.offers + 1
        rulings.append(Ruling(event.line, "rethrow", {}, _SENTENCES["rethrow"], _RULES["rethrow"]))
    else:
        _take_away(state, verdicts)
        rulings.append(_nobody_answered(state, event.line))
        _end_round(state)
    return rulings


def _verdict_ruling(state: State, pile: Pile, place: int, code: str, line: int) -> Ruling:
    card = state.lying[place]
    facts = {"card": card.name, "player": card.owner, "thrown": card.line}
    words = facts
    if code == "not_first" and pile.duelling is not None:
        words = {"card": card.name, "card_duelling": state.lying[pile.duelling].name}
    elif code == "forfeited":
        words = {"card": card.name, "provocateur": state.provocateur}
    return Ruling(line, code, facts, _SENTENCES[code], _RULES[code], words)


def preview(state: State) -> list[Ruling]:
    """What a `close` would rule now, without closing: a verdict for each card, and what follows. Empty between rounds.

    The line of these rulings is 0. Raises Refused where a close would (a card beneath itself).
    """
    return list(_close(state.draft(), Close(0))) if state.awaiting == THROWS else []


def _verdicts(state: State, pile: Pile) -> dict[int, str]:
    """For each thrown card still in the round, by its place, its verdict: the first that fits."""
    lying, provocateur = state.lying, state.provocateur
    verdicts = {}
    for i, card in enumerate(lying):
        if i == 0 or i in state.verdicts:
            continue
        owner = card.owner
        if card.landing == "beside" and state.two_left and owner is not None and owner != provocateur:
            verdict = _BESIDE_WITH_TWO_LEFT[state.setup.options["two_left_beside"]]
        elif card.landing != "flat":
            verdict = card.landing
        elif card.face == "down":
            verdict = "face_down"
        elif owner == provocateur:
            verdict = "own_card"
        elif i in pile.on_challenge and card.value == lying[0].value:
            verdict = "same_value"
        elif i == pile.duelling:
            verdict = "duelling"
        elif i in pile.on_challenge or (pile.duelling is not None and pile.duelling in beneath(lying, i)):
            verdict = "not_first"
        else:
            verdict = "not_on_challenge"
        verdicts[i] = verdict
    return verdicts


_BESIDE_WITH_TWO_LEFT = {"return": "returned", "remove": "beside", "forfeit": "forfeited"}


def _take_away(state: State, verdicts: Mapping[int, str], keep: str = "") -> None:
    """All cards judged leave the game, but those whose verdict is `keep` and those that are returned or forfeited."""
    for place, verdict in verdicts.items():
        if verdict == keep:
            continue
        state.verdicts[place] = verdict
        card = state.lying[place]
        if card.owner is None:
            continue  # nobody has said which card it is
        if verdict == "returned":
            state.hands[card.owner].add(card.name)
            _lift(state.lying, place)
        elif verdict == "forfeited":
            state.won.append((card.name, state.provocateur))
        else:
            state.removed.append(card.name)


def _lift(lying: list[Lying], place: int) -> None:
    """What lay on the card at `place` or beneath it touches it no more."""
    for i, card in enumerate(lying):
        if i == place:
            lying[i] = replace(card, rests_on=())
        elif place in card.rests_on:
            lying[i] = replace(card, rests_on=tuple(j for j in card.rests_on if j != place))


def _may_throw_again(state: State, verdicts: Mapping[int, str]) -> bool:
    """A card of the same value, thrown since the last offer, gives everybody another throw (EN, The Provocation)."""
    if state.offers and state.setup.options["rethrow"] == "once":
        return False
    return "same_value" in verdicts.values() and any(
        verdict == "same_value" and place >= state.offered_at for place, verdict in verdicts.items()
    )


def _nobody_answered(state: State, line: int) -> Ruling:
    """The provocateur keeps the challenge card as winnings (EN and FR, Special situations a)."""
    card, provocateur = state.lying[0].name, state.provocateur
    if state.setup.options["missed"] == "lost" and _somebody_missed(state):
        state.removed.append(card)
        return Ruling(line, "wasted", {"card": card, "player": None}, _SENTENCES["wasted"], _RULES["wasted"])
    state.won.append((card, provocateur))
    facts = {"card": card, "player": provocateur}
    return Ruling(line, "unanswered", facts, _SENTENCES["unanswered"], _RULES["unanswered"])


def _somebody_missed(state: State) -> bool:
    """Whether a card of another player, or of nobody knows whom, was thrown in the round and stays lost."""
    undone = ("returned", "forfeited")
    lying = enumerate(state.lying)
    return any(card.owner != state.provocateur and state.verdicts.get(i) not in undone for i, card in lying)


# --- The duel (EN, The duel) ---


def _duel(state: State, event: Duel) -> Sequence[Ruling]:
    """Peace and peace swaps the cards; one conflict takes both for a life block; two take none and cost two blocks."""
    if state.awaiting != DUEL:
        awaited(ArenaEvent.DUEL, DUEL, state.awaiting)
    assert state.duelling is not None  # awaiting a duel means that a duelling card lies there
    challenge, duelling = state.lying[0].name, state.lying[state.duelling].name
    provocateur, opponent = state.provocateur, state.lying[state.duelling].owner or ""
    words = {"player": provocateur, "player_other": opponent, "card": challenge, "card_duelling": duelling}
    fighters = _fighters(state, (provocateur, opponent), event.choices)
    winner_of: dict[str, str | None]
    if not fighters:
        code, winner_of = "both_peace", {challenge: opponent, duelling: provocateur}
    elif len(fighters) == 1:
        code, winner_of = "one_conflict", dict.fromkeys((challenge, duelling), fighters[0])
        words["winner"] = fighters[0]
    else:
        code, winner_of = "both_conflict", {challenge: None, duelling: None}
    for name in fighters:
        state.lives[name] -= 1
    for card, winner in winner_of.items():
        if winner is None:
            state.removed.append(card)
        else:
            state.won.append((card, winner))
    _end_round(state)
    facts = {"cards": winner_of, "lost_block": fighters}
    return [Ruling(event.line, code, facts, _SENTENCES[code], "EN, The duel", words)]


def _fighters(state: State, duellists: tuple[str, str], choices: Mapping[str, Any]) -> list[str]:
    """Who of the duellists chose conflict; without a life block one may not."""
    if set(choices) != set(duellists):
        refuse("not_the_duellists", ArenaRefusal.NOT_THE_DUELLISTS(player=duellists[0], player_other=duellists[1]))
    for name in duellists:
        if word(choices, name, ("peace", "conflict")) == "conflict" and state.lives[name] == 0:
            refuse("no_life_block", ArenaRefusal.NO_LIFE_BLOCK(player=name))
    return [name for name in duellists if choices[name] == "conflict"]


# --- The next round and the end (EN and FR, The end of the game) ---


def _end_round(state: State) -> None:
    """The stumbling block passes to the left, over players without cards; with one player left the game is over."""
    state.unidentified = [card.name for card in state.lying if card.owner is None]
    state.lying, state.verdicts, state.duelling = [], {}, None
    players_left = sum(map(bool, state.hands.values()))  # those with cards in hand
    state.two_left = players_left == 2
    if state.unidentified:
        state.awaiting = IDENTIFY
    elif players_left < 2:
        state.awaiting = NOTHING
    else:
        left_of = state.setup.left_of
        state.provocateur = left_of[state.provocateur]
        while not state.hands[state.provocateur]:
            state.provocateur = left_of[state.provocateur]
        state.round += 1
        state.awaiting = CHALLENGE


# --- What a page or a program may ask ---


def legal(state: State) -> list[Legal]:
    """What may come next."""
    hands = {name: sorted(hand, key=_ORDER.__getitem__) for name, hand in state.hands.items()}
    if state.awaiting == CHALLENGE:
        return [Legal("challenge", {"card": OneOf(tuple(hands[state.provocateur]))})]
    if state.awaiting == DUEL:
        assert state.duelling is not None  # as in _duel
        duellists = (state.provocateur, state.lying[state.duelling].owner or "")
        choices = {name: ("peace", "conflict") if state.lives[name] else ("peace",) for name in duellists}
        return [Legal("duel", {"choices": ForEach(choices)})]
    if state.awaiting != THROWS:
        return []
    in_hand = _back_in_hand(state)
    lying = [card for place, card in enumerate(state.lying) if place not in in_hand]
    names, named = tuple(card.name for card in lying), tuple(card.name for card in lying if card.owner is not None)
    landing, rests_on = OneOf(LANDINGS, weights=(7, 1, 1, 1)), SomeOf(names)
    hand = tuple(card for cards in hands.values() for card in cards)
    may_throw = []
    if hand:
        face = OneOf(FACES, weights=(19, 1))
        throw: Keys = {"card": OneOf(hand), "landing": landing, "face": face, "rests_on": rests_on}
        # face down and named by nobody: after such a round only the referee can go on, random play cannot
        unnamed: Keys = {**throw, "card": OneOf((None,)), "face": OneOf(("down",))}
        may_throw = [Legal("throw", throw, weight=6), Legal("throw", unnamed, weight=0)]
    return [
        Legal("close", weight=3),
        *may_throw,
        Legal("moved", {"card": OneOf(names), "landing": landing}),
        Legal("moved", {"card": OneOf(named), "face": OneOf(FACES)}, weight=0),
    ]


def result(state: State) -> dict[str, Any]:
    """The game's answers: over, winners, scores, state."""
    setup = state.setup
    scores = dict.fromkeys(setup.players, 0)
    for card, winner in state.won:
        scores[winner] += CARDS[card][1]
    return standing(scores, state.awaiting == NOTHING, _answers(state))


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
        "provocateur": None if state.awaiting in (NOTHING, IDENTIFY) else state.provocateur,
        "challenge": lying[0].name if lying else None,
        "duelling": duelling.name if duelling else None,
        "opponent": duelling.owner if duelling else None,
        "arena": [card.name for place, card in enumerate(lying) if place not in state.verdicts],
        "hands": {name: sorted(state.hands[name], key=_ORDER.__getitem__) for name in setup.players},
        "won": {name: sorted(cards, key=_ORDER.__getitem__) for name, cards in won.items()},
        "lives": dict(state.lives),
        "removed": sorted(state.removed, key=_ORDER.__getitem__),
        "unidentified": unidentified or list(state.unidentified),
    }


_ORDER = {card: place for place, card in enumerate(CARDS)}


# --- What a camera may tell ---


def round_of(state: State) -> Round:
    """What interpreting must know of `state`."""
    from arena_cam.rules.games.arena.interpret import Round  # a record is scored without it, in less time than it takes

    in_hand = frozenset(card for hand in state.hands.values() for card in hand)
    opening = frozenset(state.hands[state.provocateur])
    return Round(state.awaiting, tuple(state.lying), in_hand, opening, frozenset(state.setup.player_of))


def _interpret(state: State, seen: Observed) -> Interpretation:
    from arena_cam.rules.games.arena.interpret import interpret

    return interpret(round_of(state), seen)


GAME = Game(
    name="arena",
    title="Dilemma (Alex Randolph)",
    source="EN, FR",
    players=range(3, 6),
    options=OPTIONS,
    events={
        "challenge": Kind(Challenge, frozenset({"card"}), read_challenge, _challenge),
        "throw": Kind(Throw, frozenset({"card", "landing", "face", "rests_on"}), read_throw, _throw),
        "moved": Kind(Moved, frozenset({"card", "landing", "face", "rests_on"}), read_moved, _moved),
        "close": Kind(Close, frozenset(), read_close, _close),
        "duel": Kind(Duel, frozenset({"choices"}), read_duel, _duel),
    },
    prepare=prepare,
    legal=legal,
    result=result,
    rulings=ArenaRuling,
    house_rules=ArenaHouseRule,
    seats={"colour": COLOURS},
    starters=("first",),
    preview=preview,
    interpret=_interpret,
)
