"""Measures a tray with nothing but a card of known size laid in it: no ruler is long enough to hand, a bank card is.

The fiducials give the floor's plane, but their scale only as true as the printer was. The card, found in that plane as
a rectangle of the right shape, says what a millimetre is; then each side of the tray is looked for by itself, where
floor meets wall, wall meets rim and rim meets table, all three at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.errors import CannotDo
from arena_cam.geometry.arrays import Array
from arena_cam.vision.setup.messages import SurveyRefusal
from arena_cam.vision.setup.survey import LEAST_EDGE, Survey, from_above, survey_fiducials

PX_PER_MM = 4.0  # of the view from above: finer than most pictures, so that nothing is lost
MOST_SCALED = 0.12  # a sheet printed "to fit the page" is off by some per cent, never by more than this
SHAPE_TOLERANCE = 0.05  # of the ratio of a card's sides, as a first finder sees them
SIDES_AGREE = 0.015  # of the scale, between the card's two sides once they are measured well
SIDES_DIFFER_SD = 0.004  # what blur and a bent card make of that
SCALED_SD = 0.03  # of the scale of printed sheets
FEWEST_COVERED = 0.9  # of the least rectangle round a card: its rounded corners take one or two per cent
CANNY_LEVELS = (15, 40, 80)  # grey levels: a card on a floor of like colour has a faint outline
SIDE_REACH_MM = 1.2  # to either side of the card's border
SIDE_SAMPLES = 40

MIDDLE_SHARE = 0.3  # of the fiducials' span: how far from the middle the tray's sides are surely straight edges
NARROWEST_MM, FARTHEST_SHARE = 40.0, 1.4  # where a side is looked for: from the middle, up to beyond the fiducials
SEGMENTS = 8  # a side of the tray runs through all of them; print, grain and shadows do not
GOOD_FIT = 0.83  # of the best: a real side left over within a decoy is that good, the grain of a wooden floor is not
WALL_TOLERANCE_MM = 0.75  # a wall measured with a ruler


@dataclass(frozen=True, eq=False)
class TraySize:
    """`inner_mm` is the tray's inner width (x) and depth (y); `fiducial_mm` the fiducials' true size.

    `card_px` (4, 2) is where the card was found in the picture.
    """

    inner_mm: tuple[float, float]
    fiducial_mm: float
    card_px: Array


@dataclass(frozen=True, slots=True)
class LaidCard:
    """The card that tells sizes: its two sides and its thickness."""

    size_mm: tuple[float, float]
    thickness_mm: float


@dataclass(frozen=True, slots=True)
class PrintedFiducials:
    """Fiducials as they should have been printed: `z_mm` is the height of their surface against the floor."""

    dictionary: str
    size_mm: float
    z_mm: float


def measure_tray(
    image_bgr: Image, K: Array, dist: Array, card: LaidCard, wall_mm: tuple[float, float], fiducials: PrintedFiducials
) -> TraySize:
    """The inner size of the tray in `image_bgr` (H, W, 3), in which nothing lies but the `card`.

    `wall_mm` is the wall's height and thickness. Raises CannotDo, saying what to change.
    """
    wanted_mm, z_mm = fiducials.size_mm, fiducials.z_mm
    laid = survey_fiducials(image_bgr, K, dist, fiducials.dictionary, wanted_mm, z_mm)
    scale, _ = _find_card(image_bgr, laid, card)
    true = survey_fiducials(image_bgr, K, dist, fiducials.dictionary, wanted_mm / scale, z_mm)
    _, corners = _find_card(image_bgr, true, card)
    inner = _inner_size(image_bgr, true, corners, wall_mm)
    on_floor = np.column_stack([corners, np.full(4, card.thickness_mm)])
    return TraySize(inner, wanted_mm / scale, true.camera.project(on_floor))


def _half_view_mm(laid: Survey) -> tuple[float, float]:
    """How far from the middle a tray's side may lie, along x and y."""
    places = np.array(list(laid.fiducials.centres_mm.values()))
    half_x, half_y = (float(np.abs(along).max()) for along in places.T)
    return FARTHEST_SHARE * half_x, FARTHEST_SHARE * half_y


