"""Tokens that were missed are found where something is left over, leaning ones too."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.missed_tokens import Patch, SecondLook
from arena_cam.vision.tokens.discs.rims import Edges
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from vision.tokens.scenes import RADIUS_MM, TOKENS, Place, laid, plain_light, small_prints, view_of

MIDDLE = np.array([150.0, 110.0])


def looked(picture: NDArray[np.uint8], patches: list[Patch]) -> list[SeenDisc]:
    view = view_of(picture)
    images = small_prints().disc_images[: len(TOKENS)]
    look = SecondLook(DiscPrints(images, RADIUS_MM))
    return look.search(view, Edges(view), [plain_light], [], patches)


def with_token(kind: str) -> NDArray[np.uint8]:
    place: Place = (150.0, 110.0, 0.4)
    return laid([("p-1", (110.0, 110.0, 0.0))], [(kind, place)])


def test_a_token_is_found_at_the_patch_that_it_left() -> None:
    (token,) = looked(with_token("no"), [Patch(MIDDLE + 2.0, 0.5)])
    assert list(TOKENS)[token.kind] == "no"
    assert np.linalg.norm(token.middle - MIDDLE) < 1.0


def test_a_leaning_one_is_found_as_an_ellipse() -> None:
    squeeze = np.array([[0.78, 0.0, 0.22 * 450.0], [0.0, 1.0, 0.0]])
    picture = with_token("yes")
    leaning = np.asarray(cv2.warpAffine(picture, squeeze, picture.shape[1::-1]), np.uint8)
    (token,) = looked(leaning, [Patch(MIDDLE, 0.5)])
    assert list(TOKENS)[token.kind] == "yes"
    assert np.linalg.norm(token.middle - MIDDLE) < 2.0


def test_nothing_is_found_without_a_patch_or_without_a_token() -> None:
    assert looked(with_token("no"), []) == []
    assert looked(laid([]), [Patch(MIDDLE, 0.5)]) == []
