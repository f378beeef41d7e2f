"""`arena-cam deck print`: what comes out of the printer is found by the same detector that looks at the table."""

from __future__ import annotations

import resource
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from arena_cam.commands.main import main
from arena_cam.domain.blocks import BLOCK_CHOICES, BLOCK_MARKER_MM, block_id
from arena_cam.domain.colours import COLOURS
from arena_cam.printing import sheets
from arena_cam.vision.picture.markers import find_markers
from arena_cam.vision.setup.board_corners import find_board

DPI = 150
PX_MM = DPI / 25.4


def printed(folder: Path, paper: str, *parts: str) -> list[np.ndarray]:
    out = folder / "sheets.pdf"
    only = [word for part in parts for word in ("--only", part)]
    assert main(["deck", "print", "--out", str(out), "--paper", paper, *only]) == 0
    with closing(pypdfium2.PdfDocument(out)) as document:
        pages = [page.render(scale=DPI / 72).to_numpy()[:, :, :3] for page in document]
    return [np.asarray(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)) for page in pages]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_blocks_and_fiducials_have_their_numbers_and_true_sizes(tmp_path: Path, paper: str) -> None:
    found = [
        marker
        for page in printed(tmp_path, paper, "blocks", "fiducials")
        for marker in find_markers(page, sheets.DICTIONARY)
    ]
    sizes = {m.id: float(np.linalg.norm(m.corners_px[1] - m.corners_px[0])) / PX_MM for m in found}
    blocks = {block_id(colour, choice) for colour in COLOURS for choice in BLOCK_CHOICES}
    assert len(blocks) == 10
    assert set(sizes) == blocks | set(sheets.FIDUCIAL_IDS)
    for number, size_mm in sizes.items():
        assert size_mm == pytest.approx(BLOCK_MARKER_MM if number in blocks else sheets.FIDUCIAL_MM, abs=0.3)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_board_is_the_one_that_calibrate_expects_at_true_scale(tmp_path: Path, paper: str) -> None:
    (page,) = printed(tmp_path, paper, "board")
    view = find_board(page, sheets.BOARD, "page")
    assert view is not None
    assert len(view.board_mm) == 24
    on_paper = np.linalg.norm(np.diff(view.image_px[[0, -1]], axis=0)) / PX_MM
    # A picture is stretched outwards to whole pixels, of which this board has some 1240.
    assert on_paper == pytest.approx(np.linalg.norm(np.diff(view.board_mm[[0, -1]], axis=0)), rel=0.003)


def test_every_card_has_its_page_and_backs_its_own(tmp_path: Path) -> None:
    pages = printed(tmp_path, "a4", "cards")
    assert len(pages) == 12  # nine a page, and a page of backs for each
    ids = [m.id for page in pages for m in find_markers(page, "DICT_4X4_50")]
    assert sorted(ids) == sorted(2 * list(range(50)))


def test_an_unwritable_place_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["deck", "print", "--only", "board", "--out", str(tmp_path / "file" / "x.pdf")]) == 1
    assert "choose another place with --out" in capsys.readouterr().err


def test_a_disk_without_room_leaves_what_was_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, new, old = tmp_path / "sheets", "new.pdf", "old.pdf"
    folder.mkdir()
    (folder / old).write_bytes(b"printed before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        for name in (new, old):
            assert main(["deck", "print", "--only", "fiducials", "--out", str(folder / name)]) == 1
            said = capsys.readouterr().err
            assert f"{folder / name}: cannot be written" in said
            assert "make room there" in said
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [file.name for file in folder.iterdir()] == [old]
    assert (folder / old).read_bytes() == b"printed before"
    assert main(["deck", "print", "--only", "fiducials", "--out", str(folder / old)]) == 0
    assert [file.name for file in folder.iterdir()] == [old]
    assert (folder / old).read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(("game", "file"), [("arena", "deck.pdf"), ("hexes", "hexes.pdf")])
def test_without_a_file_the_sheets_are_called_after_their_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, file: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["deck", "print", "--game", game]) == 0
    assert [each.name for each in tmp_path.iterdir()] == [file]
