"""Which of two overlapping cards is the upper: in the overlap the picture shows its face.

For every overlapping pair the pixels of the overlap are compared with both faces, under the light that was fitted for
each. The log-likelihood ratio gives the order and its probability.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.geometry.outlines import DOUBTED_CONTACT, PLAINLY_IN_VIEW, contact_probability, depth, from_above
from arena_cam.vision.faces.face_points import HALF_CARD_MM
from arena_cam.vision.faces.light import lit_face
from arena_cam.vision.kernels.overlap_calls import LaidFace, compared, in_polygon, relit
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.picture.robust import median
from arena_cam.vision.picture.sampling import sample_at
from arena_cam.vision.reading.cards.placed_face import PlacedFace
from arena_cam.vision.reading.cards.scene import OVERLAP_PX_PER_MM, Scene

# So many points of an overlap speak independently on every square millimetre; one point says at most _MOST_NATS.
_INDEPENDENT_PER_MM2 = 0.8
_MOST_NATS = 4.0
# An overlap is looked at on a grid this fine (mm), or a coarser one for a large overlap: so many points are plenty.
_FINEST_STEP_MM, _COARSEST_STEP_MM, _ENOUGH_POINTS = 0.5, 1.5, 2500
# In overlaps smaller than this many square millimetres nothing is seen. They count where flat cards surely touch, as is
# measured to a tenth of a millimetre: of a white corner under another white card, both sides said to lie alone.
MIN_OVERLAP_MM2 = 2.0
# Round an upper card its edge, its shadow and the blur of both say nothing of what lies beneath.
_RIM_MM = 1.2


@dataclass(frozen=True, slots=True)
class Overlap:
    """Cards number `a` and `b` overlap by `area_mm2`; `a_over_b` is the probability that a lies over b."""

    a: int
    b: int
    area_mm2: float
    a_over_b: float
    nats: float

    def seen_over(self, first: Collection[int]) -> float:
        """How likely it is by what the picture shows alone that a lies over b, if the order was told with the cards
        numbered `first` taken for those that lay there before all others; half, where it was left open."""
        if self.is_open:
            return 0.5
        by_picture = self.nats - FIRST_NATS * ((self.b in first) - (self.a in first))
        most = 30.0 if abs(by_picture) > _PLAINLY_TOLD_NATS else _TOLD_AT_ALL
        return float(1.0 / (1.0 + np.exp(-np.clip(by_picture, -most, most))))

    @property
    def is_open(self) -> bool:
        """Whether nothing tells the order, or what told it was taken back."""
        return abs(self.a_over_b - 0.5) < _LEFT_OPEN


_LEFT_OPEN = 0.1  # an order that is told by a nat leads by more
# Of 385 orders on 140 drawn pictures all of 366 that the picture told by more than 30 nats were right, and 18 of 19
# that it told by 10 to 30: ln 18.
_PLAINLY_TOLD_NATS, _TOLD_AT_ALL = 30.0, 2.9


# A card that lay there first lies under what was thrown later, unless that slipped beneath it: one in thirty, at most.
FIRST_NATS = 3.4


def overlaps(
    scene: Scene, placed: Sequence[PlacedFace], shown: Sequence[float], first: Collection[int] = ()
) -> tuple[list[Overlap], list[int]]:
    """All overlapping pairs of `placed`, by their numbers, and an order bottom to top that respects them.

    From the top down: the card that best explains all its overlaps lies on top; what it covers then says nothing about
    the cards beneath it, and the next is sought among the rest. Where the pixels cannot tell, of two cards the one of
    which more is `shown` (0..1, by card) is taken for the upper. `first` are the cards that lay there before all
    others.
    """
    areas = _shared_pixels(scene, placed, shown)
    told: dict[tuple[int, int], float] = {}
    left = set(range(len(placed)))
    found: list[Overlap] = []
    top_down: list[int] = []
    while left:
        beside = {pair: area for pair, area in areas.items() if left.issuperset(pair)}
        top = _top_of(left, shown, beside, told, first)
        for pair in (pair for pair in beside if top in pair):
            value = told[pair] + _for_lying_first(pair, first)
            ahead = 1 if pair[0] == top else -1
            found.append(_decided(pair, areas[pair], value if value else 0.2 * ahead))
        left.discard(top)
        top_down.append(top)
        for pair in _laid_beneath(scene, placed[top], {p: area for p, area in beside.items() if top not in p}):
            told.pop(pair, None)  # what this card does not reach says what it said
    return found, top_down[::-1]


def _top_of(
    left: Collection[int],
    shown: Sequence[float],
    areas: Mapping[tuple[int, int], _Shared],
    told: dict[tuple[int, int], float],
    first: Collection[int],
) -> int:
    """Of the cards that are `left` the one whose least support for lying over another is the greatest, and of which
    the most is `shown`; `areas` are their overlaps, `told` what these tell, which is asked of those that may decide it:
    of a card that lies beneath another by what is told already the rest makes that no better."""
    pairs_of: dict[int, list[tuple[int, int]]] = {card: [] for card in left}
    for pair in areas:
        for card in pair:
            pairs_of[card].append(pair)

    def least(card: int) -> float:
        support = [
            (told[pair] + _for_lying_first(pair, first)) * (1.0 if pair[0] == card else -1.0)
            for pair in pairs_of[card]
            if pair in told
        ]
        return min(support, default=np.inf if pairs_of[card] else 0.0)

    at_best = {card: least(card) for card in left}
    while True:
        top = max(left, key=lambda card: (at_best[card], shown[card]))
        untold = next((pair for pair in pairs_of[top] if pair not in told), None)
        if untold is None:
            return top
        told[untold] = _told(areas[untold])
        for card in untold:
            at_best[card] = least(card)


def _for_lying_first(pair: tuple[int, int], first: Collection[int]) -> float:
    """What speaks for the first of a pair over the second, in nats, by which lay there before all others."""
    return FIRST_NATS * ((pair[1] in first) - (pair[0] in first))


def _laid_beneath(
    scene: Scene, upper: PlacedFace, areas: Mapping[tuple[int, int], _Shared]
) -> Iterator[tuple[int, int]]:
    """The pairs of the overlaps `areas` that a card above them reaches, which is laid over each."""
    if areas:
        rim, shade = _rim_of(scene, upper), _shaded_round(scene, upper)
        for pair, area in areas.items():
            if area.reaches(shade):
                area.lies_under(rim, shade)
                yield pair


@dataclass(eq=False)
class _Shared:
    """The overlap of two cards: pixels (N, 2), the log-likelihood ratio of the first over the second at each (nats, if
    the whole square millimetre were independent), and the pixels still visible. `shaded` gives that ratio where another
    card's shadow may lie; it is asked of what is still visible when the overlap is."""

    pixels: Array
    ratio: Array
    seen: NDArray[np.bool_]
    area_mm2: float
    shaded: Callable[[NDArray[np.bool_]], Array] | None = None
    relit: Callable[[NDArray[np.bool_]], Array] | None = None
    _waiting: NDArray[np.bool_] | None = None  # those that lie in shade since it was asked

    def shade(self, those: NDArray[np.bool_]) -> None:
        """Lets pixels (N,) speak as if they lay in the shadow of a card above both. Of several such cards the first
        says it all."""
        if self.shaded is not None:
            self._waiting = those if self._waiting is None else self._waiting | those

    @cached_property
    def _in_shade(self) -> NDArray[np.bool_]:
        return np.zeros(len(self.pixels), np.bool_)

    def said(self) -> Array:
        """The ratio at each of the pixels that are still visible."""
        if self.shaded is not None and self._waiting is not None:
            new, self._waiting = self._waiting & self.seen & ~self._in_shade, None
            if new.any():
                self._in_shade |= new
                self.ratio[new] = self.shaded(new)
        return np.asarray(self.ratio[self.seen])

    def lies_under(self, rim: Array, shade: Array) -> None:
        """Takes away what a card above both hides within its `rim` (4, 2), and shades what lies within its `shade`."""
        self.seen &= ~_inside(rim, *self.pixels.T)
        self.shade(self.seen & _inside(shade, *self.pixels.T))

    def reaches(self, outline: Array) -> bool:
        """Whether the boxes round the overlap and round an outline (4, 2) have a pixel in common."""
        if not len(self.pixels):
            return False
        left, top, right, bottom = self._box
        x, y = outline.T.tolist()  # of four corners plain numbers are told in a third of the time
        return bool(min(x) <= right and max(x) >= left and min(y) <= bottom and max(y) >= top)

    @cached_property
    def _box(self) -> tuple[float, float, float, float]:
        (left, top), (right, bottom) = self.pixels.min(axis=0).tolist(), self.pixels.max(axis=0).tolist()
        return left, top, right, bottom


