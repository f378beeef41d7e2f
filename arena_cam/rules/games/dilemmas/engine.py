"""pandaqi's Game of Dilemmas: everybody makes a dilemma, everybody votes on all of them, the closest vote wins.

Read from top to bottom this is the rulebook. PQ is pandaqi's rulebook; docs/rules/dilemmas.md says where it is silent
and what we rule. A dilemma is called by its owner's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena_cam.rules.drafts import Playing
from arena_cam.rules.game import (
    FLAG,
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
from arena_cam.rules.games.dilemmas.messages import (
    DilemmasEvent,
    DilemmasHouseRule,
    DilemmasRefusal,
    DilemmasRuling,
    Token,
)
from arena_cam.rules.reading import Data, awaited, optional_text, player, refuse, shown, word

ORDINARY = ("yes", "no")
SUPERS = ("super_yes", "super_no")
TOKENS = (*ORDINARY, *SUPERS)
SUPER_VOTES = 3  # PQ, Variants: a supervote counts for 3 votes

OPTIONS = {
    "rounds": Option(range(1, 101), 5),  # PQ, Objective
    "own_vote": Option((False, True), True),
    "neutral": FLAG,
    "supervotes": FLAG,
    "super_points": Option((3, 1), 3),
    "unused_supervotes": Option(("refuse", "allow"), "refuse"),
    "coop": FLAG,
}


class Setup(Value, frozen=True):
    """What stays the same for the whole game. `each_kind` is how many YES, and how many NO, a player has in a round."""

    players: tuple[str, ...]
    each_kind: int
    options: Mapping[str, Any]


class State(Playing):
    """Where the game stands.

    awaiting: dilemmas, votes or nothing. round counts from 1; when over it is the last.
    dilemmas: owners who have laid theirs in this round. votes: by voter and owner the token of this round.
    counts: by owner the tokens counted without their voters, in the order of TOKENS.
    neutral_used: who has used their neutral card. supers_used: (voter, token) of supervotes used so far in the game;
    the voter is None if only counts are known.
    """

    setup: Setup
    awaiting: str
    round: int
    dilemmas: set[str]
    votes: dict[str, dict[str, str]]
    counts: dict[str, Sequence[int]]
    neutral_used: set[str]
    supers_used: list[tuple[str | None, str]]
    scores: dict[str, int]


def prepare(header: Header) -> State:
    """Nobody has points; the dilemmas of the first round are awaited."""
    players = header.players
    each_kind = (len(players) + 1) // 2  # PQ, Gameplay: the number of dilemmas divided by 2, rounded up
    return State(
        setup=Setup(players, each_kind, header.options),
        awaiting="dilemmas",
        round=1,
        dilemmas=set(),
        votes={name: {} for name in players},
        counts={},
        neutral_used=set(),
        supers_used=[],
        scores=dict.fromkeys(players, 0),
    )


# --- Events ---


class Dilemma(Value, frozen=True):
    """`owner` lays a dilemma; `neutral` says whether a third, neutral card is part of it, and `neutral_by` whose."""

    line: int
    owner: Any
    neutral: bool
    neutral_by: Any


class Vote(Value, frozen=True):
    """`voter` puts `token` on the dilemma of `on`."""

    line: int
    voter: Any
    on: Any
    token: str


class Tokens(Value, frozen=True):
    """All tokens on the dilemma of `on`, counted in the order of TOKENS."""

    line: int
    on: Any
    counts: tuple[int, ...]


class Reveal(Value, frozen=True):
    """The tokens are turned."""

    line: int


def _read_dilemma(data: Data, line: int, _history: History | None) -> Dilemma:
    for key in ("positive", "negative"):
        optional_text(data, key)
    neutral, neutral_by = optional_text(data, "neutral"), data.get("neutral_by")
    return Dilemma(line, data.get("player"), neutral is not None or neutral_by is not None, neutral_by)


def _read_vote(data: Data, line: int, _history: History | None) -> Vote:
    token = data.get("token")
    if token not in ORDINARY:
        token = word(data, "token", TOKENS)
    return Vote(line, data.get("player"), data.get("on"), token)


def _read_tokens(data: Data, line: int, _history: History | None) -> Tokens:
    counts = []
    for token in TOKENS:
        count = 0 if data.get(token) is None else data[token]
        if type(count) is not int or count < 0:
            refuse("not_a_count", DilemmasRefusal.NOT_A_COUNT(token=token, text=shown(count)))
        counts.append(count)
    return Tokens(line, data.get("on"), tuple(counts))


def _read_reveal(_data: Data, line: int, _history: History | None) -> Reveal:
    return Reveal(line)


# --- Gameplay: everybody makes a dilemma ---


def _dilemma(state: State, event: Dilemma) -> Sequence[Ruling]:
    """A player lays a dilemma; when all have, the votes start."""
    awaited(DilemmasEvent.DILEMMA, "dilemmas", state.awaiting)
    players = state.setup.players
    owner = _player("player", event.owner, players)
    if owner in state.dilemmas:
        refuse("laid_before", DilemmasRefusal.DILEMMA_LAID(player=owner))
    if event.neutral:
        _use_neutral(state, owner, event.neutral_by)
    state.dilemmas.add(owner)
    if len(state.dilemmas) == len(players):
        state.awaiting = "votes"
    return NO_RULINGS


def _player(key: str, name: Any, players: Sequence[str], default: str | None = None) -> str:
    return name if name.__class__ is str and name in players else player({key: name}, key, players, default)


def _use_neutral(state: State, owner: str, by: Any) -> None:
    """Variant: once a game each player may add a neutral card to a dilemma that they work on."""
    if not state.setup.options["neutral"]:
        refuse("variant_off", DilemmasRefusal.NO_NEUTRAL_CARDS())
    by = _player("neutral_by", by, state.setup.players, default=owner)
    if by not in makers_of(state.setup, state.round, owner):
        refuse("not_a_maker", DilemmasRefusal.NOT_A_MAKER(player=by, player_other=owner))
    if by in state.neutral_used:
        refuse("neutral_used", DilemmasRefusal.NEUTRAL_USED(player=by))
    state.neutral_used.add(by)


def makers_of(setup: Setup, number: int, owner: str) -> list[str]:
    """Who works on the dilemma of `owner` in round `number`, who gets what is left over last.

    Variant coop: in even rounds everyone supplies the left neighbour, so the second maker sits to the owner's right; in
    odd rounds the other way round.
    """
    if not setup.options["coop"]:
        return [owner]
    seat = setup.players.index(owner)
    second = seat - 1 if number % 2 == 0 else seat + 1
    return [owner, setup.players[second % len(setup.players)]]


# --- Gameplay: everybody votes on every dilemma ---


def _vote(state: State, event: Vote) -> Sequence[Ruling]:
    """A player puts one token on a dilemma."""
    if state.awaiting != "votes":
        awaited(DilemmasEvent.VOTE, "votes", state.awaiting)
    setup = state.setup
    voter, on, token = event.voter, event.on, event.token
    if voter not in setup.players or on not in setup.players:
        voter, on = _player("player", voter, setup.players), _player("on", on, setup.players)
    if state.counts:
        refuse("counted", DilemmasRefusal.ROUND_COUNTED())
    if voter == on and not setup.options["own_vote"]:
        refuse("own_vote", DilemmasRefusal.OWN_VOTE(player=voter))
    put = state.votes[voter]
    if on in put:
        refuse("voted_before", DilemmasRefusal.VOTED_BEFORE(player=voter, player_other=on))
    if token in SUPERS:
        _check_supers(state, token, 1)
        if (voter, token) in state.supers_used:
            refuse("supers_used", DilemmasRefusal.SUPER_USED(player=voter, token=Token.of(token)))
        state.supers_used.append((voter, token))
    elif list(put.values()).count(token) == setup.each_kind:
        refuse("tokens", DilemmasRefusal.TOKENS_PUT(player=voter, count=setup.each_kind, token=Token.of(token)))
    put[on] = token
    return NO_RULINGS


def _tokens(state: State, event: Tokens) -> Sequence[Ruling]:
    """All tokens on one dilemma are counted; who put them is not known."""
    awaited(DilemmasEvent.TOKENS, "votes", state.awaiting)
    setup = state.setup
    on = _player("on", event.on, setup.players)
    if any(state.votes.values()):
        refuse("voted", DilemmasRefusal.ROUND_VOTED())
    if on in state.counts:
        refuse("counted", DilemmasRefusal.COUNTED_BEFORE(player=on))
    voters = _voters(setup)
    if sum(event.counts) != voters:
        refuse("tokens", DilemmasRefusal.TOKENS_EXPECTED(count=voters, player=on))
    for place, token in enumerate(TOKENS):
        count = event.counts[place]
        if token in SUPERS:
            if count:
                _check_supers(state, token, count)
                state.supers_used += [(None, token)] * count
        elif count + sum(counts[place] for counts in state.counts.values()) > setup.each_kind * len(setup.players):
            refuse("tokens", DilemmasRefusal.MORE_THAN_ALL_HAVE(token=Token.of(token)))
    state.counts[on] = event.counts
    return NO_RULINGS


def _check_supers(state: State, token: str, count: int) -> None:
    """Variant: each player has one of each supervote for the whole game."""
    if not state.setup.options["supervotes"]:
        refuse("variant_off", DilemmasRefusal.NO_SUPERVOTES(token=Token.of(token)))
    if _supers_left(state, token) < count:
        refuse("supers_used", DilemmasRefusal.SUPERS_USED_UP(count=count, token=Token.of(token)))


def _supers_left(state: State, token: str) -> int:
    return len(state.setup.players) - sum(used == token for _, used in state.supers_used)


# --- Gameplay: the votes are revealed ---


def _reveal(state: State, event: Reveal) -> Sequence[Ruling]:
    """The smallest difference between YES and NO wins; its YES are points."""
    awaited(DilemmasEvent.REVEAL, "votes", state.awaiting)
    _check_complete(state)
    setup = state.setup
    tokens = {owner: _tokens_on(state, owner) for owner in setup.players}
    votes = {
        owner: {"yes": yes + SUPER_VOTES * super_yes, "no": no + SUPER_VOTES * super_no}
        for owner, (yes, no, super_yes, super_no) in tokens.items()
    }
    close = _closest(votes)
    winning = _most_no(votes, close)
    points = dict.fromkeys(setup.players, 0)
    for owner in winning:
        yes, _, super_yes, _ = tokens[owner]
        for maker, share in _shares(setup, state.round, owner, yes + super_yes * setup.options["super_points"]):
            points[maker] += share
    facts: dict[str, Any] = {"round": state.round, "winning": winning, "votes": votes, "points": points}
    if setup.options["coop"]:
        facts["makers"] = {owner: makers_of(setup, state.round, owner) for owner in setup.players}
    words = {
        "round": state.round,
        "names": tuple(winning),
        "told": ", ".join(f"{owner} {vote['yes']}:{vote['no']}" for owner, vote in votes.items()),
        "gains": ", ".join(f"{name} +{gain}" for name, gain in points.items() if gain) or "0",
    }
    said = DilemmasRuling.ROUND if winning == close else DilemmasRuling.ROUND_BY_NO
    ruling = Ruling(event.line, "round", facts, said, "PQ, Gameplay", words)
    for name in setup.players:
        state.scores[name] += points[name]
    _begin_next_round(state)
    return [ruling]


def _check_complete(state: State) -> None:
    """Every vote must be in, and in the last round every supervote must be used (PQ, Variants)."""
    missing = _missing(state)
    if missing:
        refuse("votes_missing", DilemmasRefusal.VOTES_MISSING(count=missing))
    if _last_round_lacks_supers(state):
        refuse("supers_unused", DilemmasRefusal.SUPERS_UNUSED())


def _missing(state: State) -> int:
    players = len(state.setup.players)
    if state.counts:
        return players - len(state.counts)
    return players * _voters(state.setup) - sum(len(put) for put in state.votes.values())


def _voters(setup: Setup) -> int:
    """How many put a token on each dilemma."""
    return len(setup.players) if setup.options["own_vote"] else len(setup.players) - 1


def _last_round_lacks_supers(state: State) -> bool:
    options = state.setup.options
    must_use = options["supervotes"] and options["unused_supervotes"] == "refuse"
    return must_use and state.round == options["rounds"] and any(_supers_left(state, token) for token in SUPERS)


def _tokens_on(state: State, owner: str) -> Sequence[int]:
    if state.counts:
        return state.counts[owner]
    put = [tokens[owner] for tokens in state.votes.values() if owner in tokens]
    return [put.count(token) for token in TOKENS]


def _closest(votes: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Whose dilemmas have the smallest difference between YES and NO."""
    smallest = min(abs(vote["yes"] - vote["no"]) for vote in votes.values())
    return [owner for owner, vote in votes.items() if abs(vote["yes"] - vote["no"]) == smallest]


