"""Which tile lies in which cell of a photographed board, and what is asked instead of said."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.board_doubts import BoardDoubt
from arena_cam.domain.tile_sets import TileSet
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.geometry.homography import transformed
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.simulation.boards.styles import STYLES
from arena_cam.vision.boards import board_reader
from arena_cam.vision.boards.board_reader import BoardReader, factors
from arena_cam.vision.boards.placing import PlacedBoard
from arena_cam.vision.boards.seeds import Lattice, Seed
from arena_cam.vision.printed import keypoints
from vision.boards.scenes import PX_MM, flat_board, photographed, table_picture

SOME = {"A1": "9-4-7", "B2": "1-3-2", "C3": "5-8-6", "C5": "9-8-7", "D4": "1-4-6", "E1": "5-3-7", "E3": "9-3-2"}
MIDDLE = (600.0, 450.0)


@pytest.mark.parametrize("turn_deg", [97.0])
def test_every_cell_is_named_whichever_way_the_board_lies(
    reader: BoardReader, tile_set: TileSet, turn_deg: float
) -> None:
    board = flat_board(tile_set, 1, SOME)
    seen = photographed(table_picture(), board, MIDDLE, turn_deg=turn_deg, px_per_mm=3.0, tilt=0.15)
    reading = reader.read(seen, "p.jpg")
    assert len(reading.boards) == 1
    (found,) = reading.boards
    assert found.colour == "blue"
    assert {cell.cell: cell.tile for cell in found.cells if cell.tile} == SOME
    assert reading.sure, [str(doubt) for doubt in reading.doubts]


class Misled(BoardReader):
    """A reader that first puts every board one cell aside, as a few keypoints of a reduced picture may."""

    looks = 0

    def _news(self, looking, seen, known):  # type: ignore[no-untyped-def]
        news, beside = super()._news(looking, seen, known)
        self.looks += 1
        if self.looks > 1:
            return news, beside
        aside = np.eye(3)
        aside[:2, 2] = self.prints.cells_mm[1] - self.prints.cells_mm[0]
        placed = [self._placed(looking, board.px_from_mm @ aside) for board in news]
        return [board for board in placed if board is not None], beside


@pytest.mark.whole
def test_a_board_that_was_placed_one_cell_aside_is_looked_for_again(
    tile_set: TileSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = dict(zip(dict(tile_set.boards[0].cells_mm), [tile.id for tile in tile_set.tiles], strict=False))
    seen = photographed(table_picture(), flat_board(tile_set, 0, full), MIDDLE, turn_deg=20.0, px_per_mm=2.6)
    monkeypatch.setattr(board_reader, "outlines_in", lambda *_: [])
    misled = Misled(tile_set)
    (found,) = misled.read(seen, "p.jpg").boards
    assert {cell.cell: cell.tile for cell in found.cells} == full
    assert misled.looks > 2


class TwoPlaces(BoardReader):
    """A reader whose tiles' keypoints speak for a place one cell aside, and whose print's for the `true` one (3, 3)."""

    true = np.eye(3)

    def _seeds(self, seen, known):  # type: ignore[no-untyped-def]
        aside = np.eye(3)
        aside[:2, 2] = self.prints.cells_mm[1] - self.prints.cells_mm[0]
        return ([], []) if known or not len(seen.xy) else ([[Seed(self.true @ aside, 20)]], [Seed(self.true, 10)])


@pytest.mark.whole
def test_of_two_places_of_one_board_the_better_is_kept(tile_set: TileSet, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = photographed(table_picture(), flat_board(tile_set, 0, SOME), MIDDLE, turn_deg=20.0, px_per_mm=2.6)
    reader = TwoPlaces(tile_set)
    reader.true = BoardReader.find(reader, seen)[0].px_from_mm
    monkeypatch.setattr(board_reader, "outlines_in", lambda *_: [])
    (found,) = reader.read(seen, "p.jpg").boards
    assert {cell.cell: cell.tile for cell in found.cells if cell.tile} == SOME


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_of_nothing_has_no_board_and_says_what_to_do(reader: BoardReader, level: int) -> None:
    reading = reader.read(np.full((480, 640, 3), level, np.uint8), "p.jpg")
    assert (reading.boards, reading.sure) == ((), False)
    assert "take the picture" in str(reading.doubts[0])


@pytest.fixture(scope="session")
def framed_set(tmp_path_factory: pytest.TempPathFactory) -> TileSet:
    """A set whose boards are dark within a frame of 6 mm."""
    folder = tmp_path_factory.mktemp("framed")
    write_set(folder, STYLES["gilt"])
    return read_tile_set(folder)


@pytest.mark.whole
@pytest.mark.parametrize("inner", [0.95, pytest.param(0.92, marks=pytest.mark.thorough)])
def test_a_frames_inner_border_is_not_taken_for_the_board(
    framed_set: TileSet, inner: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = dict(zip(dict(framed_set.boards[0].cells_mm), [tile.id for tile in framed_set.tiles], strict=False))
    board = flat_board(framed_set, 0, full)
    seen = photographed(table_picture(), board, MIDDLE, turn_deg=0.0, px_per_mm=2.6)
    low, high = np.array(MIDDLE) - (half := np.array(board.shape[1::-1]) * 2.6 / PX_MM / 2 * inner), MIDDLE + half
    corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    monkeypatch.setattr(board_reader, "outlines_in", lambda *_: [corners])
    (found,) = BoardReader(framed_set).read(seen, "p.jpg").boards
    assert {cell.cell: cell.tile for cell in found.cells} == full
    assert (found.colour, found.sure) == (framed_set.boards[0].colour, True)


@pytest.mark.whole
def test_a_frame_as_large_as_a_board_that_is_not_read_is_asked_about(
    tile_set: TileSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_reader, "outlines_in", lambda *_: [])
    px, size = 2.0, (tile_set.boards[0].width_mm, tile_set.boards[0].height_mm)
    seen = photographed(
        table_picture((1400, 900)), flat_board(tile_set, 0, SOME), (400.0, 450.0), turn_deg=0, px_per_mm=px
    )
    reader = BoardReader(tile_set)
    assert BoardDoubt.ANOTHER() not in reader.read(seen, "p.jpg").doubts
    box = cv2.boxPoints(((1000.0, 450.0), (size[0] * px, size[1] * px), 33.0))
    cv2.polylines(seen, [np.round(box).astype(np.int32)], True, (30, 30, 30), 4, cv2.LINE_AA)
    reading = reader.read(seen, "p.jpg")
    assert len(reading.boards) == 1
    assert not reading.sure
    assert BoardDoubt.ANOTHER() in reading.doubts


class Speaking(BoardReader):
    """A reader that says which places keypoints speak for."""

    def spoken_for(self, seen: keypoints.Keypoints, known: list[PlacedBoard]) -> tuple[list[list[Seed]], list[Seed]]:
        return self._seeds(seen, known)


def test_tiles_that_seem_to_lie_beside_a_board_do_not_hide_the_print_of_another(
    tile_set: TileSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a cloth's flowers agree with a lattice of tiles by chance."""
    reader, flat = Speaking(tile_set), flat_board(tile_set, 0, {})
    one = photographed(table_picture((1400, 900)), flat, (350.0, 450.0), turn_deg=0, px_per_mm=2.6)
    known = reader.find(one)
    both = photographed(one, flat, (1000.0, 450.0), turn_deg=0, px_per_mm=2.6)
    chance = Seed(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 400.0], [0.0, 0.0, 1.0]]), 9, (True,) * 6 + (False,) * 13)
    monkeypatch.setattr(Lattice, "seeds", lambda *_: [[chance]])
    outline = transformed(known[0].px_from_mm, reader.prints.corners_mm[0]).astype(np.float32)
    groups, on_print = reader.spoken_for(keypoints.of_photograph(both, 1400, 2000, [outline]), known)
    assert len(groups) == 1
    middles = [transformed(seed.px_from_mm, reader.prints.corners_mm[0]).mean(axis=0) for seed in on_print]
    assert min(np.hypot(*(middle - (1000.0, 450.0))) for middle in middles) < 10.0


def test_a_picture_is_reduced_less_and_less_beside_a_board() -> None:
    assert factors(3.0, 0.9) == pytest.approx([1.1 / 3.0, 1.1 / 3.0 * 1.75, 0.9])
    assert factors(1.0, 0.9) == [0.9]
