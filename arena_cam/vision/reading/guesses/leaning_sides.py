"""Where might a card lean on a wall, whatever is printed on it? Where three straight edges are three of its sides.

A card that leans looks like no rectangle: its sides do not meet at right angles, and its raised end seems larger. But
of one whole side both ends are seen, each on a ray, and the card's plane holds the rim of a wall that it rests on. One
lean at most lays a corner on the ground on either side of the wall, and that is the card's if it makes the side as long
as a side is, and has the others run as they are seen to. (The length alone would tell the lean badly: a side 30 mm
higher seems a twentieth longer.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from arena_cam.domain.cards import Deck
from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM

_END_MM = 4.0  # beyond a side's straight part and its round corner: so much may be missing of an edge
_BEGINS_MM = 14.0  # from a corner the sides beside the whole one begin: the wall's edge and its shadow cross them there
_MEETS_DEG = (50.0, 130.0)  # at which sides of a leaning card may be seen to meet
_LONG_MM = 12.0  # of the two other sides so much must be seen to tell where they run
_LEANS_DEG = np.arange(-30.0, 30.5, 1.0)  # friction of paper holds no card steeper than 24 degrees
_ALONG_DEG = 4.0  # by which the two other sides may be seen to run otherwise than the lean has them
_AS_LONG = 0.04  # of its length a side may seem longer or shorter: both its ends are known to a millimetre
_SEEN_SHORT, _SEEN_LONG = 0.8, 1.25  # of its length a side is seen, nearer to the camera or leaning away from it
_SAME_MM, _SAME_DEG = 2.0, 2.0
_MOST = 6


@dataclass(frozen=True, eq=False)
class _Rim:
    """The upper edge of a wall: the points of the plane at `height_mm` with `normal` . (x, y) = `away_mm`."""

    normal: Array
    away_mm: float
    height_mm: float


@dataclass(frozen=True, eq=False)
class _Side:
    """A side with both its ends (2, 2), and the directions (2, 2) in which the sides beside it run from there; all as
    they are seen, in a level plane."""

    ends: Array
    ways: Array

    @property
    def length_mm(self) -> float:
        return float(np.hypot(*(self.ends[1] - self.ends[0])))


def leaning_places(segments: Array, eye_mm: Array, arena: Arena, deck: Deck) -> list[CardPose]:
    """Poses of cards that lean on a wall and have three of the `segments` (N, 2, 2) for sides, the likeliest first. The
    segments are ends (mm) in the plane at GUESS_HEIGHT_MM, as seen from `eye_mm` (3,). Which way up is left open."""
    sizes = (deck.width_mm, deck.height_mm), (deck.height_mm, deck.width_mm)
    found = []
    for side, (length, other) in product(_sides(segments, deck), sizes):
        if not _SEEN_SHORT < side.length_mm / length < _SEEN_LONG:
            continue
        for rim in _rims(arena):
            if abs(rim.normal @ side.ends.mean(axis=0) - rim.away_mm) > length + other:
                continue
            for corners in _resting(side, rim, eye_mm, other, arena):
                off = _off_deg(corners, side, eye_mm)
                if off < _ALONG_DEG and abs(float(np.linalg.norm(corners[1] - corners[0])) / length - 1.0) < _AS_LONG:
                    found.append((off, _upright(corners, length == deck.width_mm)))
    found.sort(key=lambda entry: entry[0])
    kept: list[CardPose] = []
    for _, pose in found:
        if len(kept) < _MOST and not any(_is_same(pose, other) for other in kept):
            kept.append(pose)
    return kept


def _is_same(pose: CardPose, other: CardPose) -> bool:
    """Whether two poses are one but for what an outline is fitted over, whichever end is up."""
    near = float(np.linalg.norm(pose.centre_mm - other.centre_mm)) < _SAME_MM
    axes = np.abs((pose.R * other.R).sum(axis=0))
    return near and bool((axes > np.cos(np.radians(_SAME_DEG))).all())


def _rims(arena: Arena) -> list[_Rim]:
    ways = [np.array(way) for way in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))]
    halves = [arena.inner_mm[0] / 2] * 2 + [arena.inner_mm[1] / 2] * 2
    return [
        _Rim(way, half + more, arena.wall_height_mm)
        for way, half in zip(ways, halves, strict=True)
        for more in (0.0, arena.wall_thickness_mm)
    ]


def _sides(segments: Array, deck: Deck) -> list[_Side]:
    """Each segment at both ends of which another one begins, on the same side of it, if it may be a card's side."""
    found = []
    along = segments[:, 1] - segments[:, 0]
    length = np.maximum(np.hypot(*along.T), 1e-9)
    unit = along / length[:, None]
    reach = deck.corner_radius_mm + _END_MM
    shortest, longest = (
        _SEEN_SHORT * min(deck.width_mm, deck.height_mm),
        _SEEN_LONG * max(deck.width_mm, deck.height_mm),
    )
    for i in np.flatnonzero((length > shortest - 2 * reach) & (length < longest)).tolist():
        at_ends = [_beside(segments, unit, length, i, end, reach) for end in (0, 1)]
        for (first, way), (second, back) in product(*at_ends):
            normal = np.array([-unit[i, 1], unit[i, 0]])
            if (normal @ way) * (normal @ back) > 0.0:
                found.append(_Side(np.stack([first, second]), np.stack([way, back])))
    return found