def _shared_pixels(
    scene: Scene, placed: Sequence[PlacedFace], shown: Sequence[float]
) -> dict[tuple[int, int], _Shared]:
    shared: dict[tuple[int, int], _Shared] = {}
    laid: dict[int, LaidFace | None] = {}
    for pair in combinations(range(len(placed)), 2):
        area = _shared_by(scene, placed, shown, pair, laid)
        if area is not None:
            shared[pair] = area
    return shared


def _shared_by(
    scene: Scene,
    placed: Sequence[PlacedFace],
    shown: Sequence[float],
    pair: tuple[int, int],
    laid: dict[int, LaidFace | None],
) -> _Shared | None:
    """The overlap of a pair, None if there is none. `laid` are the faces as they were compared before."""
    a, b = (placed[number] for number in pair)
    area, polygon = cv2.intersectConvexConvex(
        a.outline_px.astype(np.float32).reshape(-1, 1, 2), b.outline_px.astype(np.float32).reshape(-1, 1, 2)
    )
    scale = scene.camera.px_per_mm((a.pose.centre_mm + b.pose.centre_mm) / 2)
    if area / scale**2 < MIN_OVERLAP_MM2 or polygon is None:
        if _surely_meet(scene, a, b, min(shown[number] for number in pair) > PLAINLY_IN_VIEW):
            return _Shared(np.empty((0, 2)), np.empty(0), np.empty(0, bool), float(area / scale**2))
        return None
    step = float(np.clip(np.sqrt(area / _ENOUGH_POINTS) / scale, _FINEST_STEP_MM, _COARSEST_STEP_MM))
    pixels = _points_inside(np.asarray(polygon, np.float64).reshape(-1, 2), step * scale)
    if not len(pixels):
        return None
    for number in pair:
        if number not in laid:
            laid[number] = _laid(scene, placed[number])
    first, second = (laid[number] for number in pair)
    if first is None or second is None:
        return None
    shown_there = scene.sample_bgr(pixels.T)
    ratio = _ratio(scene, pixels, shown_there, first, second)
    shaded = partial(_ratio_in_shade, scene, (pixels, shown_there), first, second, step**2)
    across = (pixels - pixels.mean(axis=0)) / (HALF_CARD_MM * scale)
    in_light = partial(_ratio_relit, scene, (pixels, across, shown_there), first, second, step**2)
    seen, area_mm2 = np.isfinite(ratio), float(area / scale**2)
    return _Shared(pixels, ratio * step**2, seen, area_mm2, shaded, in_light)


