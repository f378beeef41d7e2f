"""The three steps in their order, on small faces under one lamp's reflection each."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.deck_learning.one_light.all_faces import as_one_scan
from arena_cam.vision.deck_learning.one_light.veil import AT_TABLE
from arena_cam.vision.picture.linear_light import linear_light, srgb

SIZE = 352, 252


def test_faces_photographed_under_gloss_are_alike_and_black_where_black_is_printed() -> None:
    y, _ = np.meshgrid(*(np.linspace(-1.0, 1.0, side) for side in SIZE), indexing="ij")
    printed = np.full((*SIZE, 3), 0.5)
    printed[(np.arange(SIZE[0]) // 40) % 2 == 0] = 0.02
    rng = np.random.default_rng(3)
    hazes = [0.1 + rng.uniform(0.0, 0.04) + rng.uniform(-0.02, 0.02) * y for _ in range(8)]
    faces = [srgb(np.asarray(printed + haze[:, :, None], np.float32)) for haze in hazes]
    inner = np.s_[60:-60, 60:-60]
    seen = np.stack([linear_light(face)[inner] for face in as_one_scan(faces, 8.0, AT_TABLE)])
    before = np.stack([linear_light(face)[inner] for face in faces])
    assert np.median(np.ptp(seen, axis=0)) < 0.2 * np.median(np.ptp(before, axis=0))
    assert np.median(seen[:, printed[inner] < 0.1]) < 0.04


def test_it_is_told_how_far_the_work_is() -> None:
    shares: list[float] = []
    rng = np.random.default_rng(4)
    as_one_scan([rng.integers(90, 110, (*SIZE, 3)).astype(np.uint8) for _ in range(4)], 8.0, tell=shares.append)
    assert shares == sorted(shares)
    assert len(shares) >= 10
    assert shares[-1] == 1.0
