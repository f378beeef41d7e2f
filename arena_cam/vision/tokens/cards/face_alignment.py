"""Brings a card's picture to where it lies in the top view: robust Gauss-Newton over motion and light.

The inverse compositional way (Baker and Matthews, "Lucas-Kanade 20 years on", IJCV 2004): the face's own slopes tell
the motion, so they are computed once a face. What covers a part of the card is weighed down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.card_calls import CardPixels, Cover, card_patch, laid_card
from arena_cam.vision.printed.print_light import LUMA
from arena_cam.vision.tokens.view.set_prints import CardGrid
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

STRANGER = 25.0  # grey levels beyond which a pixel shows something else
RIGID, AFFINE = 3, 6
STRETCH_PULL = 0.15
STILL_MM = 0.02  # by which a step moves the card, so that no other is worth while
WIDER, WIDE_STEPS = 2.0, 2  # where the start may be astray: how much more a stranger is off, in how many first steps
# Gain and offset of a card: the usual gain, and how much it weighs (squared grey levels of all pixels); a gain's
# limits; strangers are told by 1.5 times the median of what is left, and by 8 grey levels at least.
USUAL_GAIN, OF_USUAL, GAIN_LIMITS, BY_MEDIAN, LEAST_SCALE = 0.8, 2e4, (0.2, 1.5), 1.5, 8.0
_LIGHT = np.array([USUAL_GAIN, OF_USUAL, *GAIN_LIMITS, BY_MEDIAN, LEAST_SCALE])
_LUMA = LUMA.astype(np.float64)


class Hidden(Protocol):
    """What of cards is hidden."""

    def at_scale(self, motion: Floats, px_per_mm: float) -> NDArray[np.bool_]:
        """Which pixels (h, w) of a card so placed, at that scale."""
        ...

    @property
    def cover(self) -> Cover:
        """The same for any place."""
        ...


@dataclass(frozen=True, eq=False)
class HiddenPixels:
    """Of a card that hardly moves: the same pixels (h, w) wherever it is tried."""

    mask: NDArray[np.bool_]

    def at_scale(self, _motion: Floats, _px_per_mm: float) -> NDArray[np.bool_]:
        """The mask, whatever the place."""
        return self.mask

    @property
    def cover(self) -> Cover:
        """The mask."""
        return Cover(mask=self.mask)


@dataclass(frozen=True)
class Plan:
    """How to align: RIGID or AFFINE, in so many steps; `wide` where the start may be some millimetres off.

    Shear and stretch are drawn to 0 by `pull` times what all pixels together say.
    """

    freedom: int
    steps: int
    wide: bool
    pull: float = STRETCH_PULL


@dataclass(frozen=True, eq=False)
class Slopes:
    """A face where it has contrast: its grey values `grey` (P,), how these change with each motion, `jacobian`
    (AFFINE, P), of which the first RIGID are rigid, and the sums of the squares of the others (AFFINE - RIGID,)."""

    which: NDArray[np.intp]
    grey: Floats
    jacobian: Floats
    squares: Floats


def slopes(grid: CardGrid, face: int, size_mm: tuple[float, float]) -> Slopes:
    """Of one face of the grid, where its print has contrast; and some plain paper, which tells the light."""
    grey = grid.faces[face] @ LUMA
    dx = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125) * grid.px_per_mm
    dy = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125) * grid.px_per_mm
    steep = np.hypot(dx, dy) > 12.0 * grid.px_per_mm
    rows, columns = np.indices(grey.shape)
    which = np.flatnonzero(grid.mask & (steep | ((rows + columns) % 7 == 0)))
    x = (columns.ravel()[which] + 0.5) / grid.px_per_mm - size_mm[0] / 2
    y = (rows.ravel()[which] + 0.5) / grid.px_per_mm - size_mm[1] / 2
    gx, gy = (each.ravel()[which].astype(np.float64) for each in (dx, dy))
    rigid = [gx, gy, gy * x - gx * y]
    jacobian = np.column_stack([*rigid, gx * x + gy * y, gx * x - gy * y, gy * x + gx * y])
    squares = np.square(jacobian[:, RIGID:]).sum(axis=0)
    return Slopes(which, grey.ravel()[which].astype(np.float64), np.ascontiguousarray(jacobian.T), squares)


def seen_patch(
    view: TopView, grid: CardGrid, size_mm: tuple[float, float], motion: Floats, hidden: Hidden
) -> tuple[Grey, NDArray[np.bool_]]:
    """What is seen (h, w, 3) where a card lies at `motion` (2, 3), and which of its pixels (h, w) are open: in the
    photograph, and not hidden."""
    compiled = card_patch(view.as_compiled, hidden.cover, grid.mask, (grid.px_per_mm, *size_mm), motion)
    if compiled is not None:
        return compiled
    patch, inside = view.patch(motion, size_mm, grid.px_per_mm)
    return patch, np.asarray(grid.mask & inside & ~hidden.at_scale(motion, grid.px_per_mm))


def aligned(
    view: TopView,
    grid: CardGrid,
    face: Slopes,
    size_mm: tuple[float, float],
    motion: Floats,
    plan: Plan,
    hidden: Hidden,
) -> Floats:
    """The motion (2, 3) from the card's mm to the table, near `motion`, that the picture speaks for."""
    freedom = plan.freedom
    jacobian = face.jacobian[:freedom]
    pull = np.zeros(freedom + 2)
    if freedom == AFFINE:  # shear and stretch are drawn to 0
        pull[RIGID:AFFINE] = plan.pull * face.squares
    card = CardPixels(grid.mask.shape, grid.px_per_mm, size_mm, face.which, face.grey, jacobian, pull)
    steps = np.array([plan.steps, WIDE_STEPS if plan.wide else 0, STRANGER, WIDER, STILL_MM])
    compiled = laid_card(view.as_compiled, hidden.cover, card, motion, steps, _LUMA, _LIGHT)
    if compiled is not None:
        return compiled
    for step in range(plan.steps):
        patch, inside = view.patch(motion, size_mm, grid.px_per_mm)
        seen = (patch @ LUMA).ravel()[face.which].astype(np.float64)
        there = (inside & ~hidden.at_scale(motion, grid.px_per_mm)).ravel()[face.which].astype(np.float64)
        width = STRANGER * (WIDER if plan.wide and step < WIDE_STEPS else 1.0)
        change = _step(jacobian.T, face.grey, seen, there, width, pull)
        motion = _composed(motion, change[:freedom])
        if np.abs(change[:2]).max() < STILL_MM:
            break
    return motion


