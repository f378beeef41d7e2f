"""David Parlett's Dilemma: tricks of four cards, one of each suit, for two players.

Read from top to bottom this is the rulebook. DP is David Parlett's description; docs/rules/tricks.md says where it is
silent and what we rule. Hands are normally unknown, since a camera sees only what is played; then turn, suits and
repeats are checked. With known hands everything is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena_cam.domain.messages import Message
from arena_cam.rules.drafts import Playing
from arena_cam.rules.game import (
    NO_RULINGS,
    Choose,
    Game,
    Header,
    History,
    Kind,
    Legal,
    OneOf,
    Option,
    Ruling,
    Value,
    standing,
)
from arena_cam.rules.games.tricks.interpret import CardSeen, Trick, interpret
from arena_cam.rules.games.tricks.messages import TricksEvent, TricksHouseRule, TricksRefusal, TricksRuling
from arena_cam.rules.interpreting import Interpretation
from arena_cam.rules.reading import Data, awaited, optional_list, optional_object, refuse, shown, word

SUITS = "SHDC"
VALUES = {rank: value for value, rank in enumerate("23456789TJQKA", 2)}  # DP: jack 11, queen 12, king 13, ace 14
CARDS = tuple(rank + suit for suit in SUITS for rank in VALUES)  # all 52, by suit and value
_VALUE = {card: VALUES[card[0]] for card in CARDS}
_ORDER = {card: place for place, card in enumerate(CARDS)}

HAND_SIZE, STOCK_SIZE, TRICKS = 12, 28, 13  # DP, Cards and deal
DRAWN = 2  # cards that each player takes from the stock after a trick, while there are any

OPTIONS = {
    "target": Option(range(1, 10_001), 100),
    "tie": Option(("share", "play_on"), "share"),
}


class Setup(Value, frozen=True):
    """What stays the same for the whole game. `dealer` deals first, then they alternate."""

    players: tuple[str, ...]
    dealer: str
    options: Mapping[str, Any]


class State(Playing):
    """Where the game stands.

    awaiting: deal, play or nothing. deal counts from 1: the one being played, or the next; when over the last.
    trick: from 1, 0 between deals. leader: who led, or leads, this trick. table: its cards in the order played.
    open_suits: the suits not yet in the trick; each card must be of one of them.
    refused: suits asked for in this turn that the opponent has not. owed: the card or the suit that must be played
    after an exchange.
    played: the cards of the finished tricks of this deal. hands: by player; stock: its cards from the top; both None if
    unknown. stock_left: how many cards the stock has.
    won: (winner, fourth card) of each trick of this deal. scores: of the finished deals, by player.
    """

    setup: Setup
    awaiting: str
    deal: int
    trick: int
    leader: str
    table: list[str]
    open_suits: str
    refused: str
    owed: str | None
    played: set[str]
    hands: dict[str, set[str]] | None
    stock: list[str] | None
    stock_left: int
    won: list[tuple[str, str]]
    scores: dict[str, int]


def prepare(header: Header) -> State:
    """Nobody has points; the first deal is awaited."""
    players = header.players
    setup = Setup(players, header.data.get("dealer") or players[0], header.options)
    return State(
        setup=setup,
        awaiting="deal",
        deal=1,
        trick=0,
        leader=_other(setup, setup.dealer),
        table=[],
        open_suits=SUITS,
        refused="",
        owed=None,
        played=set(),
        hands=None,
        stock=None,
        stock_left=STOCK_SIZE,
        won=[],
        scores=dict.fromkeys(players, 0),
    )


def _dealer(setup: Setup, deal: int) -> str:
    """Dealers alternate (DP does not say who deals next)."""
    return setup.dealer if deal % 2 else _other(setup, setup.dealer)


def _other(setup: Setup, player: str) -> str:
    one, two = setup.players
    return two if player == one else one


# --- Events ---


class Deal(Value, frozen=True):
    """Opens a deal; `hands` and `stock` (from the top) are None if they are unknown."""

    line: int
    hands: Mapping[str, Sequence[str]] | None
    stock: Sequence[str] | None


class Play(Value, frozen=True):
    """The player to play plays `card`."""

    line: int
    card: str
    player: str | None


class Exchange(Value, frozen=True):
    """The player to play asks for a card of `suit`; `none` if the opponent has none."""

    line: int
    suit: str
    given: str | None
    returned: str | None
    none: bool
    player: str | None


def _read_deal(data: Data, line: int, _history: History | None) -> Deal:
    hands, stock = optional_object(data, "hands"), optional_list(data, "stock")
    if (hands is None) != (stock is None):
        refuse("half_known", TricksRefusal.HALF_KNOWN())
    if hands is None or stock is None:
        return Deal(line, None, None)
    known = {
        player: _cards(hand, HAND_SIZE, TricksRefusal.HAND_SIZE(player=shown(player), count=HAND_SIZE))
        for player, hand in hands.items()
    }
    pack = _cards(stock, STOCK_SIZE, TricksRefusal.STOCK_SIZE(count=STOCK_SIZE))
    if len(set(pack).union(*known.values())) != len(CARDS):
        refuse("not_a_pack", TricksRefusal.NOT_A_PACK())
    return Deal(line, known, pack)


def _cards(cards: object, count: int, otherwise: Message) -> list[str]:
    if not isinstance(cards, list) or len(cards) != count:
        refuse("not_a_pack", otherwise)
    return [_card(card) for card in cards]


def _read_play(data: Data, line: int, _history: History | None) -> Play:
    return Play(line, _card(data.get("card")), data.get("player"))


def _read_exchange(data: Data, line: int, _history: History | None) -> Exchange:
    suit = word(data, "suit", tuple(SUITS))
    none, given, returned = data.get("none"), data.get("given"), data.get("returned")
    if none is not None and none is not True:
        refuse("not_true", TricksRefusal.NONE_NOT_TRUE(text=shown(none)))
    if none and not (given is None and returned is None):
        refuse("none_and_cards", TricksRefusal.NONE_AND_CARDS())
    for card in (given, returned):
        if card is not None:
            _card(card)
    return Exchange(line, suit, given, returned, none is True, data.get("player"))


def _card(card: object) -> str:
    if type(card) is str and card in _VALUE:
        return card
    return refuse("unknown_card", TricksRefusal.UNKNOWN_CARD(text=shown(card)))


# --- Cards and deal ---


def _deal(state: State, event: Deal) -> Sequence[Ruling]:
    """Twelve cards each, the rest is the stock. The non-dealer leads."""
    awaited(TricksEvent.DEAL, "deal", state.awaiting)
    if event.hands is not None and event.stock is not None:
        if set(event.hands) != set(state.setup.players):
            one, two = state.setup.players
            refuse("unknown_player", TricksRefusal.NOT_THE_PLAYERS(player=one, player_other=two))
        state.hands = {player: set(hand) for player, hand in event.hands.items()}
        state.stock = list(event.stock)
    state.awaiting, state.trick = "play", 1
    return NO_RULINGS


# --- Each trick ---


def _to_play(state: State) -> str:
    """The leader plays first and the other second; a higher second card earns the third, else the leader plays it."""
    return player_of(state.leader, _other(state.setup, state.leader), state.table, len(state.table))


def player_of(leader: str, other: str, cards: Sequence[str], number: int) -> str:
    """Who plays the card `number` (0 to 3) of a trick in which `cards` were played so far."""
    if number < 2:
        return (leader, other)[number]
    second_is_higher = _VALUE[cards[1]] > _VALUE[cards[0]]
    return other if second_is_higher == (number == 2) else leader


def _play(state: State, event: Play) -> Sequence[Ruling]:
    """The player to play puts a card on the table; the fourth ends the trick."""
    if state.awaiting != "play":
        awaited(TricksEvent.PLAY, "play", state.awaiting)
    player, card = _to_play(state), event.card
    if event.player is not None:
        _check_turn(event.player, player)
    _check_playable(state, player, card)
    if state.hands is not None:
        state.hands[player].remove(card)
    state.table.append(card)
    state.open_suits = state.open_suits.replace(card[1], "")
    state.refused, state.owed = "", None
    return _end_trick(state, event.line) if len(state.table) == 4 else NO_RULINGS


def _check_turn(named: object, player: str) -> None:
    if named is not None and named != player:
        refuse("not_your_turn", TricksRefusal.NOT_YOUR_TURN(player=player, name=shown(named)))


def _check_playable(state: State, player: str, card: str) -> None:
    if card in state.played or card in state.table:
        refuse("played_before", TricksRefusal.CARD_PLAYED(card=card))
    if state.hands is not None and card not in state.hands[player]:
        refuse("not_in_hand", TricksRefusal.NOT_HELD(player=player, card=card))
    if state.owed is not None:
        if not card.endswith(state.owed):  # a suit is what a card ends with; a whole card is all of it
            refuse("owed", TricksRefusal.OWED(player=player, card_owed=state.owed, card=card))
        return
    suits = state.open_suits
    if card[1] not in suits and len(state.refused) < len(suits):
        refuse("suit", TricksRefusal.SUIT_IN_TRICK(card=card, suits=", ".join(suits)))


# --- Can't play? ---


def _exchange(state: State, event: Exchange) -> Sequence[Ruling]:
    """Without a suit that could be played one asks for one: the opponent gives a card of it and gets one of another."""
    awaited(TricksEvent.EXCHANGE, "play", state.awaiting)
    player, suits = _to_play(state), state.open_suits
    _check_turn(event.player, player)
    if not state.table:
        refuse("lead", TricksRefusal.LEADER_ASKS(player=player))
    if state.owed is not None:
        refuse("asked_before", TricksRefusal.EXCHANGED_BEFORE(player=player))
    if event.suit not in suits or event.suit in state.refused:
        refuse("suit", TricksRefusal.SUIT_NOT_OPEN(player=player, suit=event.suit))
    if event.given is not None and event.given[1] != event.suit:
        refuse("suit", TricksRefusal.GIVEN_OTHER_SUIT(card=event.given, suit=event.suit))
    if event.returned is not None and event.returned[1] == event.suit:
        refuse("suit", TricksRefusal.RETURNED_SAME_SUIT(card=event.returned))
    for card in (event.given, event.returned):
        if card is not None and (card in state.played or card in state.table):
            refuse("played_before", TricksRefusal.CARD_PLAYED(card=card))
    if state.hands is not None:
        _exchange_known(state.hands, player, _other(state.setup, player), suits, event)
    if event.none:
        state.refused += event.suit
    else:
        state.owed = event.given or event.suit
    return NO_RULINGS


def _exchange_known(hands: dict[str, set[str]], player: str, opponent: str, suits: str, event: Exchange) -> None:
    """Known hands change cards; Refused if they do not allow it."""
    if any(card[1] in suits for card in hands[player]):
        refuse("can_play", TricksRefusal.CAN_PLAY(player=player))
    if event.none:
        if any(card[1] == event.suit for card in hands[opponent]):
            refuse("must_give", TricksRefusal.MUST_GIVE(player=opponent, suit=event.suit))
        return
    given, returned = event.given, event.returned
    if given is None or returned is None:
        refuse("unnamed", TricksRefusal.EXCHANGE_UNNAMED())
    if given not in hands[opponent]:
        refuse("not_in_hand", TricksRefusal.NOT_HELD(player=opponent, card=given))
    if returned not in hands[player]:
        refuse("not_in_hand", TricksRefusal.NOT_HELD(player=player, card=returned))
    hands[opponent].remove(given)
    hands[player].remove(returned)
    hands[opponent].add(returned)
    hands[player].add(given)


# --- The trick is won ---

_TRICK_SENTENCES = {sentence.value: sentence for sentence in TricksRuling}  # by what decided the trick


def _end_trick(state: State, line: int) -> Sequence[Ruling]:
    """The winner keeps the fourth card, leads next, and draws first."""
    table = state.table
    winner, by, high, low = _winner(state, table)
    facts = {
        "deal": state.deal,
        "trick": state.trick,
        "winner": winner,
        "by": by,
        "cards": table,
        "points": _VALUE[table[3]],
    }
    words = {"winner": winner, "trick": state.trick, "high": high, "low": low, "points": facts["points"]}
    ruling = Ruling(line, "trick", facts, _TRICK_SENTENCES[by], "DP, The trick is won", words)
    state.won.append((winner, table[3]))
    state.played.update(table)
    state.table, state.open_suits = [], SUITS
    state.trick += 1
    state.leader = winner
    state.stock_left = max(0, state.stock_left - 2 * DRAWN)
    if state.hands is not None and state.stock:
        _draw(state.hands, state.stock, winner, _other(state.setup, winner))
    return [ruling] if state.trick <= TRICKS else [ruling, _end_deal(state, line)]


def _winner(state: State, table: Sequence[str]) -> tuple[str, str, int, int]:
    """Who wins the trick, by what, and the two figures that decided: the sum, else the product, else who was first."""
    leader = state.leader
    other = _other(state.setup, leader)
    first, second, third, fourth = [_VALUE[card] for card in table]
    # a higher second card earns the third (see _to_play)
    led, answered = ((first, fourth), (second, third)) if second > first else ((first, third), (second, fourth))
    for by, of_leader, of_other in (
        ("sum", led[0] + led[1], answered[0] + answered[1]),
        ("product", led[0] * led[1], answered[0] * answered[1]),
    ):
        if of_leader > of_other:
            return leader, by, of_leader, of_other
        if of_leader < of_other:
            return other, by, of_other, of_leader
    # Both played equal cards. The second card is the first of the highest value only if it was higher than the lead:
    # otherwise the lead, or the leader's third card, was.
    return other if second > first else leader, "first", 0, 0


def _draw(hands: dict[str, set[str]], stock: list[str], winner: str, loser: str) -> None:
    """While there is a stock, the winner takes its two top cards, then the loser the next two."""
    for player in (winner, loser):
        hands[player].update(stock[:DRAWN])
        del stock[:DRAWN]


# --- The overall winner ---


def _end_deal(state: State, line: int) -> Ruling:
    """The points are carried forward; at the target the game is over (checked only here, after a whole deal)."""
    setup = state.setup
    points = _points(state)
    scores = {player: state.scores[player] + points[player] for player in setup.players}
    told = ", ".join(f"{player} +{points[player]} = {scores[player]}" for player in setup.players)
    facts = {"deal": state.deal, "points": points, "scores": scores}
    ruling = Ruling(
        line, "deal_end", facts, TricksRuling.DEAL_END, "DP, Cards and deal", {"deal": state.deal, "told": told}
    )
    state.scores, state.trick = scores, 0
    one, two = scores.values()
    if max(one, two) >= setup.options["target"] and (one != two or setup.options["tie"] == "share"):
        state.awaiting = "nothing"
    else:
        _begin_next_deal(state)
    return ruling


def _begin_next_deal(state: State) -> None:
    state.awaiting = "deal"
    state.deal += 1
    state.leader = _other(state.setup, _dealer(state.setup, state.deal))
    state.played, state.won = set(), []
    state.hands, state.stock, state.stock_left = None, None, STOCK_SIZE


def _points(state: State) -> dict[str, int]:
    points = dict.fromkeys(state.setup.players, 0)
    for winner, card in state.won:
        points[winner] += _VALUE[card]
    return points


# --- What a page or a program may ask ---


def legal(state: State) -> list[Legal]:
    """What may come next, as far as it is known who holds what."""
    if state.awaiting == "deal":
        return [Legal("deal"), Legal("deal", make=_shuffled(state.setup.players))]
    if state.awaiting == "nothing":
        return []
    player = _to_play(state)
    hand = [card for card in CARDS if card not in state.played and card not in state.table]
    if state.hands is not None:
        hand = [card for card in hand if card in state.hands[player]]
    playable = tuple(card for card in hand if _may_play(state, card))
    legal = [Legal("play", {"card": OneOf(playable)}, weight=9)] if playable else []
    return legal + _legal_exchanges(state, player)


def _may_play(state: State, card: str) -> bool:
    suits = state.open_suits
    if state.owed is not None:
        return card.endswith(state.owed)
    if state.hands is not None and state.refused:
        return len(state.refused) == len(suits)  # who asked holds none that fits
    return card[1] in suits or len(state.refused) == len(suits)


def _legal_exchanges(state: State, player: str) -> list[Legal]:
    suits = state.open_suits
    asked = [suit for suit in suits if suit not in state.refused]
    if not state.table or state.owed is not None:
        return []
    legal = []
    left = [card for card in CARDS if card not in state.played and card not in state.table]
    own, others = left, left
    if state.hands is not None:
        own = sorted(state.hands[player], key=_ORDER.__getitem__)
        others = sorted(state.hands[_other(state.setup, player)], key=_ORDER.__getitem__)
        if any(card[1] in suits for card in own):
            return []
    for suit in asked:
        given = tuple(card for card in others if card[1] == suit)
        returned = tuple(card for card in own if card[1] not in suits)
        if given and returned:
            keys = {"suit": OneOf((suit,)), "given": OneOf(given), "returned": OneOf(returned)}
            legal.append(Legal("exchange", keys))
        if not given or state.hands is None:
            legal.append(Legal("exchange", {"suit": OneOf((suit,)), "none": OneOf((True,))}))
    return legal


def _shuffled(players: Sequence[str]) -> Callable[[Choose], dict[str, Any]]:
    def make(choose: Choose) -> dict[str, Any]:
        pack = list(CARDS)
        for i in reversed(range(1, len(pack))):
            j = choose(range(i + 1))
            pack[i], pack[j] = pack[j], pack[i]
        hands = {player: pack[i * HAND_SIZE : (i + 1) * HAND_SIZE] for i, player in enumerate(players)}
        return {"hands": hands, "stock": pack[len(players) * HAND_SIZE :]}

    return make


def playable(state: State) -> tuple[str, ...]:
    """The cards that whoever is to play may play, as far as it is known who holds what; none between deals."""
    if state.awaiting != "play":
        return ()
    offered = (each.keys["card"] for each in legal(state) if each.kind == "play")
    return next((cards.values for cards in offered if isinstance(cards, OneOf)), ())


def _interpret(state: State, seen: CardSeen) -> Interpretation:
    put_aside = {card for _, card in state.won}
    return interpret(Trick(state.awaiting, state.table, playable(state), state.played, put_aside), seen)


def result(state: State) -> dict[str, Any]:
    """The game's answers: over, winners, scores (with the tricks of a deal in progress), state."""
    players = state.setup.players
    points = _points(state) if state.awaiting == "play" else dict.fromkeys(players, 0)
    scores = {player: state.scores[player] + points[player] for player in players}
    playing = state.awaiting == "play"
    hands = state.hands
    answers = {
        "awaiting": state.awaiting,
        "deal": state.deal,
        "dealer": _dealer(state.setup, state.deal),
        "trick": state.trick if playing else None,
        "to_play": _to_play(state) if playing else None,
        "legal_suits": list(state.open_suits) if playing else [],
        "table": list(state.table),
        "tricks": {player: sum(winner == player for winner, _ in state.won) for player in players},
        "score_cards": {player: [card for winner, card in state.won if winner == player] for player in players},
        "stock": state.stock_left,
        "hands": None if hands is None else {p: sorted(hands[p], key=_ORDER.__getitem__) for p in players},
    }
    return standing(scores, state.awaiting == "nothing", answers)


GAME = Game(
    name="tricks",
    title="Dilemma (David Parlett)",
    source="DP",
    players=range(2, 3),
    options=OPTIONS,
    events={
        "deal": Kind(Deal, frozenset({"hands", "stock"}), _read_deal, _deal),
        "play": Kind(Play, frozenset({"card", "player"}), _read_play, _play),
        "exchange": Kind(
            Exchange, frozenset({"suit", "given", "returned", "none", "player"}), _read_exchange, _exchange
        ),
    },
    prepare=prepare,
    legal=legal,
    result=result,
    interpret=_interpret,
    rulings=TricksRuling,
    house_rules=TricksHouseRule,
    starters=("dealer",),
)
