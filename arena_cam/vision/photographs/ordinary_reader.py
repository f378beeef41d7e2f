"""Reads photographs of any ordinary pack that was never learned, by corner indices and outlines alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.domain.lies import Reading, Unreadable
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.photographs.indexed.index_views import IndexViews
from arena_cam.vision.photographs.indexed.indexed_cards import as_placed, cards_of, with_pips, without_covered
from arena_cam.vision.photographs.indexed.leftovers import INDEX_MM2, stranger_at
from arena_cam.vision.photographs.indexed.papers import SeenPlace
from arena_cam.vision.photographs.indexed.settled_cards import (
    as_high_in_view,
    fit_to_sides,
    has_uneven_ends,
    unfounded,
    weighed_by_outline,
    without_half_covered,
    without_print,
)
from arena_cam.vision.photographs.on_paper import cloth_marks, is_on_paper, on_paper, papers_on
from arena_cam.vision.photographs.on_plane import (
    ALONE,
    SIZES_MM,
    TWO_READ,
    USUAL_PLACE,
    IndexPlace,
    OnPlane,
    doubted_by,
    is_credible,
)
from arena_cam.vision.photographs.ordinary_reading import grey_of, nothing_read
from arena_cam.vision.photographs.overlapping import Order, overlaps, without_interleaved
from arena_cam.vision.photographs.plane_search import PlaneSearch, ShownPicture, Telling, lost_of, not_told
from arena_cam.vision.planes.outline_corners import Corners, find_corners
from arena_cam.vision.planes.plane_guesses import too_small

_SAME_MARK_MM = 2.0  # one mark, as two readings have it
# For how a pack prints its indices: of 36 pictures of packs with plates or on black 31 show an index with certainty on
# one of so many planes if it is taken to be printed so; as other packs print it six with plates do, none on black.
_PLANES_ASKED = 4


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
        in_other_print = self._in_other_print(shown)
        if in_other_print is not None:
            return in_other_print
        found = self.best_plane(shown)
        if found is None or not found.well_read or (found.may_be_a_mark and not shown.reading_of(found).sure):
            other = self.best_plane(shown.inverted)
            if other is not None and _says_more(other, found):
                return _with_marks(shown.inverted, other)
        if found is None or not found.cards or not shown.reading_of(found).sure:
            on_tint = ShownPicture(frame, shown.corners, on_tint=True, before=found)
            other = self._with_tints(on_tint)
            if other is not None and other.well_read and (found is None or most_sensible([found, other]) is other):
                return _with_marks(on_tint, other)
        if found is None or not found.cards:
            return nothing_read(frame, shown.corners)
        return _with_marks(shown, found)

    def _in_other_print(self, shown: ShownPicture) -> Reading | None:
        """The cards of a pack that prints its indices on plates, or light on black, where the likeliest planes show two
        so and nothing as other packs print it; None where they do not. Else such a picture is searched for cards of
        those packs first, in vain and for longest."""
        on_tint = ShownPicture(shown.frame, shown.corners, on_tint=True)
        for camera in islice(shown.likeliest_cameras(self._sizes_mm), _PLANES_ASKED):
            if shown.certain_on(camera):
                return None
            for other in (on_tint, shown.inverted):
                if other.certain_on(camera) >= TWO_READ:
                    found = self.best_plane(other)
                    return None if found is None or not found.well_read else _with_marks(other, found)
        return None

    def best_plane(self, shown: ShownPicture) -> OnPlane | None:
        """The plane on which what the picture shows makes most sense as cards."""
        return most_sensible(self.planes(shown))

    def _with_tints(self, shown: ShownPicture) -> OnPlane | None:
        """What is read with plates bleached, of a picture that leaves something open: on the plane that is known from
        `before` where the outlines of two cards and more that were read fit, for a plate that was not read lies on it,
        too; else on that which makes most sense.

        Indices alone do not tell a plane: of four on which two cards or more were read without their plates, all of
        one size, two were wrong, and on neither did outlines fit.

        None where a card was read and no index more is read well on its plane with plates bleached: all cards of a pack
        have plates, or none has. Of ten pictures of packs with plates and one card read without them there were one to
        five more in each; of five without plates none, and all planes were asked once more, for up to 4 s.
        """
        known = shown.before
        if known is None or known.may_be_a_mark:
            return self.best_plane(shown)
        indices = shown.views.on(known.camera)
        if not _has_more(indices, known):
            return None
        if not known.is_plain or len(known.well_read) < TWO_READ:
            return self.best_plane(shown)
        image, corners = shown.frame.image_bgr, shown.corners
        return self.on_plane(image, corners, known.camera, known.size_mm, known.index, indices)

    def planes(self, shown: ShownPicture, told: Telling = not_told, nearly: Camera | None = None) -> Iterator[OnPlane]:
        """Planes with the cards read on them, until one is plain and nothing speaks against it; `told` as PlaneSearch
        has it. Where it is known that the cards lie `nearly` on the floor of a camera, that one is asked first, and no
        other if it is theirs."""
        image, corners = shown.frame.image_bgr, shown.corners
        search = PlaneSearch(image, shown.views, grey_of(image), corners, told, self._sizes_mm)
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
        index: IndexPlace = USUAL_PLACE,
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
        fit, cards = fit_to_sides(grey_of(image), camera, cards, size, camera_is_known=True)
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
        cards = [card for card in cards if card.is_spoken_of and is_credible(card)]
        cards = without_print(cards, size)
        cards, bare = on_paper(image, fit.camera, size, cards)
        read = [i for i in as_high_in_view(indices, index.height_mm) if i.probability > ALONE]
        papers = papers_on(image, fit.camera, size, cards) if read or bare else []
        cloth = cloth_marks(image, fit.camera, size, bare, cards, papers)
        read = [i for i in read if is_on_paper(image, fit.camera, i, papers)]
        read = [i for i in read if all(np.hypot(*(i.middle - at)) > _SAME_MARK_MM for at in cloth)]
        explained = {card.card for card in [*cards, *marks, *bare]}
        lost = lost_of(read, cards, explained, size)
        sides = doubted_by(SeenPlace.has_bare_side, image, fit.camera, size, cards)
        return OnPlane(fit.camera, size, cards, index, lost=tuple(lost), bare=sides, order=order, uneven=uneven)


def most_sensible(planes: Iterable[OnPlane]) -> OnPlane | None:
    """The plane on which what is read makes most sense as cards; None of none."""
    return max(planes, key=lambda plane: (plane.is_plain, plane.worth), default=None)


def _has_more(indices: Sequence[SeenIndex], known: OnPlane) -> bool:
    """Whether an index is read well where none was that a card bears."""
    before = [index.middle for card in known.cards for index in card.indices if index.probability > ALONE]
    return any(
        index.probability > ALONE and all(np.hypot(*(index.middle - at)) > _SAME_MARK_MM for at in before)
        for index in indices
    )


def _says_more(inverted: OnPlane, found: OnPlane | None) -> bool:
    """Whether what is read in the light inverted is likelier to be cards than what was found as the picture is: where
    one index was read there, which may be a mark of the cloth, two and more are."""
    least = TWO_READ if found is not None and found.well_read else 1
    return len(inverted.well_read) >= least and (found is None or most_sensible([found, inverted]) is inverted)


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
