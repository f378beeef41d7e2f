"""A cloth under a camera on a stand: two pairs of hands lay cards, sweep tricks away and put score-cards aside.

World frame: millimetres, the middle of the cloth at the origin, x right and y up in the picture, z towards the camera.
The player in seat 0 sits below the picture, the one in seat 1 above it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CannotDo
from arena_cam.domain.table import Arena
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.messages import SimulatedTrouble
from arena_cam.simulation.rendering.background import Surfaces
from arena_cam.simulation.rendering.camera_picture import Renderer
from arena_cam.simulation.rendering.look import Look, plain_look
from arena_cam.simulation.rendering.plates import NOTHING, Box, Plate
from arena_cam.simulation.rendering.scene import looking_down
from arena_cam.simulation.things.faces import Faces
from arena_cam.simulation.things.hands import Reach, hand_plate
from arena_cam.simulation.things.motion import Visit

Image8 = NDArray[np.uint8]
Way = Callable[[float], CardPose | None]

SIZE_PX = (1280, 720)
FOCAL_PX, HEIGHT_MM, TILT_DEG = 1080.0, 520.0, 14.0
SHEET_MM = 0.3  # a card with the air beneath it
CARRIED_MM = 28.0
# Where the cards of a trick are laid, in the order played, as seen by whoever sits below; the other seat's mirrored.
SLOTS_MM = ((-48.0, -10.0), (-16.0, -14.0), (16.0, -10.0), (48.0, -14.0))
STOCK_MM = (-225.0, 0.0)
HEAPS_MM = ((215.0, -95.0), (215.0, 95.0))
SEAT_DEG = (0.0, 180.0)  # where hands point
BREATH_S = 0.3


@dataclass(frozen=True)
class LayCard:
    """The player in `seat` lays a card as the trick's `slot` (0 to 3)."""

    card: str
    seat: int
    slot: int


@dataclass(frozen=True)
class SweepTrick:
    """The winner in `seat` keeps `score_card` and takes the other cards away."""

    seat: int
    score_card: str


@dataclass(frozen=True)
class Clear:
    """Everything is taken away, the next pack lies there with `stock` cards face down."""

    stock: int = 28


Action = LayCard | SweepTrick | Clear


@dataclass(frozen=True, eq=False)
class Lying:
    """A card at rest; `card` None: face down."""

    card: str | None
    pose: CardPose


@dataclass
class Act:
    """One action being acted out: `cues` are (seconds after `start_s`, what happens); `carried` what the hand holds."""

    start_s: float
    visit: Visit
    cues: list[tuple[float, Callable[[], None]]] = field(default_factory=list)
    carried: list[tuple[str | None, Way]] = field(default_factory=list)


@dataclass(frozen=True)
class Setting:
    """How a cloth is seen, and how people lay cards on it.

    look: the cloth, its light and the camera's sensor; height_mm: of the camera over the cloth; tilt_deg: of its view
    from straight down, towards seat 1; apart: cards of a trick lie so many times as far apart as usual; turn_deg:
    standard deviation of their turn; pace: how long hands take, of the usual.
    """

    look: Look = field(default_factory=lambda: replace(plain_look(), table="felt"))
    height_mm: float = HEIGHT_MM
    tilt_deg: float = TILT_DEG
    apart: float = 1.0
    turn_deg: float = 5.0
    pace: float = 1.0