def _most_no(votes: Mapping[str, Mapping[str, int]], close: Sequence[str]) -> list[str]:
    """Of the equally close ones those with the most NO, which may be several."""
    most = max(votes[owner]["no"] for owner in close)
    return [owner for owner in close if votes[owner]["no"] == most]


def _shares(setup: Setup, number: int, owner: str, points: int) -> list[tuple[str, int]]:
    """The points of a winning dilemma; in coop half for each of its makers, a point left over goes to the second."""
    makers = makers_of(setup, number, owner)
    if len(makers) == 1:
        return [(owner, points)]
    return [(makers[0], points // 2), (makers[1], points - points // 2)]


def _begin_next_round(state: State) -> None:
    """After the last round (five) the highest score wins."""
    state.votes, state.counts = {name: {} for name in state.setup.players}, {}
    if state.round == state.setup.options["rounds"]:
        state.awaiting = "nothing"
    else:
        state.awaiting, state.round, state.dilemmas = "dilemmas", state.round + 1, set()


# --- What a page or a program may ask ---


def legal(state: State) -> list[Legal]:
    """What may come next."""
    setup = state.setup
    if state.awaiting == "dilemmas":
        return [may for name in setup.players if name not in state.dilemmas for may in _legal_dilemmas(state, name)]
    if state.awaiting == "nothing":
        return []
    if not _missing(state):
        return [] if _last_round_lacks_supers(state) else [Legal("reveal")]
    return ([] if state.counts else _legal_votes(state)) + ([] if any(state.votes.values()) else _legal_counts(state))


def _legal_dilemmas(state: State, owner: str) -> list[Legal]:
    keys = {"player": OneOf((owner,))}
    makers = tuple(maker for maker in makers_of(state.setup, state.round, owner) if maker not in state.neutral_used)
    legal = [Legal("dilemma", keys, weight=4)]
    if state.setup.options["neutral"] and makers:
        legal.append(Legal("dilemma", {**keys, "neutral_by": OneOf(makers)}))
    return legal


def _legal_votes(state: State) -> list[Legal]:
    """For each voter the dilemmas they have not voted on, and the tokens they have left."""
    setup = state.setup
    last = state.round == setup.options["rounds"]
    legal = []
    for voter in setup.players:
        put = state.votes[voter]
        on = tuple(owner for owner in setup.players if owner not in put)
        if not setup.options["own_vote"]:
            on = tuple(owner for owner in on if owner != voter)
        tokens = {token: 4 for token in ORDINARY if list(put.values()).count(token) < setup.each_kind}
        if setup.options["supervotes"]:
            may = [t for t in SUPERS if (voter, t) not in state.supers_used and _supers_left(state, t)]
            tokens |= dict.fromkeys(may, 200 if last else 1)  # in the last round they must be used
        if on and tokens:
            token = OneOf(tuple(tokens), weights=tuple(tokens.values()))
            legal.append(Legal("vote", {"player": OneOf((voter,)), "on": OneOf(on), "token": token}, weight=4))
    return legal


def _legal_counts(state: State) -> list[Legal]:
    on = tuple(owner for owner in state.setup.players if owner not in state.counts)
    return [Legal("tokens", {"on": OneOf(on)}, make=_counted(state))]


def _counted(state: State) -> Callable[[Choose], dict[str, Any]]:
    """Makes a count of tokens that all players together can have put on one dilemma."""
    setup = state.setup
    have = setup.each_kind * len(setup.players)
    yes_left, no_left = (have - sum(counts[place] for counts in state.counts.values()) for place in (0, 1))

    def make(choose: Choose) -> dict[str, Any]:
        voters = _voters(setup)
        made = {}
        if setup.options["supervotes"]:
            for token in SUPERS:
                made[token] = choose(range(min(voters, _supers_left(state, token)) + 1))
                voters -= made[token]
        made["yes"] = choose(range(max(0, voters - no_left), min(voters, yes_left) + 1))
        return {**made, "no": voters - made["yes"]}

    return make


def result(state: State) -> dict[str, Any]:
    """The game's answers: over, winners, scores, state."""
    players = state.setup.players
    supers_left = {token: _supers_left(state, token) for token in SUPERS}
    answers = {
        "awaiting": state.awaiting,
        "round": state.round,
        "dilemmas": [name for name in players if name in state.dilemmas],
        "supers_left": supers_left if state.setup.options["supervotes"] else None,
        "neutral_used": [name for name in players if name in state.neutral_used],
    }
    return standing(dict(state.scores), state.awaiting == "nothing", answers)


GAME = Game(
    name="dilemmas",
    title="The Game of Dilemmas (pandaqi)",
    source="PQ",
    players=range(2, 21),
    options=OPTIONS,
    events={
        "dilemma": Kind(
            Dilemma,
            frozenset({"player", "positive", "negative", "neutral", "neutral_by"}),
            _read_dilemma,
            _dilemma,
        ),
        "vote": Kind(Vote, frozenset({"player", "on", "token"}), _read_vote, _vote),
        "tokens": Kind(Tokens, frozenset({"on", *TOKENS}), _read_tokens, _tokens),
        "reveal": Kind(Reveal, frozenset(), _read_reveal, _reveal),
    },
    prepare=prepare,
    legal=legal,
    result=result,
    rulings=DilemmasRuling,
    house_rules=DilemmasHouseRule,
)
