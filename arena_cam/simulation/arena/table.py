"""The simulated table: takes actions, lets time pass, and shows what the camera sees and what really lies there."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.blocks import Block
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CameraLost, CannotDo
from arena_cam.domain.lies import Face, Landing
from arena_cam.domain.table import Fiducials, Table
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.arena.blocks import BlockFaces, LaidBlock
from arena_cam.simulation.arena.performing import BREATH_S, HAND_KINDS, Performance, Pile, Stage
from arena_cam.simulation.arena.throwing import PlacedCard
from arena_cam.simulation.arena.truth import truth_of
from arena_cam.simulation.messages import SimulatedTrouble
from arena_cam.simulation.rendering.background import Surfaces
from arena_cam.simulation.rendering.camera_picture import Renderer
from arena_cam.simulation.rendering.plates import NOTHING, Box, Plate
from arena_cam.simulation.rendering.scene import Scene, default_scene
from arena_cam.simulation.things.faces import Faces
from arena_cam.simulation.things.glass import glass_plate
from arena_cam.simulation.things.hands import Reach, hand_plate
from arena_cam.simulation.things.motion import Visit

Image8 = NDArray[np.uint8]

SHUTTER_S = 1 / 160  # of a room that is lit well enough to play cards in
ARM_HEIGHT_MM = 40.0  # of a hand that lies there for a while
FADE_S = 0.25  # an LED bulb takes about so long to go on or off
DARK = 0.012  # what is left of the light when the lamps are off
SUN_STEP_S = 0.4  # the still picture is developed again so often while the light drifts


class SimulatedTable:
    """A simulated table. Actions are queued and performed one after another as its clock advances.

    The clock (`time_s`, seconds) moves only by `advance`: a SimulatedSource does that, in real time or as fast as it
    is read.
    `perform` may be called from any thread.
    """

    def __init__(
        self,
        deck: Deck,
        scene: Scene | None = None,
        seed: int = 1,
        *,
        supersample: int = 2,
        blocks: Mapping[Block, Image8] | None = None,
    ) -> None:
        """`blocks` are the prints (H, W, 3) of the duelling blocks that can be laid there."""
        self.deck = deck
        self.scene = scene or default_scene()
        table = self.scene.table
        self._camera: Camera = self.scene.camera
        self._fiducials: Fiducials = table.fiducials
        self._fiducials_turned_deg = 0.0
        self._surfaces = Surfaces(table.arena, self.scene.look)
        self._renderer = self._make_renderer(supersample)
        self._faces = Faces(deck, self._camera.px_per_mm(np.zeros(3)), self.scene.look.gloss)
        self._block_faces = BlockFaces(blocks or {}, self._camera.px_per_mm(np.zeros(3)))
        self._rng = np.random.default_rng([seed, 31])
        self.pile = Pile(self._faces.size, table.arena)
        self._stage = Stage(self.pile, self._rng, self._keep_clear(), self._edge_mm())
        self._queue: deque[act.Action] = deque()
        self._playing: list[Performance] = []
        self._things: list[tuple[Plate, CardPose]] = []
        self._lock = threading.RLock()
        self.time_s = 0.0
        self._free_at_s = 0.0
        self._drawn: list[PlacedCard] | None = None
        self._drawn_blocks: list[LaidBlock] = []
        self._lost_until_s = -1.0
        # Arms that stay over the table during other actions, and since when.
        self._arms: list[tuple[Visit, float]] = []
        self._spoilt: tuple[str, float] = ("", -1.0)
        self._lamps: tuple[float, float, float] = (1.0, 1.0, -10.0)
        self._sun: tuple[float, float, float, float] = (1.0, 1.0, 0.0, 0.0)
        self._sun_drawn = 1.0
        self._last: Image8 | None = None

    # ------------------------------------------------------------------ what a program may know

    def table(self) -> Table:
        """The table as a calibration without error would find it, as table.json holds it."""
        return self.scene.table

    @property
    def camera(self) -> Camera:
        """The true pose of the camera now."""
        return self._camera

    # ------------------------------------------------------------------ what can be made to happen

    def perform(self, *actions: act.Action) -> None:
        """Queues actions, to be acted out in order. Raises CannotDo for a card or a block that there is not."""
        for action in actions:
            if isinstance(action, act.LayBlock):
                self._block_faces.plate(Block(action.colour, action.choice))
            card = getattr(action, "card", None)
            if card is not None and card not in self.deck.by_id:
                raise CannotDo(SimulatedTrouble.NO_CARD(name=str(card), deck=self.deck.name))
        with self._lock:
            self._queue.extend(actions)

    @property
    def blocks(self) -> tuple[LaidBlock, ...]:
        """The duelling blocks that lie on the table."""
        return tuple(self._stage.blocks)

    @property
    def idle(self) -> bool:
        """Whether everything asked for has been acted out."""
        with self._lock:
            return not self._queue and not self._playing and self.time_s >= self._free_at_s

    def advance(self, to_s: float) -> None:
        """Lets the clock run on to `to_s`, starting and ending what is due on the way."""
        with self._lock:
            while True:
                self._start_due()
                due = [p.start_s + p.cues[0][0] for p in self._playing if p.cues]
                due += [p.end_s for p in self._playing]
                due += [self._free_at_s] if self._queue and self._free_at_s > self.time_s else []
                next_s = min(due, default=math.inf)
                if next_s > to_s:
                    break
                self.time_s = max(self.time_s, next_s)
                self._fire()
            self.time_s = max(self.time_s, to_s)
            self._arms = [(arm, since_s) for arm, since_s in self._arms if self.time_s < since_s + arm.seconds]

    def _fire(self) -> None:
        for performance in self._playing:
            while performance.cues and performance.start_s + performance.cues[0][0] <= self.time_s + 1e-9:
                performance.cues.pop(0)[1]()
        self._playing = [p for p in self._playing if p.end_s > self.time_s + 1e-9 or p.cues]

    def _start_due(self) -> None:
        while self._queue:
            follows = isinstance(self._queue[0], act.Throw | act.LayBlock) and self._queue[0].together
            if self.time_s < self._free_at_s and not (follows and self._playing):
                return
            performance = self._begin(self._queue.popleft())
            if performance is not None:
                self._playing.append(performance)
                self._free_at_s = max(self._free_at_s, performance.end_s + BREATH_S)

    def _begin(self, action: act.Action) -> Performance | None:
        """Starts one action now; None if it takes no time on the stage."""
        now = self.time_s
        match action:
            case act.LayChallenge():
                return self._stage.lay_challenge(action, now)
            case act.Throw():
                start = now + (float(self._rng.uniform(0.0, 0.12)) if action.together else 0.0)
                return self._stage.throw(action, start)
            case act.Disturb():
                return self._stage.disturb(action, now)
            case act.RemoveCard():
                return self._stage.remove(action, now)
            case act.Sweep():
                return self._stage.sweep(now)
            case act.ReachIn():
                return self._stage.reach_in(action, now)
            case act.LayBlock():
                return self._stage.lay_block(action, now)
            case act.TakeBlock():
                return self._stage.take_block(action, now)
            case act.CoverBlock():
                return self._stage.cover_block(action, now)
            case act.Wait():
                self._free_at_s = now + action.seconds
            case _:
                self._trouble(action)
        return None

    def _trouble(self, action: act.Action) -> None:
        now = self.time_s
        match action:
            case act.Lights():
                self._lamps = (self._light_now(), 1.0 if action.on else DARK, now)
            case act.Sun():
                self._sun = (self._sun_now(), action.gain, now, now + action.seconds)
            case act.BumpCamera():
                self._bump(action)
            case act.ShiftTray():
                self._shift_tray(action)
            case act.Unplug():
                self._lost_until_s = now + action.seconds
            case act.CoverFiducials():
                self._cover(action)
            case act.RestArm():
                there = Reach(action.at_mm, action.angle_deg, ARM_HEIGHT_MM, int(self._rng.integers(HAND_KINDS)))
                self._rest(there, action.seconds)
            case act.PutGlass():
                pose = CardPose.flat(*action.at_mm, 0.0, self.scene.table.arena.table_z_mm + 4.0)
                self._things.append((glass_plate(), pose))
                self._drawn = None
            case act.Spoil():
                self._spoilt = (action.how, now + action.seconds)

    # ------------------------------------------------------------------ what the camera sees

    def picture(self) -> Image8:
        """The camera's picture now, (h, w, 3) blue-green-red. Raises CameraLost while it is unplugged."""
        with self._lock:
            if self.time_s < self._lost_until_s:
                raise CameraLost(SimulatedTrouble.UNPLUGGED())
            how, until_s = self._spoilt
            if self.time_s < until_s and self._last is not None:
                if how == "frozen":
                    return self._last.copy()
                return np.full_like(self._last, 0 if how == "black" else 255)
            self._draw_still()
            picture = self._renderer.picture(self._draw_moving(), noise=False)
            light = self._light_now()
            if light < 0.999:
                picture = np.asarray(cv2.LUT(picture, _dimming(light)), np.uint8)
            self._last = self._renderer.noisy(picture)
            return self._last

    def truth(self, challenge: str | None = None) -> dict[str, Any]:
        """The cards that truly lie there now, whether anything moves, and whether a hand is in the picture."""
        with self._lock:
            size_px = self.scene.table.image_size
            truth = truth_of(self.pile.cards, self.pile.size, self._camera, size_px, challenge)
            hands = bool(self._arms) or any(p.hand is not None for p in self._playing)
            blocks = [
                {"colour": laid.block.colour, "choice": laid.block.choice, "marker_mm": laid.marker_mm}
                for laid in self._stage.blocks
            ]
            now = {"at": round(self.time_s, 3), "moving": bool(self._playing), "hand_in_view": hands}
            return truth | now | {"blocks": blocks}

    def _draw_still(self) -> None:
        """Draws what has come to rest anew if that has changed; a card on top of what was there is just added."""
        cards, sun = self.pile.cards, self._sun_now()
        same = self._drawn is not None and abs(sun - self._sun_drawn) < 0.004
        same = same and self._drawn_blocks == self._stage.blocks
        if same and self._drawn == cards:
            return
        if same and self._drawn == cards[: len(self._drawn or ())]:
            changed = NOTHING
            for placed in cards[len(self._drawn or ()) :]:
                changed = changed.joined(self._lay(placed))
            self._renderer.settle(changed)
        else:
            self._renderer.clear_still()
            self._renderer.side_light(sun)
            for plate, pose in self._things:
                self._renderer.lay(plate, pose, outside=True)
            for laid in self._stage.blocks:
                self._renderer.lay(self._block_faces.plate(laid.block), laid.pose, outside=True)
            for placed in cards:
                self._lay(placed)
            self._renderer.settle()
        self._drawn, self._drawn_blocks, self._sun_drawn = list(cards), list(self._stage.blocks), sun

    def _lay(self, placed: PlacedCard) -> Box:
        plate = self._plate(placed.card, placed.face)
        return self._renderer.lay(plate, placed.pose, outside=placed.landing is Landing.BESIDE)

    def _draw_moving(self) -> Box:
        canvas = self._renderer.scratch()
        painter, changed = self._renderer.painter, NOTHING
        for performance in self._playing:
            t = self.time_s - performance.start_s
            for card, face, way in [*([performance.card] if performance.card else []), *performance.loose]:
                pose = way(t)
                if pose is None or t < 0:
                    continue
                plate = self._plate(card, face)
                if pose.R[2, 2] < 0:
                    plate, pose = self._turned(card, face, pose)
                later = way(t + SHUTTER_S)
                blur = _blur_px(self._camera, pose, later, SHUTTER_S)
                changed = changed.joined(painter.cast(canvas, plate, pose, quick=True))
                changed = changed.joined(painter.draw(canvas, plate, pose, blur_px=blur))
            if performance.hand is not None and t >= 0:
                changed = changed.joined(self._draw_hand(canvas, performance.hand, t))
        for arm, since_s in self._arms:
            changed = changed.joined(self._draw_hand(canvas, arm.reach, self.time_s - since_s))
        return changed

    def _draw_hand(self, canvas: NDArray[np.float32], way: Callable[[float], Reach], t: float) -> Box:
        reach = way(t)
        plate, pose = hand_plate(reach.kind), reach.pose()
        blur = _blur_px(self._camera, pose, way(t + SHUTTER_S).pose(), SHUTTER_S)
        changed = self._renderer.painter.cast(canvas, plate, pose, quick=True)
        return changed.joined(self._renderer.painter.draw(canvas, plate, pose, blur_px=blur))

    def _plate(self, card: str, face: Face) -> Plate:
        return self._faces.face(card) if face is Face.UP else self._faces.back()

    def _turned(self, card: str, face: Face, pose: CardPose) -> tuple[Plate, CardPose]:
        """A card in the air that shows its other side: the other picture, in a frame whose z points up again."""
        flip = np.diag([-1.0, 1.0, -1.0])
        return self._plate(card, Face.DOWN if face is Face.UP else Face.UP), CardPose(pose.R @ flip, pose.centre_mm)

    # ------------------------------------------------------------------ light, camera, tray

    def _light_now(self) -> float:
        before, after, since_s = self._lamps
        u = min(max((self.time_s - since_s) / FADE_S, 0.0), 1.0)
        return before + (after - before) * u

    def _sun_now(self) -> float:
        before, after, from_s, to_s = self._sun
        if to_s <= from_s:
            return after
        # In steps, or the whole picture would be developed anew for every frame.
        passed = math.floor((self.time_s - from_s) / SUN_STEP_S) * SUN_STEP_S
        return before + (after - before) * min(max(passed / (to_s - from_s), 0.0), 1.0)

    def _make_renderer(self, supersample: int) -> Renderer:
        return Renderer(
            self._camera,
            self.scene.table.image_size,
            self._surfaces,
            self._fiducials,
            supersample=supersample,
            fiducials_turned_deg=self._fiducials_turned_deg,
        )

    def _camera_changed(self) -> None:
        self._renderer = self._make_renderer(1)  # coarser, but there within a few frames
        self._drawn = None

    def _bump(self, action: act.BumpCamera) -> None:
        way, axis = self._rng.normal(size=3), self._rng.normal(size=3)
        turn = cv2.Rodrigues(axis / np.linalg.norm(axis) * math.radians(action.turn_deg))[0]
        rotation = turn @ self._camera.R
        centre = self._camera.centre_mm + way / np.linalg.norm(way) * action.shift_mm
        rvec = np.asarray(cv2.Rodrigues(rotation)[0].ravel(), np.float64)
        self._camera = Camera(self._camera.K, self._camera.dist, rvec, -rotation @ centre)
        self._camera_changed()

    def _shift_tray(self, action: act.ShiftTray) -> None:
        """The frame of reference is the tray's, so camera and fiducials move the other way."""
        step = np.array([action.x_mm, action.y_mm, 0.0])
        turn = cv2.Rodrigues(np.array([0.0, 0.0, math.radians(action.turn_deg)]))[0]
        camera, old = self._camera, self._fiducials
        rvec = np.asarray(cv2.Rodrigues(camera.R @ turn)[0].ravel(), np.float64)
        self._camera = Camera(camera.K, camera.dist, rvec, camera.R @ step + camera.tvec)
        moved = {}
        for number, (x, y) in old.centres_mm.items():
            place = turn.T @ (np.array([x, y, 0.0]) - step)
            moved[number] = (float(place[0]), float(place[1]))
        self._fiducials = Fiducials(old.dictionary, old.size_mm, moved, old.z_mm)
        self._fiducials_turned_deg -= action.turn_deg
        self._camera_changed()

    def _cover(self, action: act.CoverFiducials) -> None:
        xs = sorted({round(x) for x, _ in self._fiducials.centres_mm.values()})
        # The sleeve begins 232 mm behind the finger tips: from there on it is wide enough to hide a fiducial.
        low = min(y for _, y in self._fiducials.centres_mm.values()) - self._fiducials.size_mm - 232.0
        for x in (xs[0], xs[-1])[: max(1, action.count // 2)]:
            there = Reach((float(x) + 4.0, low), 180.0, ARM_HEIGHT_MM, int(self._rng.integers(HAND_KINDS)))
            self._rest(there, action.seconds)

    def _rest(self, there: Reach, seconds: float) -> None:
        """An arm comes, lies there, and goes, all within `seconds`."""
        self._arms.append((Visit(there, 0.6, max(seconds - 1.2, 0.1), 0.6), self.time_s))

    def _keep_clear(self) -> Array:
        radius = 0.72 * self._fiducials.size_mm + 54.0
        return np.array([[x, y, radius] for x, y in self._fiducials.centres_mm.values()])

    def _edge_mm(self) -> tuple[float, float]:
        width, height = self.scene.table.image_size
        scale = self._camera.px_per_mm(np.zeros(3))
        return 0.5 * width / scale, 0.5 * height / scale


def _blur_px(camera: Camera, pose: CardPose, later: CardPose | None, seconds: float) -> tuple[float, float]:
    if later is None or seconds <= 0:
        return 0.0, 0.0
    step = camera.project(np.stack([pose.centre_mm, later.centre_mm]))
    shift = step[1] - step[0]
    length = float(np.hypot(*shift))
    return tuple(float(v) for v in shift * min(1.0, 40.0 / max(length, 1e-9)))  # type: ignore[return-value]


def _dimming(light: float) -> Image8:
    """8-bit values after the light has fallen to the share `light`, by the sRGB curve."""
    value = np.arange(256) / 255.0
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4) * light
    out = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)
    return np.clip(np.round(out * 255), 0, 255).astype(np.uint8)
