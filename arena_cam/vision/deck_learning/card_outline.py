"""Finds one card in a photograph taken by hand, at any angle, with any camera, on a plain background; or in a scan.

A first quadrilateral comes from thresholds and from what differs from the picture's rim. Then the card's four straight
sides are traced, and a homography with one term of radial distortion fitted to them: a phone's lens bends a card's side
by a pixel or two, and a homography alone would spread that over the face. Of several outlines that is the card's whose
sides all part what lies round it from something else, and which is that of a flat card of the size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.edge_tracing import FAINT, STEP_PX, Traced, fit_outline, side_points, steps_outside
from arena_cam.vision.deck_learning.flat_card import ANY_LENS, Lens, Misfit, misfit
from arena_cam.vision.deck_learning.surroundings import Parting, parting, where_it_begins
from arena_cam.vision.deck_learning.taking_messages import NotFound
from arena_cam.vision.picture.linear_light import Linear, linear_light
from arena_cam.vision.picture.robust import MAD_TO_SD
from arena_cam.vision.planes.quads import find_quads

Image = NDArray[np.uint8]

# Half the picture's diagonal is the unit of length; lenses that bend a straight line to the corner by more than 8 % are
# fisheyes.
_K1_SD = 0.04
# A side that shows an edge along less than this is covered, out of the picture, or no card's.
LEAST_SUPPORT = 0.7
_LEAST_SHARE, _MOST_SHARE = 0.01, 0.98  # of the picture's area
# Perspective of up to 40 degrees shortens one direction to cos 40 = 0.77.
_FORESHORTENING = 0.77
# A card is square enough that its orientation cannot be told from its outline.
_NEARLY_SQUARE = 1.08
# A scan fills the picture: its proportions are the card's to within a millimetre in 70.
_SCAN_RATIO = 0.015
# A sheet laid under the card has the card's proportions by chance (A4's are 1.41): then the card within it is meant.
_MUCH_SMALLER = 0.45
# Printed frames have margins of up to an eighth of the card; a faint edge need not show all along.
_WIDEST_MARGIN, _LIKE_MARGINS, _FAINT_SUPPORT = 0.13, 0.4, 0.5
_SAME_AREA = 0.97  # a frame half a millimetre within the edge
_MOST_CANDIDATES = 4
_FAMILY = 0.6  # of the area: a frame with margins of an eighth of the card all round
_BETTER = 0.01  # proportions are seen that exactly
# What speaks against an outline, each in standard deviations of what true outlines have: a misfit as a flat card, the
# part of the worst side that has the same on both its sides, the part of what is round it that does not reach up to it,
# the part of a side without an edge. Their squares add up.
# Of a picture cut a tenth aside a true outline misfits by 0.2 to 0.4 mm: the shape alone refuses none.
_MISFIT_MM, _UNPARTED, _UNCOVERED, _UNSUPPORTED = 0.1, 0.3, 0.2, 0.15
_AS_LIKELY, _UNLIKELY = 1.0, 9.0
_CERTAIN = 0.8, 0.95  # parted and supported so well that the shape need not speak for it
_CLEARLY = 0.6  # of the worst side parts the card from what it lies on: no better outline is looked for
_UNBROKEN = 0.9  # an edge that alone shows where a card ends
# A plane's picture tells its proportions once the focal length is known, and much of them before: phones' lenses have
# 0.6 to 2.5 times the picture's longer side. Cards are measured to half a millimetre, and lie a little bent.
_FOCALS = (0.6, 0.75, 1.0, 1.5, 2.5)
_PROPORTIONS = 0.045


# Of the way from what is beyond an edge to the rim's colour, to the eye: a shadow on a pale table gets half as far
# towards a black rim, the rim itself seen in other light on the card's other side nearly all the way.
_LIKE_THE_RIM = 0.5
_OUTWARDS = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]])  # from the top, right, bottom, left side
_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)


@dataclass(frozen=True, eq=False)
class CardOutline:
    """Where a card lies in a picture. `corners_px` (4, 2): top-left, top-right, bottom-right, bottom-left of the card,
    as it would be without rounding, the side up that the photographer had up. `traced` and `misfit` are None for a
    scan. `parted` says how well the sides part what the card lies on from the card, 0 to 1."""

    corners_px: Array
    traced: Traced | None
    _curve: PhotographedCard
    misfit: Misfit | None = None
    parted: float = 1.0

    @property
    def certain(self) -> bool:
        """Whether each side, all along, parts what the card lies on from the card."""
        return self.traced is None or _certain(self.parted, float(self.traced.support(1.0).min()))

    @property
    def is_across(self) -> bool:
        """Whether the card lies across the photograph, so that which of its ends is up was guessed."""
        return self.traced is not None and _is_across(self.corners_px)

    def pixels(self, shares: Array) -> Array:
        """Pixels (N, 2) of places (N, 2) on the card, as shares of its width and height from the top-left corner."""
        if self.traced is None:
            across, along = self.corners_px[1] - self.corners_px[0], self.corners_px[3] - self.corners_px[0]
            return np.asarray(self.corners_px[0] + shares[:, :1] * across + shares[:, 1:] * along)
        return self._curve(self.traced.parameters, shares)


class PhotographedCard:
    """The curve model: eight numbers of a homography and k1, about the picture's middle, its half diagonal the unit."""

    def __init__(self, width_px: int, height_px: int) -> None:
        self._middle = np.array([(width_px - 1) / 2, (height_px - 1) / 2])
        self.unit_px = float(np.hypot(width_px, height_px)) / 2
        self.longer_side_px = max(width_px, height_px)

    def __call__(self, parameters: Array, shares: Array) -> Array:
        matrix = np.append(parameters[:8], 1.0).reshape(3, 3)
        flat = np.column_stack([2.0 * shares - 1.0, np.ones(len(shares))]) @ matrix.T
        straight = flat[:, :2] / flat[:, 2:3]
        radial = 1.0 + parameters[8] * (straight**2).sum(axis=1, keepdims=True)
        return np.asarray(self._middle + self.unit_px * straight * radial)

    def start(self, corners_px: Array) -> Array:
        """Parameters (9,) that put the corners there, without distortion."""
        corners_px = np.clip(corners_px, -1e5, 1e5)
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
        normal = ((corners_px - self._middle) / self.unit_px).astype(np.float32)
        matrix = np.asarray(cv2.getPerspectiveTransform(square, normal), np.float64)
        return np.append((matrix / matrix[2, 2]).ravel()[:8], 0.0)


