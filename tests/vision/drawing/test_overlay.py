"""What is drawn over a picture lies where it was read, and each layer for itself."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.lies import Landing, Reading, TablePose, Unknown
from arena_cam.vision.drawing.overlay import BOUNDARY, COLOURS, FIDUCIAL, INK, Label, draw_layers
from vision.small import camera_above, lie, small_table

TABLE = small_table()
CAMERA = camera_above(size=TABLE.image_size)
POSE = TablePose((float(CAMERA.rvec[0]), float(CAMERA.rvec[1]), float(CAMERA.rvec[2])), (0.0, 0.0, 500.0), 0.1, (1, 2))
BLANK = np.full((480, 640, 3), 128, np.uint8)
CARD = lie("red-8", 200.0, 150.0, size_px=(126.0, 176.0))
READING = Reading("test", 0.0, (CARD,), (), POSE)


def changed(layers: list[str], reading: Reading | None = READING, pose: TablePose | None = POSE) -> np.ndarray:
    """Where (N, 2) as (x, y) the layers changed the picture."""
    drawn = draw_layers(BLANK, TABLE, reading, pose, layers)
    assert drawn is not BLANK
    rows, columns = np.nonzero((drawn != BLANK).any(axis=2))
    return np.stack([columns, rows], axis=1)


def test_nothing_asked_for_changes_nothing() -> None:
    assert not len(changed([]))


@pytest.mark.parametrize("layer", ["outlines", "names", "tilt"])
def test_nothing_read_leaves_nothing_to_draw(layer: str) -> None:
    assert not len(changed([layer], reading=None))


@pytest.mark.parametrize("layer", ["boundary", "fiducials"])
def test_without_a_pose_nobody_knows_where_the_table_is(layer: str) -> None:
    assert not len(changed([layer], pose=None))


@pytest.mark.parametrize("landing", [*Landing, None])
def test_an_outline_has_the_colour_of_its_landing_and_runs_round_the_card(landing: Landing | None) -> None:
    card = lie("red-8", 200.0, 150.0, size_px=(126.0, 176.0), landing=landing)
    drawn = draw_layers(BLANK, TABLE, Reading("test", 0.0, (card,)), None, ["outlines"])
    assert drawn[150, 263].tolist() == list(COLOURS[landing])
    x, y = changed(["outlines"]).T
    assert (x.min(), y.min(), x.max(), y.max()) == pytest.approx((200, 150, 326, 326), abs=3)


def test_every_landing_has_a_lightness_of_its_own() -> None:
    lightness = sorted(0.114 * b + 0.587 * g + 0.299 * r for b, g, r in COLOURS.values())
    assert np.diff(lightness).min() > 3.0


@pytest.mark.parametrize("layer", ["names", "tilt"])
def test_words_stand_on_a_plate_in_the_middle_of_the_card(layer: str) -> None:
    drawn = draw_layers(BLANK, TABLE, READING, POSE, [layer])
    assert (drawn == INK).all(axis=2).any()
    assert (drawn > 240).all(axis=2).any()
    x, y = changed([layer]).T
    assert (x.min() + x.max()) / 2 == pytest.approx(263, abs=6)
    assert (y.min() + y.max()) / 2 == pytest.approx(238, abs=10)


def test_a_card_is_written_as_its_game_writes_it() -> None:
    drawn = draw_layers(BLANK, TABLE, READING, POSE, ["names"], lambda card: Label(card[-1], (0, 0, 200), (0, 250, 0)))
    plate, ink = (drawn == (0, 0, 200)).all(axis=2), (drawn == (0, 250, 0)).all(axis=2)
    assert plate.sum() > ink.sum() > 10
    assert np.ptp(np.nonzero(plate)[1]) < np.ptp(changed(["names"])[:, 0]), "the value alone is shorter than the id"


def test_a_symbol_stands_before_the_name() -> None:
    square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])

    def drawn_with(symbol: np.ndarray | None) -> np.ndarray:
        label = Label("1", (0, 0, 200), (0, 250, 0), symbol)
        return draw_layers(BLANK, TABLE, READING, POSE, ["names"], lambda _: label)

    plain, drawn = drawn_with(None), drawn_with(square)
    ink, more = ((each == (0, 250, 0)).all(axis=2) for each in (plain, drawn))
    assert more.sum() > 2 * ink.sum()
    assert np.nonzero(more)[1].mean() < np.nonzero(ink)[1].mean()


def test_a_name_that_is_not_sure_is_longer_by_its_question_mark() -> None:
    doubtful = Reading("test", 0.0, (lie("red-8", 200.0, 150.0, size_px=(126.0, 176.0), sure=False),))
    assert np.ptp(changed(["names"], doubtful)[:, 0]) > np.ptp(changed(["names"])[:, 0])


def test_the_boundary_is_drawn_where_floor_meets_wall_and_on_the_rim() -> None:
    drawn = draw_layers(BLANK, TABLE, None, POSE, ["boundary"])
    for z in (0.0, TABLE.arena.wall_height_mm):
        x, y = np.rint(CAMERA.project(np.array([[0.0, TABLE.arena.inner_mm[1] / 2, z]]))[0]).astype(int)
        assert np.abs(drawn[y, x].astype(int) - BOUNDARY).max() < 60


def test_fiducials_are_drawn_where_they_should_be_seen_or_not() -> None:
    drawn = draw_layers(BLANK, TABLE, None, POSE, ["fiducials"])
    for x_mm, y_mm in TABLE.fiducials.centres_mm.values():
        x, y = np.rint(CAMERA.project(np.array([[x_mm - 12.0, y_mm, 0.0]]))[0]).astype(int)
        assert np.abs(drawn[y - 1 : y + 2, x - 1 : x + 2].astype(int) - FIDUCIAL).max(axis=2).min() < 60


def test_what_is_asked_about_has_a_ring_round_it() -> None:
    doubtful = Reading("test", 0.0, (lie("red-8", 200.0, 150.0, size_px=(126.0, 176.0), sure=False),))
    sure, asked = (changed(["outlines"], reading, None).min(axis=0) for reading in (READING, doubtful))
    assert (asked < sure - 2).all()


def test_something_unknown_in_a_photograph_has_the_ring_that_was_read() -> None:
    """Without a measured table nobody knows where the world is."""
    doubt = Doubt.STRANGER(side=Side.LEFT, area_cm2=2.0)
    ring = ((200.0, 100.0), (240.0, 100.0), (240.0, 140.0), (200.0, 140.0))
    reading = Reading("test", 0.0, (), unknown=(Unknown(200.0, None, (), doubt, ring_px=ring),))
    assert changed(["outlines"], reading, None).mean(axis=0) == pytest.approx((220.0, 120.0), abs=3.0)
    assert not len(changed(["names"], reading, None))


def test_something_unknown_has_a_ring_where_it_lies() -> None:
    doubt = Doubt.STRANGER(side=Side.LEFT, area_cm2=2.0)
    reading = Reading("test", 0.0, (), (), POSE, unknown=(Unknown(200.0, (-60.0, 20.0), (), doubt),))
    middle = changed(["outlines"], reading).mean(axis=0)
    assert middle == pytest.approx(CAMERA.project(np.array([[-60.0, 20.0, 0.0]]))[0], abs=3.0)
    assert not len(changed(["names"], reading))
