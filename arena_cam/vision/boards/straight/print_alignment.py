"""Where a board's print lies to a fraction of a millimetre: correlation of its luma, then Gauss-Newton on a homography.

Tiles stand above their board: seen askew, the print lies some millimetres from where tiles' places say, and by another
homography. Brightness is compared without what changes over some millimetres (a high pass), so that neither shadows nor
the colour of the board matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.printed.print_light import LUMA

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

PX_PER_MM = 1.5
HIGH_PASS_MM = 4.0
MOST_ASIDE_MM = 5  # a tile of 2.4 mm seen at 45 degrees, its slips, and what the place may be wrong by
MOST_PIXELS = 6000
UNIT_MM = 100.0  # parameters of the homography are of this length, so that all are of one size
# Standard deviations beforehand: shift of 3 mm, linear part of 3 %, perspective of 1 % a unit.
HELD = 1.0 / np.array([0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.01, 0.01]) ** 2
# The same where the board's own outline was seen: it is good to 2 mm and some percent.
HELD_BY_OUTLINE = 1.0 / np.array([0.012, 0.012, 0.015, 0.012, 0.012, 0.015, 0.005, 0.005]) ** 2
# The same where many tiles tell their own plane: seen from anywhere, a plane above another is that one shifted, and
# larger by a tile's height of the camera's (1 %). The rest is that tiles slip: of six full boards the linear part was
# off by 0.5 % (root mean square) and the perspective by 0.5 % a unit.
HELD_BY_TILES = 1.0 / np.array([0.008, 0.008, 0.03, 0.008, 0.008, 0.03, 0.005, 0.005]) ** 2
NOISE, NEWS = 8.0, 0.1  # grey levels of a luma that fits, and what share of pixels is independent
LEAST_GAIN = 0.3
LEAST_PIXELS = 200  # of a print; fewer say nothing of where it lies
LEAST_PRINTED = 2.0  # grey levels (standard deviation) of a print's lines and edges: less is plain paper's grain
STEPS, BLURS_PX = 8, (1.6, 0.6)
# Letters are found from as far as they are high when they are one spot.
WIDE_BLURS_PX = (4.0, 2.0, 0.8)
# Contrast is made the same within twice a letter's height, in grey levels; paper's grain has less than the last.
EVENED_MM, EVEN, LEAST_CONTRAST = 8.0, 16.0, 4.0


@dataclass(frozen=True, eq=False)
class LumaPart:
    """High-passed luma (h, w) on a grid of `PX_PER_MM` with its first pixel's centre at `origin_mm` (2,), and where it
    holds."""

    luma: Grey
    there: Mask
    origin_mm: Floats


def high_passed(pixels: Grey, there: Mask, weights: Grey = LUMA) -> Grey:
    """Luma, or another mixture of the channels, less its mean over some millimetres where `there`; 0 elsewhere.

    Takes pixels (h, w, 3), a mask (h, w) and the mixture's weights (3,); returns (h, w).
    """
    weight = there.astype(np.float32)
    size = 2 * round(1.5 * HIGH_PASS_MM * PX_PER_MM) + 1
    luma = (pixels @ weights) * weight
    mean = cv2.blur(luma, (size, size)) / np.maximum(cv2.blur(weight, (size, size)), np.float32(1e-3))
    return np.asarray((luma - mean) * weight, np.float32)


def best_shift(prints: LumaPart, seen: LumaPart, reach_mm: float = MOST_ASIDE_MM) -> tuple[Floats, float]:
    """Shift (2,) in mm of the print in what is seen, and its correlation there, -1 to 1."""
    alike, first_mm = shifts(prints, seen, reach_mm)
    y, x = np.unravel_index(int(alike.argmax()), alike.shape)
    return first_mm + np.array([x, y]) / PX_PER_MM, float(alike[y, x])


def shifts(prints: LumaPart, seen: LumaPart, reach_mm: float) -> tuple[Grey, Floats]:
    """Correlations (rows, columns) of the print shifted by up to `reach_mm`, a pixel a step; the first shift in mm."""
    reach = round(reach_mm * PX_PER_MM)
    first = np.round((prints.origin_mm - seen.origin_mm) * PX_PER_MM).astype(int)
    rest = (first / PX_PER_MM) - (prints.origin_mm - seen.origin_mm)
    high, wide = prints.luma.shape
    part = _cut(seen.luma, first - reach, (wide + 2 * reach, high + 2 * reach))
    there = _cut(seen.there.astype(np.float32), first - reach, (wide + 2 * reach, high + 2 * reach))
    cross = cv2.matchTemplate(part, prints.luma, cv2.TM_CCORR)
    energy = cv2.matchTemplate(there, prints.luma**2, cv2.TM_CCORR)
    own = cv2.matchTemplate(part**2, prints.there.astype(np.float32), cv2.TM_CCORR)
    alike = cross / np.sqrt(np.maximum(energy, 1.0) * np.maximum(own, 1.0) + 4.0 * prints.luma.size)
    return np.asarray(alike, np.float32), rest - reach / PX_PER_MM


def print_lumas(prints: SetPrints) -> list[tuple[LumaPart, tuple[int, ...]]]:
    """Lumas of a set's boards and which boards each is of; one of all of a size, as colours share a layout."""
    groups: dict[tuple[float, ...], list[int]] = {}
    for which, corners in enumerate(prints.corners_mm):
        groups.setdefault(tuple(np.round(np.concatenate([corners[0], corners[2]]), 1)), []).append(which)
    out = []
    for members in groups.values():
        image = np.mean([prints.board(which, PX_PER_MM, 0.4) for which in members], axis=0)
        there = np.ones(image.shape[:2], bool)
        origin = prints.corners_mm[members[0]][0] + 0.5 / PX_PER_MM
        out.append((LumaPart(high_passed(np.asarray(image, np.float32), there), there, origin), tuple(members)))
    return out