def find_card(
    image_bgr: Image, width_mm: float, height_mm: float, *, scan: bool = False, lens: Lens = ANY_LENS
) -> CardOutline | Message:
    """The card of that size in a picture (H, W, 3) taken with `lens`. With `scan` the picture is the card and nothing
    else."""
    height, width = image_bgr.shape[:2]
    curve = PhotographedCard(width, height)
    filled = _is_scan(width, height, width_mm, height_mm)
    whole = CardOutline(_whole(width, height, width_mm, height_mm), None, curve)
    if scan:
        return whole if filled else _not_a_scan(width, height, width_mm, height_mm)
    light = linear_light(image_bgr)
    found = _outlines(image_bgr, light, curve, width_mm, height_mm)
    if not found:
        if filled:
            return whole
        return NotFound.NO_CARD()
    if filled and _is_printed_frame(found[0].corners_px, width, height):
        return whole
    best = found[0]
    for other in found[1:]:
        if _area(other) < _MUCH_SMALLER * _area(best) and _encloses(best.corners_px, other.corners_px):
            best = other
            break
    # What is left may be the card, its printed frame, or three sides of one and one of the other.
    family = [other for other in found if _FAMILY * _area(best) <= _area(other) <= _area(best)]
    return _Choice(light, curve, width_mm, height_mm, lens).of(family[:_MOST_CANDIDATES])


