"""What comes out of the printer is played with: sheets cut along their own marks, laid on a table and judged."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.commands.main import main
from arena_cam.domain.blocks import BLOCK_CHOICES, BLOCK_MARKER_MM, BLOCK_MM, block_id
from arena_cam.domain.cards import Deck
from arena_cam.domain.colours import COLOURS
from arena_cam.domain.lies import Face, Landing, Reading
from arena_cam.formats.deck_toml import read_deck
from arena_cam.geometry.card_pose import CardPose
from arena_cam.printing import sheets
from arena_cam.simulation.rendering.background import Surfaces
from arena_cam.simulation.rendering.camera_picture import Renderer
from arena_cam.simulation.rendering.plates import Plate
from arena_cam.simulation.rendering.scene import random_scene
from arena_cam.simulation.rendering.textures import srgb_to_linear
from arena_cam.simulation.things.faces import PAPER
from arena_cam.vision.picture.markers import find_markers
from arena_cam.vision.reading.table_reader import TableReader

DPI = 300
PX_MM = DPI / 25.4
SIZE_PX = (1536, 864)
Piece = tuple[np.ndarray, float, float, float]  # picture, width, height, radius of the corners


def rasterised(pdf: Path) -> Iterator[np.ndarray]:
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            yield page.render(scale=DPI / 72).to_numpy()[:, :, :3].copy()


def darkest(picture: np.ndarray) -> np.ndarray:
    """Each pixel's darkest channel (h, w): numpy takes ten times as long over an axis of three."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red))


def cuts(page: np.ndarray, axis: int) -> list[float]:
    """Where one side's cut marks point to, in pixels: axis 1 for the marks at the top, 0 for those on the left."""
    dark = darkest(page) < 128
    outermost = int(np.flatnonzero(dark.any(axis=axis))[0]) + round(1.0 * PX_MM)
    inked = np.flatnonzero(dark[outermost] if axis == 1 else dark[:, outermost])
    marks = np.split(inked, np.flatnonzero(np.diff(inked) > PX_MM) + 1)
    return [float(mark.mean()) + 0.5 for mark in marks]


def cut_out(page: np.ndarray, deck: Deck) -> list[np.ndarray]:
    """The cards of a sheet, row by row, cut where its marks say; places without a card are left out."""
    columns, rows = cuts(page, 1), cuts(page, 0)
    assert np.allclose(np.diff(columns), deck.width_mm * PX_MM, atol=2.0)
    assert np.allclose(np.diff(rows), deck.height_mm * PX_MM, atol=2.0)
    cards = []
    for top, bottom in pairwise(rows):
        for left, right in pairwise(columns):
            card = page[round(top) : round(bottom), round(left) : round(right)]
            if (darkest(card) < 250).mean() > 0.1:
                cards.append(card)
    return cards


class Table:
    """A table on which printed pieces are laid apart and photographed."""

    def __init__(self) -> None:
        self.scene = random_scene(12, SIZE_PX)
        table = self.scene.table
        surfaces = Surfaces(table.arena, self.scene.look)
        self.renderer = Renderer(self.scene.camera, SIZE_PX, surfaces, table.fiducials, supersample=1)
        self.rng = np.random.default_rng(4)

    def photograph(self, pieces: Sequence[Piece], step_mm: tuple[float, float], columns: int) -> np.ndarray:
        """Pieces in rows of `columns`, each turned a little, half of them upside down."""
        self.renderer.clear_still()
        for k, (image, width, height, radius) in enumerate(pieces):
            row, column = divmod(k, columns)
            x, y = (column - (columns - 1) / 2) * step_mm[0], (0.5 - row) * step_mm[1]
            turn = float(self.rng.choice([0.0, 180.0]) + self.rng.uniform(-6.0, 6.0))
            colour = (srgb_to_linear(image) * PAPER).astype(np.float32)
            plate = Plate(width, height, colour, corner_radius_mm=radius, gloss=self.scene.look.gloss)
            scale = self.scene.camera.px_per_mm(np.zeros(3))
            self.renderer.lay(plate.reduced(scale), CardPose.flat(x, y, turn, 0.3))
        self.renderer.settle()
        return self.renderer.picture()


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory, own_deck_folder: Path) -> tuple[Deck, list[np.ndarray]]:
    """The deck that was printed, and its sheets: cards, each page followed by its backs; then the blocks."""
    folder = tmp_path_factory.mktemp("printed")
    shutil.copytree(own_deck_folder, folder / "deck")
    parts = ["--only", "cards", "--only", "blocks"]
    assert main(["deck", "print", "--out", str(folder / "deck.pdf"), "--folder", str(folder / "deck"), *parts]) == 0
    return read_deck(folder / "deck"), list(rasterised(folder / "deck.pdf"))


