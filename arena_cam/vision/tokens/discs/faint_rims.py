"""Where a disc in the very colour of its cloth may lie: by the rings printed on it, or by the shadow at its foot.

Rings are seen whatever the rim is: a picture correlates with a print that is averaged over all turns, and no weave or
vein is as round. A disc without any has a line of shadow round its foot, as whatever has a side. Point by point that
line is no darker than grain. Summed along a whole circle it stands out, as signs that repeat do, from the circles that
the cloth itself has elsewhere: these say how far chance goes, whatever the weave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.channels import summed
from arena_cam.vision.picture.robust import MAD_TO_SD, median
from arena_cam.vision.tokens.discs.disc_prints import INNER, OUTER, RINGS, DiscPrints
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

# How wide the line is, and how wide what lies about it, in mm (one standard deviation): a disc 2 mm thick had one of
# half a millimetre.
LINE_MM, ABOUT_MM = 0.35, 1.1
MOST = 3.0  # of a point's strength, in its spread on the cloth: no edge of something else makes a circle
WIDER_MM = (0.0, 0.5)  # of the radius: the line lies beside the foot
LEAST_OPEN = 0.5  # of a circle: what cards and pieces leave
CARD_SHADOW_MM, SHADOW_MM = 3.0, 6.0  # beside cards, and beside pieces, where they throw their own
# How many spreads a circle's sum lies above the cloth's usual, and how many times as far as the next circle of that
# cloth. Of 21 photographs of five sets (wood, marble, felt, weaves) the highest circle had 4.7 to 9.5 and at most 1.3
# times the next; two black discs on black cloth, a faint ring to people, had 14.
LEAST_STRENGTH, LEAST_AHEAD = 8.0, 1.5
# In a picture of half the size, below which no circle has LEAST_STRENGTH in the whole one: of 22 photographs of three
# sets the highest circle had 0.66 to 1.04 times its strength there.
WORTH = 5.0
# Of rings: grey levels by which a print must vary with the distance from its middle, and how well what is seen
# correlates with that. Of 42 discs found by their rims, in 24 photographs of four sets, four had 0.72 to 0.75,
# all others more; elsewhere beside those cards the most was 0.53, and in 24 more photographs 0.70, on granite and on
# marble. A white disc on white marble, whose rim was not seen, had 0.92.
LEAST_PRINT, LEAST_RINGS = 8.0, 0.75
SAME_RINGS = 0.9  # prints that correlate so are one: a picture is compared with each once
LEAST_VARIANCE = 1.0  # grey levels squared: less of a picture is no ring
SECTORS, OF_CLOTH = 16, 90.0  # parts of a circle; percentile of the cloth's that a part of a rim lies above


def faint_rim(view: TopView, radius_mm: float, cloth: Mask, usable: Mask) -> tuple[Floats, float] | None:
    """The middle (2,) in mm of the one circle, with it where the view is `usable` (h, w), that the line of a foot's
    shadow goes round, and the share of what is open of it where that is seen. None where no circle stands out.

    `cloth` (h, w): where neither cards nor pieces lie, nor their shadows.
    """
    if not usable.any() or not cloth.any():
        return None
    line = _lines(view, cloth)
    if not _may_stand_out(line, cloth, usable, (radius_mm + WIDER_MM[-1] / 2) * view.px_per_mm):
        return None
    strengths = _strengths(line, cloth, [(radius_mm + more) * view.px_per_mm for more in WIDER_MM])
    strength = np.maximum.reduce(strengths)
    tried = np.where(usable, strength, -np.inf)
    row, column = np.unravel_index(int(tried.argmax()), tried.shape)
    best = float(tried[row, column])
    reach = round(2.0 * radius_mm * view.px_per_mm)
    others = strength.copy()
    others[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1] = 0.0
    if best < LEAST_STRENGTH or best < LEAST_AHEAD * float(others.max()):
        return None
    k = int(np.argmax([each[row, column] for each in strengths]))
    radius = (radius_mm + WIDER_MM[k]) * view.px_per_mm
    middle = view.origin_mm + (np.array([column, row]) + 0.5) / view.px_per_mm
    return np.asarray(middle), _share(line, cloth, (int(row), int(column)), radius)


def printed_rings(view: TopView, prints: DiscPrints, usable: Mask) -> list[tuple[Floats, float]]:
    """The middles (2,) in mm, where the view is `usable` (h, w), about which it varies as some disc's rings do, and how
    well it correlates with these, the best first and none on another."""
    rings = _ring_prints(prints)
    rows, columns = np.flatnonzero(usable.any(axis=1)), np.flatnonzero(usable.any(axis=0))
    if not rings or not len(rows):
        return []
    reach = int(np.ceil(prints.radius_mm * view.px_per_mm)) + 2
    low = np.maximum([columns[0] - reach, rows[0] - reach], 0)
    high = np.minimum([columns[-1] + reach + 1, rows[-1] + reach + 1], usable.shape[::-1])
    part = slice(low[1], high[1]), slice(low[0], high[0])
    half = max((high[0] - low[0]) // 2, 1), max((high[1] - low[1]) // 2, 1)
    grey = cv2.resize(summed(view.pixels[part]) / 3.0, half, interpolation=cv2.INTER_AREA)
    there = cv2.resize(usable[part].astype(np.uint8), half, interpolation=cv2.INTER_NEAREST) > 0
    radius = OUTER * prints.radius_mm * view.px_per_mm / 2.0
    alike = np.where(there, _ring_likeness(np.asarray(grey, np.float32), rings, radius), 0.0)
    scale = (high - low) / np.array(half)
    found: list[tuple[Floats, float]] = []
    while alike.max() > LEAST_RINGS:
        row, column = np.unravel_index(int(alike.argmax()), alike.shape)
        at = low + (np.array([column, row]) + 0.5) * scale
        found.append((view.origin_mm + at / view.px_per_mm, float(alike[row, column])))
        near = round(reach / scale[0])
        alike[max(row - near, 0) : row + near + 1, max(column - near, 0) : column + near + 1] = 0.0
    return found


def _ring_prints(prints: DiscPrints) -> list[Floats]:
    """How the prints (RINGS,) vary with the distance from their middles, about their means over a face: those that do
    so enough, and no two alike, light on dark or dark on light."""
    area = prints.area.sum(axis=1)
    found: list[Floats] = []
    for ring in prints.polar.mean(axis=(2, 3)).astype(np.float64):
        about = ring - area @ ring
        spread = float(np.sqrt(area @ np.square(about)))
        if spread > LEAST_PRINT and all(abs(area @ (about / spread * each)) < SAME_RINGS for each in found):
            found.append(about / spread)
    return found


def _ring_likeness(grey: Grey, rings: Sequence[Floats], radius: float) -> Grey:
    """(h, w): how a picture about each pixel correlates with the likest of the rings (RINGS,), light or dark, over a
    face of that radius (px)."""
    reach = int(np.ceil(radius)) + 1
    x, y = np.meshgrid(*[np.arange(-reach, reach + 1)] * 2)
    away = np.hypot(x, y) / radius * OUTER
    on = (away < OUTER).astype(np.float32)
    at = (away - INNER) / (OUTER - INNER) * RINGS - 0.5
    windows = [on]
    for ring in rings:
        window = np.interp(at.ravel(), np.arange(RINGS), ring).reshape(at.shape)
        window = (window - window[on > 0].mean()) * on
        windows.append((window / np.sqrt(np.square(window).sum() / on.sum())).astype(np.float32))
    area = float(on.sum())
    (mean, squares), *like = correlations((grey, np.asarray(grey * grey, np.float32)), windows)
    variance = np.maximum(squares / area - np.square(mean / area), LEAST_VARIANCE)
    best = np.maximum.reduce([np.abs(each) for each, _ in like])
    return np.asarray(best / area / np.sqrt(variance), np.float32)


def _lines(view: TopView, cloth: Mask) -> Grey:
    """(h, w): by how many of the cloth's spreads each pixel is darker than what lies about it; 0 beside the cloth."""
    grey = summed(view.pixels) / 3.0
    wide, thin = (cv2.GaussianBlur(grey, (0, 0), mm * view.px_per_mm) for mm in (ABOUT_MM, LINE_MM))
    line = np.asarray(wide - thin, np.float32)
    usual, spread = _usual(line[cloth], 1e-3)
    line = np.clip((line - usual) / spread, -MOST, MOST) * cloth
    line -= line[cloth].mean() * cloth
    return np.asarray(line, np.float32)


