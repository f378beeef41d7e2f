"""A duel by the blocks that lie open beside the arena. Nothing is said, kept or logged of a block that lies open alone.

**What counts as a choice.** A block counts only if it was laid after the duel began. Blocks lie about on real tables:
the one from the duel before, the other one of a pair. Whoever leaves it lying has not chosen it again. So what lies
there when the duel begins is set aside until it lies elsewhere: a hand never lays a block down on the very same spot,
while an arm across it, which hides it and shows it again, does not move it. And the other way round, a block that was
laid before the referee awaited the duel must be laid anew: asking twice costs a moment, a choice nobody made costs the
game.

**When it is revealed.** Both duellists' choices must be there, each a block that lies open at rest or said in secret
by phone. Until then this module alone knows what it sees, and forgets it as soon as it changes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena_cam.camera.frame import Frame
from arena_cam.domain.blocks import BLOCK_CHOICES, Block, OpenBlock
from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import TablePose
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.match import PLAYERS, Asked, Match, withdraw
from arena_cam.referee.games.arena.rounds import ask, duellists, player_of
from arena_cam.referee.messages import Refusal
from arena_cam.rules.games.arena.awaiting import Awaiting

# A block that was set aside counts again where it lies elsewhere by this much: a sleeve shifts by less.
ELSEWHERE_MM, ELSEWHERE_DEG = 10.0, 10.0
# One that was away (in the hand, or under it) may come back nearly to its place: no hand hits the same spot so well.
AWAY_MM, AWAY_DEG = 3.0, 5.0
TWO_BLOCKS, NO_LIFE_BLOCK = "two_blocks", "no_life_block"
LAY_ANEW = "lay_anew"
KINDS = (TWO_BLOCKS, NO_LIFE_BLOCK)


class BlockSight(Protocol):
    """Vision's sense of blocks in time."""

    def interrupted(self) -> None: ...
    def glance(self, frame: Frame, pose: TablePose) -> tuple[OpenBlock, ...]: ...
    def look(self, frame: Frame, pose: TablePose) -> tuple[OpenBlock, ...] | None: ...


@dataclass
class _SetAside:
    """A block that does not count where it lies. `away`: a table at rest was seen without it since."""

    where: OpenBlock
    away: bool = False

    def counts_again(self, now: OpenBlock) -> bool:
        by_mm, by_deg = (AWAY_MM, AWAY_DEG) if self.away else (ELSEWHERE_MM, ELSEWHERE_DEG)
        turned = abs((now.angle_deg - self.where.angle_deg + 180.0) % 360.0 - 180.0)
        return math.dist(now.centre_mm, self.where.centre_mm) > by_mm or turned > by_deg


class LaidSinceTheDuelBegan:
    """Tells blocks that were laid in this duel from those that lay there before."""

    def __init__(self) -> None:
        self._aside: dict[Block, _SetAside] = {}
        self._open: tuple[OpenBlock, ...] = ()

    def begin(self, seen: Sequence[OpenBlock]) -> None:
        """A duel begins, and these lie open; what was open when the one before ended is set aside, too."""
        self._aside = {each.block: _SetAside(each) for each in (*self._open, *seen)}
        self._open = ()

    def lay_there_before(self, seen: Sequence[OpenBlock]) -> None:
        """These lay there when the duel began, as a second look shows."""
        self._aside |= {each.block: _SetAside(each) for each in seen if each.block not in self._aside}

    def saw(self, seen: Sequence[OpenBlock]) -> None:
        """The table rests, and these blocks lie open."""
        there = {each.block: each for each in seen}
        for block, aside in list(self._aside.items()):
            if block not in there:
                aside.away = True
            elif aside.counts_again(there[block]):
                del self._aside[block]
        self._open = tuple(seen)

    def not_seen(self) -> None:
        """Something moves: nobody knows what lies open."""
        self._open = ()

    def put_aside(self, colour: str) -> None:
        """The open blocks of that colour must be laid anew."""
        self._aside |= {each.block: _SetAside(each) for each in self._open if each.block.colour == colour}

    def choices(self, colour: str) -> frozenset[str]:
        """The choice that blocks of that colour, laid in this duel, show."""
        return frozenset(e.block.choice for e in self._open if e.block.colour == colour and e.block not in self._aside)