def _step(jacobian: Floats, grey: Floats, seen: Floats, there: Floats, width: float, pull: Floats) -> Floats:
    """Motion, log gain and offset: least squares with weights that leave strangers out (Geman and McClure)."""
    gain, offset = _light(grey, seen, there)
    residual = seen - (gain * grey + offset)
    columns = np.column_stack([gain * jacobian, grey, np.ones_like(grey)])
    solved = np.zeros(columns.shape[1])
    for _ in range(2):
        off = residual - columns @ solved
        weight = there / (1.0 + (off / width) ** 2) ** 2
        weighted = columns * weight[:, None]
        normal = weighted.T @ columns + np.diag(pull + 1e-6)
        solved = np.linalg.solve(normal, weighted.T @ residual)
    return solved


def _light(grey: Floats, seen: Floats, there: Floats) -> tuple[float, float]:
    """Gain and offset by which most of the print is seen."""
    weight = there
    gain, offset = USUAL_GAIN, 0.0
    for _ in range(4):
        n = max(float(weight.sum()), 1e-6)
        mg, ms = float(weight @ grey) / n, float(weight @ seen) / n
        spread = float(weight @ (grey - mg) ** 2)
        gain = float(weight @ ((grey - mg) * (seen - ms))) + USUAL_GAIN * OF_USUAL
        gain = float(np.clip(gain / (spread + OF_USUAL), *GAIN_LIMITS))
        offset = ms - gain * mg
        off = seen - gain * grey - offset
        size, half = np.abs(off), len(off) // 2
        scale = max(BY_MEDIAN * float(np.partition(size, half)[half]), LEAST_SCALE)
        weight = there / (1.0 + (off / scale) ** 2) ** 2
    return gain, offset


def _composed(motion: Floats, change: Floats) -> Floats:
    """`motion` after a small motion of the card in its own frame, as the picture asks for."""
    x, y, turn = change[:3]
    linear = np.array([[0.0, -turn], [turn, 0.0]])
    if len(change) == AFFINE:
        grow, stretch, shear = change[3:6]
        linear += np.array([[grow + stretch, shear], [shear, grow - stretch]])
    linear = np.eye(2) + linear
    if len(change) == RIGID:
        u, _, v = np.linalg.svd(linear)
        linear = u @ v
    # The face moved by `change` shows what is seen; so the card lies against it.
    inverse = np.linalg.inv(linear)
    shift = -inverse @ np.array([x, y])
    return np.column_stack([motion[:, :2] @ inverse, motion[:, :2] @ shift + motion[:, 2]])
