"""While a table is read its looks are kept, and another table's are others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arena_cam.vision.printed.print_light import PLAIN
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.read_table import ReadTable
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import RADIUS_MM, TOKENS, laid, small_prints, view_of

CAMERA = TableView(1.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))
CARD = LaidCard(rigid_motion(np.array([110.0, 110.0, 0.0])), 0, PLAIN, np.ones((90, 60), bool), 1.0, 1.0, 9)
VIEW = view_of(laid([("p-1", (110.0, 110.0, 0.0))], [("no", (110.0, 120.0, 0.0))]))
TOKEN = SeenDisc(1, np.array([110.0, 120.0]), RADIUS_MM, 0.9, 0.9, 1.0, 0.5, 0.5)


def read_table() -> ReadTable:
    prints = small_prints()
    tokens = DiscPrints(prints.disc_images[: len(TOKENS)], RADIUS_MM)
    return ReadTable(CardSearch(prints), tokens, SeenTable(CAMERA, VIEW, [CARD]))


def test_colours_of_other_tokens_on_the_same_table_share_its_looks() -> None:
    table, other = read_table(), read_table()
    colours = table.colours([TOKEN])
    face = colours.face(TOKEN)
    assert table.colours([replace(TOKEN, lead=0.5)]).face(TOKEN) is face
    assert other.colours([TOKEN]).face(TOKEN) is not face
    assert colours.white is table.white


def test_the_print_beneath_a_disc_is_looked_at_once_a_table() -> None:
    table = read_table()
    there = table.print.there(TOKEN, [])
    assert there is not None
    assert table.print.there(TOKEN, []) is there
    assert read_table().print.there(TOKEN, []) is not there