def _ratio_in_shade(
    scene: Scene,
    places: tuple[Array, Array],
    first: LaidFace,
    second: LaidFace,
    step_mm2: float,
    those: NDArray[np.bool_],
) -> Array:
    """The log-likelihood ratios (M,) of one face over the other at those (N,) of the `places`, pixels (N, 2) and what
    is seen there (N, 3), where a shadow may darken either by as much as suits it best: white on white, and grey on
    white, then tell nothing. By the four grey levels by which two whites were lit otherwise a shadow said surely that
    the darker one lay on top."""
    few, seen = (part[those] for part in places)
    found = compared(few, seen, first, second, _rules(scene, first), in_shade=True)
    if found is not None:
        return found * step_mm2
    a, b = (_faces_at(scene, laid, few).in_shade() for laid in (first, second))
    return _lead(a, b, seen) * step_mm2


def _ratio_relit(
    scene: Scene,
    places: tuple[Array, Array, Array],
    first: LaidFace,
    second: LaidFace,
    step_mm2: float,
    those: NDArray[np.bool_],
) -> Array:
    """The log-likelihood ratios (M,) of one face over the other at those (N,) of the `places`, where either may be
    brighter or darker, evenly more so from one side to the other, as suits it best. Places are pixels (N, 2), how far
    off the middle they lie (N, 2), in half cards, and what is seen there (N, 3)."""
    few, across, seen = (part[those] for part in places)
    found = relit((few, across), seen, first, second, (_rules(scene, first), _LIGHT_RULES))
    if found is not None:
        return found * step_mm2
    a, b = (_relit(_faces_at(scene, laid, few), across, seen) for laid in (first, second))
    return _lead(a, b, seen) * step_mm2


