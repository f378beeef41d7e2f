"""Where a token lies half beneath another and is as pale or as dark as what it lies on: its rim alone tells of it.

No edge of such a rim need be strong. It goes on, though, all along the arc that is open, where a card that nothing lies
on shows no more than blur and grain once its print is taken away.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.disc_calls import rim_strengths
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# How far off the middle of the token above, in radii: nearer, an arc is the upper token's shadow as often as a rim, and
# farther it is not covered. How finely places are tried.
NEAR, FAR, STEP = 0.6, 1.8, 0.12
POINTS = 96  # of a circle
RIM_MM, SOFT_MM = 0.8, 0.35  # so far on both sides of a rim what lies there is compared, softened by so much
LEAST_OPEN = 0.4  # of a circle: what the token above leaves of one half beneath it
# Points of an arc that speak as one, and the most that one says: a card's edge of ten times the usual strength is none
# the less one edge.
TOGETHER, MOST = 5.0, 6.0
APART = 0.5  # of a radius: nearer to each other two places are one
Places = list[tuple[Floats, float]]


def covered_rims(view: TopView, tokens: Sequence[SeenDisc], hidden: Mask, least: float) -> Places:
    """Middles (2,) in mm of circles beside the `tokens` that differ along all of their open arcs from what lies about
    them, and by how many spreads more than a bare card's do: those with more than `least`, the clearest first.

    `view`: what is seen of cards less their print; `inside` is where cards lie. `hidden` (h, w): where pieces lie or
    show their sides.
    """
    free = view.inside & ~hidden
    if not tokens or not free.any():
        return []
    pixels = np.asarray(cv2.GaussianBlur(view.pixels, (0, 0), SOFT_MM * view.px_per_mm), np.float32)
    soft = TopView(pixels, free, view.origin_mm, view.px_per_mm)
    known = np.array([token.middle for token in tokens])
    radius = tokens[0].radius_mm
    places = _places(known, radius)
    strengths = _strengths(soft, places, radius)
    found: Places = []
    for k in np.argsort(-strengths):
        if strengths[k] <= least:
            break
        if all(np.linalg.norm(places[k] - other) > APART * radius for other, _ in found):
            found.append((places[k], float(strengths[k])))
    return found


def _places(known: Floats, radius_mm: float) -> Floats:
    """(N, 2): places beside tokens with middles `known` (M, 2), and near none of them."""
    along = np.arange(-FAR, FAR + 1e-6, STEP)
    x, y = np.meshgrid(along, along)
    ring = np.column_stack([x.ravel(), y.ravel()])
    ring = ring[np.hypot(*ring.T) < FAR] * radius_mm
    cell = STEP * radius_mm
    cells = np.round((known[:, None] + ring).reshape(-1, 2) / cell)
    first = cells.min(axis=0)
    across = int(np.ptp(cells[:, 1])) + 1  # a number for each: they sort ten times as fast
    numbers = np.unique(((cells[:, 0] - first[0]) * across + cells[:, 1] - first[1]).astype(np.int64))
    places = (np.column_stack(np.divmod(numbers, across)) + first) * cell
    x, y = places[:, :1] - known[:, 0], places[:, 1:] - known[:, 1]
    away = np.sqrt((x * x + y * y).min(axis=1))
    return np.asarray(places[away > NEAR * radius_mm])


def _strengths(view: TopView, places: Floats, radius_mm: float) -> Floats:
    """(N,): by how many spreads the circles about the places (N, 2) change more across their rims than the view does
    where it is `inside`; 0 where too little of one is."""
    around = np.arange(POINTS) * (2.0 * np.pi / POINTS)
    way = np.column_stack([np.cos(around), np.sin(around)])
    usual = _usual(view, way)
    rarer = 1.0 - np.arange(len(usual) + 1) / len(usual)
    said_by = -np.log(np.maximum(rarer, np.exp(-MOST)))
    rules = np.array([radius_mm, RIM_MM, LEAST_OPEN, TOGETHER])
    compiled = rim_strengths(view.as_compiled, view.inside, places, way, (usual, said_by), rules)
    if compiled is not None:
        return compiled
    last = np.array(view.inside.shape[::-1]) - 1

    def cells(mm: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        at = np.clip(np.round(view.at(mm.reshape(-1, 2))).astype(np.intp), 0, last)
        return at[:, 1].reshape(mm.shape[:-1]), at[:, 0].reshape(mm.shape[:-1])

    circles = places[:, None] + radius_mm * way
    free = view.inside[cells(circles)]
    tried = np.flatnonzero(free.mean(axis=1) > LEAST_OPEN)
    if not len(tried):
        return np.zeros(len(places))
    free = free[tried]
    points, out = circles[tried][free], way[np.nonzero(free)[1]]
    inner, outer = (view.pixels[cells(points + aside * out)] for aside in (-RIM_MM, RIM_MM))
    said = np.zeros(free.shape)
    said[free] = said_by[np.searchsorted(usual, greatest(np.abs(outer - inner)), side="right")]
    count = free.sum(axis=1)
    strengths = np.zeros(len(places))
    strengths[tried] = (said.sum(axis=1) / count - 1.0) * np.sqrt(count / TOGETHER)
    return strengths


def _usual(view: TopView, way: Floats) -> Floats:
    """(M,), sorted: by how much the view changes over twice RIM_MM where it is `inside`, in some directions."""
    rows, columns = np.nonzero(view.inside)
    step = max(1, len(rows) // 4000)
    at = np.column_stack([columns, rows])[::step]
    turned = way[(np.arange(len(at)) * 7) % len(way)] * (RIM_MM * view.px_per_mm)
    last = np.array(view.inside.shape[::-1]) - 1
    ends = [np.clip(np.round(at + sign * turned).astype(np.intp), 0, last) for sign in (-1.0, 1.0)]
    first, second = (view.pixels[end[:, 1], end[:, 0]] for end in ends)
    return np.asarray(np.sort(greatest(np.abs(second - first))), np.float64)
