"""Reads photographs of any ordinary pack that was never learned, by corner indices and outlines alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Lie, Reading, Unknown, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.indices.ink import with_light_inverted
from arena_cam.vision.photographs.indexed_cards import (
    CERTAIN,
    LIKELIER_THAN_NOT,
    IndexedCard,
    IndexViews,
    as_placed,
    cards_of,
    moved,
    pose_on_floor,
    with_pips,
    without_covered,
)
from arena_cam.vision.photographs.leftovers import INDEX_MM2, Patch, paper_beside, stranger_at, without_cloth
from arena_cam.vision.photographs.overlapping import Order, overlaps, with_shares_in_view, without_interleaved
from arena_cam.vision.photographs.papers import SeenPlace, is_same_paper, places_among
from arena_cam.vision.photographs.settled_cards import (
    apart,
    as_high,
    as_high_in_view,
    bears,
    fit_to_sides,
    halves_in_view,
    has_uneven_ends,
    height_of_indices,
    in_one_place,
    is_inside,
    scale_by_twins,
    sides_unseen,
    unexplained_outlines,
    unfounded,
    weighed_by_outline,
    without_half_covered,
    without_print,
)
from arena_cam.vision.planes.bundle_adjustment import INSET_MM
from arena_cam.vision.planes.card_plane import CardPlane, camera_over, pinhole, reach_of_picture
from arena_cam.vision.planes.outline_corners import Corners, find_corners
from arena_cam.vision.planes.plane_guesses import PlaneGuess, likeliest_planes, planes_in_turn, too_small
from arena_cam.vision.planes.rectangle_fit import fit_rectangle
from arena_cam.vision.planes.side_search import HALVES

# Poker and bridge cards (mm).
SIZES_MM = ((63.0, 88.0), (57.5, 88.0))
# Where no outline helps the picture is taken to look straight down, at one of these scales (px/mm).
_SCALES = (1.4, 1.9, 2.6, 3.6, 5.0)
_PLAIN = 0.97  # an index read so surely settles the plane
_ALONE = 0.9  # of hundreds of marks a view has a few that look like an index: one that stands alone must do so plainly
_SURE = 0.985  # two names said falsely, a narrow ten and a blurred nine on a plane a little off, had 0.976 and 0.978
# A side seen where the index says speaks for a plane, and so do two ends: on a plane of another scale cards have
# neither. A card seen twice speaks against it more than two cards speak for it.
_CORNER, _BOTH_ENDS, _TWICE = 2.0, 3.0, 4.0
_PIPS = 2.0  # pips of the rank that the index says are where a card has them: as much as a corner
_BARE = 2.0  # a side that is not there says as much as a corner that is
_LOST = 2.0  # so does an index read with certainty on which no card's corner comes to lie
_CHANCE = 2.0  # sides that a card has on a plane of another scale
_NOTHING = 0.0  # what a plane of another scale is worth: no more sides than that, no corner and no second end
# Sides of a card that lies there as thought, partly covered or not.
_SETTLED, _THREE, _WHOLE, _MEAN_SIDES = 2.0, 3.0, 3.5, 3.2
_LEAST_SIDES, _FIVE_HALVES = 1.5, 2.5  # where a corner is seen; where it is covered or white on white
_BACK_SHARE = 0.15  # of a card's middle is paper at most; of courts a quarter and more
_HIDDEN_HALVES = 2  # of a back's sides, at most, are in the picture and not seen
# Within and outside its sides 13 drawn backs had at most 0.04 of their colours in common, 168 places on cloths 0.82.
_CLOTH = 0.5
_ASIDE_MM = 150.0  # from the middle: a card beside it may reach out of what is looked at
_ROUND = 1.4  # heights of an index: so far along it what is round it is looked at
# Heights of an index from its top to the farthest corner of its card, where the smallest indices are 13 mm high. Planes
# of those corners that are asked: the likeliest, and one more.
_BESIDE_INDEX, _PLANES_BESIDE = 8.0, 2
_LEAST_SCALE = 0.3  # by which a plane may be brought nearer
# How far (logarithm) the ends of a card may be from where its size has them on a plane to be fitted: indices of packs
# begin a millimetre or two otherwise, which is 0.03, and a plane that is 10 deg too flat has 0.06.
_OFF_SCALE = 0.12
_SAME_MARK_MM = 2.0  # one mark, as two readings have it
_MOST_FITS = 2  # more changes hardly anything
_TWO_READ = 2  # cards of a plane that is plain: a mark on a cloth may be one


@dataclass(frozen=True)
class IndexPlace:
    """Where the indices of a pack are: `inset_mm` (their middle from the side, their top from the upper border), and
    how high they are, if that is known."""

    inset_mm: tuple[float, float] = INSET_MM
    height_mm: float | None = None


Telling = Callable[["OnPlane"], "OnPlane | None"]


def _not_told(_found: OnPlane) -> OnPlane | None:
    return None


@dataclass(frozen=True, eq=False)
class ShownPicture:
    """A frame, the corners in it that may be a card's, and what it shows by each plane that was asked: whether a plane
    leaves anything open and what is said at last come of one reading. `on_tint`: indices on plates of a pale colour are
    read, too. `before`: what was read of it otherwise."""

    frame: Frame
    corners: Sequence[Corners]
    on_tint: bool = False
    before: OnPlane | None = None
    _readings: dict[OnPlane, Reading] = field(default_factory=dict)

    def reading_of(self, found: OnPlane) -> Reading:
        """As the function of that name, made once for each plane."""
        if found not in self._readings:
            self._readings[found] = reading_of(self.frame, found, self.corners)
        return self._readings[found]

    def views(self) -> IndexViews:
        """Where its indices are read on any plane: round those that were read before, where two and more were."""
        known = self.before
        before = None if known is None else (known.camera, [index for card in known.cards for index in card.indices])
        return IndexViews(self.frame.image_bgr, self.corners, before, on_tint=self.on_tint)


class OrdinaryReader:
    """Names the cards of any international pack in photographs; `sizes_mm`: those that its cards may have."""

    def __init__(self, sizes_mm: Sequence[tuple[float, float]] = SIZES_MM) -> None:
        self._sizes_mm = tuple(sizes_mm)

    def read(self, frame: Frame) -> Reading | Unreadable:
        """The cards in a photograph; Unreadable for one too small to tell a card in."""
        trouble = too_small(frame)
        if trouble is not None:
            return trouble
        shown = ShownPicture(frame, find_corners(frame.image_bgr))
        found = self.best_plane(shown)
        if found is None or not found.well_read or (found.may_be_a_mark and not shown.reading_of(found).sure):
            on_white = as_on_white(frame)
            inverted = ShownPicture(on_white, find_corners(on_white.image_bgr))
            other = self.best_plane(inverted)
            if other is not None and _says_more(other, found):
                return _with_marks(inverted, other)
        if found is None or not found.cards or not shown.reading_of(found).sure:
            on_tint = ShownPicture(frame, shown.corners, on_tint=True, before=found)
            other = self._with_tints(on_tint)
            if other is not None and other.well_read and (found is None or most_sensible([found, other]) is other):
                return _with_marks(on_tint, other)
        if found is None or not found.cards:
            return _nothing_read(frame, shown.corners)
        return _with_marks(shown, found)

    def best_plane(self, shown: ShownPicture) -> OnPlane | None:
        """The plane on which what the picture shows makes most sense as cards."""
        return most_sensible(self.planes(shown))

    def _with_tints(self, shown: ShownPicture) -> OnPlane | None:
        """What is read with plates bleached, of a picture that leaves something open: on the plane that is known from
        `before` where the outlines of two cards and more that were read fit, for a plate that was not read lies on it,
        too; else on that which makes most sense.

        Indices alone do not tell a plane: of four on which two cards or more were read without their plates, all of
        one size, two were wrong, and on neither did outlines fit.
        """
        known = shown.before
        if known is None or not known.is_plain or len(known.well_read) < _TWO_READ:
            return self.best_plane(shown)
        indices = shown.views().on(known.camera)
        image, corners = shown.frame.image_bgr, shown.corners
        return self.on_plane(image, corners, known.camera, known.size_mm, known.index, indices)

    def planes(self, shown: ShownPicture, told: Telling = _not_told, nearly: Camera | None = None) -> Iterator[OnPlane]:
        """Planes with the cards read on them, until one is plain and nothing speaks against it; `told` as PlaneSearch
        has it. Where it is known that the cards lie `nearly` on the floor of a camera, that one is asked first, and no
        other if it is theirs."""
        image, corners = shown.frame.image_bgr, shown.corners
        search = PlaneSearch(image, shown.views(), _grey(image), corners, told, self._sizes_mm)
        asked: list[OnPlane] = []
        known = [] if nearly is None else [search.around(nearly, self._sizes_mm[0])]
        for found in chain(known, search.planes(lambda: any(each.is_told for each in asked))):
            indices = search.views.exactly_on(found.camera, found.cards, found.size_mm)
            read = self.on_plane(image, corners, found.camera, found.size_mm, found.index, indices, found.places)
            asked.append(read)
            yield read
            if read.is_plain and found.is_plain:
                break
            if read.explains(found) and read.may_say_all and shown.reading_of(read).sure:
                break
            if read.is_plain and read.explains(found):
                break
            if found in known and read.is_certain:
                break

    def on_plane(
        self,
        image: NDArray[np.uint8],
        corners: Sequence[Corners],
        camera: Camera,
        size: tuple[float, float],
        index: IndexPlace = IndexPlace(),
        indices: Sequence[SeenIndex] | None = None,
        placed: Mapping[str, CardPose] = MappingProxyType({}),
    ) -> OnPlane:
        """The cards of `size` (mm) that a picture shows on the camera's floor; `indices`: those read there, if any were
        looked for; `placed`: where cards lie, by name, of which it is known otherwise."""
        indices = IndexViews(image).on(camera) if indices is None else indices
        cards = cards_of(as_high_in_view(indices, index.height_mm), corners, camera, size, index.inset_mm)
        cards = [as_placed(card, placed, size) for card in cards]
        if not cards:
            return OnPlane(camera, size, [], index)
        fit, cards = fit_to_sides(_grey(image), camera, cards, size, camera_is_known=True)
        uneven = sum(has_uneven_ends(card, size) for card in cards)
        cards = [card for card in weighed_by_outline(cards, index.height_mm) if card.is_spoken_of]
        cards, marks = without_interleaved(cards, size)
        order = Order(tuple(cards), *overlaps(image, fit.camera, cards, size))
        told, untold = order.told, order.untold
        kept = without_half_covered(cards, size, told)
        told, untold = ([(kept.index(a), kept.index(b)) for a, b in of if {a, b} <= set(kept)] for of in (told, untold))
        cards = [cards[n] for n in kept]
        either = [*told, *untold, *((b, a) for a, b in untold)]
        cards = weighed_by_outline(without_covered(cards, size, told), index.height_mm)
        cards = with_pips(cards, image, fit.camera, size, either)
        cards = [card for card in cards if card.is_spoken_of and _is_credible(card)]
        cards = without_print(cards, size)
        cards, bare = _on_paper(image, fit.camera, size, cards)
        read = [i for i in as_high_in_view(indices, index.height_mm) if i.probability > _ALONE]
        papers = _papers(image, fit.camera, size, cards) if read or bare else []
        cloth = _cloth_marks(image, fit.camera, size, bare, cards, papers)
        read = [i for i in read if _is_on_paper(image, fit.camera, i, papers)]
        read = [i for i in read if all(np.hypot(*(i.middle - at)) > _SAME_MARK_MM for at in cloth)]
        explained = {card.card for card in [*cards, *marks, *bare]}
        lost = lost_of(read, cards, explained, size)
        sides = _doubted_by(SeenPlace.has_bare_side, image, fit.camera, size, cards)
        return OnPlane(fit.camera, size, cards, index, lost=tuple(lost), bare=sides, order=order, uneven=uneven)


@dataclass(frozen=True, eq=False)
class PlaneSearch:
    """What one picture shows, as planes are asked of it: indices, grey levels, and `corners` that may be a card's.
    `told` gives the plane that something else than indices and sides tells of what is read on one, None where nothing
    does. `sizes_mm`: those that its cards may have."""

    image: NDArray[np.uint8]
    views: IndexViews
    grey: NDArray[np.float32]
    corners: Sequence[Corners]
    told: Telling = _not_told
    sizes_mm: tuple[tuple[float, float], ...] = SIZES_MM

    def planes(self, is_told: Callable[[], bool] = lambda: False) -> Iterator[OnPlane]:
        """Planes to read cards on: each that is plain, or on which two cards are whole and more makes sense than on
        those before, as soon as it is found, and the best of the others at last, and before planes are asked that
        nothing speaks for if it has more of cards than planes have by chance. None of those is asked if one of the
        planes was that of the cards, as reading there has `is_told`.

        One that seems plain may be of marks on a cloth, and such marks may be all that keeps one from it: only reading
        the cards there shows it.
        """
        best: OnPlane | None = None
        given: OnPlane | None = None  # of those that are not plain, the last
        guessing = False
        for camera, size, is_guess in self._cameras():
            if is_guess and not guessing:
                if best is not None and best.worth > _NOTHING:
                    if best is not given:
                        yield best
                    better = self.settled(best)
                    if better is not best:
                        yield better
                    best = None if better.is_plain else better
                if is_told():
                    return
            guessing = is_guess
            found = self.around(camera, size)
            if found.placed:
                yield found
                continue
            if found.cards and (best is None or found.worth > best.worth):
                best = found
            if found.is_plain:
                yield found
                best = None if best is found else best
            elif found is best and found.has_whole_cards:
                given = found
                yield found
        if best is not None:  # once more, for an index that is certain on any plane is looked for on all
            yield self.settled(best)

    def _cameras(self) -> Iterator[tuple[Camera, tuple[float, float], bool]]:
        """Cameras over planes with the size of cards there, the likeliest first; whether nothing in the picture says
        so. Once indices were read well on one, planes are told by the corners near them alone: those of cards, where
        most of a picture's are of the cloth."""
        height, width = self.image.shape[:2]
        K, asked, told = pinhole((width, height)), list[PlaneGuess](), 0

        def over(guess: PlaneGuess) -> Camera:
            asked.append(guess)
            return camera_over(guess.plane, K, np.zeros(5), guess.middle_px)

        def beside(ends_px: Array) -> Iterator[tuple[Camera, tuple[float, float]]]:
            reach = _BESIDE_INDEX * float(np.linalg.norm(ends_px[:, 1] - ends_px[:, 0], axis=1).max())
            near = [corners.near(ends_px[:, 0], reach) for corners in self.corners]
            for guess, size in islice(planes_in_turn(near, K, self.sizes_mm), _PLANES_BESIDE):
                if not any(guess.is_like(other) for other in asked):
                    yield over(guess), size

        def likeliest() -> Iterator[tuple[Camera, tuple[float, float], bool]]:
            for guess, size in planes_in_turn(self.corners, K, self.sizes_mm):
                yield over(guess), size, False
            middle = np.array([(width - 1) / 2, (height - 1) / 2])
            for scale in _SCALES:
                plane = CardPlane(np.array([0.0, 0.0, scale / float(K[0, 0])]), 0.0)
                yield camera_over(plane, K, np.zeros(5), middle), self.sizes_mm[0], True

        for camera, size, is_guess in likeliest():
            yield camera, size, is_guess
            ends_px = self.views.told_px()
            if told < min(len(ends_px), _TWO_READ):
                told = len(ends_px)
                yield from ((*each, is_guess) for each in beside(ends_px))

    def around(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        """The best of a plane, the same where it was fitted far off, with what lies beside it, and with the size that a
        card's two ends tell."""
        found = self.on(camera, size)
        told = None if found.is_plain else self.told(found)
        if told is not None:
            return told
        # first: fitting a plane of another scale takes long and tells little
        scaled = self._scaled_by_twins(found, size)
        if scaled.worth > found.worth:
            found = scaled
        elif found.tells_something and not self.views.has(found.camera):
            found = max(found, self.on(found.camera, found.size_mm), key=lambda f: f.worth)
        aside = camera_aside(found)
        if aside is not None:
            found = max(found, self.on(aside, size), key=lambda f: f.worth)
        return found if found is scaled else self._scaled_by_twins(found, size)

    def _scaled_by_twins(self, found: OnPlane, size: tuple[float, float]) -> OnPlane:
        """The plane with the size that a card's two ends tell, or the one found, if that is better."""
        scale = scale_by_twins(found.cards, size[1]) if found.twice or found.uneven else None
        if scale is None or not _LEAST_SCALE < scale < 1 / _LEAST_SCALE:
            return found
        larger = replace(found.camera, tvec=found.camera.tvec * scale)
        return max(found, self.on(larger, size), key=lambda f: f.worth)

    def on(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        """The cards on a plane that is nearly right, and the plane fitted to them; of one whose scale the two ends of a
        card say is another, on the plane of that scale: sides that it is fitted to are no card's."""
        indices = self._read_on(camera)
        cards = cards_of(indices, self.corners, camera, size)
        scale = scale_by_twins(cards, size[1])
        if scale is not None and _OFF_SCALE < abs(np.log(scale)) < -np.log(_LEAST_SCALE):
            before, camera = camera, replace(camera, tvec=camera.tvec * scale)
            indices = self._read_on(camera) or [moved(index, before, camera) for index in indices]
            cards = cards_of(indices, self.corners, camera, size)
        if not cards:
            return OnPlane(camera, size, [], IndexPlace())
        fit, cards = fit_to_sides(self.grey, camera, cards, size, [width for width, _ in self.sizes_mm])
        inset = float(fit.inset_mm[0]), float(fit.inset_mm[1])
        uneven = sum(has_uneven_ends(card, fit.card_mm) for card in cards)
        cards = [card for card in cards if card.cornered or card.sides >= _LEAST_SIDES or card.probability > _ALONE]
        cards = _without_marks(self.image, fit.camera, fit.card_mm, cards)
        bare = _doubted_by(SeenPlace.has_bare_side, self.image, fit.camera, fit.card_mm, cards)
        place = IndexPlace(inset, height_of_indices(cards))
        return OnPlane(fit.camera, fit.card_mm, cards, place, bare=bare, uneven=uneven)

    def _read_on(self, camera: Camera) -> list[SeenIndex]:
        return [index for index in self.views.on(camera) if index.probability >= LIKELIER_THAN_NOT]

    def settled(self, best: OnPlane) -> OnPlane:
        """The plane again from where it was fitted, while more makes sense on it: a first guess may be so far off that
        some sides of cards were not reached, or those of a narrower card were.

        A card of another width fills what is seen of it at another distance.
        """
        for _ in range(_MOST_FITS):
            if best.is_plain or not best.tells_something:
                break
            widths = [width / best.size_mm[0] for width, _ in self.sizes_mm]
            nearer = [replace(best.camera, tvec=best.camera.tvec * ratio) for ratio in widths]
            again = max((self.around(camera, best.size_mm) for camera in nearer), key=lambda f: f.worth)
            if again.worth <= best.worth:
                break
            best = again
        return best


def as_on_white(frame: Frame) -> Frame:
    """The frame as it would be if packs printed in light ink on black paper were printed in dark ink on white."""
    return replace(frame, image_bgr=with_light_inverted(frame.image_bgr))


def most_sensible(planes: Iterable[OnPlane]) -> OnPlane | None:
    """The plane on which what is read makes most sense as cards; None of none."""
    return max(planes, key=lambda plane: (plane.is_plain, plane.worth), default=None)


def _says_more(inverted: OnPlane, found: OnPlane | None) -> bool:
    """Whether what is read in the light inverted is likelier to be cards than what was found as the picture is: where
    one index was read there, which may be a mark of the cloth, two and more are."""
    least = _TWO_READ if found is not None and found.well_read else 1
    return len(inverted.well_read) >= least and (found is None or most_sensible([found, inverted]) is inverted)


def lost_of(
    read: Sequence[SeenIndex], cards: Sequence[IndexedCard], explained: Collection[str], size: tuple[float, float]
) -> list[SeenIndex]:
    """The indices that were read well and are on none of the cards: their cards are not seen.

    Where a card of that name is `explained`, print of another or a mark of the cloth, its index is none either, but one
    that is certain: such a card lies elsewhere than was thought, and so do others.
    """
    left = [index for index in read if not any(bears(card, index, size) for card in cards)]
    return [index for index in left if index.probability > CERTAIN or index.card not in explained]


def _grey(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    return cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)


def camera_aside(found: OnPlane) -> Camera | None:
    """The camera over the same plane with the cards in the middle, where some lie so far from it that others beside
    them are not looked at: the corners of a chequered cloth have their middle elsewhere."""
    read = [card.pose.centre_mm for card in found.cards if card.probability > _ALONE]
    if not read or max(float(np.hypot(*at[:2])) for at in read) < _ASIDE_MM:
        return None
    middle = np.mean(read, axis=0) * [1.0, 1.0, 0.0]
    return replace(found.camera, tvec=found.camera.tvec + cv2.Rodrigues(found.camera.rvec)[0] @ middle)


def _with_marks(shown: ShownPicture, found: OnPlane) -> Reading:
    """What a picture shows, where faint marks are no names: they are asked about where they stand."""
    marks = unfounded(shown.frame.image_bgr, found.camera, found.cards, found.size_mm)
    if not marks:
        return shown.reading_of(found)
    kept = [n for n in range(len(found.cards)) if n not in marks]
    bare = frozenset(kept.index(n) for n in found.bare - marks)
    reading = shown.reading_of(replace(found, cards=[found.cards[n] for n in kept], bare=bare))
    middles = [found.cards[n].indices[0].middle for n in sorted(marks)]
    things = tuple(stranger_at(found.camera, float(x), float(y), INDEX_MM2) for x, y in middles)
    doubts = (*reading.doubts, *(thing.doubt for thing in things))
    return replace(reading, sure=reading.sure and not things, doubts=doubts, unknown=(*reading.unknown, *things))


def _nothing_read(frame: Frame, corners: Sequence[Corners]) -> Reading:
    """No card; surely only where nothing has the outline of one either."""
    height, width = frame.image_bgr.shape[:2]
    (card_width, card_height), K = SIZES_MM[0], pinhole((width, height))
    planes = likeliest_planes(corners, K, SIZES_MM[0])
    if not planes:
        return Reading(frame.name, frame.time_s, ())
    camera = camera_over(planes[0].plane, K, np.zeros(5), K[:2, 2])
    ((x, y, _),) = camera.to_plane(planes[0].middle_px[None])
    thing = stranger_at(camera, float(x), float(y), card_width * card_height)
    return Reading(frame.name, frame.time_s, (), sure=False, doubts=(thing.doubt,), unknown=(thing,))


@dataclass(frozen=True, eq=False)
class OnPlane:
    """The cards whose indices are seen on a plane, where cards have a size; `lost`: indices that were read well, and
    nothing else speaks for their cards. `bare`: the numbers of cards one of whose sides is plainly not there. `placed`:
    where cards lie, by name, where something else than indices and sides tells that this is their plane. `order`: who
    lay over whom among the cards that were read at first. `uneven`: how many of those cards have ends that say that the
    plane is another."""

    camera: Camera
    size_mm: tuple[float, float]
    cards: list[IndexedCard]
    index: IndexPlace
    lost: tuple[SeenIndex, ...] = ()
    bare: frozenset[int] = frozenset()
    placed: Mapping[str, CardPose] = field(default_factory=dict)
    order: Order | None = None
    uneven: int = 0

    def over(self, camera: Camera) -> OnPlane:
        """The same cards on the floor of another camera over the same picture."""
        cards = [
            replace(
                card,
                pose=pose_on_floor(camera, self.camera.project(card.pose.corners(*self.size_mm))),
                indices=tuple(moved(index, self.camera, camera) for index in card.indices),
            )
            for card in self.cards
        ]
        return replace(self, camera=camera, cards=cards)

    @property
    def twice(self) -> int:
        """Cards that are there already: two ends of one card, on a plane of another scale."""
        return len(self.cards) - len({card.card for card in self.cards}) + len(in_one_place(self.cards)) // 2

    @property
    def worth(self) -> float:
        """Each name once; a card whose two ends are as far apart as its size says, or whose sides are seen, more."""
        by_name: dict[str, float] = {}
        for card in self.cards:
            by_name[card.card] = max(by_name.get(card.card, 0.0), card.probability**2 * _witnesses(card))
        lost = sum(index.probability > CERTAIN for index in self.lost)
        against = _TWICE * (self.twice + self.uneven) + _BARE * len(self.bare) + _LOST * lost
        return sum(by_name.values()) - against

    @property
    def well_read(self) -> set[str]:
        """The names that an index read well says, with a corner of its card or a second index; a lone mark none."""
        read = (card for card in self.cards if card.probability > _ALONE)
        return {card.card for card in read if card.cornered or len(card.indices) > 1}

    @property
    def places(self) -> Mapping[str, CardPose]:
        """Where cards are known to lie, by name: where they are `placed`, or as the outlines of all of them fit.

        Beside an index there may be a corner of a cloth, too, and the nearest corner to where the card's should be may
        be another on a view a little unlike: a card with three sides was laid 8 mm aside and its index was lost.
        """
        if self.placed or not self.is_plain:
            return self.placed
        return {card.card: card.pose for card in self.cards if card.sides >= _THREE}

    @property
    def tells_something(self) -> bool:
        """Whether more than one doubtful mark was read: its outline fits lines of a cloth on any plane, and a plane
        that is fitted to it is none the better."""
        return len(self.cards) > 1 or any(card.probability > _ALONE for card in self.cards)

    @property
    def may_be_a_mark(self) -> bool:
        """Whether no more was read well than one card, and that not certainly: a cloth may have such a mark."""
        return len(self.well_read) < _TWO_READ and not any(card.probability > CERTAIN for card in self.cards)

    def explains(self, found: OnPlane) -> bool:
        """Whether all cards that are well read on a plane are among these, or their indices print of these: a plane
        some degrees off has the two ends of one card, or its index and a pip, as two cards'."""
        missing = [card for card in found.cards if card.card in found.well_read - self.well_read]
        indices = [moved(index, found.camera, self.camera) for card in missing for index in card.indices]
        return all(any(bears(card, index, self.size_mm) for card in self.cards) for index in indices)

    @property
    def _plain_cards(self) -> list[IndexedCard]:
        """The cards but faint marks, none of which a reading keeps: they say nothing against a plane.

        A faint mark is one index read doubtfully, with no corner of a card beside it.
        """
        return [card for card in self.cards if card.cornered or len(card.indices) > 1 or card.probability > _ALONE]

    @property
    def is_plain(self) -> bool:
        """Whether no other plane need be asked."""
        return self._fits and float(np.mean([card.sides for card in self._plain_cards])) >= _MEAN_SIDES

    @property
    def leaves_nothing_open(self) -> bool:
        """Whether all that lies in the open of the cards read here is seen, but for as much as of cards on a plane that
        `is_plain`, and each of them is said surely: others may hide too much of them for that, and no other plane says
        more."""
        if not (self._says_each_surely and self._fits and len(self._plain_cards) == len(self.cards)):
            return False
        return float(np.mean(sides_unseen(self.cards, self.size_mm))) <= HALVES / 2 - _MEAN_SIDES

    @property
    def may_say_all(self) -> bool:
        """Whether no plane need be asked after this one, if the picture shows nothing that these cards do not explain:
        all in the open of them is seen, or two of them tell the plane.

        Where two cards have both ends and three sides as a card has them, every other guess comes to the same plane
        when it is fitted, or to one on which they do not fit. Sides that a weak light hides are hidden on all of them.
        """
        return self.leaves_nothing_open or (self.is_told and self._says_each_surely)

    @property
    def _says_each_surely(self) -> bool:
        """Whether the plane is that of the cards, who lies over whom is told, and each card is said surely."""
        told = self.order is not None and not self.order.untold and self.is_certain
        return told and not self.bare and all(_is_surely_read(card) for card in self.cards)

    @property
    def _fits(self) -> bool:
        """Whether the outlines of all cards fit, and one of them is whole."""
        cards = self._plain_cards
        read = sum(card.probability > _ALONE for card in cards)
        whole = any(card.sides >= _WHOLE and (len(card.indices) > 1 or read > 1) for card in cards)
        return self.is_settled and not self.bare and whole

    @property
    def has_size(self) -> bool:
        """Whether a card is seen to have its size: both its ends are, or three of its sides. A plane of another scale
        has a corner and two sides of each card, and no more."""
        return any(len(card.indices) > 1 or card.sides >= _THREE for card in self.cards)

    @property
    def has_whole_cards(self) -> bool:
        """Whether two cards are seen with a corner and three sides, none of them bare, and no card's ends say that the
        plane is another: what else speaks against it may be marks that only reading it closely tells from cards."""
        whole = sum(card.cornered and card.sides >= _THREE and n not in self.bare for n, card in enumerate(self.cards))
        return whole > 1 and not self.uneven

    @property
    def is_certain(self) -> bool:
        """Whether the plane is that of the cards, whatever is not known of one or another of them."""
        return self.has_size and not self.twice and not self.lost and not self.uneven

    @property
    def is_told(self) -> bool:
        """Whether it is the plane of the cards, and two of them tell its scale twice, by both ends and by three sides:
        a view straight down at some other scale is not theirs. The plane of one alone is off by some degrees, and what
        lies beside it may be read better in such a view."""
        whole = sum(len(card.indices) > 1 and card.sides >= _THREE for card in self.cards)
        return self.is_certain and whole > 1

    @property
    def is_settled(self) -> bool:
        """Whether the outlines of all that is read fit, so that a picture without usable outlines is not thought of."""
        fits = all(card.sides >= (_SETTLED if card.cornered else _FIVE_HALVES) for card in self._plain_cards)
        read = any(card.probability > _ALONE for card in self.cards)
        pips = not any(card.pips_contradict for card in self._plain_cards)
        return read and fits and pips and not self.twice and not self.lost and not self.uneven


def _witnesses(card: IndexedCard) -> float:
    corner, ends = _CORNER if card.cornered else 0.0, _BOTH_ENDS if len(card.indices) > 1 else 0.0
    pips = _PIPS * (float(card.pips_agree) - float(card.pips_contradict))
    return card.sides - _CHANCE + corner + ends + pips


def _is_doubtful(card: IndexedCard) -> bool:
    return len(card.indices) == 1 and card.indices[0].probability <= CERTAIN


def _is_on_cloth(card: IndexedCard, place: SeenPlace, papers: Sequence[Array]) -> bool:
    """Whether all that is seen of a card with one index, and not of the other cards, looks as the cloth round it and is
    of another colour than the `papers` (3,), those of each of them: no card lies there, however plain its index is."""
    return len(card.indices) == 1 and len(papers) > 0 and place.is_only_cloth(papers)


def _cloth_marks(
    image: NDArray[np.uint8],
    camera: Camera,
    size: tuple[float, float],
    bare: Sequence[IndexedCard],
    cards: Sequence[IndexedCard],
    papers: Sequence[Array],
) -> list[Array]:
    """The middles (2,) of the indices of those `bare` cards that are only cloth beside the `cards`, which are of the
    `papers` (3,)."""
    outlines = [camera.project(card.pose.corners(*size)) for card in cards]
    places = [SeenPlace(image, camera, card.pose, size, outlines) for card in bare]
    return [
        card.indices[0].middle for card, place in zip(bare, places, strict=True) if _is_on_cloth(card, place, papers)
    ]


def _papers(
    image: NDArray[np.uint8], camera: Camera, size: tuple[float, float], cards: Sequence[IndexedCard]
) -> list[Array]:
    """The colour (3,) of what each of the cards is printed on."""
    return [SeenPlace(image, camera, card.pose, size).paper() for card in cards]


def _is_credible(card: IndexedCard) -> bool:
    """Whether more than a doubtful index says that a card lies there: cloths and art have marks that look like one."""
    ends = sum(index.probability > CERTAIN for index in card.indices) > 1  # black on black no side is seen
    witnessed = card.sides >= 1 and (len(card.indices) > 1 or (card.pips_agree and card.probability > _PLAIN))
    certain = max(index.probability for index in card.indices) > CERTAIN
    outlined = card.sides >= _LEAST_SIDES and (card.cornered or certain)
    return ends or witnessed or outlined or (card.sides >= _FIVE_HALVES and card.probability > _ALONE)


def _doubted_by(
    doubt: Callable[[SeenPlace, Array], bool],
    image: NDArray[np.uint8],
    camera: Camera,
    size: tuple[float, float],
    cards: Sequence[IndexedCard],
) -> frozenset[int]:
    """The numbers of the cards of which `doubt` holds: `SeenPlace.has_bare_side`, for one plainly not where it would
    be, or `ends_early`, for what is left of a torn card, which has its index."""
    places = places_among(image, camera, [card.pose for card in cards], size)
    return frozenset(n for n, place in enumerate(places) if doubt(place, place.paper()))


def _without_marks(
    image: NDArray[np.uint8], camera: Camera, size: tuple[float, float], cards: Sequence[IndexedCard]
) -> list[IndexedCard]:
    """The cards but those whose indices are on no paper like that of the cards that are seen best: marks of a cloth."""
    well = [card for card in cards if card.probability > CERTAIN and (card.cornered or len(card.indices) > 1)]
    if not well:
        return list(cards)
    papers = _papers(image, camera, size, well)
    return [card for card in cards if card in well or any(_is_on_paper(image, camera, i, papers) for i in card.indices)]


def _is_on_paper(image: NDArray[np.uint8], camera: Camera, index: SeenIndex, papers: Sequence[Array]) -> bool:
    """Whether round an index there is paper, in any shade, like one of the `papers` (3,)."""
    x, y = index.middle
    height = float(np.hypot(*(index.top - index.bottom)))
    pose = CardPose.flat(float(x), float(y), index.angle_deg)
    return SeenPlace(image, camera, pose, (height, _ROUND * height)).is_paper_round(papers)


def _on_paper(
    image: NDArray[np.uint8], camera: Camera, size: tuple[float, float], cards: Sequence[IndexedCard]
) -> tuple[list[IndexedCard], list[IndexedCard]]:
    """Those of the cards that are of the paper of the one that is seen best, and those that show none of it along their
    sides, or by one index that is not certain and where all that is seen of them looks as the cloth round it does: a
    cloth has marks that look like print."""
    if not cards:
        return [], []
    places = places_among(image, camera, [card.pose for card in cards], size)
    papers, alone = [place.paper() for place in places], _papers(image, camera, size, cards)
    best = max(range(len(cards)), key=lambda n: _witnesses(cards[n]) * cards[n].probability)
    bare = [
        card
        for n, card in enumerate(cards)
        if n != best
        and (
            not places[n].is_blank_along_sides(papers[best])
            or (_is_doubtful(card) and places[n].is_as_outside())
            or _is_on_cloth(card, places[n], alone[:n] + alone[n + 1 :])
        )
    ]
    same = [card for n, card in enumerate(cards) if is_same_paper(papers[n], papers[best]) and card not in bare]
    return same, bare


def reading_of(frame: Frame, found: OnPlane, corners: Sequence[Corners]) -> Reading:
    """What a picture shows: the cards `found` in it, who covers whom, and what is left to ask."""
    image, camera, size, cards = frame.image_bgr, found.camera, found.size_mm, found.cards
    outlines = [camera.project(card.pose.corners(*size)) for card in cards]
    keys = _keys(cards)
    if found.order is not None and found.order.is_of(cards):
        uppers, untold = found.order.told, found.order.untold
    else:
        uppers, untold = overlaps(image, camera, cards, size)
    doubts: list[Message] = [Doubt.UPPER_UNKNOWN(card=keys[a], card_other=keys[b]) for a, b in untold]
    doubts += [Doubt.SEEN_TWICE(card=card.card) for card in cards if keys[list(cards).index(card)] != card.card]
    paper = paper_beside(image, camera, reach_of_picture(camera, image.shape[1::-1]), outlines, corners)
    seen = unexplained_outlines(_grey(image), camera, size, corners, outlines, paper)
    down = _backs_among([outline.pose for outline in seen], image, camera, size, cards)
    paper = without_cloth(paper, image, camera, size, corners, outlines)
    edged = (outline.pose for outline in seen if outline.has_margin)
    others = apart((pose for pose in edged if not SeenPlace(image, camera, pose, size, outlines).is_as_outside()), down)
    unknown = [
        stranger_at(camera, float(pose.centre_mm[0]), float(pose.centre_mm[1]), size[0] * size[1]) for pose in others
    ]
    lost = (index.middle for index in found.lost if not any(is_inside(index.middle, pose, size) for pose in others))
    unknown += [stranger_at(camera, float(x), float(y), INDEX_MM2) for x, y in lost]
    unknown += _unexplained_paper(camera, paper, [*others, *down], size)
    doubts += [thing.doubt for thing in unknown]
    open_ones = {n for pair in untold for n in pair} | {n for n in range(len(cards)) if keys[n] != cards[n].card}
    open_ones |= found.bare | _doubted_by(SeenPlace.ends_early, image, camera, size, cards)
    # of a suit that is half covered what is seen may be another's
    open_ones |= {n for n, card in enumerate(cards) if not as_high(card.indices, found.index.height_mm)}
    certain = found.is_certain
    lies = tuple(
        _lie(
            cards[n],
            keys[n],
            outlines[n],
            tuple(keys[lower] for upper, lower in uppers if upper == n),
            settled=certain and n not in open_ones,
        )
        for n in _bottom_to_top(len(cards), uppers)
    )
    lies = (*(_down(f"?{n}", pose, camera.project(pose.corners(*size))) for n, pose in enumerate(down, 1)), *lies)
    covers = tuple((keys[a], keys[b]) for a, b in uppers)
    lies = with_shares_in_view(lies, covers, (image.shape[1], image.shape[0]))
    sure = not doubts and all(lie.sure for lie in lies)
    return Reading(frame.name, frame.time_s, lies, covers, None, sure, tuple(doubts), tuple(unknown))


def _unexplained_paper(
    camera: Camera, paper: Sequence[Patch], others: Sequence[CardPose], card_mm: tuple[float, float]
) -> list[Unknown]:
    """Each patch of paper that is none of the `others`: a card lies there whose sides are lost on the white of the
    cards beneath it."""
    return [
        stranger_at(camera, patch.x_mm, patch.y_mm, patch.area_mm2)
        for patch in paper
        if not any(is_inside(np.array([patch.x_mm, patch.y_mm]), pose, card_mm) for pose in others)
    ]


def _backs_among(
    places: Sequence[CardPose],
    image: NDArray[np.uint8],
    camera: Camera,
    size: tuple[float, float],
    cards: Sequence[IndexedCard],
) -> list[CardPose]:
    """Where exactly cards lie face down of those near the places, the likeliest of which come first: such a card shows
    none of the paper that the others' faces show, or print where faces have none. Most of its outline is seen, and what
    is within it is not the cloth round it, which is as unlike paper as a back."""
    papers = _papers(image, camera, size, cards)
    outlines = [camera.project(card.pose.corners(*size)) for card in cards]
    grey, backs = _grey(image), list[CardPose]()
    for place in places if papers else ():
        if not apart([place], backs):
            continue
        fit = fit_rectangle(grey, camera, place, size)
        there = SeenPlace(image, camera, fit.pose, fit.size_mm, outlines)
        hidden = halves_in_view(image, camera, fit.pose, fit.size_mm) - fit.halves
        if hidden > _HIDDEN_HALVES or there.likeness_outside() > _CLOTH:
            continue
        if max(map(there.paper_share, papers)) < _BACK_SHARE or there.is_printed_to_rim(papers):
            backs.append(fit.pose)
    return backs


def _keys(cards: Sequence[IndexedCard]) -> list[str]:
    keys: list[str] = []
    for card in cards:
        key = card.card
        while key in keys:
            key += "'"
        keys.append(key)
    return keys


def _lie(card: IndexedCard, key: str, outline: Array, rests_on: tuple[str, ...], *, settled: bool) -> Lie:
    """What is said of a card; `settled`: the plane fits all cards, none lies where another does, and their order is
    known. One of two cards of one name or in one place is not there."""
    p = card.probabilities
    others = tuple((CARDS[i], float(p[i])) for i in np.argsort(-p)[:4] if CARDS[i] != card.card)
    sure = settled and _is_surely_read(card)
    doubts = () if sure else (Doubt.OTHER_CARD(card_other=others[0][0]), Doubt.INDEX_ALONE())
    return replace(lie_of(card, key, outline), rests_on=rests_on, other_names=others, sure=not doubts, doubts=doubts)


def _is_surely_read(card: IndexedCard) -> bool:
    """Whether a card's indices, pips and outline say its name surely, if the plane is right and nothing is open."""
    read = max(index.probability for index in card.indices) > CERTAIN
    outlined = (card.cornered and card.sides >= _SETTLED) or (read and card.sides >= _LEAST_SIDES)
    return outlined and card.probability >= _SURE and card.is_plainly_read and not card.pips_contradict


def lie_of(card: IndexedCard, key: str, outline: Array) -> Lie:
    """What its indices alone say of a card that lies face up, `outline` (4, 2) in px; it is not sure."""
    a, b, c, d = ((float(x), float(y)) for x, y in outline)
    return Lie(
        key=key,
        card=card.card,
        face=Face.UP,
        landing=None,
        confidence=card.probability,
        tilt_deg=None,
        tilt_sd_deg=None,
        centre_mm=None,
        angle_deg=card.pose.angle_deg,
        corners_px=(a, b, c, d),
        identity_probability=card.probability,
        sure=False,
        doubts=(Doubt.INDEX_ALONE(),),
    )


def _bottom_to_top(count: int, uppers: Sequence[tuple[int, int]]) -> list[int]:
    left, order = set(range(count)), []
    while left:
        free = [n for n in sorted(left) if not any(u == n and low in left for u, low in uppers)] or [min(left)]
        order += free[:1]
        left -= set(free[:1])
    return order


def _down(key: str, pose: CardPose, outline: Array) -> Lie:
    a, b, c, d = ((float(x), float(y)) for x, y in outline)
    return Lie(key, None, Face.DOWN, None, 0.9, None, None, None, pose.angle_deg, (a, b, c, d))