def _may_stand_out(line: Grey, cloth: Mask, usable: Mask, radius: float) -> bool:
    """Whether some circle of about that radius (px), its middle where the view is `usable` (h, w), may be the one: in a
    picture of half the size, in a sixth of the time."""
    half = line.shape[1] // 2, line.shape[0] // 2
    small = cv2.resize(line, half, interpolation=cv2.INTER_AREA)
    free, there = (
        cv2.resize(each.astype(np.uint8), half, interpolation=cv2.INTER_NEAREST) > 0 for each in (cloth, usable)
    )
    strength = _strengths(np.asarray(small, np.float32), free, [radius / 2])[0]
    return bool(strength[there].max(initial=0.0) > WORTH)


def _usual(values: Grey, least: float) -> tuple[float, float]:
    """The median of values (N,), and their spread, `least` if it is less."""
    usual = median(values)
    return usual, max(MAD_TO_SD * median(np.abs(values - usual)), least)


def _strengths(line: Grey, cloth: Mask, radii: Sequence[float]) -> list[Grey]:
    """(h, w) of each of the radii (px): how many spreads the sum along a circle about each pixel lies above the usual
    one; 0 where too little of it is open."""
    rings = [_ring(radius) for radius in radii]
    found = []
    for ring, (added, seen) in zip(rings, correlations((line, cloth.astype(np.float32)), rings), strict=True):
        mean = np.asarray(added / np.sqrt(np.maximum(seen, 1.0)), np.float32)
        tried = seen > LEAST_OPEN * float(ring.sum())
        if tried.any():
            usual, spread = _usual(mean[tried], 1e-6)
            found.append(np.asarray(np.where(tried, (mean - usual) / spread, 0.0), np.float32))
        else:
            found.append(np.zeros(line.shape, np.float32))
    return found


