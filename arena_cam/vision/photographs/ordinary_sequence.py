"""Pictures of one camera in time, of any ordinary pack: each is read on the plane of the one before if that holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.lies import Lie, Unknown
from arena_cam.domain.messages import Message
from arena_cam.vision.indices.ink import with_light_inverted
from arena_cam.vision.photographs.ordinary_reader import OnPlane, OrdinaryReader, ShownPicture
from arena_cam.vision.planes.outline_corners import find_corners
from arena_cam.vision.planes.plane_guesses import too_small


@dataclass(frozen=True, eq=False)
class OrdinaryPicture:
    """The cards of a picture: `lies` bottom to top, who `covers` whom, `doubts`, the `unknown` things among them, and
    the plane they were `found` on. `on_black`: they are printed in light ink on dark paper."""

    lies: tuple[Lie, ...]
    covers: tuple[tuple[str, str], ...]
    doubts: tuple[Message, ...]
    found: OnPlane
    unknown: tuple[Unknown, ...] = ()
    on_black: bool = False


class OrdinarySequence:
    """vision.photographs.laid_cards.Reader of any ordinary pack."""

    def __init__(self) -> None:
        self._reader = OrdinaryReader()

    def read_after(self, image_bgr: Image, before: OrdinaryPicture | None) -> OrdinaryPicture | None:
        """The cards of a later picture of the same camera; None where there are none.

        The plane of `before` serves where a card is plain to see on it. Elsewhere all planes are asked, for the plane
        may have been found from too little, and the one on which more makes sense is taken. Until a card was read well
        it is not known whether the pack is printed on white or on black.
        """
        if too_small(Frame(image_bgr, 0.0, 0, "", "")) is not None:
            return None
        on_black = before is not None and before.on_black
        found = self._read(image_bgr, before, on_black)
        known = before is not None and before.found.well_read
        if known or (found is not None and found.found.well_read):
            return found
        other = self._read(image_bgr, None, not on_black)
        return other if other is not None and other.found.well_read else found

    def _read(self, image_bgr: Image, before: OrdinaryPicture | None, on_black: bool) -> OrdinaryPicture | None:
        """The cards of a picture as they are printed on white, or on black."""
        image = with_light_inverted(image_bgr) if on_black else image_bgr
        shown = ShownPicture(Frame(image, 0.0, 0, "", ""), find_corners(image))
        found = self._found(shown, before)
        if found is None:
            return None
        reading = shown.reading_of(found)
        return OrdinaryPicture(reading.lies, reading.covers, reading.doubts, found, reading.unknown, on_black)

    def _found(self, shown: ShownPicture, before: OrdinaryPicture | None) -> OnPlane | None:
        known = None
        if before is not None:
            image = shown.frame.image_bgr
            known = self._reader.on_plane(image, shown.corners, before.found.camera, before.found.size_mm)
            bare = replace(known, bare=frozenset())  # a hand may hide a side
            if bare.is_plain or bare.leaves_nothing_open:
                return known
        found = self._reader.best_plane(shown)
        if known is None or not known.cards:
            return found
        return known if found is None or known.worth >= found.worth else found
