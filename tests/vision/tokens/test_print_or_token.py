"""A token is no print of the card that it lies on; what only looked like one is."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.printed.print_light import PLAIN
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.print_or_token import is_print
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import laid, small_prints, view_of

CAMERA = TableView(1.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))
TABLE = SeenTable(
    CAMERA,
    view_of(laid([("p-1", (110.0, 110.0, 0.0))], [("no", (110.0, 120.0, 0.0)), ("yes", (118.0, 126.0, 1.0))])),
    [LaidCard(rigid_motion(np.array([110.0, 110.0, 0.0])), 0, PLAIN, np.ones((90, 60), bool), 1.0, 1.0, 9)],
)


def disc(x: float, y: float) -> SeenDisc:
    return SeenDisc(0, np.array([x, y]), 12.0, 0.6, 0.7, 1.0, 0.1, 0.3)


def test_print_is_told_from_tokens() -> None:
    search = CardSearch(small_prints())
    top, below = disc(118.0, 126.0), disc(110.0, 120.0)
    assert not is_print(search, TABLE, top, [below])
    assert not is_print(search, TABLE, below, [top])
    assert is_print(search, TABLE, disc(100.0, 85.0), [top, below])


def test_what_others_cover_wholly_is_not_called_print() -> None:
    assert not is_print(CardSearch(small_prints()), TABLE, disc(118.5, 126.0), [disc(118.0, 126.0)])
