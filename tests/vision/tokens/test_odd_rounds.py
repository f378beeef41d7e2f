"""A round thing on a card that is neither its print nor a known token is noticed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_groups import outline_mm
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.discs.rims import Edges
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.odd_rounds import odd_rounds
from arena_cam.vision.tokens.print_or_token import CardPrint
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import RADIUS_MM, SIZE_MM, laid, small_prints, view_of

AT = np.array([104.0, 122.0])
NO_CAMERA = TableView(1000.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 300.0]))


def _found(tokens: list[SeenDisc], *, empty: bool = False) -> list[NDArray[np.float64]]:
    search = CardSearch(small_prints())
    view = view_of(laid([("p-2", (100.0, 110.0, 0.1))], [] if empty else [("yes", (*AT, 0.3))]))
    covered = [SeenDisc(0, AT, RADIUS_MM, 1.0, 1.0, 1.0, 1.0, 1.0)]
    motion = rigid_motion(np.array([100.0, 110.0, 0.1]))
    card = search.looked_at(view, motion, 1, 9, Claims(view, SIZE_MM, (), covered))
    table, outlines = SeenTable(NO_CAMERA, view, [card]), [outline_mm(card, SIZE_MM)]
    return odd_rounds(CardPrint(search, table), Edges(view).circles(RADIUS_MM), RADIUS_MM, outlines, tokens, [])


def test_a_token_that_was_not_found_is_odd() -> None:
    assert any(np.linalg.norm(middle - AT) < 1.5 for middle in _found([]))


def test_print_and_a_known_token_are_not() -> None:
    assert not _found([], empty=True)
    assert not _found([SeenDisc(0, AT, RADIUS_MM, 1.0, 1.0, 1.0, 1.0, 1.0)])