@pytest.fixture(scope="module")
def cards(printed: tuple[Deck, list[np.ndarray]]) -> list[np.ndarray]:
    """Every card, cut out of its sheet."""
    deck, pages = printed
    return [card for page in pages[0:12:2] for card in cut_out(page, deck)]


@pytest.fixture(scope="module")
def table() -> Table:
    return Table()


@pytest.fixture(scope="module")
def reader(printed: tuple[Deck, list[np.ndarray]], table: Table) -> TableReader:
    return TableReader(table.scene.table, printed[0])


def judged(reader: TableReader, picture: np.ndarray) -> Reading:
    reading = reader.read(Frame(picture, 0.0, 0, "printed", "printed"))
    assert isinstance(reading, Reading)
    return reading


SIX_FROM = [0, *(pytest.param(start, marks=pytest.mark.thorough) for start in range(6, 48, 6)), 48]


@pytest.mark.parametrize("start", SIX_FROM)
def test_every_printed_card_is_read(
    printed: tuple[Deck, list[np.ndarray]], cards: list[np.ndarray], reader: TableReader, table: Table, start: int
) -> None:
    deck, _ = printed
    assert len(cards) == 50
    wanted = [card.id for card in deck.cards[start : start + 6]]
    pieces = [(card, deck.width_mm, deck.height_mm, deck.corner_radius_mm) for card in cards[start : start + 6]]
    lies = judged(reader, table.photograph(pieces, (82.0, 104.0), 3)).lies
    assert sorted(lie.card or "?" for lie in lies) == sorted(wanted)
    assert all(lie.landing is Landing.FLAT and lie.sure for lie in lies)


def test_backs_are_face_down(printed: tuple[Deck, list[np.ndarray]], reader: TableReader, table: Table) -> None:
    deck, pages = printed
    backs = [(card, deck.width_mm, deck.height_mm, deck.corner_radius_mm) for card in cut_out(pages[1], deck)[:4]]
    lies = judged(reader, table.photograph(backs, (95.0, 104.0), 2)).lies
    assert [(lie.face, lie.card) for lie in lies] == [(Face.DOWN, None)] * 4


def test_the_blocks_markers_are_read(printed: tuple[Deck, list[np.ndarray]], table: Table) -> None:
    _, pages = printed
    width, height = BLOCK_MM
    blocks = []
    for page in pages[12:]:
        for marker in find_markers(darkest(page), sheets.DICTIONARY):
            # the marker is in the middle of the block's width, and 19.5 mm below its top
            middle = marker.corners_px.mean(axis=0)
            left = round(float(middle[0]) - width / 2 * PX_MM)
            top = round(float(middle[1]) - (19.5 + BLOCK_MARKER_MM / 2) * PX_MM)
            block = page[top : top + round(height * PX_MM), left : left + round(width * PX_MM)]
            blocks.append((block, width, height, 0.0))
    assert len(blocks) == 10
    picture = table.photograph(blocks, (50.0, 70.0), 5)
    found = {
        marker.id
        for marker in find_markers(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8), sheets.DICTIONARY)
    }
    assert found >= {block_id(colour, choice) for colour in COLOURS for choice in BLOCK_CHOICES}