# How much brighter or darker the light on a card may be than it is known to, as a share. Of white on white a light that
# was off by three levels of 170 said 12 and 23 nats for the wrong order, surely.
_LIGHT_OFF = 0.07


def _relit(face: _LitFace, across: Array, seen: Array) -> _LitFace:
    """A face in a light that is brighter or darker by what it is known to (`_LIGHT_OFF`), as suits the picture `seen`
    (N, 3) best; `across` (N, 2) is how far off their middle the points lie, in half cards. The light on a card is known
    where it is in view, and goes on from there evenly: of a card that showed a strip beside a shadow it was off over
    all of the next one's paper, which said by 200 nats that this lay on top, while the strip's own figure lay on
    it."""
    against = (face.colour * face.colour).sum(axis=1)
    lit = against > 0.0  # beyond a face's rim nothing is drawn
    if not lit.any():
        return face
    factor = (face.colour * seen).sum(axis=1)[lit] / against[lit]
    places = np.column_stack([np.ones(len(across)), across])
    light = np.array([float(np.clip(median(factor), 1.0 - _LIGHT_OFF, 1.0 + _LIGHT_OFF)), 0.0, 0.0])
    for _ in range(_LIGHT_ROUNDS):
        off = factor - places[lit] @ light
        by_weight = places[lit].T / (1.0 + (off / _LIGHT_SD) ** 2) ** 2
        light += np.linalg.solve(
            by_weight @ places[lit] + _HELD_LIGHT, by_weight @ off - _HELD_LIGHT @ (light - _AS_LIT)
        )
    bright = np.clip(places @ light, 1.0 - _LIGHT_OFF, 1.0 + _LIGHT_OFF)
    return replace(face, colour=face.colour * bright[:, None])


# Rounds of reweighting, in which what is off by more than a few hundredths is another print; and the light as it is
# known, as a share and its slopes over half a card: by so many points' worth, as neighbours see the same.
_LIGHT_ROUNDS, _LIGHT_SD, _AS_LIT, _ALIKE_POINTS = 4, 0.03, np.array([1.0, 0.0, 0.0]), 12.0
_HELD_LIGHT = _ALIKE_POINTS * (_LIGHT_SD / _LIGHT_OFF) ** 2 * np.eye(3)
_LIGHT_RULES = np.array([_LIGHT_OFF, _LIGHT_SD, _HELD_LIGHT[0, 0], _LIGHT_ROUNDS])  # as the compiled twin has them


