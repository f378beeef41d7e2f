"""A grey token without print half beneath another hides the card's words; a shadow as grey does not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import PLAIN
from arena_cam.vision.tokens.cards.card_groups import outline_mm
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.plain_faces import plain_kinds, plain_rounds
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import PX_PER_MM, RADIUS_MM, SIZE_MM, laid, plain_light, small_prints, view_of

CAMERA = TableView(1.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))
CARD, TOP, UNDER = (110.0, 110.0, 0.0), (110.0, 110.0, 0.0), np.array([100.0, 99.0])
TOP_MM = np.array(TOP[:2])
GREY, SHADE = (140, 140, 140), 0.57


def prints(*, plain: bool = True) -> DiscPrints:
    face = np.full((240, 240, 4), 255, np.uint8)
    face[:, :, :3] = GREY
    images = small_prints().disc_images[:3]
    return DiscPrints([*images[:2], face if plain else images[2]], RADIUS_MM)


def picture(*, hides: bool) -> NDArray[np.uint8]:
    """A token on a card, and half beneath it a grey face or a shadow as grey."""
    card, whole = laid([("p-1", CARD)]), laid([("p-1", CARD)], [("yes", TOP)])
    at = np.indices(card.shape[:2])[::-1] / PX_PER_MM
    under, top = (
        np.hypot(*(at - np.array(middle[:2])[:, None, None])) < radius
        for middle, radius in ((UNDER, RADIUS_MM), (TOP, RADIUS_MM + 0.5))
    )
    grey = np.where(under[..., None], GREY if hides else np.round(card * SHADE), card)
    return np.asarray(cv2.GaussianBlur(np.where(top[..., None], whole, grey).astype(np.uint8), (0, 0), 0.7), np.uint8)


def told(image: NDArray[np.uint8], discs: DiscPrints) -> list[NDArray[np.float64]]:
    card = LaidCard(rigid_motion(np.array(CARD)), 0, PLAIN, np.ones((90, 60), bool), 1.0, 1.0, 9)
    table = SeenTable(CAMERA, view_of(image), [card])
    colours = TokenColours(discs, table.view, plain_light, [SeenDisc(0, TOP_MM, RADIUS_MM, 0.9, 0.9, 1.0, 0.5, 0.5)])
    circles = np.array([UNDER + 1.0, TOP_MM + 2.0, UNDER + 80.0])
    return plain_rounds(
        CardSearch(small_prints()), table, colours, plain_kinds(discs), circles, [outline_mm(card, SIZE_MM)], []
    )


@pytest.mark.parametrize(("hides", "count"), [(True, 1), (False, 0)], ids=["token", "shadow"])
def test_what_hides_the_print_beneath_it_is_a_token(count: int, *, hides: bool) -> None:
    assert len(told(picture(hides=hides), prints())) == count


def test_where_no_face_is_plain_nothing_is_asked() -> None:
    assert plain_kinds(prints()) == [2]
    assert plain_kinds(prints(plain=False)) == []
    assert told(picture(hides=True), prints(plain=False)) == []