class _Choice:
    """Which of several outlines is the card's."""

    def __init__(self, light: Linear, curve: PhotographedCard, width_mm: float, height_mm: float, lens: Lens) -> None:
        self._light = light
        self._curve = curve
        self._size = (width_mm, height_mm)
        self._lens = lens

    def of(self, family: list[CardOutline]) -> CardOutline | Message:
        looks = [self._looked_at(outline) for outline in family]
        if not any(look.parting.clear >= _CLEARLY for look in looks):
            looks += [self._looked_at(wider) for wider in map(self._grown, family) if wider is not None]
        beside = [_without_margin(self._light, outline, self._curve, *self._size) for outline in family]
        looks += [self._looked_at(wider) for wider in beside if isinstance(wider, CardOutline) and wider not in family]
        least = min(look.against for look in looks)
        if least >= _UNLIKELY:
            looks = [look for look in looks if look.certain]
            if not looks:
                return next((no for no in beside if isinstance(no, Message)), NotFound.NO_EDGE())
            least = min(look.against for look in looks)
        likely = [look for look in looks if look.against < least + _AS_LIKELY]
        # A card whose border is of the background's colour may be hidden round a frame that parts them clearly.
        likely += [look for look in looks if look not in likely and self._hides(look, likely)]
        return self._polished(self._whole(likely))

    def _looked_at(self, outline: CardOutline) -> _Look:
        height, width = self._light.shape[:2]
        sides = parting(self._light, outline.pixels, *self._size)
        return _Look(outline, sides, misfit(outline.pixels, (width, height), *self._size).at(self._lens))

    def _hides(self, look: _Look, likely: list[_Look]) -> bool:
        """Whether an outline round the likely ones may be the card's though its border looks like the background."""
        return (
            look.support >= _UNBROKEN
            and look.misfit_mm < min(other.misfit_mm for other in likely) + _MISFIT_MM
            and float(np.nan_to_num(look.parting.beyond, nan=1.0).min()) >= _CLEARLY
            and all(_area(look.outline) > _area(other.outline) / _SAME_AREA for other in likely)
        )

    def _whole(self, likely: list[_Look]) -> CardOutline:
        """The card itself has fewest edges outside it; of several such the largest is whole."""
        outlines = [look.outline for look in likely]
        ratio = self._size[0] / self._size[1]
        edges = [int(np.isfinite(_margins(self._light, o, self._curve, ratio)).sum()) for o in outlines]
        outlines = [o for o, count in zip(outlines, edges, strict=True) if count == min(edges)]
        largest = max(_area(outline) for outline in outlines)
        return min((o for o in outlines if _area(o) > _SAME_AREA * largest), key=_misfit)

    def _grown(self, outline: CardOutline) -> CardOutline | None:
        """The outline moved out to where the background begins, and traced there."""
        assert outline.traced is not None
        wider = where_it_begins(self._light, outline.pixels, *self._size)
        if wider is None:
            return None
        corners = outline.pixels(wider)
        side = float(np.sqrt(_area(outline)))
        prior = np.append(np.full(8, np.inf), _K1_SD)
        reaches = (0.012 * side, max(3.0, 0.005 * side))
        traced = fit_outline(self._light, self._curve.start(corners), self._curve, prior, reaches, 0.25 * FAINT)
        at = self._curve(traced.parameters, _CORNERS)
        there = traced.support(max(1.0, 0.004 * side)).min() >= LEAST_SUPPORT
        off = _proportions_off(traced.parameters, *self._size, self._curve)
        return CardOutline(at, traced, self._curve) if there and off <= _PROPORTIONS else None

    def _polished(self, outline: CardOutline) -> CardOutline:
        """Traced once more, with what speaks for it."""
        outline = _polished(self._light, outline, self._curve)
        height, width = self._light.shape[:2]
        flat = misfit(outline.pixels, (width, height), *self._size)
        sides = parting(self._light, outline.pixels, *self._size)
        return replace(outline, misfit=flat, parted=min(sides.clear, sides.covered))


@dataclass(frozen=True, eq=False)
class _Look:
    """The evidence for an outline."""

    outline: CardOutline
    parting: Parting
    misfit_mm: float

    @property
    def support(self) -> float:
        assert self.outline.traced is not None
        return float(self.outline.traced.support(1.0).min())

    @property
    def certain(self) -> bool:
        return _certain(min(self.parting.clear, self.parting.covered), self.support)

    @property
    def against(self) -> float:
        """The evidence against the outline: about 3 at worst for a true one."""
        return (
            min((self.misfit_mm / _MISFIT_MM) ** 2, _UNLIKELY)
            + ((1.0 - self.parting.clear) / _UNPARTED) ** 2
            + ((1.0 - self.parting.covered) / _UNCOVERED) ** 2
            + ((1.0 - self.support) / _UNSUPPORTED) ** 2
        )


def _certain(parted: float, support: float) -> bool:
    return parted >= _CERTAIN[0] and support >= _CERTAIN[1]