def own_print(prints: SetPrints, which: int) -> tuple[LumaPart, Grey]:
    """One board's print in the mixture (3,) of channels in which its lines and frame stand out most, and that mixture.

    Blue on black hardly shows in luma. It is the first principal component of what changes over some millimetres.
    """
    image = prints.board(which, PX_PER_MM, 0.4)
    there = np.ones(image.shape[:2], bool)
    mixed = _strongest(_channels(image, there))
    origin = prints.corners_mm[which][0] + 0.5 / PX_PER_MM
    return LumaPart(high_passed(image, there, mixed), there, origin), mixed


def own_even_print(prints: SetPrints, which: int) -> tuple[LumaPart, Grey]:
    """As `own_print`, with the contrast of each part made the same: a sun's paint would outweigh a title's ink."""
    image = prints.board(which, PX_PER_MM, 0.4)
    there = np.ones(image.shape[:2], bool)
    changes = _channels(image, there)
    squares = np.stack([_contrast(changes[:, :, k], there) ** 2 for k in range(3)], axis=-1)
    contrast = np.sqrt(squares.sum(axis=-1, keepdims=True))
    mixed = _strongest(np.asarray(changes / (contrast + LEAST_CONTRAST), np.float32))
    origin = prints.corners_mm[which][0] + 0.5 / PX_PER_MM
    return LumaPart(evened(high_passed(image, there, mixed), there), there, origin), mixed


def evened(luma: Grey, there: Mask) -> Grey:
    """A high-passed luma (h, w) with the contrast about each of its pixels made the same, in usual grey levels."""
    return np.asarray(np.float32(EVEN) * luma / (_contrast(luma, there) + np.float32(LEAST_CONTRAST)), np.float32)


def _contrast(luma: Grey, there: Mask) -> Grey:
    """Root mean square (h, w) of what is known about each pixel, within a title's height."""
    side = 2 * round(EVENED_MM * PX_PER_MM / 2) + 1
    known = np.maximum(cv2.blur(there.astype(np.float32), (side, side)), np.float32(0.1))
    return np.asarray(np.sqrt(np.maximum(cv2.blur(luma * luma, (side, side)), 0.0) / known), np.float32)