def stands_by_any_name(
    scene: Scene,
    placed: Sequence[PlacedFace],
    shown: Sequence[float],
    order: Sequence[int],
    pair: Overlap,
    otherwise: tuple[int, NDArray[np.bool_]],
) -> bool:
    """Whether the order of a `pair` is told by points alone at which all faces that one of the two may be are drawn
    alike. `order` are the numbers of all `placed` cards from bottom to top, `otherwise` is the number of the one whose
    name is open, and where on it (h, w) its faces differ.

    What is in view of a covered card may leave its name open, while what lies over it shows its own print and its own
    sides there: whatever the covered card is called, these are not its."""
    area, rank = _shared_by(scene, placed, shown, (pair.a, pair.b), {}), {card: n for n, card in enumerate(order)}
    if area is None or not len(area.pixels):
        return False
    for card in reversed(order):
        if rank[card] > max(rank[pair.a], rank[pair.b]) and area.reaches(_shaded_round(scene, placed[card])):
            area.lies_under(_rim_of(scene, placed[card]), _shaded_round(scene, placed[card]))
    number, apart = otherwise
    area.seen &= ~_is_set(scene, placed[number], apart, area.pixels)
    nats = _told(area)
    return abs(nats) > _PLAINLY_TOLD_NATS and (nats > 0.0) == (pair.a_over_b > 0.5)


def drawn_otherwise(scene: Scene, face: int, names: Sequence[tuple[int, bool]]) -> NDArray[np.bool_]:
    """Where on a card (h, w), from its top left corner, any other of some faces, upright or turned by half a turn, is
    not drawn as a `face` is."""
    points = scene.points.names
    own, apart = points.few_of(face, 0), np.zeros(points.few_of(face, 0).shape[:2], np.bool_)
    for other, turned in names:
        apart |= greatest(np.abs(points.few_of(other, int(turned)) - own)) > _OTHERWISE
    beside = np.ones((3, 3), np.uint8)  # blur carries print as far as one of these points, 1.3 mm
    return np.asarray(cv2.dilate(apart.astype(np.uint8), beside) > 0)


_OTHERWISE = 8.0  # grey levels, of 255, by which print differs that is another: paper is the same to one


def _is_set(scene: Scene, placed: PlacedFace, part: NDArray[np.bool_], pixels: Array) -> NDArray[np.bool_]:
    """Whether a part (h, w) of a placed card is set at some pixels (N, 2) in its overlap."""
    deck, (height, width) = scene.faces.deck, part.shape
    half = np.array([deck.width_mm, deck.height_mm]) / 2
    corners = (np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half).astype(np.float32)
    homography = cv2.getPerspectiveTransform(placed.outline_px.astype(np.float32), corners)
    places = cv2.perspectiveTransform(pixels.reshape(-1, 1, 2), homography).reshape(-1, 2)
    column = np.clip((places[:, 0] + half[0]) * width / deck.width_mm, 0, width - 1).astype(np.intp)
    row = np.clip((half[1] - places[:, 1]) * height / deck.height_mm, 0, height - 1).astype(np.intp)
    return np.asarray(part[row, column])


def _rim_of(scene: Scene, placed: PlacedFace) -> Array:
    """The outline (4, 2) of a card in the picture, with what its edge blurs round it."""
    deck = scene.faces.deck
    return scene.camera.project(placed.pose.corners(deck.width_mm + 2 * _RIM_MM, deck.height_mm + 2 * _RIM_MM))


def _shaded_round(scene: Scene, placed: PlacedFace) -> Array:
    """An outline (4, 2) round a card in the picture, as far round as its shadow may reach: light from half-way up the
    sky throws one as long as what throws it is high."""
    deck = scene.faces.deck
    highest = float(placed.pose.corners(deck.width_mm, deck.height_mm)[:, 2].max())
    round_mm = 2 * (_SHADOW_MM + max(highest, 0.0))
    return scene.camera.project(placed.pose.corners(deck.width_mm + round_mm, deck.height_mm + round_mm))


_SHADOW_MM = 3.0  # of a card that lies flat on others: its height is known to a millimetre, and lamps are wide


def _nats(area: _Shared) -> float:
    return float(area.said().sum()) * _INDEPENDENT_PER_MM2


