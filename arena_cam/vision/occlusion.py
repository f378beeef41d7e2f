"""Who lies over whom: in the overlap of two cards the picture shows the face of the upper one.

For every overlapping pair the pixels of the overlap are explained by each of the two faces, under the light that was
found for each; the log-likelihood ratio says who is on top, and how surely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.alignment import light_basis
from arena_cam.vision.face_tiles import robust_light
from arena_cam.vision.fitting import Claims, Scene

Array = NDArray[np.float64]

OVERLAP_PX_PER_MM = 2.0
# Of the points of the overlap this share speaks independently; one point says at most _MOST_NATS.
_INDEPENDENT_SHARE = 0.2
_MOST_NATS = 4.0
# Overlaps thinner than this many square millimetres are not seen at all; they are not called overlaps.
MIN_OVERLAP_MM2 = 2.0
_CLEAR_MM = 2.0


@dataclass(frozen=True, eq=False)
class PlacedFace:
    """A face at a pose: its outline in the picture (4, 2) and, on a grid over the card, how badly it explains the
    pixels there (`misfit` (H, W), nats, 0 good to _MOST_NATS bad)."""

    face: int
    pose: CardPose
    outline_px: Array
    misfit: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Cards number `a` and `b` overlap by `area_mm2`; `a_over_b` is the probability that a lies over b."""

    a: int
    b: int
    area_mm2: float
    a_over_b: float
    nats: float


def alone(scene: Scene, poses: Sequence[CardPose]) -> list[bool]:
    """For each of `poses` whether its card is clear of all others, by more than alignment may still move it."""
    deck = scene.faces.deck
    wide = [
        scene.camera.project(p.corners(deck.width_mm + 2 * _CLEAR_MM, deck.height_mm + 2 * _CLEAR_MM)) for p in poses
    ]
    shapes = [outline.astype(np.float32).reshape(-1, 1, 2) for outline in wide]
    return [
        all(i == j or cv2.intersectConvexConvex(a, b)[0] <= 0.0 for j, b in enumerate(shapes))
        for i, a in enumerate(shapes)
    ]


def place_without_overlap(scene: Scene, face: int, pose: CardPose) -> PlacedFace:
    """A face at a pose where no other card is near: nobody will ask how well it explains the pixels."""
    deck = scene.faces.deck
    outline = scene.camera.project(pose.corners(deck.width_mm, deck.height_mm))
    return PlacedFace(face, pose, outline, np.zeros((1, 1), np.float32))


def place_face(scene: Scene, face: int, pose: CardPose, claims: Claims | None) -> PlacedFace:
    """Computes where `face` explains the picture; its light is fitted where no claim of another card covers it."""
    grid = scene.faces.grid(OVERLAP_PX_PER_MM)
    deck = scene.faces.deck
    places = np.stack([grid.x_mm.ravel(), grid.y_mm.ravel(), np.ones(grid.mask.size)]).astype(np.float64)
    pixels = scene.camera.project_plane(pose.plane, places)
    seen = scene.sample_bgr(pixels)
    inside = np.isfinite(seen[:, 0]) & grid.mask.ravel()
    trusted = inside.copy()
    if claims is not None and claims.any:
        trusted &= claims.at(pixels) == 0.0
    if trusted.sum() < 200:
        trusted = inside
    misfit = np.zeros(len(seen))
    thin = slice(None, None, 3)
    for channel in range(3):
        value = grid.bgr[face, :, :, channel].ravel().astype(np.float64)
        colour = np.where(inside, seen[:, channel], 0.0)
        basis = light_basis(value, places)
        residual = colour - basis @ robust_light(basis[thin], colour[thin], trusted[thin].astype(np.float64))
        scale = max(5.0, 1.4826 * float(np.median(np.abs(residual[trusted]))))
        misfit += 0.5 * np.minimum((residual / scale) ** 2, 3.0 * _MOST_NATS) / 3.0 * 2.0
    misfit = np.where(inside, np.minimum(misfit, _MOST_NATS), np.nan).astype(np.float32)
    smooth = np.asarray(misfit.reshape(grid.mask.shape), dtype=np.float32)
    outline = scene.camera.project(pose.corners(deck.width_mm, deck.height_mm))
    return PlacedFace(face, pose, outline, smooth)


def overlaps(scene: Scene, placed: Sequence[PlacedFace], shown: Sequence[float]) -> tuple[list[Overlap], list[int]]:
    """All overlapping pairs of `placed`, by their numbers, and an order bottom to top that respects them.

    From the top down: the card that best explains all its overlaps lies on top; what it covers then says nothing about
    the cards beneath it, and the next is sought among the rest. Where the pixels cannot tell, of two cards the one of
    which more is `shown` (0..1, by card) is taken for the upper.
    """
    areas = _shared_pixels(scene, placed)
    left = set(range(len(placed)))
    found: list[Overlap] = []
    top_down: list[int] = []
    while left:
        nats = {pair: _nats(area) for pair, area in areas.items() if pair[0] in left and pair[1] in left}
        top = max(left, key=lambda card: (_told(_weakest(card, nats)), shown[card]))
        for pair, value in nats.items():
            if top in pair:
                ahead = 1 if pair[0] == top else -1
                found.append(_decided(pair, areas[pair], value if _told(value) else 0.2 * ahead))
        left.discard(top)
        top_down.append(top)
        for pair, area in areas.items():
            if top not in pair:
                area.seen &= ~_inside(placed[top].outline_px, area.pixels)
    return found, top_down[::-1]


