"""From a photograph to its table and cards: keypoints tell a first view, cards aligned in it a better one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed import keypoints
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.cards.print_votes import places_on_table, seen_prints
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.table_view import TableView, fit_table
from arena_cam.vision.tokens.view.top_view import TopView, seen_box, top_view

LONGEST_PX, MOST_KEYPOINTS = 1300, 2500
FIRST_PLACES, FIRST_VOTES, REFITS = 16, 6, 3
PX_PER_MM = 2.0


@dataclass(frozen=True, eq=False)
class SeenTable:
    """Where the table is, how it looks from above, and which cards lie on it."""

    camera: TableView
    view: TopView
    cards: list[LaidCard]


class CardReader:
    """Reads the cards of one set in photographs."""

    def __init__(self, prints: SetPrints) -> None:
        self.prints = prints
        self.search = CardSearch(prints)
        self._keypoints = prints.keypoints()

    def read(self, image_bgr: NDArray[np.uint8]) -> SeenTable | None:
        """The table and its cards; None where no card is recognised."""
        size = (image_bgr.shape[1], image_bgr.shape[0])
        seen = keypoints.of_photograph(image_bgr, LONGEST_PX, MOST_KEYPOINTS)
        matches = self._keypoints.matches(seen)
        camera = fit_table(seen_prints(matches), size)
        if camera is None:
            return None
        for _ in range(REFITS):
            places = places_on_table(matches, camera, FIRST_PLACES)
            good = [place.seen for place in places if place.votes >= FIRST_VOTES]
            camera = fit_table(good, size, camera) or camera
        places = places_on_table(matches, camera)
        around = [p.at[:2] for p in places if p.votes >= FIRST_VOTES]
        if not around:
            return None
        view = top_view(image_bgr, camera, _box(camera, size, around), PX_PER_MM)
        return SeenTable(camera, view, self.search.search(view, places))


def _box(camera: TableView, size_px: tuple[int, int], around: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return seen_box(camera, size_px, np.array(around))
