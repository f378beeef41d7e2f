"""Turns each action into a performance of some seconds, with times at which the table changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from arena_cam.domain.blocks import Block
from arena_cam.domain.errors import CannotDo
from arena_cam.domain.lies import Face, Landing
from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.arena.blocks import THICKNESS_MM, LaidBlock, covering, own_place
from arena_cam.simulation.arena.throwing import Aim, Ground, PlacedCard, place, throw
from arena_cam.simulation.messages import SimulatedTrouble
from arena_cam.simulation.things.hands import Reach
from arena_cam.simulation.things.motion import Visit, coming_from, random_flight
from arena_cam.simulation.things.resting import CardSize

# How often each landing is drawn where an action asks for none: most players aim well.
LANDING_SHARES = ((Landing.FLAT, 0.72), (Landing.DIAGONAL, 0.12), (Landing.EDGE, 0.09), (Landing.BESIDE, 0.07))
BREATH_S = 0.35  # between one action and the next
CARRIED_MM = 30.0  # a card in a hand hangs so far above the floor, just under the fingers
HAND_KINDS = 20


@dataclass
class Performance:
    """One action being acted out: `cues` are (seconds after `start_s`, what happens), in order."""

    start_s: float
    seconds: float
    cues: list[tuple[float, Callable[[], None]]] = field(default_factory=list)
    hand: Callable[[float], Reach] | None = None
    card: tuple[str, Face, Callable[[float], CardPose | None]] | None = None
    loose: list[tuple[str, Face, Callable[[float], CardPose | None]]] = field(default_factory=list)

    @property
    def end_s(self) -> float:
        return self.start_s + self.seconds


class Pile:
    """The cards at rest, in the order in which they came to lie."""

    def __init__(self, size: CardSize, arena: Arena) -> None:
        self.size, self.arena = size, arena
        self.cards: list[PlacedCard] = []

    def index(self, card: str) -> int:
        for k, placed in enumerate(self.cards):
            if placed.card == card:
                return k
        raise CannotDo(SimulatedTrouble.NOT_LYING(name=str(card)))

    def add(self, placed: PlacedCard) -> None:
        self.cards.append(placed)

    def take(self, card: str) -> PlacedCard:
        """Takes a card out; what lay on it sinks onto what is left."""
        k = self.index(card)
        taken = self.cards.pop(k)
        for later in range(k, len(self.cards)):
            old = self.cards[later]
            x, y, _ = old.pose.centre_mm
            self.cards[later] = place(
                old.card, old.face, (float(x), float(y), old.pose.angle_deg), self.cards[:later], self.size, self.arena
            )
        return taken

    def clear(self) -> None:
        self.cards.clear()


class Stage:
    """Turns card actions into performances. Knows the pile, the arena and the seed, not the camera."""

    def __init__(
        self,
        pile: Pile,
        rng: np.random.Generator,
        keep_clear: Array,
        edge_mm: tuple[float, float],
    ) -> None:
        self.pile, self.rng = pile, rng
        self.blocks: list[LaidBlock] = []
        self._keep_clear, self._edge_mm = keep_clear, edge_mm
        self._in_the_air: list[PlacedCard] = []

    def lay_challenge(self, action: act.LayChallenge, start_s: float) -> Performance:
        aim = action.at_mm or tuple(float(v) for v in self.rng.normal(0.0, 14.0, 2))
        spread = 0.01 if action.at_mm else 6.0
        placed = self._land(action.card, Face.UP, Landing.FLAT, (aim[0], aim[1]), spread)
        visit = self._visit_to(placed.pose, 0.55, 0.35, 0.55)
        return self._carry_in(placed, visit, start_s)

    def throw(self, action: act.Throw, start_s: float) -> Performance:
        placed = self._thrown(action)
        flight = random_flight(placed.pose, self._edge_mm, self.rng)
        self._in_the_air.append(placed)

        def rested() -> None:
            self._in_the_air.remove(placed)
            self.pile.add(placed)

        flying = (placed.card, placed.face, lambda t: flight.pose(t) if t < flight.seconds else None)
        return Performance(start_s, flight.seconds, [(flight.seconds, rested)], card=flying)

    def _thrown(self, action: act.Throw) -> PlacedCard:
        """The rest at which the throw ends. Without a wish, a landing for which there is no room any more gives way to
        others."""
        wishes = [action.landing] if action.landing else [self._any_landing(), *Landing]
        for last, wanted in enumerate(wishes, 1 - len(wishes)):
            aim = action.aim_mm
            if aim is None and wanted is Landing.FLAT:
                aim = self._some_target()
            try:
                return self._land(action.card, action.face, wanted, aim, 24.0)
            except CannotDo:
                if last == 0:
                    raise
        raise AssertionError("there is always a last wish")

    def disturb(self, action: act.Disturb, start_s: float) -> Performance:
        before = self.pile.cards[self.pile.index(action.card)]
        face = action.face or before.face
        rest_of = [placed for placed in self.pile.cards if placed.card != action.card]
        here = (float(before.pose.centre_mm[0]), float(before.pose.centre_mm[1]))
        wanted = action.landing or Landing.FLAT
        aim = here if wanted is Landing.FLAT else None
        after = self._land(action.card, face, wanted, aim, 38.0, rest_of)
        visit = self._visit_to(before.pose, 0.5, 0.7, 0.5)

        def pushed(t: float) -> CardPose | None:
            if not visit.in_s <= t < visit.in_s + visit.stay_s:
                return None
            return between(before.pose, after.pose, (t - visit.in_s) / visit.stay_s, lift_mm=3.0)

        def let_go() -> None:
            self.pile.add(after)

        cues = [(visit.in_s, lambda: self._take(action.card)), (visit.in_s + visit.stay_s, let_go)]
        return Performance(start_s, visit.seconds, cues, hand=visit.reach, card=(action.card, face, pushed))

    def remove(self, action: act.RemoveCard, start_s: float) -> Performance:
        before = self.pile.cards[self.pile.index(action.card)]
        visit = self._visit_to(before.pose, 0.5, 0.25, 0.5)
        grip = visit.in_s + 0.5 * visit.stay_s
        carried = self._carried(before, visit, grip)
        return Performance(
            start_s, visit.seconds, [(grip, lambda: self._take(action.card))], hand=visit.reach, card=carried
        )

    def sweep(self, start_s: float) -> Performance:
        visit = self._visit_to(
            CardPose.flat(float(self.rng.normal(0.0, 20.0)), float(self.rng.normal(0.0, 20.0)), 0.0), 0.5, 0.6, 0.6
        )
        grip = visit.in_s + visit.stay_s
        gone: list[tuple[str, Face, Callable[[float], CardPose | None]]] = []

        def gather() -> None:
            gone.extend(self._carried(placed, visit, grip) for placed in self.pile.cards)
            self.pile.clear()

        return Performance(start_s, visit.seconds, [(grip, gather)], hand=visit.reach, loose=gone)

    def reach_in(self, action: act.ReachIn, start_s: float) -> Performance:
        at = action.at_mm or tuple(float(v) for v in self.rng.normal(0.0, 60.0, 2))
        visit = self._visit_to(CardPose.flat(at[0], at[1], 0.0), 0.5, action.seconds, 0.5)
        return Performance(start_s, visit.seconds, hand=visit.reach)

    def lay_block(self, action: act.LayBlock, start_s: float) -> Performance:
        own = own_place(action.colour, self._edge_mm)
        at = action.at_mm or (own[0] + float(self.rng.normal(0.0, 8.0)), own[1] + float(self.rng.normal(0.0, 8.0)))
        angle = float(self.rng.uniform(-180.0, 180.0)) if action.angle_deg is None else action.angle_deg
        pose = CardPose.flat(*at, angle, self.pile.arena.table_z_mm + THICKNESS_MM)
        laid = LaidBlock(Block(action.colour, action.choice), pose)
        visit = covering(at, action.covered_s, int(self.rng.integers(HAND_KINDS)))
        return Performance(start_s, visit.seconds, [(visit.in_s, lambda: self.blocks.append(laid))], hand=visit.reach)

    def take_block(self, action: act.TakeBlock, start_s: float) -> Performance:
        visit = covering(self._block_place(action.colour), 0.3, int(self.rng.integers(HAND_KINDS)))

        def take() -> None:
            self.blocks = [laid for laid in self.blocks if laid.block.colour != action.colour]

        return Performance(start_s, visit.seconds, [(visit.in_s + 0.2, take)], hand=visit.reach)

    def cover_block(self, action: act.CoverBlock, start_s: float) -> Performance:
        visit = covering(self._block_place(action.colour), action.seconds, int(self.rng.integers(HAND_KINDS)))
        return Performance(start_s, visit.seconds, hand=visit.reach)

    def _block_place(self, colour: str) -> tuple[float, float]:
        """The place of the player's first block, or the one at which he lays them."""
        for laid in self.blocks:
            if laid.block.colour == colour:
                return float(laid.pose.centre_mm[0]), float(laid.pose.centre_mm[1])
        return own_place(colour, self._edge_mm)

    def _land(
        self,
        card: str,
        face: Face,
        wanted: Landing,
        aim: tuple[float, float] | None,
        spread: float,
        pile: list[PlacedCard] | None = None,
    ) -> PlacedCard:
        """The rest of a card on the pile and on the cards that are still in the air."""
        below = self.pile.cards + self._in_the_air if pile is None else pile
        reach = (self._edge_mm[0] - 30.0, self._edge_mm[1] - 30.0)
        ground = Ground(below, self.pile.size, self.pile.arena, self._keep_clear, reach)
        return throw(card, face, Aim(wanted, aim, spread), ground, self.rng)

    def _take(self, card: str) -> None:
        self.pile.take(card)

    def _any_landing(self) -> Landing:
        pick = self.rng.choice(len(LANDING_SHARES), p=[share for _, share in LANDING_SHARES])
        return LANDING_SHARES[int(pick)][0]

    def _some_target(self) -> tuple[float, float] | None:
        """Players aim at the first card that lies (the challenge), and often enough miss it."""
        if not self.pile.cards or self.rng.random() < 0.15:
            return None
        x, y, _ = self.pile.cards[0].pose.centre_mm
        return float(x), float(y)

    def _visit_to(self, pose: CardPose, in_s: float, stay_s: float, out_s: float) -> Visit:
        x, y = float(pose.centre_mm[0]), float(pose.centre_mm[1])
        kind = int(self.rng.integers(HAND_KINDS))
        slow = float(self.rng.uniform(0.85, 1.3))
        there = Reach((x, y), coming_from((x, y), self.rng), float(self.rng.uniform(34.0, 48.0)), kind)
        return Visit(there, in_s * slow, stay_s * slow, out_s * slow)

    def _carry_in(self, placed: PlacedCard, visit: Visit, start_s: float) -> Performance:
        drop = visit.in_s + 0.6 * visit.stay_s
        rest_xy = placed.pose.centre_mm

        def pose(t: float) -> CardPose | None:
            if t >= drop:
                return None
            tip = visit.reach(t).tip_mm
            there = visit.there.tip_mm
            u = min(max((t - visit.in_s) / (drop - visit.in_s), 0.0), 1.0)
            high = CARRIED_MM * (1.0 - u)
            return CardPose(placed.pose.R, rest_xy + np.array([tip[0] - there[0], tip[1] - there[1], high]))

        cues = [(drop, lambda: self.pile.add(placed))]
        return Performance(start_s, visit.seconds, cues, hand=visit.reach, card=(placed.card, placed.face, pose))

    @staticmethod
    def _carried(
        placed: PlacedCard, visit: Visit, from_s: float
    ) -> tuple[str, Face, Callable[[float], CardPose | None]]:
        """A card that goes away with the hand from `from_s` on."""
        held = visit.reach(from_s).tip_mm

        def pose(t: float) -> CardPose | None:
            if t < from_s:
                return None
            tip = visit.reach(t).tip_mm
            high = CARRIED_MM * min((t - from_s) / 0.2, 1.0)
            return CardPose(placed.pose.R, placed.pose.centre_mm + np.array([tip[0] - held[0], tip[1] - held[1], high]))

        return placed.card, placed.face, pose


def between(a: CardPose, b: CardPose, u: float, lift_mm: float = 0.0) -> CardPose:
    """A pose on the way from `a` (u = 0) to `b` (u = 1), lifted a little underway."""
    mixed = a.R * (1.0 - u) + b.R * u
    left, _, right = np.linalg.svd(mixed)
    turn = left @ np.diag([1.0, 1.0, float(np.sign(np.linalg.det(left @ right)))]) @ right
    middle = a.centre_mm * (1.0 - u) + b.centre_mm * u + [0.0, 0.0, 4.0 * u * (1.0 - u) * lift_mm]
    return CardPose(turn, middle)
