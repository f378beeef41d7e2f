"""A deck from photographs or scans of one card each: photographs are added one by one, then all faces are taken in one
light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.messages import Message
from arena_cam.vision.deck_learning.card_outline import CardOutline, find_card
from arena_cam.vision.deck_learning.exposure import (
    Background,
    background_round,
    evened,
    exposed,
    exposure_gains,
    paper_gain,
)
from arena_cam.vision.deck_learning.flat_card import ANY_LENS, Lens, one_lens
from arena_cam.vision.deck_learning.one_light.all_faces import Tell, as_one_scan
from arena_cam.vision.deck_learning.one_light.same_end_up import same_end_up
from arena_cam.vision.deck_learning.straightening import PX_PER_MM, corner_radius_mm, px_per_mm, straighten, trimmed
from arena_cam.vision.deck_learning.taking_messages import NotFound
from arena_cam.vision.picture.linear_light import linear_light, srgb

Image = NDArray[np.uint8]

# Judging compares faces at two pixels a millimetre; a picture with fewer, or blurred over more than an edge's width
# there, would teach a softer card than the table shows.
LEAST_PX_PER_MM, WIDEST_EDGE_MM = 2.0, 0.9
USUAL_RADIUS_MM = 3.0  # of cards whose corners cannot be measured
# An outline less flat than this for its camera is looked at again: true ones are off by 0.02 to 0.15, those of lenses
# that bend lines by more, all of them; cut a millimetre wrong on one side they are off by 0.3 and more.
_DOUBT_MM, _DOUBT_OF_USUAL = 0.25, 4.0


@dataclass(frozen=True, eq=False)
class PhotographedFace:
    """One card as photographed: its straightened picture, its outline in the photograph, and how finely it was seen."""

    image: Image
    outline: CardOutline
    px_per_mm: float
    background: Background | None
    radius_mm: float | None
    picture_px: tuple[int, int]

    @property
    def rim_mm(self) -> float:
        """How far what lies round the card reaches into the picture: a blurred edge half its width, a scanner's not."""
        traced = self.outline.traced
        return 0.1 if traced is None else 0.6 * traced.width_px / self.px_per_mm + 0.05


class PhotographedDeck:
    """Takes photographs of the cards of one deck, all of one size."""

    def __init__(self, width_mm: float, height_mm: float, *, scans: bool = False) -> None:
        self._size = (width_mm, height_mm)
        self._scans = scans
        self.faces: dict[str, PhotographedFace] = {}

    def look(self, image_bgr: Image, lens: Lens = ANY_LENS) -> PhotographedFace | Message:
        """The card in a photograph (H, W, 3), or why it cannot be used and what to do."""
        outline = find_card(image_bgr, *self._size, scan=self._scans, lens=lens)
        return outline if isinstance(outline, Message) else self.outlined(image_bgr, outline)

    def outlined(self, image_bgr: Image, outline: CardOutline) -> PhotographedFace | Message:
        """The card within an outline of a photograph (H, W, 3), or why it cannot be used and what to do."""
        scale = px_per_mm(outline.pixels, *self._size)
        if scale < LEAST_PX_PER_MM:
            return NotFound.SMALL(px_mm=f"{scale:.1f}")
        traced = outline.traced
        if traced is not None and traced.width_px / scale > WIDEST_EDGE_MM:
            return NotFound.BLURRED(edge_mm=f"{traced.width_px / scale:.1f}")
        light = linear_light(image_bgr)
        face = straighten(light, outline.pixels, *self._size)
        height, width = image_bgr.shape[:2]
        if traced is None:
            return PhotographedFace(srgb(face), outline, scale, None, None, (width, height))
        background = background_round(light, outline.pixels, *self._size)
        radius = corner_radius_mm(light, outline.pixels, *self._size)
        return PhotographedFace(srgb(evened(face, background)), outline, scale, background, radius, (width, height))

    def add(self, name: str, face: PhotographedFace) -> None:
        """Takes the face as that of card `name`, in place of an earlier one."""
        self.faces[name] = face

    def doubtful(self) -> dict[str, Lens]:
        """Cards whose outline is not what the camera of all the photographs of that size sees of a flat card, with the
        lens that these agree on."""
        out: dict[str, Lens] = {}
        for size in {tuple(sorted(face.picture_px)) for face in self.faces.values()}:
            known = {
                name: face.outline.misfit
                for name, face in self.faces.items()
                if face.outline.misfit is not None and tuple(sorted(face.picture_px)) == size
            }
            lens = one_lens(list(known.values()))
            if lens is not None:
                off = {name: misfit.at(lens) for name, misfit in known.items()}
                limit = max(_DOUBT_MM, _DOUBT_OF_USUAL * float(np.median(list(off.values()))))
                out |= {name: lens for name in known if off[name] > limit}
        return out

    def look_again(self, name: str, image_bgr: Image, lens: Lens) -> Message | None:
        """Looks for the outline of a doubtful card that suits the camera, and takes it; else takes the card out again
        and says why, unless nothing but another camera speaks against the first outline."""
        first = self.faces.pop(name)
        face = self.look(image_bgr, lens)
        if isinstance(face, Message) or not _flat(face, lens):
            if first.outline.certain and _flat(first, ANY_LENS):
                face = first
            else:
                return NotFound.NOT_FLAT()
        self.faces[name] = face
        return None

    def radius_mm(self) -> float:
        """The radius of the cards' corners, as most photographs show it."""
        known = [face.radius_mm for face in self.faces.values() if face.radius_mm is not None]
        return round(float(np.median(known)), 1) if known else USUAL_RADIUS_MM

    def pictures(self, radius_mm: float, tell: Tell = lambda _: None) -> dict[str, Image]:
        """Every face (H, W, 3), in one light, its rim and corners cleaned: seconds of work. `tell` hears how far it is,
        from 0 to 1."""
        faces = list(self.faces.values())
        if not faces:
            return {}
        images = [face.image for face in faces]
        if not self._scans:
            gains = exposure_gains([face.background for face in faces])
            images = [exposed(image, gain) for image, gain in zip(images, gains, strict=True)]
            images = same_end_up(images, PX_PER_MM, [face.outline.is_across for face in faces])
            images = as_one_scan(images, PX_PER_MM, tell=tell)
            white = paper_gain(images)
            images = [exposed(image, white) for image in images]
        return {
            name: trimmed(image, radius_mm, min(face.rim_mm, 0.5))
            for (name, face), image in zip(self.faces.items(), images, strict=True)
        }


def _flat(face: PhotographedFace, lens: Lens) -> bool:
    return face.outline.misfit is None or face.outline.misfit.at(lens) <= _DOUBT_MM