def _find_card(image_bgr: Image, laid: Survey, card: LaidCard) -> tuple[float, Array]:
    """How much too large the card seems, and its corners (4, 2) on the floor in mm as it seems."""
    half = _half_view_mm(laid)
    view = from_above(image_bgr, laid.camera, *half, PX_PER_MM, card.thickness_mm)
    short, long = sorted(card.size_mm)
    best: tuple[float, float, Array] | None = None
    for rectangle in _rectangles(view, (short, long)):
        corners, lengths, clearness = _sharpened(view, np.asarray(cv2.boxPoints(rectangle), np.float64))
        scales = np.sort(lengths) / PX_PER_MM / np.array([short, long])
        scale, differ = float(scales.mean()), float(scales[0] / scales[1] - 1.0)
        # Clear borders, and sides that agree: a frame printed on a card is of another shape, a shadow is faint.
        fit = np.log1p(clearness) - (differ / SIDES_DIFFER_SD) ** 2 / 2 - ((scale - 1.0) / SCALED_SD) ** 2 / 2
        if abs(differ) <= SIDES_AGREE and (best is None or fit > best[0]):
            best = float(fit), scale, corners
    if best is None:
        raise CannotDo(
            SurveyRefusal.NO_CARD_SEEN(size_mm=f"{card.size_mm[0]:g} x {card.size_mm[1]:g}"),
        )
    middle = (np.array([view.shape[1], view.shape[0]]) - 1) / 2.0
    return best[1], (best[2] - middle) * (1.0, -1.0) / PX_PER_MM


def _rectangles(view: Image, card_mm: tuple[float, float]) -> list[cv2.typing.RotatedRect]:
    """Least rectangles round closed outlines that are about as large as the card and as long for their width."""
    short, long = card_mm
    smooth = cv2.GaussianBlur(view, (0, 0), 0.25 * PX_PER_MM)
    found: list[cv2.typing.RotatedRect] = []
    for channel in cv2.split(smooth):
        for low in CANNY_LEVELS:
            edges = cv2.dilate(cv2.Canny(channel, low, 2 * low), np.ones((3, 3), np.uint8))
            outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
            for outline in outlines:
                rectangle = cv2.minAreaRect(outline)
                a, b = sorted(rectangle[1])
                scale, shape = float(np.sqrt(a * b / (short * long))) / PX_PER_MM, b / max(a, 1.0) / (long / short)
                if abs(scale - 1.0) > MOST_SCALED or abs(shape - 1.0) > SHAPE_TOLERANCE:
                    continue
                if cv2.contourArea(outline) >= FEWEST_COVERED * a * b:
                    found.append(rectangle)
    return found


def _sharpened(view: Image, corners: Array) -> tuple[Array, Array, float]:
    """The corners (4, 2) where the lines along the card's four borders meet, its two lengths, both in pixels, and how
    far the picture changes across the faintest of the borders, in grey levels."""
    sides = [_side_line(view, corners[i], corners[(i + 1) % 4], corners.mean(axis=0)) for i in range(4)]
    lines = [line for line, _ in sides]
    meet = np.array([np.cross(lines[i - 1], lines[i]) for i in range(4)])
    points = meet[:, :2] / meet[:, 2:]
    lengths = np.linalg.norm(points - np.roll(points, -1, axis=0), axis=1)
    both = np.array([lengths[0] + lengths[2], lengths[1] + lengths[3]]) / 2.0
    return points, both, min(clearness for _, clearness in sides)


def _side_line(view: Image, start: Array, end: Array, centre: Array) -> tuple[Array, float]:
    """The line (a, b, c) along which the picture changes most, near the side from `start` to `end`, and how far."""
    along = end - start
    normal = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    if normal @ (start - centre) < 0:
        normal = -normal
    spots = start + np.linspace(0.15, 0.85, SIDE_SAMPLES)[:, None] * along
    reach = SIDE_REACH_MM * PX_PER_MM
    depths = np.arange(reach, -reach - 0.01, -0.5)  # from outside inwards
    at = (spots[:, None] + depths[None, :, None] * normal).astype(np.float32)
    profile = np.asarray(cv2.remap(view, at[..., 0], at[..., 1], cv2.INTER_LINEAR), np.float64)
    steps = np.linalg.norm(profile[:, 4:] - profile[:, :-4], axis=2)  # over two pixels: one is noise
    typical = np.median(steps, axis=0)
    peak = int(typical.argmax())
    window = slice(max(peak - 4, 0), peak + 5)
    weights = steps[:, window] + 1e-9
    middles = (depths[4:] + depths[:-4])[window] / 2.0
    places = (weights * middles).sum(axis=1) / weights.sum(axis=1)
    edge = (spots + places[:, None] * normal).astype(np.float32)
    a, b, x, y = (float(v) for v in cv2.fitLine(edge, cv2.DIST_HUBER, 0, 0.001, 0.001).reshape(4))
    return np.array([b, -a, a * y - b * x]), float(typical[peak])