class Cloth:
    """Actions are queued and acted out one after another as the clock goes on. Any thread may call `perform`."""

    def __init__(
        self,
        deck: Deck,
        seed: int = 1,
        *,
        supersample: int = 2,
        size_px: tuple[int, int] = SIZE_PX,
        setting: Setting | None = None,
    ) -> None:
        self.deck = deck
        self.setting = setting or Setting()
        self._rng = np.random.default_rng([seed, 97])
        focal = FOCAL_PX * size_px[0] / SIZE_PX[0]
        K = np.array([[focal, 0.0, (size_px[0] - 1) / 2], [0.0, focal, (size_px[1] - 1) / 2], [0.0, 0.0, 1.0]])
        tilt, height = np.radians(self.setting.tilt_deg), self.setting.height_mm
        centre = np.array([0.0, -height * np.sin(tilt), height * np.cos(tilt)])
        self._camera = looking_down(K, np.zeros(5), centre, np.zeros(3), 0.0)
        look = self.setting.look
        # no tray: one of no size, sunk into the table
        surfaces = Surfaces(Arena((1.0, 1.0), 0.01, 0.01, 0.0), look)
        self._renderer = Renderer(self._camera, size_px, surfaces, None, supersample=supersample)
        self._faces = Faces(deck, self._camera.px_per_mm(np.zeros(3)), look.gloss)
        self.trick: list[Lying] = []
        self.heaps: tuple[list[Lying], list[Lying]] = ([], [])
        self.stock = 28
        self._queue: deque[Action] = deque()
        self._act: Act | None = None
        self._free_at_s = 0.0
        self._drawn = -1
        self._changes = 0
        self._lock = threading.RLock()
        self.time_s = 0.0

    def perform(self, *actions: Action) -> None:
        """Queues actions. Raises CannotDo for a card that the pack does not have."""
        for action in actions:
            card = getattr(action, "card", None)
            if card is not None and card not in self.deck.by_id:
                raise CannotDo(SimulatedTrouble.NO_CARD(name=str(card), deck=self.deck.name))
        with self._lock:
            self._queue.extend(actions)

    @property
    def idle(self) -> bool:
        """Whether everything asked for has been acted out."""
        with self._lock:
            return not self._queue and self._act is None and self.time_s >= self._free_at_s

    def advance(self, to_s: float) -> None:
        """Lets the clock run on, starting and ending what is due."""
        with self._lock:
            self.time_s = max(self.time_s, to_s)
            act = self._act
            if act is not None:
                while act.cues and act.start_s + act.cues[0][0] <= self.time_s:
                    act.cues.pop(0)[1]()
                    self._changes += 1
                if self.time_s >= act.start_s + act.visit.seconds:
                    self._act, self._free_at_s = None, self.time_s + BREATH_S
            if self._act is None and self._queue and self.time_s >= self._free_at_s:
                self._act = self._begin(self._queue.popleft())

    def picture(self) -> Image8:
        """The camera's picture now, (h, w, 3) blue-green-red."""
        with self._lock:
            if self._drawn != self._changes:
                self._draw_still()
                self._drawn = self._changes
            return self._renderer.picture(self._draw_moving())

    # ------------------------------------------------------------------ what happens

    def _begin(self, action: Action) -> Act:
        if isinstance(action, LayCard):
            return self._lay(action)
        if isinstance(action, SweepTrick):
            return self._sweep(action)
        return self._clear(action)

    def _lay(self, action: LayCard) -> Act:
        side = 1.0 if action.seat == 0 else -1.0
        x, y = (each * self.setting.apart for each in SLOTS_MM[action.slot % 4])
        wobble = self._rng.normal(0.0, 2.5, 2)
        angle = (0.0 if action.seat == 0 else 180.0) + float(self._rng.normal(0.0, self.setting.turn_deg))
        z = SHEET_MM * (len(self.trick) + 1)
        lying = Lying(action.card, CardPose.flat(x + float(wobble[0]), side * y + float(wobble[1]), angle, z))
        visit = self._visit(lying.pose, action.seat)
        drop = visit.in_s + 0.5 * visit.stay_s

        def way(t: float) -> CardPose | None:
            if t >= drop:
                return None
            sunk = min(max((t - visit.in_s) / (drop - visit.in_s), 0.0), 1.0)
            return _moved(lying.pose, visit, t, CARRIED_MM * (1.0 - sunk))

        return Act(self.time_s, visit, [(drop, lambda: self.trick.append(lying))], [(action.card, way)])

    def _sweep(self, action: SweepTrick) -> Act:
        """The trick goes with the hand; the score-card is laid on the winner's heap as the hand passes it."""
        visit = self._visit(CardPose.flat(0.0, 0.0, 0.0, 0.0), action.seat)
        grip = visit.in_s + visit.stay_s
        act = Act(self.time_s, visit)

        def gather() -> None:
            act.carried = [(each.card, _going(each.pose, visit, grip)) for each in self.trick]
            self.trick.clear()
            heap = self.heaps[action.seat]
            x, y = HEAPS_MM[action.seat]
            angle = SEAT_DEG[action.seat] + float(self._rng.normal(0.0, 3.0))
            place = CardPose.flat(x + float(self._rng.normal(0.0, 1.5)), y, angle, SHEET_MM * (len(heap) + 1))
            heap.append(Lying(action.score_card, place))
            self.stock = max(0, self.stock - 4)

        act.cues = [(grip, gather)]
        return act

    def _clear(self, action: Clear) -> Act:
        visit = self._visit(CardPose.flat(0.0, 0.0, 0.0, 0.0), 0)

        def clear() -> None:
            self.trick.clear()
            for heap in self.heaps:
                heap.clear()
            self.stock = action.stock

        return Act(self.time_s, visit, [(visit.in_s + visit.stay_s, clear)])

    def _visit(self, pose: CardPose, seat: int) -> Visit:
        x, y = float(pose.centre_mm[0]), float(pose.centre_mm[1])
        outer = y - 26.0 if seat == 0 else y + 26.0  # fingers hold a card by the end towards their player
        there = Reach((x, outer), SEAT_DEG[seat] + float(self._rng.normal(0.0, 8.0)), 40.0, 3 if seat == 0 else 9)
        slow = self.setting.pace * float(self._rng.uniform(0.85, 1.2))
        return Visit(there, 0.5 * slow, 0.35 * slow, 0.5 * slow, away_mm=480.0)

    # ------------------------------------------------------------------ what the camera sees

    def _draw_still(self) -> None:
        self._renderer.clear_still()
        layers = [
            Lying(None, CardPose.flat(*STOCK_MM, 90.0, SHEET_MM * number)) for number in range(1, self.stock + 1, 4)
        ]
        for each in [*layers, *self.heaps[0], *self.heaps[1], *self.trick]:
            self._renderer.lay(self._plate(each.card), each.pose)
        self._renderer.settle()

    def _draw_moving(self) -> Box:
        canvas, changed = self._renderer.scratch(), NOTHING
        act = self._act
        if act is None:
            return changed
        t = self.time_s - act.start_s
        for card, way in act.carried:
            pose = way(t)
            if pose is not None:
                changed = changed.joined(self._draw(canvas, self._plate(card), pose))
        reach = act.visit.reach(t)
        return changed.joined(self._draw(canvas, hand_plate(reach.kind), reach.pose()))

    def _draw(self, canvas: NDArray[np.float32], plate: Plate, pose: CardPose) -> Box:
        shaded = self._renderer.painter.cast(canvas, plate, pose, quick=True)
        return shaded.joined(self._renderer.painter.draw(canvas, plate, pose))

    def _plate(self, card: str | None) -> Plate:
        return self._faces.back() if card is None else self._faces.face(card)


def _moved(pose: CardPose, visit: Visit, t: float, high_mm: float) -> CardPose:
    """A card that the hand holds where it will lie, `t` after the hand set out."""
    tip, there = visit.reach(t).tip_mm, visit.there.tip_mm
    return CardPose(pose.R, pose.centre_mm + np.array([tip[0] - there[0], tip[1] - there[1], high_mm]))


def _going(pose: CardPose, visit: Visit, from_s: float) -> Way:
    """A card that goes away with the hand from `from_s` on."""

    def way(t: float) -> CardPose | None:
        return _moved(pose, visit, t, CARRIED_MM * min((t - from_s) / 0.2, 1.0)) if t >= from_s else None

    return way
