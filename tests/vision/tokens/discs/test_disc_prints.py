"""A round print is recognised in any turn, and where a part of it is covered."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from vision.tokens.scenes import RADIUS_MM, TOKENS, laid, small_set, view_of


def tokens() -> DiscPrints:
    images = [np.asarray(cv2.imread(str(disc.image), -1), np.uint8) for disc in small_set().tokens]
    return DiscPrints(images, RADIUS_MM)


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.9])
@pytest.mark.parametrize("kind", list(TOKENS))
def test_its_kind_is_the_likest_in_any_turn(kind: str, turn: float) -> None:
    view = view_of(laid([], [(kind, (100.0, 80.0, turn))]))
    seen, inside = tokens().samples(view, np.array([[100.0, 80.0]]))
    free = inside.astype(np.float64)
    free[:, :, :24] = 0.0  # three eighths are covered
    likeness = tokens().likeness(seen, free)
    assert list(TOKENS)[int(likeness.alike[0].argmax())] == kind
    assert likeness.alike.max() > 0.9


def test_samples_beyond_the_picture_are_not_there() -> None:
    _, inside = tokens().samples(view_of(laid([])), np.array([[0.0, 100.0]]))
    assert 0.3 < inside.mean() < 0.7