def _inner_size(image_bgr: Image, laid: Survey, card_mm: Array, wall_mm: tuple[float, float]) -> tuple[float, float]:
    half = _half_view_mm(laid)
    floor = from_above(image_bgr, laid.camera, *half, PX_PER_MM, 0.0)
    rim = from_above(image_bgr, laid.camera, *half, PX_PER_MM, wall_mm[0])
    mask = _card_mask(floor.shape[:2], card_mm)
    places = np.array(list(laid.fiducials.centres_mm.values()))
    middle_x, middle_y = (MIDDLE_SHARE * float(np.ptp(along)) for along in places.T)
    left, right = _two_sides(floor, rim, mask, middle_y, wall_mm)
    floor, rim = (np.ascontiguousarray(view.transpose(1, 0, 2)) for view in (floor, rim))
    upper, lower = _two_sides(floor, rim, mask.T, middle_x, wall_mm)
    return right - left, lower - upper


def _card_mask(shape: tuple[int, ...], card_mm: Array) -> Array:
    """1 where nothing of the card is, 0 on the card and its shadow."""
    middle = (np.array(shape[::-1]) - 1) / 2.0
    outline = card_mm * (1.0, -1.0) * PX_PER_MM + middle
    mask = np.ones(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 0)
    return np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8), iterations=round(4 * PX_PER_MM)), np.float64)


def _two_sides(
    floor: Image, rim: Image, mask: Array, half_mm: float, wall_mm: tuple[float, float]
) -> tuple[float, float]:
    """Where along x the tray's two sides are, in mm from the middle."""
    on_floor, on_rim = _crossing(floor, mask, half_mm), _crossing(rim, mask, half_mm)
    middle = (floor.shape[1] - 1) / 2.0
    height_mm, thickness_mm = wall_mm
    wall = round(thickness_mm * PX_PER_MM)
    sides = []
    for way in (-1, 1):
        fit = np.full(floor.shape[1], -np.inf)
        edges = np.zeros((3, floor.shape[1]))
        for column in range(wall, floor.shape[1] - wall):
            if way * (column - middle) < NARROWEST_MM * PX_PER_MM:
                continue
            edges[:, column] = on_floor[column], on_rim[column], on_rim[column + way * wall]
            fit[column] = np.log1p(edges[:, column]).sum()  # the logarithm: three fair edges before one strong one
        best = int(fit.argmax())
        # The rim's outer edge looks like an inner one too, but then the real one is left over within.
        within = np.arange(best - way * wall, best - way * (wall + round(height_mm * PX_PER_MM)), -way)
        if len(within) and fit[within].max() >= GOOD_FIT * fit[best]:
            best = int(within[fit[within].argmax()])
        if (edges[:, best] >= LEAST_EDGE).sum() < 2:
            raise CannotDo(
                SurveyRefusal.SIDES_UNSEEN(),
            )
        alike = np.flatnonzero(fit >= fit[best] - 1e-9)  # widened edges make a plateau: its middle is the edge
        run = alike[np.abs(alike - best) <= 2 * WALL_TOLERANCE_MM * PX_PER_MM]
        sides.append((float(run.mean()) - middle) / PX_PER_MM)
    return sides[0], sides[1]


def _crossing(view: Image, mask: Array, half_mm: float) -> Array:
    """How far the picture (H, W, 3) changes across each column (W,), in levels, all along the picture's middle."""
    middle = view.shape[0] // 2
    reach = round(half_mm * PX_PER_MM)
    rows = slice(max(middle - reach, 0), middle + reach + 1)
    step = np.asarray(cv2.Sobel(view, cv2.CV_64F, 1, 0, ksize=3), np.float64)[rows] / 4.0
    free = mask[rows]
    pieces = []
    for piece, open_ in zip(np.array_split(step, SEGMENTS), np.array_split(free, SEGMENTS), strict=True):
        known = open_.sum(axis=0)
        mean = (piece * open_[..., None]).sum(axis=0) / np.maximum(known, 1.0)[:, None]
        mean = np.sqrt((mean**2).mean(axis=1))  # in all colours: green felt and dark wood are of one lightness
        pieces.append(np.where(known >= 0.5 * len(piece), mean, np.nan))
    levels = np.array(pieces)
    covered = np.isnan(levels).sum(axis=0) > SEGMENTS // 2
    through = np.where(covered, 0.0, np.nanpercentile(np.where(covered, 0.0, levels), 25, axis=0))
    width = 2 * round(WALL_TOLERANCE_MM * PX_PER_MM) + 1
    return np.asarray(cv2.dilate(through[None], np.ones((1, width), np.uint8)), np.float64).reshape(-1)