def _polished(light: Linear, outline: CardOutline, curve: PhotographedCard) -> CardOutline:
    """The outline traced once more, with its evidence."""
    assert outline.traced is not None
    side = float(np.sqrt(_area(outline)))
    reaches = (max(5.0, 0.008 * side), max(3.0, 0.005 * side))
    prior = np.append(np.full(8, np.inf), _K1_SD)
    traced = fit_outline(light, outline.traced.parameters, curve, prior, reaches, 0.5 * FAINT)
    if traced.support(1.0).min() < outline.traced.support(1.0).min():
        return outline
    return CardOutline(curve(traced.parameters, _CORNERS), traced, curve)


def _misfit(outline: CardOutline) -> float:
    assert outline.traced is not None
    return outline.traced.rms_px / float(outline.traced.support(1.0).min() + 0.1)


def _area(outline: CardOutline) -> float:
    return float(cv2.contourArea(outline.corners_px.astype(np.float32)))


def _without_margin(
    light: Linear, found: CardOutline, curve: PhotographedCard, width_mm: float, height_mm: float
) -> CardOutline | Message:
    """The outline, or the one round it: a white card on a white table shows its printed frame more clearly than its
    edge.

    Margins of a printed frame are alike, so two edges equally far outside two sides are the card's own; so is a single
    one where the frame's colour goes on up to it. Else (a shadow, a plank) the proportions decide.
    """
    assert found.traced is not None
    side = float(np.sqrt(_area(found)))
    steps = _margins(light, found, curve, width_mm / height_mm)
    seen = np.isfinite(steps)
    if not seen.any():
        return found
    usual = float(np.median(steps[seen]))
    alike = int(seen.sum()) >= 2 and float(np.ptp(steps[seen])) <= _LIKE_MARGINS * usual
    rest = usual if seen.sum() == 3 else 0.0
    top, right, bottom, left = np.where(seen, steps, rest) * (width_mm / height_mm, 1.0, width_mm / height_mm, 1.0)
    wider = np.array([[-left, -top], [1 + right, -top], [1 + right, 1 + bottom], [-left, 1 + bottom]])
    corners = curve(found.traced.parameters, wider)
    prior = np.append(np.full(8, np.inf), _K1_SD)
    traced = fit_outline(light, curve.start(corners), curve, prior, (max(3.0, 0.01 * side),) * 2, 0.25 * FAINT)
    at = curve(traced.parameters, _CORNERS)
    if np.linalg.norm(at - found.corners_px, axis=1).max() < 0.015 * side:
        return found  # it led back to the same edge
    off = _proportions_off(traced.parameters, width_mm, height_mm, curve)
    there = off <= _PROPORTIONS and traced.support(max(1.0, 0.006 * side)).min() >= _FAINT_SUPPORT
    if alike:
        return CardOutline(at, traced, curve) if there else NotFound.NO_EDGE_PALE()
    better = off + _BETTER < _proportions_off(found.traced.parameters, width_mm, height_mm, curve)
    better = better or _frame_goes_on(light, found, curve, steps, width_mm / height_mm)
    return CardOutline(at, traced, curve) if there and better else found


def _frame_goes_on(
    light: Linear, found: CardOutline, curve: PhotographedCard, steps: Array, width_over_height: float
) -> bool:
    """Whether what lies between the outline and the edges `steps` (4,) outside it looks like the card's rim along its
    other sides, and not like what is beyond. From an angle the proportions do not tell that one side was put where
    a frame's inner edge is."""
    assert found.traced is not None
    parameters, seen = found.traced.parameters, np.isfinite(steps)
    if seen.all():
        return False

    def colour(side: int, depth: float) -> Array:
        along = side_points()[side] + depth * _OUTWARDS[side] * (1.0, width_over_height)
        at = curve(parameters, along).astype(np.float32)[None]
        seen_there = cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(np.median(np.cbrt(np.asarray(seen_there, np.float64)[0]), axis=0))

    usual = float(np.median(steps[seen]))
    rim = np.median([colour(k, -usual / 2) for k in range(4) if not seen[k]], axis=0)
    for k in (k for k in range(4) if seen[k]):
        between, beyond = colour(k, float(steps[k]) / 2), colour(k, 1.5 * float(steps[k]))
        if np.linalg.norm(between - rim) > _LIKE_THE_RIM * np.linalg.norm(between - beyond):
            return False
    return True