def _told(area: _Shared) -> float:
    """Support in nats, or 0 where it is too weak to decide. In 1145 overlaps on photographs of 44 tables, with both
    cards at the right place, the wrong order never had more than 4.8 nats; half of the overlaps of which 4 to 15 mm2
    are visible have more for the right order. Weaker support may come from the rim of a third card. Support that is
    gone where either face may be a little brighter or darker is that of its light, which is known to a few levels: over
    white paper these are as many nats as an edge. What print and edges say plainly against it counts: of 147 overlaps
    on 80 pictures of drawn decks one was told the wrong way by the light as it was known, by 203 nats, and none with
    this."""
    if not len(area.seen):
        return 0.0
    nats = _nats(area)
    if abs(nats) > LEAST_TOLD_NATS and area.relit is not None:
        again = float(area.relit(area.seen).sum()) * _INDEPENDENT_PER_MM2
        agreed = min(nats, again, key=abs) if again * nats > 0.0 else 0.0
        nats = agreed or (again if abs(again) > _PLAINLY_TOLD_NATS else 0.0)
    seen_mm2 = area.area_mm2 * float(area.seen.mean())
    return nats if abs(nats) > LEAST_TOLD_NATS and seen_mm2 > _LEAST_SEEN_MM2 else 0.0


LEAST_TOLD_NATS, _LEAST_SEEN_MM2, _PLAINLY_TOLD_NATS = 5.0, 4.0, 30.0


def _decided(pair: tuple[int, int], area: _Shared, nats: float) -> Overlap:
    probability = float(1.0 / (1.0 + np.exp(-np.clip(nats, -30, 30))))
    return Overlap(pair[0], pair[1], area.area_mm2, probability, nats)


def _points_inside(polygon: Array, step_px: float) -> Array:
    """A grid of points (N, 2) inside a convex polygon (M, 2)."""
    (x0, y0), (x1, y1) = polygon.min(axis=0), polygon.max(axis=0)
    x, y = np.arange(x0, x1 + step_px, step_px), np.arange(y0, y1 + step_px, step_px)
    row, column = np.divmod(np.flatnonzero(_inside(polygon, x[None], y[:, None])), len(x))
    return np.stack([x[column], y[row]], axis=1)


@dataclass(frozen=True, eq=False)
class _LitFace:
    """What a placed face would show at some pixels: `colour` (N, 3) as lit, how far it covers each pixel (N,), 0..1,
    whether its edge is near (N,), and the `variance` (N, 3) of what it leaves unexplained."""

    colour: Array
    cover: Array
    by_edge: NDArray[np.bool_]
    variance: Array

    def in_shade(self) -> _LitFace:
        """The face where a line of shadow may darken it everywhere."""
        return replace(self, by_edge=np.ones(len(self.cover), np.bool_))


def _laid(scene: Scene, placed: PlacedFace) -> LaidFace | None:
    """A face as overlaps are compared with it, None where its light is not known. The outline's homography brings
    pixels to the card."""
    if placed.light is None or placed.scale is None:
        return None
    deck = scene.faces.deck
    value, slope = scene.points.laid(placed.face)  # up to four times a frame
    half = np.array([deck.width_mm, deck.height_mm]) / 2
    corners = (np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half).astype(np.float32)
    homography = cv2.getPerspectiveTransform(placed.outline_px.astype(np.float32), corners)
    return LaidFace(value, slope, np.asarray(homography, np.float64), placed.light, placed.scale)


def _ratio(scene: Scene, pixels: Array, seen: Array, first: LaidFace, second: LaidFace) -> Array:
    """The log-likelihood ratio (N,) of the first face over the second at pixels (N, 2) that show what is `seen` (N, 3),
    in nats if a whole square millimetre were independent; NaN where nothing can be said."""
    found = compared(pixels, seen, first, second, _rules(scene, first))
    if found is not None:
        return found
    one, other = (_faces_at(scene, laid, pixels) for laid in (first, second))
    ratio = _lead(one, other, seen)
    ratio[(1.0 - one.cover) * (1.0 - other.cover) > _BESIDE_BOTH] = np.nan
    return ratio


