"""A token on the cloth is no token on an unknown card, however bright the cloth is."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from arena_cam.vision.printed.print_light import PLAIN
from arena_cam.vision.tokens.cards.card_reader import CardReader, SeenTable
from arena_cam.vision.tokens.strange_paper import unlike_cloth
from arena_cam.vision.tokens.view.top_view import TopView
from vision.tokens.scenes import small_prints

PAPER, DARK, SIDE = 245.0, 60.0, 400
ON_CLOTH, ON_PAPER = np.array([60.0, 60.0]), np.array([320.0, 100.0])


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader(small_prints())


def _cloth(kind: str) -> np.ndarray:
    rows, columns = np.indices((SIDE, SIDE))
    pattern = {
        "dark": np.zeros((SIDE, SIDE), bool),
        "white": np.ones((SIDE, SIDE), bool),
        "check": (rows // 15 + columns // 15) % 2 == 0,
    }[kind]
    cloth = np.where(pattern, PAPER, DARK)
    cloth[60:150, 280:360] = PAPER  # a card that nobody recognised
    return np.repeat(cloth[..., None], 3, axis=2).astype(np.float32)


@pytest.mark.parametrize(("cloth", "strange"), [("dark", [ON_PAPER]), ("check", [ON_PAPER]), ("white", [])])
def test_what_is_about_a_token_is_compared_with_the_cloth(
    reader: CardReader, cloth: str, strange: list[np.ndarray]
) -> None:
    view = TopView(_cloth(cloth), np.ones((SIDE, SIDE), bool), np.zeros(2), 1.0)
    card = SimpleNamespace(middle=np.array([200.0, 330.0]), light=PLAIN)
    tokens = [SimpleNamespace(middle=middle, radius_mm=12.0) for middle in (ON_CLOTH, ON_PAPER)]
    table = SeenTable(None, view, [card])  # type: ignore[arg-type,list-item]
    found = unlike_cloth(reader, table, tokens, [ON_CLOTH, ON_PAPER])
    np.testing.assert_allclose(found, strange)