def _margins(light: Linear, found: CardOutline, curve: PhotographedCard, width_over_height: float) -> Array:
    """How far outside each side (4,) the next edge runs, as a share of the card's width; NaN where there is none."""
    assert found.traced is not None
    outwards = _OUTWARDS * (1.0, width_over_height)
    depths = np.arange(0.0, _WIDEST_MARGIN, STEP_PX / np.sqrt(_area(found)))
    rings = side_points()[:, :, None] + depths[:, None] * outwards[:, None, None]
    points = curve(found.traced.parameters, rings.reshape(-1, 2)).reshape(rings.shape)
    return np.array([np.nan if k is None else depths[k] for k in steps_outside(light, points)])


def _outlines(
    image_bgr: Image, light: Linear, curve: PhotographedCard, width_mm: float, height_mm: float
) -> list[CardOutline]:
    """Outlines whose four sides are there and whose proportions are the card's, largest first."""
    height, width = image_bgr.shape[:2]
    found: list[CardOutline] = []
    quads = find_quads(image_bgr, _unlike_the_rim(image_bgr))
    areas = [float(cv2.contourArea(quad.astype(np.float32))) for quad in quads]
    for k in sorted(range(len(quads)), key=lambda k: -areas[k]):
        if not _LEAST_SHARE <= areas[k] / (width * height) <= _MOST_SHARE:
            continue
        corners = upright(quads[k], width_mm, height_mm)
        if corners is None:
            continue
        side = np.sqrt(areas[k])
        if any(np.abs(corners - other.corners_px).max() < 0.01 * side for other in found):
            continue
        # First as far as thresholds may be off by shadow and texture; last, nothing but the edge itself is near.
        reaches = (0.03 * side, 0.012 * side, max(3.0, 0.005 * side))
        prior = np.append(np.full(8, np.inf), _K1_SD)
        traced = fit_outline(light, curve.start(corners), curve, prior, reaches)
        if traced.support(max(1.0, 0.004 * side)).min() < LEAST_SUPPORT:
            continue
        at = curve(traced.parameters, _CORNERS)
        if _proportions_off(traced.parameters, width_mm, height_mm, curve) > _PROPORTIONS:
            continue
        if any(np.abs(at - other.corners_px).max() < 0.01 * side for other in found):
            continue
        found.append(CardOutline(at, traced, curve))
    return sorted(found, key=_area, reverse=True)


def _proportions_off(parameters: Array, width_mm: float, height_mm: float, curve: PhotographedCard) -> float:
    """By how much the proportions of the plane seen differ from the card's, for the focal length that suits them best.

    Zhang, "A flexible new technique for camera calibration", PAMI 22(11), 2000: the first two columns of K^-1 H are as
    long as the plane's axes.
    """
    matrix = np.append(parameters[:8], 1.0).reshape(3, 3)
    off = []
    for focal in _FOCALS:
        f = focal * curve.longer_side_px / curve.unit_px
        across, along = (np.linalg.norm(matrix[:, k] / (f, f, 1.0)) for k in (0, 1))
        off.append(abs(float(along / across) / (height_mm / width_mm) - 1.0))
    return min(off)


def _unlike_the_rim(image_bgr: Image) -> list[Image]:
    """Masks of what differs from the background, whose colour is taken from the picture's rim and may drift across
    it."""
    factor = 400 / max(image_bgr.shape[:2])
    small = cv2.resize(image_bgr, None, fx=min(1.0, factor), fy=min(1.0, factor), interpolation=cv2.INTER_AREA)
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.5)
    height, width = lab.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    x, y = 2.0 * x / width - 1.0, 2.0 * y / height - 1.0
    basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6)
    rim = (np.maximum(np.abs(x), np.abs(y)) > 0.92).ravel()
    distance = np.zeros(height * width)
    for channel in range(3):
        values = lab[..., channel].ravel().astype(np.float64)
        surface, spread = _robust_surface(basis[rim], values[rim])
        distance += ((values - basis @ surface) / spread) ** 2
    far = np.sqrt(distance).reshape(height, width)
    masks = []
    size = (image_bgr.shape[1], image_bgr.shape[0])
    for limit in (4.0, 7.0, 12.0):
        mask = np.asarray((far > limit).astype(np.uint8) * 255)
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        masks.append(np.asarray(cv2.resize(closed, size, interpolation=cv2.INTER_NEAREST), np.uint8))
    return masks