def _beside(
    segments: Array, unit: Array, length: Array, number: int, end: int, reach: float
) -> list[tuple[Array, Array]]:
    """The corners (2,) at an `end` of a segment, and the directions (2,) in which other segments lead away from it."""
    cross = unit[number, 0] * unit[:, 1] - unit[number, 1] * unit[:, 0]
    meets = (np.abs(cross) > np.sin(np.radians(_MEETS_DEG[0]))) & (length >= _LONG_MM)
    found = []
    for j in np.flatnonzero(meets):
        gap = segments[j, 0] - segments[number, 0]
        here = (gap[0] * unit[j, 1] - gap[1] * unit[j, 0]) / cross[j]  # along the segment
        there = (gap[0] * unit[number, 1] - gap[1] * unit[number, 0]) / cross[j]  # along the other one
        beyond = here - end * length[number]
        nearer = 0 if abs(there) < abs(there - length[j]) else 1
        if abs(beyond) < reach and abs(there - nearer * length[j]) < _BEGINS_MM:
            away = unit[j] if nearer == 0 else -unit[j]
            found.append((segments[number, 0] + here * unit[number], away))
    return found


def _resting(side: _Side, rim: _Rim, eye_mm: Array, other: float, arena: Arena) -> Iterator[Array]:
    """Corners (4, 3) of cards that have the side, and reach `other` mm from it, in a plane that leans on the rim, with
    the lowest corner on floor or table and another one beyond the rim."""
    rays = np.column_stack([side.ends, np.full(2, GUESS_HEIGHT_MM)]) - eye_mm
    slopes = np.tan(np.radians(_LEANS_DEG))
    lowest = _lowest_mm(_corners(rays, side, rim, eye_mm, other, slopes), arena)
    for k in np.flatnonzero(lowest[:-1] * lowest[1:] < 0.0):
        share = lowest[k] / (lowest[k] - lowest[k + 1])
        slope = slopes[k] + share * (slopes[k + 1] - slopes[k])
        (corners,) = _corners(rays, side, rim, eye_mm, other, np.array([slope]))
        across = corners[:, :2] @ rim.normal - rim.away_mm
        if across.min() < 0.0 < across.max():
            yield corners


def _corners(rays: Array, side: _Side, rim: _Rim, eye_mm: Array, other: float, slopes: Array) -> Array:
    """The corners (S, 4, 3) of a card with a side on two rays (2, 3), in planes that rise by `slopes` (S,) beyond the
    rim."""
    ends = _on_planes(rays, rim, eye_mm, slopes)
    along = ends[:, 1] - ends[:, 0]
    up = np.column_stack([-slopes[:, None] * rim.normal, np.ones(len(slopes))])
    across = np.cross(up, along)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    across *= np.where(across[:, :2] @ side.ways.sum(axis=0) < 0.0, -other, other)[:, None]
    return np.concatenate([ends, ends[:, ::-1] + across[:, None]], axis=1)


def _lowest_mm(corners: Array, arena: Arena) -> Array:
    """How high (S,) the lowest of corners (S, 4, 3) is over floor or table, whichever is beneath it."""
    beyond = (np.abs(corners[..., :2]) - np.asarray(arena.inner_mm) / 2).max(axis=2)
    return np.asarray((corners[..., 2] - np.where(beyond < 0.0, 0.0, arena.table_z_mm)).min(axis=1))


def _on_planes(rays: Array, rim: _Rim, eye_mm: Array, slopes: Array) -> Array:
    """Where (S, 2, 3) rays (2, 3) from the eye meet the planes z = height + slope (normal . (x, y) - away)."""
    heights = rim.height_mm + slopes * (rim.normal @ eye_mm[:2] - rim.away_mm) - eye_mm[2]
    falls = rays[:, 2] - slopes[:, None] * (rays[:, :2] @ rim.normal)
    shares = heights[:, None] / np.where(np.abs(falls) < 1e-6, -1e-6, falls)
    return np.asarray(eye_mm + shares[:, :, None] * rays)


def _off_deg(corners: Array, side: _Side, eye_mm: Array) -> float:
    """By how much the sides beside a whole one are seen to run otherwise than those of a card with these corners."""
    off = 0.0
    for end, far, way in ((0, 3, side.ways[0]), (1, 2, side.ways[1])):
        near, beyond = (_seen_level(corner, eye_mm) for corner in (corners[end], corners[far]))
        run = (beyond - near) / max(float(np.linalg.norm(beyond - near)), 1e-9)
        off = max(off, float(np.degrees(np.arccos(np.clip(run @ way, -1.0, 1.0)))))
    return off


def _seen_level(point: Array, eye_mm: Array) -> Array:
    """Where (2,) a point (3,) is seen in the plane of the segments."""
    return np.asarray((eye_mm + (point - eye_mm) * ((GUESS_HEIGHT_MM - eye_mm[2]) / (point[2] - eye_mm[2])))[:2])


def _upright(corners: Array, is_width: bool) -> CardPose:
    """The pose of a card with corners (4, 3), of which the first two are the ends of a side as long as it is wide, or
    high."""
    ordered = corners if is_width else np.roll(corners, -1, axis=0)
    pose = CardPose.of_corners(ordered)
    return pose if pose.R[2, 2] > 0.0 else CardPose.of_corners(ordered[[1, 0, 3, 2]])  # else seen from below