@dataclass(eq=False)
class _Shared:
    """Where two cards overlap: pixels (N, 2), log-likelihood ratio of the first over the second there, what is seen."""

    pixels: Array
    ratio: Array
    seen: NDArray[np.bool_]
    area_mm2: float


def _shared_pixels(scene: Scene, placed: Sequence[PlacedFace]) -> dict[tuple[int, int], _Shared]:
    shared = {}
    for i in range(len(placed)):
        for j in range(i + 1, len(placed)):
            a, b = placed[i], placed[j]
            area, polygon = cv2.intersectConvexConvex(
                a.outline_px.astype(np.float32).reshape(-1, 1, 2), b.outline_px.astype(np.float32).reshape(-1, 1, 2)
            )
            scale = scene.camera.px_per_mm((a.pose.centre_mm + b.pose.centre_mm) / 2)
            if area / scale**2 < MIN_OVERLAP_MM2 or polygon is None:
                continue
            pixels = _points_inside(np.asarray(polygon, np.float64).reshape(-1, 2), 0.5 * scale)
            if not len(pixels):
                continue
            ratio = _misfit_at(b, pixels) - _misfit_at(a, pixels)
            shared[i, j] = _Shared(pixels, ratio, np.isfinite(ratio), float(area / scale**2))
    return shared


def _nats(area: _Shared) -> float:
    return float(area.ratio[area.seen].sum()) * _INDEPENDENT_SHARE


def _weakest(card: int, nats: dict[tuple[int, int], float]) -> float:
    """The least support that a card has for lying over any other that it meets; 0 where it meets none."""
    support = [value if pair[0] == card else -value for pair, value in nats.items() if card in pair]
    return min(support, default=0.0)


def _told(nats: float) -> float:
    """Support that says something; less than a nat and a half is noise."""
    return nats if abs(nats) > 1.5 else 0.0


def _decided(pair: tuple[int, int], area: _Shared, nats: float) -> Overlap:
    probability = float(1.0 / (1.0 + np.exp(-np.clip(nats, -30, 30))))
    return Overlap(pair[0], pair[1], area.area_mm2, probability, nats)


def _points_inside(polygon: Array, step_px: float) -> Array:
    """A grid of points (N, 2) inside a convex polygon (M, 2)."""
    x0, y0 = polygon.min(axis=0)
    x1, y1 = polygon.max(axis=0)
    x, y = np.meshgrid(np.arange(x0, x1 + step_px, step_px), np.arange(y0, y1 + step_px, step_px))
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    return points[_inside(polygon, points)]


def _misfit_at(placed: PlacedFace, pixels: Array) -> Array:
    """The misfit of a placed face at picture pixels (N, 2): through the homography of its outline."""
    height, width = placed.misfit.shape
    corners = np.array(
        [[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32
    )
    homography = cv2.getPerspectiveTransform(placed.outline_px.astype(np.float32), corners)
    at = cv2.perspectiveTransform(pixels.reshape(-1, 1, 2), homography).reshape(-1, 2)
    x = np.clip(np.round(at[:, 0]).astype(np.intp), 0, width - 1)
    y = np.clip(np.round(at[:, 1]).astype(np.intp), 0, height - 1)
    return placed.misfit[y, x].astype(np.float64)


def resting_on(scene: Scene, placed: Sequence[PlacedFace], order: Sequence[int]) -> dict[int, list[tuple[int, float]]]:
    """For each card the cards directly beneath it somewhere, with the area (mm2) over which nothing lies between."""
    rank = {card: place for place, card in enumerate(order)}
    result: dict[int, list[tuple[int, float]]] = {i: [] for i in range(len(placed))}
    for upper in range(len(placed)):
        lower = [i for i in range(len(placed)) if rank[i] < rank[upper]]
        if not lower:
            continue
        scale = scene.camera.px_per_mm(placed[upper].pose.centre_mm)
        pixels = _points_inside(placed[upper].outline_px, scale)
        top = np.full(len(pixels), -1)
        for card in sorted(lower, key=lambda i: rank[i]):
            top[_inside(placed[card].outline_px, pixels)] = card
        for card in lower:
            area = float((top == card).sum())
            if area >= MIN_OVERLAP_MM2:
                result[upper].append((card, area))
    return result


def _inside(polygon: Array, points: Array) -> NDArray[np.bool_]:
    """For points (N, 2) whether they lie in a convex polygon (M, 2), whichever way round it is given."""
    after = np.roll(polygon, -1, axis=0)
    side = np.stack(
        [
            (q[0] - p[0]) * (points[:, 1] - p[1]) - (q[1] - p[1]) * (points[:, 0] - p[0])
            for p, q in zip(polygon, after, strict=True)
        ]
    )
    return np.asarray((side >= 0).all(axis=0) | (side <= 0).all(axis=0))