def _rules(scene: Scene, laid: LaidFace) -> Array:
    """The card's size and the constants, in the order of the compiled twin."""
    deck, (height, width) = scene.faces.deck, laid.value.shape[:2]
    card = (deck.width_mm / 2, deck.height_mm / 2, deck.corner_radius_mm)
    scales = (width / deck.width_mm, height / deck.height_mm, HALF_CARD_MM, OVERLAP_PX_PER_MM)
    return np.array([*card, *scales, _EDGE_MM, _LINE_MM, _DARKEST_LINE, _PLACED_MM, _MOST_NATS, _BESIDE_BOTH])


def _faces_at(scene: Scene, laid: LaidFace, pixels: Array) -> _LitFace:
    """The face at picture pixels (N, 2). By its edge the picture shows a mixture of the card and what lies beneath."""
    deck, light = scene.faces.deck, laid.light
    half = np.array([deck.width_mm, deck.height_mm]) / 2
    on_card = cv2.perspectiveTransform(pixels.reshape(-1, 1, 2), laid.homography)
    place = np.asarray(on_card.reshape(-1, 2).T, np.float64)
    past = np.abs(place) - (half - deck.corner_radius_mm)[:, None]
    out_mm = np.hypot(*np.maximum(past, 0.0)) + np.minimum(past.max(axis=0), 0.0) - deck.corner_radius_mm
    height, width = laid.value.shape[:2]
    at = np.stack([place[0] + half[0], half[1] - place[1]]) * [[width / deck.width_mm], [height / deck.height_mm]] - 0.5
    at = np.clip(at, 0.0, [[width - 1.0], [height - 1.0]])
    slope = sample_at(laid.slope, at) * OVERLAP_PX_PER_MM * np.array([max(c[0], 0.0) for c in light])
    colour = lit_face(sample_at(laid.value, at).T, place, light).T
    cover = np.clip(0.5 - out_mm / (2.0 * _EDGE_MM), 0.0, 1.0)
    return _LitFace(colour, cover, np.abs(out_mm) < _LINE_MM, laid.scale**2 + (_PLACED_MM * slope) ** 2)


def _lead(one: _LitFace, other: _LitFace, seen: Array) -> Array:
    """By how many nats (N,) one face over the other explains the picture `seen` (N, 3) better than the other over
    it."""
    return np.asarray(_misfit(other, one, seen) - _misfit(one, other, seen))


def _misfit(upper: _LitFace, lower: _LitFace, seen: Array) -> Array:
    """Misfit (N,) of one face over another against the picture `seen` (N, 3), in nats: 0 good to _MOST_NATS bad, NaN
    outside the picture."""
    own = (upper.cover / np.maximum(upper.cover + (1.0 - upper.cover) * lower.cover, 1e-6))[:, None]
    shown = own * upper.colour + (1.0 - own) * lower.colour
    shade = (seen * shown).sum(axis=1) / np.maximum((shown * shown).sum(axis=1), 1.0)
    shown *= np.where(upper.by_edge, np.clip(shade, _DARKEST_LINE, 1.0), 1.0)[:, None]
    edge = (
        np.where((own > 0.0) & (own < 1.0), (_PLACED_MM / (2.0 * _EDGE_MM)) ** 2, 0.0)
        * (upper.colour - lower.colour) ** 2
    )
    off2 = (seen - shown) ** 2 / (own * upper.variance + (1.0 - own) * lower.variance + edge)
    return np.asarray(np.minimum(np.minimum(off2, 3.0 * _MOST_NATS).sum(axis=1) / 3.0, _MOST_NATS))


# On either side of its edge the picture shows a mixture of a card and what lies round it over so much; where two cards'
# edges meet, it is of a third thing, too, which is not known.
_EDGE_MM, _BESIDE_BOTH = 0.6, 0.02
# Round the upper card runs a dark line: its cut edge, and where no light gets between the two. White borders show
# nothing else of who covers whom.
_LINE_MM, _DARKEST_LINE = 0.8, 0.4
_PLACED_MM = 0.2  # so far a face's print and its edge may be off, blur included