class BlockDuel:
    """Follows one duel after another. `sight` None: nobody looks for blocks, and nothing ever follows."""

    def __init__(self, sight: BlockSight | None) -> None:
        self._sight = sight
        self._laid = LaidSinceTheDuelBegan()
        self._duel: tuple[object, ...] | None = None
        self._opening = False

    @property
    def reads(self) -> bool:
        """Whether blocks are looked for at all."""
        return self._sight is not None

    def see(
        self, game: str, match: Match, typed: Mapping[str, str], frame: Frame, pose: TablePose | None, at_rest: bool
    ) -> Match | None:
        """The match after `frame`; None if nothing follows from it.

        `game` is its id, `typed` are choices said in secret; `at_rest`: nothing moves and the eye can see.
        """
        if self._sight is None:
            return None
        state = match.ledger.state
        if state["awaiting"] != Awaiting.DUEL:
            self._duel = None
            return None
        if pose is None:
            return None
        duel = (game, state["round"], state["challenge"], state["duelling"])
        if duel != self._duel:
            self._duel, self._opening = duel, True
            self._sight.interrupted()
            self._laid.begin(self._sight.glance(frame, pose))
        if not at_rest or match.paused:
            self._sight.interrupted()
            self._laid.not_seen()
            self._opening = False
            return None
        seen = self._sight.look(frame, pose)
        if seen is None:
            return None
        if self._opening:
            self._laid.lay_there_before(seen)
            self._opening = False
        self._laid.saw(seen)
        return self._decided(match, typed, frame.time_s)

    def hides(self, match: Match) -> bool:
        """Whether one block may lie open and the other not yet."""
        return self.reads and match.ledger.awaiting == Awaiting.DUEL

    def answer(
        self, match: Match, question: Asked, choice: str, typed: Mapping[str, str], now_s: float
    ) -> Match | None:
        """The match after the referee's answer to a question of KINDS. Raises Refused where the other's choice is not
        there now."""
        if question.kind not in KINDS:
            return None
        if choice not in offered(match, question):
            raise Refused("bad_argument", Refusal.NO_ANSWER(name=repr(choice[:40])))
        player = question.about[0]
        if choice == LAY_ANEW:
            self._laid.put_aside(_colour_of(match, player))
            return withdraw(match, question.id)
        choices = {name: self._options(match, name, typed) for name in duellists(match)} | {player: frozenset({choice})}
        if _doubt(match, choices) or not all(choices.values()):
            message = Refusal.BLOCK_NOT_ALONE()
            raise Refused("not_now", message)
        return _duel(withdraw(match, question.id), choices, now_s)

    def _decided(self, match: Match, typed: Mapping[str, str], now_s: float) -> Match | None:
        """The match with the duel, with the question that keeps it from being one, or without one that is settled."""
        choices = {name: self._options(match, name, typed) for name in duellists(match)}
        wanted = _doubt(match, choices) if all(choices.values()) else None
        asked = [q for q in match.questions if q.kind in KINDS]
        after = match
        for question in asked:
            if wanted != (question.kind, question.about[0]):
                after = withdraw(after, question.id)
        if wanted is not None:
            kind, player = wanted
            after = ask(after, kind, None, None, None, about=(player,))
        elif all(choices.values()):
            after = _duel(after, choices, now_s)
        return after if after is not match else None

    def _options(self, match: Match, player: str, typed: Mapping[str, str]) -> frozenset[str]:
        said = frozenset({typed[player]}) if player in typed else frozenset()
        return said | self._laid.choices(_colour_of(match, player))


def offered(match: Match, question: Asked) -> list[str]:
    """The answers to a question of KINDS, the likeliest first."""
    alive = match.ledger.state["lives"].get(question.about[0], 0) > 0
    return [LAY_ANEW, *BLOCK_CHOICES] if alive else [LAY_ANEW, BLOCK_CHOICES[0]]


def _doubt(match: Match, choices: Mapping[str, frozenset[str]]) -> tuple[str, str] | None:
    """(kind of question, player) where both have uncovered something but it is no pair of choices."""
    lives = match.ledger.state["lives"]
    for player, options in choices.items():
        if len(options) > 1:
            return TWO_BLOCKS, player
        if "conflict" in options and lives[player] <= 0:
            return NO_LIFE_BLOCK, player
    return None


def _duel(match: Match, choices: Mapping[str, frozenset[str]], now_s: float) -> Match:
    """The duel with the one choice of each, as if both had said it."""
    made = {name: next(iter(options)) for name, options in choices.items()}
    return append(match, [{"type": "duel", "choices": made}], PLAYERS, now_s)


def _colour_of(match: Match, player: str) -> str:
    return next(colour for colour, name in player_of(match.ledger).items() if name == player)
