"""Which view of the table to begin with: keypoints of the print tell one, outlines of cards others; the print decides.

Small words have few keypoints, and a wrong view of few keypoints agrees with itself. Outlines tell the plane's tilt
well, but not always its scale: a frame printed on a card is a smaller card. So some scales of each plane are tried, and
the views that most matches agree with are compared by how well faces correlate with what they show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.planes.card_plane import camera_over, pinhole
from arena_cam.vision.planes.outline_corners import find_corners
from arena_cam.vision.planes.plane_guesses import PlaneGuess, likeliest_planes
from arena_cam.vision.printed.keypoints import Matches
from arena_cam.vision.tokens.cards.card_search import SAME_MM, CardSearch
from arena_cam.vision.tokens.cards.face_alignment import RIGID, Plan
from arena_cam.vision.tokens.cards.print_votes import Place, places_on_table
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import rigid_motion, seen_box, top_view

Floats = NDArray[np.float64]

SCALES = (0.8, 0.89, 1.0, 1.12, 1.25)  # of a plane's distance as outlines tell it
MOST_PLANES, MOST_PLACES, LEAST_VOTES = 3, 14, 4
PX_PER_MM = 1.0  # of the top view in which faces are correlated: they are compared at 0.5 px/mm
# Correlation of the likeliest face with a place, from which a card may lie there, and from which one surely does.
LEAST_ALIKE, CLEAR, CLEAR_PLACES = 0.4, 0.6, 2
# Of the strongest keypoints, how many must agree about the second of the cards. In 14 of 16 photographs of nine styles
# in which faces were not clear and so many agreed the view was off by 1.1 mm at most; with 12 it was once off by 9.
TOLD = 13
# Where faces hardly correlate (words on white) what else speaks for a view: in correlations squared, a keypoint that
# agrees with others and a corner or side of an outline.
OF_KEYPOINT, OF_OUTLINE = 0.01, 0.01
NEARLY = Plan(RIGID, 4, wide=True)


@dataclass(frozen=True, eq=False)
class FirstView:
    """A view, where cards seem to lie in it (`motions` (N, 2, 3) to its table's mm), and how much speaks for it:
    `alike` (N,) correlations of the likeliest faces, best first; keypoints that agree, `agreeing` in all and `second`
    about the second of the cards; corners of outlines."""

    camera: TableView
    motions: Sequence[Floats]
    alike: Floats
    agreeing: int
    outlines: float = 0.0
    second: int = 0

    @property
    def proof(self) -> float:
        """How much speaks for the view."""
        return float(np.square(self.alike).sum()) + OF_KEYPOINT * self.agreeing + OF_OUTLINE * self.outlines

    @property
    def is_told(self) -> bool:
        """Whether so many keypoints of two cards agree that the view is nearly true, however much tokens cover."""
        return self.second >= TOLD

    @property
    def is_clear(self) -> bool:
        """Whether enough places look as cards do, so that the view is nearly true."""
        return bool((self.alike > CLEAR).sum() >= CLEAR_PLACES)


def looked_at(
    image_bgr: NDArray[np.uint8], camera: TableView, matches: Matches, search: CardSearch, outlines: float = 0.0
) -> FirstView:
    """How well the view shows cards where matches put them."""
    places = _places(matches, camera)
    agreeing = sum(place.votes for place in places if place.votes > LEAST_VOTES)
    found = sorted(_seen(image_bgr, camera, places, search), key=lambda each: -each[0])
    alike, second = np.array([a for a, _ in found]), places[1].votes if len(places) > 1 else 0
    return FirstView(camera, [motion for _, motion in found], alike, agreeing, outlines, second)


def shows_cards(image_bgr: NDArray[np.uint8], camera: TableView, matches: Matches, search: CardSearch) -> bool:
    """Whether the view `is_told`, or `is_clear`: no more is looked at than tells that."""
    places = _places(matches, camera)
    if len(places) > 1 and places[1].votes >= TOLD:
        return True
    clear = (alike for alike, _ in _seen(image_bgr, camera, places, search) if alike > CLEAR)
    return len(list(islice(clear, CLEAR_PLACES))) == CLEAR_PLACES


def _places(matches: Matches, camera: TableView) -> list[Place]:
    places = places_on_table(matches, camera, MOST_PLACES, LEAST_VOTES)
    return [place for place in places if place.votes >= LEAST_VOTES]


def _seen(
    image_bgr: NDArray[np.uint8], camera: TableView, places: Sequence[Place], search: CardSearch
) -> Iterator[tuple[float, Floats]]:
    """How well the likeliest face correlates about each place, and the card's motion there, where one may lie."""
    if not places:
        return
    size, around = (image_bgr.shape[1], image_bgr.shape[0]), np.array([place.at[:2] for place in places])
    view = top_view(image_bgr, camera, seen_box(camera, size, around), PX_PER_MM)
    known: list[Floats] = []
    for place in places:
        alike, motion = search.roughly(view, rigid_motion(place.at), NEARLY)
        if alike > LEAST_ALIKE and all(np.linalg.norm(motion[:, 2] - other) > SAME_MM for other in known):
            known.append(motion[:, 2])
            yield alike, motion


def by_outlines(image_bgr: NDArray[np.uint8], matches: Matches, search: CardSearch) -> list[FirstView]:
    """The views that outlines of cards tell, each at the scale that most matches agree with, and at its own."""
    K = pinhole((image_bgr.shape[1], image_bgr.shape[0]))
    views: list[FirstView] = []
    for guess in likeliest_planes(find_corners(image_bgr), K, search.prints.size_mm)[:MOST_PLANES]:
        own = _over(guess, K)
        scaled = [replace(own, place=own.place * scale) for scale in SCALES]
        best = max(scaled, key=lambda each: _agreeing(matches, each))
        views.append(looked_at(image_bgr, own, matches, search, guess.plane.support))
        if best.place[2] != own.place[2]:
            views.append(looked_at(image_bgr, best, matches, search))
    return views


def _over(guess: PlaneGuess, K: Floats) -> TableView:
    """The view over a plane: the table's x to the right, its y down in the picture."""
    camera = camera_over(guess.plane, K, np.zeros(5), guess.middle_px)
    rotation = np.asarray(cv2.Rodrigues(camera.rvec)[0], np.float64) @ np.diag([1.0, -1.0, -1.0])
    return TableView(float(K[0, 0]), np.asarray(K[:2, 2]), 0.0, rotation, np.asarray(camera.tvec))


def _agreeing(matches: Matches, view: TableView) -> int:
    """How many keypoints lie as cards of true size have them, several on a card."""
    places = places_on_table(matches, view, MOST_PLACES, LEAST_VOTES)
    return sum(place.votes for place in places if place.votes > LEAST_VOTES)
