"""Reads a photograph without a table: the stages in order, nothing else.

Features and outlines guess places; candidates are aligned and weighed; the best are chosen; overlaps tell who covers
whom; each card is named again on what is then left of it to be seen.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Lie, Point2, Reading, Unreadable
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.photographs.singly.doubt import NameDoubt, doubt, hopeless, no_back
from arena_cam.vision.photographs.singly.names import Name, name_card
from arena_cam.vision.photographs.singly.overlaps import Overlap, above, bottom_to_top, outline, overlaps, rests_on
from arena_cam.vision.photographs.singly.selection import choose, sampled
from arena_cam.vision.planes.candidates import Candidate, candidates, corners_px
from arena_cam.vision.planes.face_features import FaceFeatures
from arena_cam.vision.planes.picture import Picture
from arena_cam.vision.planes.plane_alignment import Templates
from arena_cam.vision.planes.quads import guess_quads

_COARSE_PX_PER_MM = 0.75
_FINE_PX_PER_MM = 1.5
_SMALLEST_PHOTOGRAPH_PX = 40  # a card of this height shows no index
_LEAST_PROBABILITY = 0.5  # below that, a card is not reported: more likely there is none, or another


def _left_by(cards: list[Candidate], i: int, uppers: set[int], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Cells (H, W) of card `i` that none of the cards `uppers` covers."""
    covered = np.zeros((size[1], size[0]), np.uint8)
    for upper in uppers:
        covered |= outline(cards[upper], size).astype(np.uint8)
    wide = np.asarray(cv2.dilate(covered, np.ones((3, 3), np.uint8)), np.uint8)
    return ~sampled(wide, cards[i].px_from_mm, cards[i].templates.grid)


class SingleCardReader:
    """Finds and names the cards of one deck in photographs, each on a plane of its own."""

    def __init__(self, faces: DeckFaces) -> None:
        self.faces = faces
        self.features = FaceFeatures(faces)
        self.coarse = Templates(faces, _COARSE_PX_PER_MM)
        self.fine = Templates(faces, _FINE_PX_PER_MM)

    def read(self, frame: Frame) -> Reading | Unreadable:
        """The cards in a photograph; Unreadable for one too small to tell a card in."""
        height, width = frame.image_bgr.shape[:2]
        if min(height, width) < _SMALLEST_PHOTOGRAPH_PX:
            return Unreadable(
                frame.name,
                frame.time_s,
                (Doubt.SMALL_PHOTOGRAPH(size=f"{width} x {height}"),),
                Doubt.LARGER_PHOTOGRAPH(least_px=_SMALLEST_PHOTOGRAPH_PX),
            )
        names, found = self.find(frame.image_bgr)
        return self._reading(names, found, (width, height), frame.name, frame.time_s)

    def find(self, image_bgr: Image) -> tuple[list[tuple[Name, NameDoubt]], list[Overlap]]:
        """The cards with their doubts, and the overlaps among them."""
        picture = Picture(image_bgr)
        size = (picture.width, picture.height)
        guesses = self.features.guesses(image_bgr) + guess_quads(image_bgr, self.faces.deck)
        chosen = choose(candidates(picture, guesses, self.coarse), size)
        names = [name_card(picture, c.candidate, c.own, self.fine) for c in chosen]
        standing = [n for n in names if n is not None and not hopeless(n)]
        for _ in range(2):  # naming what is left of covered cards may change what covers them
            standing = self._uncovered(picture, standing, size)
        reported = [(n, d) for n in standing if (d := doubt(n)).probability >= _LEAST_PROBABILITY]
        reported = [(n, d) for n, d in reported if not no_back(n)]
        return reported, overlaps([n.candidate for n, _ in reported], size)

    def _uncovered(self, picture: Picture, names: list[Name], size: tuple[int, int]) -> list[Name]:
        """The names given again from what no other card covers; those that cannot be right left out."""
        cards = [n.candidate for n in names]
        uppers = above(len(cards), overlaps(cards, size))
        again: list[Name] = []
        for i, card in enumerate(cards):
            mine = _left_by(cards, i, uppers[i], size)
            n = name_card(picture, card, mine, self.fine)
            if n is not None and not hopeless(n):
                again.append(n)
        return again

    def _reading(
        self,
        names: list[tuple[Name, NameDoubt]],
        found: list[Overlap],
        size: tuple[int, int],
        frame: str,
        time_s: float,
    ) -> Reading:
        cards = [n.candidate for n, _ in names]
        order, consistent = bottom_to_top(len(cards), found)
        on = rests_on(cards, found, size)
        keys, backs = [], 0
        for n, _ in names:
            face = self.faces.names[n.candidate.face]
            backs += face == BACK
            keys.append(f"?{backs}" if face == BACK else face)
        lies = tuple(self._lie(*names[i], keys[i], tuple(keys[j] for j in sorted(on[i]))) for i in order)
        why = [] if consistent else [Doubt.CIRCLE()]
        why += [Doubt.UPPER_UNKNOWN(card=keys[p.upper], card_other=keys[p.lower]) for p in found if not p.decided]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        why += [Doubt.SEEN_TWICE(card=key) for key in twice]
        sure = not why and all(lie.sure for lie in lies)
        covers = tuple((keys[p.upper], keys[p.lower]) for p in found if p.decided)
        return Reading(frame, time_s, lies, covers, None, sure, tuple(why))

    def _lie(self, n: Name, d: NameDoubt, key: str, on: tuple[str, ...]) -> Lie:
        quad = corners_px(n.candidate.px_from_mm, n.candidate.templates)
        across = quad[1] - quad[0]
        face = self.faces.names[n.candidate.face]
        down = face == BACK
        return Lie(
            key=key,
            card=None if down else face,
            face=Face.DOWN if down else Face.UP,
            landing=None,
            confidence=d.probability,
            tilt_deg=None,
            tilt_sd_deg=None,
            centre_mm=None,
            angle_deg=math.degrees(math.atan2(-float(across[1]), float(across[0]))),
            corners_px=_four(quad),
            rests_on=on,
            visible_fraction=n.agreement.visible_fraction,
            identity_probability=d.probability,
            other_names=tuple((self.faces.names[f], p) for f, p in d.others if self.faces.names[f] != BACK),
            sure=d.sure,
            doubts=d.doubts,
        )


def _four(quad: NDArray[np.float64]) -> tuple[Point2, Point2, Point2, Point2]:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d
