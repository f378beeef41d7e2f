"""Looks for the plane on which the cards of a picture lie, by their indices, outlines and ends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.domain.lies import Reading
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.indices.ink import with_light_inverted
from arena_cam.vision.photographs.indexed.index_views import IndexViews, moved
from arena_cam.vision.photographs.indexed.indexed_cards import CERTAIN, LIKELIER_THAN_NOT, IndexedCard, cards_of
from arena_cam.vision.photographs.indexed.papers import SeenPlace
from arena_cam.vision.photographs.indexed.settled_cards import (
    bears,
    fit_to_sides,
    has_uneven_ends,
    height_of_indices,
    scale_by_twins,
)
from arena_cam.vision.photographs.on_paper import without_marks
from arena_cam.vision.photographs.on_plane import (
    ALONE,
    LEAST_SIDES,
    SIZES_MM,
    TWO_READ,
    IndexPlace,
    OnPlane,
    doubted_by,
)
from arena_cam.vision.photographs.ordinary_reading import reading_of
from arena_cam.vision.planes.card_plane import CardPlane, camera_over, pinhole
from arena_cam.vision.planes.outline_corners import Corners, find_corners
from arena_cam.vision.planes.plane_guesses import PlaneGuess, planes_in_turn

# Where no outline helps the picture is taken to look straight down, at one of these scales (px/mm).
_SCALES = (1.4, 1.9, 2.6, 3.6, 5.0)


_NOTHING = 0.0  # what a plane of another scale is worth: no more sides than that, no corner and no second end


_ASIDE_MM = 150.0  # from the middle: a card beside it may reach out of what is looked at


# Heights of an index from its top to the farthest corner of its card, where the smallest indices are 13 mm high. Planes
# of those corners that are asked: the likeliest, and one more.
_BESIDE_INDEX, _PLANES_BESIDE = 8.0, 2


_LEAST_SCALE = 0.3  # by which a plane may be brought nearer


# How far (logarithm) the ends of a card may be from where its size has them on a plane to be fitted: indices of packs
# begin a millimetre or two otherwise, which is 0.03, and a plane that is 10 deg too flat has 0.06.
_OFF_SCALE = 0.12


_MOST_FITS = 2  # more changes hardly anything


Telling = Callable[["OnPlane"], "OnPlane | None"]


def not_told(_found: OnPlane) -> OnPlane | None:
    return None


def as_on_white(frame: Frame) -> Frame:
    """The frame as it would be if packs printed in light ink on black paper were printed in dark ink on white."""
    return replace(frame, image_bgr=with_light_inverted(frame.image_bgr))


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

    @cached_property
    def views(self) -> IndexViews:
        """Where its indices are read on any plane: round those that were read before, where two and more were."""
        known = self.before
        before = None if known is None else (known.camera, [index for card in known.cards for index in card.indices])
        return IndexViews(self.frame.image_bgr, self.corners, before, on_tint=self.on_tint)

    @cached_property
    def inverted(self) -> ShownPicture:
        """The same picture as one of packs printed in light ink on black paper."""
        on_white = as_on_white(self.frame)
        return ShownPicture(on_white, find_corners(on_white.image_bgr))

    def likeliest_cameras(self, sizes_mm: Sequence[tuple[float, float]]) -> Iterator[Camera]:
        """Cameras over the planes that corners speak for, the likeliest first; each is sought when it is asked for."""
        height, width = self.frame.image_bgr.shape[:2]
        K = pinhole((width, height))
        for guess, _ in planes_in_turn(self.corners, K, sizes_mm):
            yield camera_over(guess.plane, K, np.zeros(5), guess.middle_px)

    def certain_on(self, camera: Camera) -> int:
        """How many indices are read with certainty on a camera's floor."""
        return sum(index.probability > CERTAIN for index in self.views.on(camera))


@dataclass(frozen=True, eq=False)
class PlaneSearch:
    """What one picture shows, as planes are asked of it: indices, grey levels, and `corners` that may be a card's.
    `told` gives the plane that something else than indices and sides tells of what is read on one, None where nothing
    does. `sizes_mm`: those that its cards may have."""

    image: NDArray[np.uint8]
    views: IndexViews
    grey: NDArray[np.float32]
    corners: Sequence[Corners]
    told: Telling = not_told
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
            if told < min(len(ends_px), TWO_READ):
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
        cards = [card for card in cards if card.cornered or card.sides >= LEAST_SIDES or card.probability > ALONE]
        cards = without_marks(self.image, fit.camera, fit.card_mm, cards)
        bare = doubted_by(SeenPlace.has_bare_side, self.image, fit.camera, fit.card_mm, cards)
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


def lost_of(
    read: Sequence[SeenIndex], cards: Sequence[IndexedCard], explained: Collection[str], size: tuple[float, float]
) -> list[SeenIndex]:
    """The indices that were read well and are on none of the cards: their cards are not seen.

    Where a card of that name is `explained`, print of another or a mark of the cloth, its index is none either, but one
    that is certain: such a card lies elsewhere than was thought, and so do others.
    """
    left = [index for index in read if not any(bears(card, index, size) for card in cards)]
    return [index for index in left if index.probability > CERTAIN or index.card not in explained]


def camera_aside(found: OnPlane) -> Camera | None:
    """The camera over the same plane with the cards in the middle, where some lie so far from it that others beside
    them are not looked at: the corners of a chequered cloth have their middle elsewhere."""
    read = [card.pose.centre_mm for card in found.cards if card.probability > ALONE]
    if not read or max(float(np.hypot(*at[:2])) for at in read) < _ASIDE_MM:
        return None
    middle = np.mean(read, axis=0) * [1.0, 1.0, 0.0]
    return replace(found.camera, tvec=found.camera.tvec + cv2.Rodrigues(found.camera.rvec)[0] @ middle)