def _ring(radius: float) -> Grey:
    """A circle of that radius (px), as a square of an odd side with its weights."""
    reach = int(np.ceil(radius)) + 2
    x, y = np.meshgrid(*[np.arange(-reach, reach + 1)] * 2)
    ring = np.exp(-2.0 * np.square(np.hypot(x, y) - radius)).astype(np.float32)
    ring[ring < 0.05] = 0.0
    return ring


def correlations(pictures: Sequence[Grey], windows: Sequence[Grey]) -> list[list[Grey]]:
    """(h, w) of each of the windows with each of the pictures (h, w): the sums under the window about each pixel,
    beyond the border nothing. Each picture and window is taken to the frequencies once, in 0.6 of filter2D's time."""
    height, width = pictures[0].shape
    beyond = max(max(window.shape) for window in windows) - 1
    size = cv2.getOptimalDFTSize(height + beyond), cv2.getOptimalDFTSize(width + beyond)

    def spectrum(of: Grey, row: int, column: int) -> Any:
        wide = np.zeros(size, np.float32)
        wide[row : row + of.shape[0], column : column + of.shape[1]] = of
        return cv2.dft(wide, nonzeroRows=row + of.shape[0])

    spectra = [spectrum(picture, beyond // 2, beyond // 2) for picture in pictures]
    found = []
    for window in windows:
        aside = beyond // 2 - window.shape[0] // 2  # all windows have one middle
        of_window = spectrum(window, aside, aside)
        products = [cv2.mulSpectrums(each, of_window, 0, conjB=True) for each in spectra]
        how = cv2.DFT_INVERSE | cv2.DFT_REAL_OUTPUT | cv2.DFT_SCALE
        found.append([cv2.dft(each, flags=how, nonzeroRows=height)[:height, :width] for each in products])
    return found


def _share(line: Grey, cloth: Mask, at: tuple[int, int], radius: float) -> float:
    """The share of the open parts of a circle (its middle's row and column, radius in px) where the line is darker than
    nearly everywhere on the cloth."""
    around = np.arange(8 * SECTORS) * (2.0 * np.pi / (8 * SECTORS))
    rows, columns = (np.round(at[k] + radius * f(around)).astype(int) for k, f in ((0, np.sin), (1, np.cos)))
    inside = (rows >= 0) & (columns >= 0) & (rows < line.shape[0]) & (columns < line.shape[1])
    rows, columns = rows * inside, columns * inside
    free = (cloth[rows, columns] & inside).reshape(SECTORS, 8)
    sums = np.where(free, line[rows, columns].reshape(SECTORS, 8), 0.0).sum(axis=1)
    parts = free.sum(axis=1)
    long = parts >= 4
    if not long.any():
        return 0.0
    # The mean of so many points spreads as the root of their number, if grain is nearly independent along a circle.
    least = float(np.percentile(line[cloth], OF_CLOTH)) / np.sqrt(parts[long])
    return float((sums[long] / parts[long] > least).mean())


def bare_cloth(
    view: TopView, outlines: Sequence[Floats], rounds: Sequence[tuple[Floats, float]], shadow_mm: float = SHADOW_MM
) -> Mask:
    """(h, w): where neither cards with these outlines (M, 2) nor round pieces (middle (2,) and radius in mm) lie, nor
    their shadows, of pieces so wide."""
    taken = np.zeros(view.inside.shape, np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(taken, np.round(view.at(outline)).astype(np.int32), 1)
    side = 2 * round(CARD_SHADOW_MM * view.px_per_mm) + 1
    taken = np.asarray(cv2.dilate(taken, np.ones((side, side), np.uint8)), np.uint8)
    for middle, radius_mm in rounds:
        x, y = np.round(view.at(middle[None])[0]).astype(int)
        cv2.circle(taken, (int(x), int(y)), round((radius_mm + shadow_mm) * view.px_per_mm), 1, -1)
    return np.asarray((taken == 0) & view.inside)