def _channels(image: Grey, there: Mask) -> Grey:
    """What changes over some millimetres in each channel, (h, w, 3)."""
    return np.stack([high_passed(image, there, one) for one in np.eye(3, dtype=np.float32)], axis=-1)


def _strongest(changes: Grey) -> Grey:
    """The mixture (3,) of channels in which changes (h, w, 3) are the largest."""
    flat = changes.reshape(-1, 3)
    weights = np.linalg.eigh(flat.T @ flat)[1][:, -1]
    return np.asarray(weights * np.linalg.norm(LUMA) * (1.0 if weights.sum() >= 0 else -1.0), np.float32)


def _cut(pixels: Grey, corner: NDArray[np.intp], size: tuple[int, int]) -> Grey:
    """A part of a picture; 0 where it reaches beyond it."""
    out = np.zeros((size[1], size[0]), np.float32)
    x, y = int(corner[0]), int(corner[1])
    left, top = max(x, 0), max(y, 0)
    right, low = min(x + size[0], pixels.shape[1]), min(y + size[1], pixels.shape[0])
    if right > left and low > top:
        out[top - y : low - y, left - x : right - x] = pixels[top:low, left:right]
    return out


def shifted(shift_mm: Floats) -> Floats:
    """The homography (3, 3) of a shift (2,)."""
    out = np.eye(3)
    out[:2, 2] = shift_mm
    return out


def aligned(
    prints: LumaPart,
    seen: LumaPart,
    start: Floats,
    held: Floats = HELD,
    blurs_px: tuple[float, ...] = BLURS_PX,
) -> tuple[Floats, float]:
    """The homography (3, 3) that takes millimetres of the print to those of what is seen, begun at `start` (3, 3); and
    how well the print's lines and edges correlate there, -1 to 1.

    Pixels that show something else lose their weight (Geman and McClure's); the parameters are held to the start by
    `held` (8,): as much as a tile's height seen askew leaves open, or more where the board's outline was seen.
    """
    scale = np.diag([UNIT_MM, UNIT_MM, 1.0])
    out = np.asarray(np.linalg.inv(scale) @ start @ scale, np.float64)
    out = out / out[2, 2]
    for blur_px in blurs_px:
        soft = LumaPart(_soft(seen.luma, blur_px), seen.there, seen.origin_mm)
        out = _gauss_newton(_places(prints, blur_px), soft, out, STEPS, held)
    return np.asarray(scale @ out @ np.linalg.inv(scale)), _alike(prints, seen, out)


def alike_within(prints: LumaPart, seen: LumaPart, rim_mm: float, least: int = LEAST_PIXELS) -> float | None:
    """Correlation, -1 to 1, of a print's lines and edges that lie further than `rim_mm` from its border, where it lies
    exactly as it is seen; None where it has none, or `least` pixels of them are not in view."""
    places = _places(prints)
    at, size = places.at * UNIT_MM - prints.origin_mm, np.array(prints.luma.shape[::-1]) / PX_PER_MM
    inner = ((at > rim_mm) & (at < size - rim_mm)).all(axis=1)
    if np.count_nonzero(inner) < LEAST_PIXELS or float(places.luma[inner].std()) < LEAST_PRINTED:
        return None
    values, there = _sampled(seen, np.eye(3), places.at[inner])
    if np.count_nonzero(there) < least:
        return None
    return _correlation(places.luma[inner][there], values[there])


def alike_at(prints: LumaPart, seen: LumaPart, moved: Floats) -> float:
    """Correlation, -1 to 1, of a print whose millimetres `moved` (3, 3) takes to those of what is seen."""
    scale = np.diag([UNIT_MM, UNIT_MM, 1.0])
    return _alike(prints, seen, np.asarray(np.linalg.inv(scale) @ moved @ scale))


def _alike(prints: LumaPart, seen: LumaPart, homography: Floats) -> float:
    """Correlation of the strongest lines and edges of a print with what is seen there."""
    places = _places(prints)
    values, there = _sampled(seen, homography, places.at)
    return _correlation(places.luma[there], values[there])


