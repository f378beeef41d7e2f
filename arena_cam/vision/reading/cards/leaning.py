"""Leaning cards: the poses at which alignment starts, and the poses in which no card can rest."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.cards.scene import Scene


def _meets_wall(scene: Scene, pose: CardPose) -> bool:
    """True if a card that seems flat would reach into a wall, so that it must lean on it."""
    deck, arena = scene.faces.deck, scene.arena
    inside = np.abs(pose.centre_mm[:2]) < np.array(arena.inner_mm) / 2
    beyond = np.abs(pose.corners(deck.width_mm, deck.height_mm)[:, :2]) - np.array(arena.inner_mm) / 2
    return bool(inside.all() and beyond.max() > _INTO_WALL_MM)


_INTO_WALL_MM = 1.5  # more than corners are rounded by and places are off


def _lies_flat(scene: Scene, pose: CardPose) -> bool:
    """True if the aligned pose is that of a card on the floor or on other cards, clear of the walls; then leaning poses
    need not be tried."""
    return pose.tilt_deg < 2.5 and abs(pose.centre_mm[2]) < 5.0 and not _meets_wall(scene, pose)


def laid_flat(scene: Scene, pose: CardPose) -> CardPose:
    """The flat card that appears at the same place in the picture as a card at `pose`."""
    ray = scene.camera.centre_mm - pose.centre_mm
    x, y, z = pose.centre_mm + ray * ((_FLAT_MM - pose.centre_mm[2]) / ray[2])
    return CardPose.flat(float(x), float(y), pose.angle_deg, float(z))


_FLAT_MM = 1.0  # the height of a card on others


def hangs(scene: Scene, pose: CardPose) -> bool:
    """True if the card is tilted although no wall is near: a few pixels had too much weight."""
    return pose.tilt_deg > _TILTED_DEG and not leaning_starts(scene, laid_flat(scene, pose))


def leans(scene: Scene, pose: CardPose) -> bool:
    """True if the card is tilted and a wall is near that holds it up."""
    return pose.tilt_deg > _TILTED_DEG and bool(leaning_starts(scene, laid_flat(scene, pose)))


_TILTED_DEG = 6.0


def lies_outside(scene: Scene, pose: CardPose) -> bool:
    """Whether no corner and not the middle of a card lies over the arena's floor: a card that is known to be in the
    arena is not there. A back beside the tray was surely the challenge, which a hand hid."""
    deck, half = scene.faces.deck, np.array(scene.arena.inner_mm) / 2
    places = np.vstack([pose.corners(deck.width_mm, deck.height_mm), pose.centre_mm])[:, :2]
    return not (np.abs(places) < half).all(axis=1).any()


def is_sunk(scene: Scene, pose: CardPose) -> bool:
    """True where a part of a card would lie under the arena's floor, or under the table beside it: the floor would hide
    it. The walls count as floor."""
    deck, arena = scene.faces.deck, scene.arena
    x, y = (np.linspace(-0.5, 0.5, 5) * size for size in (deck.width_mm, deck.height_mm))
    places = pose.points(np.repeat(x, 5), np.tile(y, 5))
    beyond = np.abs(places[:, :2]) - (np.array(arena.inner_mm) / 2 + arena.wall_thickness_mm)
    floor = np.where((beyond < 0.0).all(axis=1), 0.0, min(0.0, arena.table_z_mm))
    return bool((places[:, 2] < floor - _THROUGH_MM).any())


# What is in view of a covered card leaves its height open by some millimetres; more is no card but a hand over one.
_THROUGH_MM = 12.0


@dataclass(frozen=True, slots=True)
class _Lean:
    """How a card may lean on a wall across `axis`: its side towards `sign` is raised by `rise` (rad). `extent` is how
    far it reaches along that axis (mm) while it lies flat."""

    axis: int
    sign: float
    rise: float
    extent: float

    @property
    def turn(self) -> Array:
        about = np.zeros(3)
        about[1 - self.axis] = (-1.0 if self.axis == 0 else 1.0) * self.sign * self.rise
        return np.asarray(cv2.Rodrigues(about)[0], np.float64)


def leaning_starts(scene: Scene, flat: CardPose) -> list[CardPose]:
    """Poses that lean on a wall, for each wall that the card reaches or nearly reaches.

    Its outer border is raised with the inner one on the floor, or, for a card that lies mostly outside, its inner
    border with the outer on the table; or it lies level on the wall's top, where its middle lies over that.
    """
    return [_raised(scene, flat, lean, 0.0) for lean in _leans(scene, flat)] + _level_on_a_wall(scene, flat)


def _level_on_a_wall(scene: Scene, flat: CardPose) -> list[CardPose]:
    """The card that appears where `flat` does and lies level on a wall, if its middle is over the wall's top, on which
    it does not tip: one pose or none."""
    arena = scene.arena
    ray = scene.camera.centre_mm - flat.centre_mm
    middle = flat.centre_mm + ray * ((arena.wall_height_mm - flat.centre_mm[2]) / ray[2])
    beyond = float((np.abs(middle[:2]) - np.array(arena.inner_mm) / 2).max())
    is_over = -_NOT_TIPPED_MM < beyond < arena.wall_thickness_mm + _NOT_TIPPED_MM
    return [CardPose(flat.R, middle)] if is_over else []


_NOT_TIPPED_MM = 10.0  # what a guess is off by; and other cards beneath hold it as well


def leaning_by_a_side(scene: Scene, flat: CardPose) -> list[CardPose]:
    """The same with one side, the lower or the raised one, where the picture shows that of the flat card, in place of
    the middle. Of a leaning card, which looks shorter than one that lies flat, a guess by sides has one side right."""
    return [_raised(scene, flat, lean, kept) for lean in _leans(scene, flat) for kept in (-1.0, 1.0)]


def _leans(scene: Scene, flat: CardPose) -> list[_Lean]:
    deck, arena = scene.faces.deck, scene.arena
    corners = flat.corners(deck.width_mm, deck.height_mm)
    leans = []
    for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        wall = arena.inner_mm[axis] / 2
        across = sign * corners[:, axis]
        reach, low = float(across.max()), float(across.min())
        if reach < wall - 12.0 or low > wall + arena.wall_thickness_mm + 5.0:
            continue
        extent = reach - low
        rise = float(np.arctan2(arena.wall_height_mm, min(max(wall - low, 12.0), extent)))
        leans.append(_Lean(axis, sign, rise, extent))
        if sign * flat.centre_mm[axis] > wall - 5.0:
            run = max(reach - wall - arena.wall_thickness_mm, 12.0)
            rise = float(np.arctan2(arena.wall_height_mm - arena.table_z_mm, min(run, extent)))
            leans.append(_Lean(axis, -sign, rise, extent))
    return leans


def _raised(scene: Scene, flat: CardPose, lean: _Lean, kept: float) -> CardPose:
    """`flat` turned about the horizontal axis along a wall, and kept at its pixels: a raised card appears farther from
    the point under the camera. `kept` says where it is kept, from its lower side (-1) over its middle (0) to the raised
    one (1)."""
    arm = np.zeros(3)
    arm[lean.axis] = lean.sign * kept * lean.extent / 2
    place = flat.centre_mm + arm
    height = np.sin(lean.rise) * lean.extent / 2 * (1.0 + kept)
    ray = scene.camera.centre_mm - place
    place = place + ray * ((height - place[2]) / ray[2])
    return CardPose(lean.turn @ flat.R, place - lean.turn @ arm)