def rises_over_mm(a: CardPose, b: CardPose, size_mm: tuple[float, float]) -> float:
    """By how many mm the plane of card `a` lies above that of `b`, both of `size_mm`, in the middle of where they
    overlap as seen from above; 0 where they do not."""
    first, second = (np.array(pose.corners(*size_mm)[:, :2], np.float32) for pose in (a, b))
    area, polygon = cv2.intersectConvexConvex(first, second)
    if area <= 0.0 or polygon is None:
        return 0.0
    middle = np.asarray(polygon, np.float64).reshape(-1, 2).mean(axis=0)
    heights = [p.centre_mm[2] - float((middle - p.centre_mm[:2]) @ p.R[:2, 2]) / float(p.R[2, 2]) for p in (a, b)]
    return float(heights[0] - heights[1])


def resting_on(scene: Scene, placed: Sequence[PlacedFace], order: Sequence[int]) -> dict[int, list[tuple[int, float]]]:
    """For each card the cards directly beneath it somewhere, with the area (mm2) over which nothing lies between."""
    rank = {card: place for place, card in enumerate(order)}
    result: dict[int, list[tuple[int, float]]] = {i: [] for i in range(len(placed))}
    for upper in range(len(placed)):
        lower = [i for i in range(len(placed)) if rank[i] < rank[upper] and _meet(scene, placed[i], placed[upper])]
        if not lower:
            continue
        scale = scene.camera.px_per_mm(placed[upper].pose.centre_mm)
        pixels = _points_inside(placed[upper].outline_px, scale)
        top = np.full(len(pixels), -1)
        for card in sorted(lower, key=lambda i: rank[i]):
            top[_inside(placed[card].outline_px, *pixels.T)] = card
        for card in lower:
            area = float((top == card).sum())
            if area >= MIN_OVERLAP_MM2 or (area > 0.0 and _surely_meet(scene, placed[card], placed[upper], plain=True)):
                result[upper].append((card, area))
    return result


def _surely_meet(scene: Scene, a: PlacedFace, b: PlacedFace, plain: bool) -> bool:
    """Whether two cards that lie flat overlap for certain, however little; `plain` if both are in full view."""
    if max(a.pose.tilt_deg, b.pose.tilt_deg) > _FLAT_DEG:
        return False
    deck = scene.faces.deck
    apart = np.hypot(*(a.pose.centre_mm - b.pose.centre_mm)[:2])
    if apart > np.hypot(deck.width_mm, deck.height_mm):  # 2 us a pair, where their outlines take 35
        return False
    one, other = (from_above(card.pose.corners(deck.width_mm, deck.height_mm)) for card in (a, b))
    return contact_probability(one, other, deck.corner_radius_mm, plain) > 1.0 - DOUBTED_CONTACT


_FLAT_DEG = 2.0


def _meet(scene: Scene, a: PlacedFace, b: PlacedFace) -> bool:
    """Whether two cards overlap at all, in the picture and, their corners rounded, from straight above."""
    first, second = (card.outline_px.astype(np.float32).reshape(-1, 1, 2) for card in (a, b))
    if cv2.intersectConvexConvex(first, second)[0] <= 0.0:
        return False
    deck = scene.faces.deck
    one, other = (from_above(card.pose.corners(deck.width_mm, deck.height_mm)) for card in (a, b))
    return depth(one, other, deck.corner_radius_mm, least=0.0) > 0.0


def _inside(polygon: Array, x: Array, y: Array) -> NDArray[np.bool_]:
    """For points with coordinates x and y, which are broadcast, whether they lie in a convex polygon (M, 2), whichever
    way round it is given."""
    found = in_polygon(polygon, x, y)
    if found is not None:
        return found
    left = right = np.ones(np.broadcast_shapes(x.shape, y.shape), np.bool_)
    for p, q in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        side = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
        left, right = left & (side >= 0), right & (side <= 0)
    return np.asarray(left | right)
