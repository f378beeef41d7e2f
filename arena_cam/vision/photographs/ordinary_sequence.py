"""Pictures of one camera in time, of any ordinary pack: each is read on the plane of the one before if that holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.lies import Lie, Unknown
from arena_cam.domain.messages import Message
from arena_cam.vision.indices.ink import with_light_inverted
from arena_cam.vision.photographs.indexed.index_views import IndexViews
from arena_cam.vision.photographs.on_plane import OnPlane
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader
from arena_cam.vision.photographs.plane_search import ShownPicture
from arena_cam.vision.planes.outline_corners import find_corners
from arena_cam.vision.planes.plane_guesses import too_small


class Printed(Enum):
    """What the indices of a pack are printed on: white, black in light ink, or plates of a pale colour."""

    ON_WHITE = "white"
    ON_BLACK = "black"
    ON_TINT = "tint"


@dataclass(frozen=True, eq=False)
class OrdinaryPicture:
    """The cards of a picture: `lies` bottom to top, who `covers` whom, `doubts`, the `unknown` things among them, and
    the plane they were `found` on. `printed` is how they were read; `settled`: a card was read surely so, in this
    picture or in one before."""

    lies: tuple[Lie, ...]
    covers: tuple[tuple[str, str], ...]
    doubts: tuple[Message, ...]
    found: OnPlane
    unknown: tuple[Unknown, ...] = ()
    printed: Printed = Printed.ON_WHITE
    settled: bool = False


class OrdinarySequence:
    """vision.photographs.laid_cards.Reader of any ordinary pack."""

    def __init__(self) -> None:
        self._reader = OrdinaryReader()

    def read_after(self, image_bgr: Image, before: OrdinaryPicture | None) -> OrdinaryPicture | None:
        """The cards of a later picture of the same camera; None where there are none.

        The plane of `before` serves where a card is plain to see on it. Elsewhere all planes are asked, for the plane
        may have been found from too little, and the one on which more makes sense is taken. Until a card was read
        surely it is not known what the pack is printed on, and each picture is read in every way: with light and dark
        inverted the grain of wood is full of marks that may be indices, which are no reason to look at nothing else.
        """
        if too_small(Frame(image_bgr, 0.0, 0, "", "")) is not None:
            return None
        if before is not None and before.settled:
            found = self._read(image_bgr, before, before.printed)
            return None if found is None else replace(found, settled=True)
        seen: list[OrdinaryPicture] = []
        for printed in Printed:
            so_before = before if before is not None and before.printed is printed else None
            found = self._read(image_bgr, so_before, printed)
            if found is not None and found.settled:
                return found
            seen += [] if found is None else [found]
        return next((each for each in seen if each.found.well_read), seen[0] if seen else None)

    def _read(self, image_bgr: Image, before: OrdinaryPicture | None, printed: Printed) -> OrdinaryPicture | None:
        """The cards of a picture if they are `printed` so."""
        image = with_light_inverted(image_bgr) if printed is Printed.ON_BLACK else image_bgr
        on_tint = printed is Printed.ON_TINT
        shown = ShownPicture(Frame(image, 0.0, 0, "", ""), find_corners(image), on_tint)
        found = self._found(shown, before)
        if found is None:
            return None
        reading = shown.reading_of(found)
        sure = any(lie.sure and lie.card is not None for lie in reading.lies)
        return OrdinaryPicture(reading.lies, reading.covers, reading.doubts, found, reading.unknown, printed, sure)

    def _found(self, shown: ShownPicture, before: OrdinaryPicture | None) -> OnPlane | None:
        known = None
        if before is not None:
            image, camera = shown.frame.image_bgr, before.found.camera
            indices = IndexViews(image, on_tint=shown.on_tint).on(camera)
            known = self._reader.on_plane(image, shown.corners, camera, before.found.size_mm, indices=indices)
            bare = replace(known, bare=frozenset())  # a hand may hide a side
            if bare.is_plain or bare.leaves_nothing_open:
                return known
        found = self._reader.best_plane(shown)
        if known is None or not known.cards:
            return found
        return known if found is None or known.worth >= found.worth else found
