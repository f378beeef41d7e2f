"""A set of boards and tiles from photographs of the game one owns: `arena-cam deck learn --game`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.folder import PHOTOGRAPH_SUFFIXES, pictures_in, read_picture
from arena_cam.camera.frame import Image
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.domain.messages import Message
from arena_cam.domain.tile_sets import BoardPrint, Tile, TileSet
from arena_cam.formats.boards.tile_set_toml import CELLS, read_tile_set, write_tile_set
from arena_cam.printing.hexes.art import TILES
from arena_cam.referee.game.outfit import LearnOptions
from arena_cam.referee.games.hexes.messages import Learned, LearningRefusal
from arena_cam.vision.board_learning.cell_lattice import CellLattice, find_cells
from arena_cam.vision.board_learning.hexagons import (
    Hexagon,
    find_hexagons,
    find_rectangle,
    ground_colour,
    moved,
    straight_rectangle,
    straightened,
)
from arena_cam.vision.board_learning.reflections import without_reflection
from arena_cam.vision.board_learning.shared_print import shared_moves
from arena_cam.vision.deck_learning.straightening import png_of

Floats = NDArray[np.float64]
Size = tuple[float, float]

PX_PER_MM = 6.0
WHITE, MOST_GAIN = 250.0, 2.0
SAME_GROUND = 1.6  # photographs whose grounds differ by more were not taken on the same one


def learn(options: LearnOptions) -> Message:
    """Writes the set's folder and says what is in it. Raises BadInput or CannotDo, saying what to do."""
    if not 10.0 <= options.piece_mm <= 300.0:
        raise BadInput(LearningRefusal.TILE_WIDTH(mm=f"{options.piece_mm:g}"))
    board_mm = _size(options.board_size)
    tile_mm = (options.piece_mm, options.piece_mm * math.sqrt(3) / 2)
    sheets, boards = _files(options.photos)
    faces, ground = _tiles(sheets, tile_mm[0])
    prints = {colour: _board(file, board_mm, ground) for colour, file in boards.items()}
    found = {colour: _cells(boards[colour].name, image, board_mm, tile_mm) for colour, image in prints.items()}
    for colour, at in found.items():
        prints[colour] = without_reflection(prints[colour], at.cells_mm, at.pitch_mm, board_mm)
    gain = _exposure([*faces, *prints.values()])
    out = options.out
    out.mkdir(parents=True, exist_ok=True)
    for name, face in zip(TILES, faces, strict=True):
        (out / f"{name}.png").write_bytes(cv2.imencode(".png", _brighter(face, gain))[1].tobytes())
    made = []
    for colour, image in prints.items():
        file = out / (f"board-{colour}.png" if colour else "board.png")
        file.write_bytes(png_of(_brighter(image, gain)))
        made.append(BoardPrint(colour, file, *board_mm, _named(found[colour])))
    tiles = tuple(Tile(name, out / f"{name}.png") for name in TILES)
    write_tile_set(TileSet(options.name or out.name, *tile_mm, tiles, tuple(made), photographed=True), out)
    read_tile_set(out)
    return Learned.DONE(tiles=len(tiles), boards=len(made), folder=str(out))


def _size(text: str | None) -> Size:
    if text is None:
        raise BadInput(LearningRefusal.NO_BOARD_SIZE())
    match = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", text)
    if match is None or not all(50.0 <= float(side) <= 1000.0 for side in match.groups()):
        raise BadInput(LearningRefusal.BOARD_SIZE(text=repr(text)))
    return float(match[1]), float(match[2])


def _files(folder: Path) -> tuple[list[Path], dict[str | None, Path]]:
    """The photographs of tiles in order, and of boards by colour (None where there is one look of board only)."""
    if not folder.is_dir():
        raise BadInput(LearningRefusal.NO_FOLDER(folder=str(folder)))
    files = pictures_in(folder, PHOTOGRAPH_SUFFIXES)
    sheets = [file for file in files if re.fullmatch(r"tiles(-?\d+)?", file.stem.lower())]
    boards: dict[str | None, Path] = {
        file.stem.partition("-")[2].lower() or None: file
        for file in files
        if re.match(r"board(-|$)", file.stem.lower())
    }
    if not sheets or not boards:
        missing = LearningRefusal.NO_TILES if not sheets else LearningRefusal.NO_BOARDS
        raise BadInput(missing(folder=str(folder)))
    if len(boards) > 1 and None in boards:
        raise BadInput(LearningRefusal.NAMELESS_BOARD(file=str(boards[None])))
    return sheets, boards


def _tiles(sheets: list[Path], width_mm: float) -> tuple[list[Image], Floats]:
    """The 27 faces (h, w, 4) in order, and the ground's colour of the first photograph."""
    found: list[tuple[Image, Hexagon]] = []
    said: list[Message] = []
    ground = ground_colour(read_picture(sheets[0]))
    for file in sheets:
        picture = read_picture(file)
        seen = find_hexagons(picture)
        said.append(LearningRefusal.SHOWS(file=file.name, count=len(seen)))
        picture = _on_ground(picture, ground, ground_colour(picture))
        found += [(picture, tile) for tile in seen]
    if len(found) != len(TILES):
        raise CannotDo(
            LearningRefusal.TILE_COUNT(found=len(found), wanted=len(TILES), each=tuple(said), order=", ".join(TILES))
        )
    faces = [straightened(*each, width_mm, PX_PER_MM) for each in found]
    moves = shared_moves(faces, np.array([[int(n) for n in name.split("-")] for name in TILES]), PX_PER_MM)
    better = [(picture, moved(tile, move, width_mm)) for (picture, tile), move in zip(found, moves, strict=True)]
    return [straightened(*each, width_mm, PX_PER_MM) for each in better], ground


def _board(file: Path, board_mm: Size, ground: Floats) -> Image:
    picture = read_picture(file)
    corners = find_rectangle(picture)
    if corners is None:
        raise CannotDo(LearningRefusal.BOARD_UNSEEN(file=file.name))
    straight = straight_rectangle(picture, corners, board_mm, PX_PER_MM)
    return _on_ground(straight, ground, ground_colour(picture))


def _on_ground(picture: Image, ground: Floats, own: Floats) -> Image:
    """A picture as bright as if its ground were of that colour: photographs differ in exposure and white balance."""
    gain = np.maximum(ground, 4.0) / np.maximum(own, 4.0)
    if gain.max() > SAME_GROUND or gain.min() < 1.0 / SAME_GROUND:
        return picture
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


def _exposure(pictures: Iterable[Image]) -> float:
    """By how much all must be brighter for the lightest print to be white."""
    light = max(float(np.quantile(picture[:, :, :3].max(axis=2), 0.98)) for picture in pictures)
    return min(max(WHITE / max(light, 1.0), 1.0), MOST_GAIN)


def _brighter(picture: Image, gain: float) -> Image:
    out = picture.copy()
    out[:, :, :3] = np.clip(picture[:, :, :3] * gain, 0, 255).astype(np.uint8)
    return out


def _cells(photograph: str, image: Image, board_mm: Size, tile_mm: Size) -> CellLattice:
    found = find_cells(image, board_mm, tile_mm)
    if found is None:
        raise CannotDo(LearningRefusal.CELLS_UNSEEN(file=photograph))
    return found


def _named(found: CellLattice) -> tuple[tuple[str, Size], ...]:
    return tuple(
        (cell, (round(float(x), 2), round(float(y), 2))) for cell, (x, y) in zip(CELLS, found.cells_mm, strict=True)
    )