def _correlation(printed: Floats, seen: Floats) -> float:
    """Of so many pixels that they say anything; 0 of fewer."""
    if len(printed) < LEAST_PIXELS:
        return 0.0
    a, b = printed - printed.mean(), seen - seen.mean()
    return float(a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), len(a) * 1.0))


def _soft(luma: Grey, blur_px: float) -> Grey:
    return np.asarray(cv2.GaussianBlur(luma, (0, 0), blur_px), np.float32)


@dataclass(frozen=True, eq=False)
class _Places:
    """Pixels of a print with edges: luma (N,), how it changes with the parameters (N, 8), places (N, 2) in units."""

    luma: Floats
    columns: Floats
    at: Floats


@lru_cache(maxsize=64)
def _places(prints: LumaPart, blur_px: float = 0.0) -> _Places:
    """Of a print softened by `blur_px`; a set's few prints are asked for again and again."""
    soft = _soft(prints.luma, blur_px) if blur_px else prints.luma
    gy, gx = (np.asarray(slope, np.float64) for slope in np.gradient(soft))
    strong = np.where(prints.there, np.hypot(gx, gy), 0.0)
    chosen = np.flatnonzero(strong.ravel() > max(1.0, float(np.quantile(strong, 0.5))))
    chosen = chosen[:: max(1, len(chosen) // MOST_PIXELS)]
    rows, columns = np.unravel_index(chosen, strong.shape)
    at = (prints.origin_mm + np.column_stack([columns, rows]) / PX_PER_MM) / UNIT_MM
    per_unit = PX_PER_MM * UNIT_MM
    luma = soft[rows, columns].astype(np.float64)
    (x, y), dx, dy = at.T, gx[rows, columns] * per_unit, gy[rows, columns] * per_unit
    along = x * dx + y * dy
    return _Places(luma, np.column_stack([x * dx, y * dx, dx, x * dy, y * dy, dy, -x * along, -y * along]), at)


def _gauss_newton(places: _Places, seen: LumaPart, start: Floats, steps: int, held: Floats) -> Floats:
    t, columns_, at = places.luma, places.columns, places.at
    out, before = start.copy(), np.zeros(8)
    for _ in range(steps):
        p, there = _sampled(seen, out, at)
        if np.count_nonzero(there) < LEAST_PIXELS:
            return start
        gain = max(float(p[there] @ t[there]) / max(float(t[there] @ t[there]), 1e-6), LEAST_GAIN)
        residual = np.where(there, p / gain - t, 0.0)
        weight = there / (1.0 + (residual / (2 * NOISE / min(gain, 1.0))) ** 2) ** 2
        weighted = columns_ * weight[:, None] * (NEWS / NOISE**2)
        # What the print shows at x is seen at out(x): a step of the print towards it is undone in `out`.
        step = np.linalg.solve(weighted.T @ columns_ + np.diag(held), weighted.T @ residual - held * before)
        step = np.clip(step, -0.02, 0.02)
        before = before + step
        moved = np.eye(3) + np.append(step, 0.0).reshape(3, 3)
        out = out @ np.linalg.inv(moved)
        out = out / out[2, 2]
        if np.abs(step).max() < 2e-4:
            break
    return np.asarray(out)


def _sampled(seen: LumaPart, homography: Floats, at: Floats) -> tuple[Floats, Mask]:
    """What is seen where the print's points (N, 2) lie, and whether anything is known there."""
    if not len(at):
        return np.zeros(0), np.zeros(0, bool)
    mapped = at @ homography[:, :2].T + homography[:, 2]
    px = ((mapped[:, :2] / mapped[:, 2:3]) * UNIT_MM - seen.origin_mm) * PX_PER_MM
    points = px.astype(np.float32).reshape(-1, 1, 2)
    values, known = (
        cv2.remap(each, points, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)  # type: ignore[call-overload]
        for each in (seen.luma, seen.there.astype(np.float32))
    )
    return values.ravel().astype(np.float64), np.asarray(known.ravel() > 0.99)