def _robust_surface(basis: Array, values: Array) -> tuple[Array, float]:
    """Coefficients (K,) that fit most of the values (N,), and the standard deviation of those that they fit."""
    kept = np.ones(len(values), bool)
    for _ in range(4):
        own = basis[kept]
        surface = np.linalg.pinv(own.T @ own) @ (own.T @ values[kept])  # a picture of one pixel is fitted, too
        off = np.abs(values - basis @ surface)
        spread = max(2.0, MAD_TO_SD * float(np.median(off[kept])))
        kept = off < 3.0 * spread
        if kept.sum() < 50:
            kept[:] = True
    return surface, spread


def upright(quad: Array, width_mm: float, height_mm: float) -> Array | None:
    """The corners (4, 2) in the card's order, or None where their proportions cannot be the card's.

    Up is the card's side that lies further up in the picture; of a card that lies across it, more than 45 degrees from
    upright, the one on the right, as if it had been turned clockwise: a phone that looks straight down cannot tell how
    it is held, and which of its ends lies higher is chance then.
    """
    if cv2.contourArea(quad.astype(np.float32), True) < 0:
        quad = quad[::-1]
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    wanted = height_mm / width_mm
    options = []
    for first in range(4):
        corners = np.roll(quad, -first, axis=0)
        s = np.roll(sides, -first)
        ratio = float((s[1] + s[3]) / (s[0] + s[2])) / wanted
        fit = max(ratio, 1.0 / ratio)
        if fit > 1.0 / _FORESHORTENING:
            continue
        up = _up(corners)
        # Half: of a square card, of which any side may be up, the one that lies further up is.
        options.append((fit, float(0.5 * up[0] if _is_across(corners) else -up[1]), corners))
    if not options:
        return None
    best = min(option[0] for option in options)
    close = [option for option in options if option[0] < best * _NEARLY_SQUARE]
    return max(close, key=lambda option: option[1])[2]


def _up(corners_px: Array) -> Array:
    """The direction (2,) in the picture, of length 1, in which the card with these corners has its upper end."""
    up = (corners_px[0] + corners_px[1]) - (corners_px[2] + corners_px[3])
    return np.asarray(up / np.linalg.norm(up))


def _is_across(corners_px: Array) -> bool:
    """Whether the card's upper end lies to the right or left of its lower one rather than above or below."""
    up = _up(corners_px)
    return bool(abs(up[0]) > abs(up[1]))


def _is_scan(width_px: int, height_px: int, width_mm: float, height_mm: float) -> bool:
    ratio, wanted = height_px / width_px, height_mm / width_mm
    return any(abs(ratio / w - 1.0) < _SCAN_RATIO for w in (wanted, 1.0 / wanted))


def _whole(width_px: int, height_px: int, width_mm: float, height_mm: float) -> Array:
    """The picture's own corners (its pixels' outer edges) in the card's order."""
    corners = np.array([[0, 0], [width_px, 0], [width_px, height_px], [0, height_px]]) - 0.5
    if (width_px > height_px) != (width_mm > height_mm):
        corners = np.roll(corners, -1, axis=0)  # scanned across: the card's top is on the right
    return np.asarray(corners, np.float64)


def _not_a_scan(width_px: int, height_px: int, width_mm: float, height_mm: float) -> Message:
    size_mm = {"width_mm": f"{width_mm:g}", "height_mm": f"{height_mm:g}"}
    return NotFound.NO_SCAN(**size_mm, width_px=width_px, height_px=height_px)


def _is_printed_frame(corners: Array, width: int, height: int) -> bool:
    """Whether an outline found in a picture of a scan's proportions lies as only a card's printed frame would:
    straight, with like margins left and right, and above and below."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    straight = all(
        min(abs(side[0]), abs(side[1])) < 0.01 * float(np.abs(side).max())
        for side in np.roll(corners, -1, axis=0) - corners
    )
    margins = np.array([low[0], width - 1 - high[0], low[1], height - 1 - high[1]])
    return straight and float(np.ptp(margins)) < 0.03 * width


def _encloses(outer: Array, inner: Array) -> bool:
    hull = outer.astype(np.float32)
    return all(cv2.pointPolygonTest(hull, (float(x), float(y)), False) > 0 for x, y in inner)
