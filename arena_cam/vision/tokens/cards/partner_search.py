"""Where a card may lie that keypoints did not tell: the mean face of its kind is moved over the table, turn by turn.

Cards of a kind share bands and signs; a normalised correlation finds them under any light (Lewis, "Fast normalized
cross-correlation", Vision Interface 1995).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import PrintLight
from arena_cam.vision.tokens.cards.print_votes import Place
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.table_view import NOTHING_SEEN
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

SCALE = 0.5  # px/mm: bands and signs are seen, words are grey
LEAST_ALIKE, PEAKS, MOST_PLACES = 0.3, 2, 10
APART_MM, APART_RAD = 12.0, 0.3


class PartnerSearch:
    """Places for cards of a kind of one set."""

    def __init__(self, prints: SetPrints) -> None:
        grid = prints.cards(SCALE)
        self.size_mm = prints.size_mm
        kinds = np.unique(prints.kinds)
        self._mean = {int(k): np.ascontiguousarray(grid.faces[prints.kinds == k].mean(axis=0)) for k in kinds}
        self._paper = {int(k): np.median(grid.faces[prints.kinds == k][:, grid.mask], axis=(0, 1)) for k in kinds}

    def places(
        self,
        view: TopView,
        claims: Claims,
        light: PrintLight,
        about: tuple[Floats, float],
        turns: Sequence[float],
        kinds: Sequence[int],
    ) -> list[Place]:
        """The likeliest places of cards whose middles lie within `about` (middle in mm, reach in mm), best first.

        What is claimed is taken for paper in the light of a card nearby.
        """
        middle, reach = about
        found: list[tuple[float, Place]] = []
        for kind in (k for k in kinds if k in self._mean):
            paper = self._paper[kind] * np.clip(light.gain[:, 0], 0.05, 3.0) + light.offset[:, 0]
            table, origin = _reduced(view, claims, middle, reach + max(self.size_mm) / 2, paper.astype(np.float32))
            for turn in turns:
                found += self._at_turn(table, origin, middle, (kind, turn), reach)
        return _apart([place for _, place in sorted(found, key=lambda each: -each[0])])[:MOST_PLACES]

    def _at_turn(
        self, table: Grey, origin: Floats, middle: Floats, which: tuple[int, float], reach: float
    ) -> list[tuple[float, Place]]:
        """The best places with cards of that kind and turn (rad), each with its correlation."""
        kind, turn = which
        template = self._mean[kind]
        side = 2 * round((reach + max(self.size_mm) / 2) * SCALE) + 1
        c, s = np.cos(turn), np.sin(turn)
        linear = np.array([[c, -s], [s, c]])  # from the turned picture, about its middle, to the table
        affine = np.column_stack([linear, (middle - origin) * SCALE - 0.5 - linear @ np.full(2, (side - 1) / 2)])
        turned = cv2.warpAffine(table, affine, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        alike = np.asarray(cv2.matchTemplate(turned, template, cv2.TM_CCOEFF_NORMED), np.float32)
        alike[~np.isfinite(alike)] = 0.0
        out = []
        for value, row, column in peaks(alike, PEAKS, LEAST_ALIKE, round(APART_MM * SCALE)):
            at = np.array([column + (template.shape[1] - 1) / 2, row + (template.shape[0] - 1) / 2])
            mm = middle + linear @ (at - (side - 1) / 2) / SCALE
            out.append((value, Place(np.array([*mm, turn]), 0, (), NOTHING_SEEN)))
        return out


def peaks(score: Grey, most: int, least: float, near: int) -> Iterator[tuple[float, int, int]]:
    """At most so many of the highest of `score` (h, w), none below `least`, with row and column. What lies within
    `near` px of one is cleared: it is no peak of its own."""
    for _ in range(most):
        row, column = (int(each) for each in np.unravel_index(int(score.argmax()), score.shape))
        value = float(score[row, column])
        if value < least:
            return
        yield value, row, column
        score[max(row - near, 0) : row + near + 1, max(column - near, 0) : column + near + 1] = 0.0


def _reduced(view: TopView, claims: Claims, middle: Floats, reach: float, paper: Grey) -> tuple[Grey, Floats]:
    """The table about `middle` at SCALE with what is claimed as paper, and where it begins in mm."""
    half = 1.45 * reach
    size = 2 * round(half * SCALE)
    origin = middle - size / 2 / SCALE
    step = view.px_per_mm / SCALE
    first = view.at((origin + 0.5 / SCALE)[None])[0]
    affine = np.array([[step, 0.0, first[0]], [0.0, step, first[1]]])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    soft = view.softened(step)
    table = np.asarray(cv2.warpAffine(soft, affine, (size, size), flags=how, borderMode=cv2.BORDER_REPLICATE))
    table[claims.about(origin, size, SCALE)] = paper
    return np.asarray(table, np.float32), origin


def _apart(places: Sequence[Place]) -> list[Place]:
    """Without those that nearly repeat a better one."""
    kept: list[Place] = []
    for place in places:
        x, y, turn = (float(each) for each in place.at)
        if all(math.hypot(x - k.at[0], y - k.at[1]) > APART_MM or _turned(turn - k.at[2]) > APART_RAD for k in kept):
            kept.append(place)
    return kept


def _turned(angle: float) -> float:
    """How much (rad) two ways differ that are so far apart."""
    return abs((angle + math.pi) % (2 * math.pi) - math.pi)
