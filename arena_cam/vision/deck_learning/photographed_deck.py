"""A deck from photographs or scans, one card each: add them one by one, then take the faces in one light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.deck_learning.card_outline import CardOutline, NoCard, find_card
from arena_cam.vision.deck_learning.edge_tracing import linear_light, srgb
from arena_cam.vision.deck_learning.exposure import (
    Background,
    background_round,
    evened,
    exposed,
    exposure_gains,
    paper_gain,
)
from arena_cam.vision.deck_learning.straightening import corner_radius_mm, px_per_mm, straighten, trimmed

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# Judging compares faces at two pixels a millimetre; a picture with fewer, or blurred over more than an edge's width
# there, would teach a softer card than the table shows.
LEAST_PX_PER_MM, WIDEST_EDGE_MM = 2.0, 0.9
USUAL_RADIUS_MM = 3.0  # of cards whose corners cannot be measured


@dataclass(frozen=True, eq=False)
class PhotographedFace:
    """One card as photographed: its straightened picture, its outline in the photograph, and how finely it was seen."""

    image: Image
    outline: CardOutline
    px_per_mm: float
    background: Background | None
    radius_mm: float | None


class PhotographedDeck:
    """Takes photographs of the cards of one deck, all of one size."""

    def __init__(self, width_mm: float, height_mm: float, *, scans: bool = False) -> None:
        self._size = (width_mm, height_mm)
        self._scans = scans
        self.faces: dict[str, PhotographedFace] = {}

    def look(self, image_bgr: Image) -> PhotographedFace | NoCard:
        """The card in a photograph (H, W, 3), or why it cannot serve and what to do."""
        outline = find_card(image_bgr, *self._size, scan=self._scans)
        if isinstance(outline, NoCard):
            return outline
        scale = px_per_mm(outline.pixels, *self._size)
        if scale < LEAST_PX_PER_MM:
            return NoCard(
                f"the card is small in the picture ({scale:.1f} px/mm)", "come nearer: let it fill the picture"
            )
        traced = outline.traced
        if traced is not None and traced.width_px / scale > WIDEST_EDGE_MM:
            return NoCard(
                f"the card is blurred (its edge is {traced.width_px / scale:.1f} mm wide)",
                "hold the camera still, let it focus on the card, and give more light",
            )
        light = linear_light(image_bgr)
        face = straighten(light, outline.pixels, *self._size)
        if traced is None:
            return PhotographedFace(srgb(face), outline, scale, None, None)
        background = background_round(light, outline.pixels, *self._size)
        radius = corner_radius_mm(light, outline.pixels, *self._size)
        return PhotographedFace(srgb(evened(face, background)), outline, scale, background, radius)

    def add(self, name: str, face: PhotographedFace) -> None:
        """Takes the face as that of card `name`, in place of an earlier one."""
        self.faces[name] = face

    def radius_mm(self) -> float:
        """The radius of the cards' corners, as most photographs show it."""
        known = [face.radius_mm for face in self.faces.values() if face.radius_mm is not None]
        return round(float(np.median(known)), 1) if known else USUAL_RADIUS_MM

    def pictures(self, radius_mm: float) -> dict[str, Image]:
        """Every face (H, W, 3), in one light, its rim and corners cleaned."""
        faces = list(self.faces.values())
        if not faces:
            return {}
        gains = exposure_gains([face.background for face in faces])
        if not self._scans:
            gains = gains * paper_gain([face.image for face in faces], gains)
        return {
            name: self._finished(face, gain, radius_mm)
            for (name, face), gain in zip(self.faces.items(), gains, strict=True)
        }

    def _finished(self, face: PhotographedFace, gain: Array, radius_mm: float) -> Image:
        traced = face.outline.traced
        # a blurred edge reaches half its width into the card; a scanner's is sharp
        rim_mm = 0.1 if traced is None else 0.6 * traced.width_px / face.px_per_mm + 0.05
        return trimmed(exposed(face.image, gain), radius_mm, min(rim_mm, 0.5))
