"""Photographs of boards with tiles on some table, with exact truth: slips, thickness, glare, shadows, hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.rendering.background import Surfaces
from arena_cam.simulation.rendering.camera_picture import Renderer
from arena_cam.simulation.rendering.look import Look, random_look
from arena_cam.simulation.rendering.plates import Plate
from arena_cam.simulation.rendering.scene import looking_down
from arena_cam.simulation.rendering.textures import srgb_to_linear
from arena_cam.simulation.things.hands import Reach, hand_plate

Image8 = NDArray[np.uint8]
Point = tuple[float, float]

PAPER = 0.88  # what white paper reflects
BOARD_MM, TILE_MM = 1.0, 2.2  # thickness
SLIP_MM, SLIP_DEG = 1.5, 4.0
EDGE_COLOUR = (150, 170, 180)  # a tile's cut side: grey card


@dataclass(frozen=True, eq=False)
class PrintedSet:
    """A set's pictures: `tiles` by name (h, w, 4), `boards` and `backs` by colour, `cells_mm` from the top left."""

    tiles: Mapping[str, Image8]
    boards: Mapping[str, Image8]
    backs: Mapping[str, Image8]
    tile_mm: Point
    board_mm: Point
    cells_mm: Mapping[str, Point]


@dataclass(frozen=True)
class LaidBoard:
    """A board on the table: its middle (x, y) in mm and its turn, tiles by cell, and cells laid wrongly, and how."""

    colour: str
    at_mm: tuple[float, float, float]
    cells: Mapping[str, str | None]
    wrong: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Shot:
    """A camera's pose and its picture: tilt from straight down, distance, gloss of the tiles, and other things in
    view; `look`: of which table under which lamps, None for any; `lens`: focal length as a share of the
    picture's longer side, and radial distortion (k1), None for a usual one. `over`: pencil and
    hand reach over cells."""

    size_px: tuple[int, int] = (1536, 864)
    height_mm: float = 480.0
    tilt_deg: float = 20.0
    roll_deg: float = 0.0
    look_at_mm: Point = (0.0, 0.0)
    gloss: float = 0.05
    hand: bool = False
    pencil: bool = False
    shade: bool = False
    loose: int = 2
    look: Look | None = None
    lens: tuple[float, float] | None = None
    over: bool = False


def random_shot(rng: np.random.Generator) -> Shot:
    """A shot as people take them: from 400 to 650 mm, up to 45 degrees askew, any way up."""
    upright = rng.random() < 0.4
    return Shot(
        (1200, 1600) if upright else (1536, 864),
        float(rng.uniform(400, 650)),
        float(rng.uniform(0, 45)),
        float(rng.uniform(-180, 180)),
        (float(rng.uniform(-25, 25)), float(rng.uniform(-25, 25))),
        float(rng.choice([0.02, 0.06, 0.15, 0.3])),
        hand=bool(rng.random() < 0.2),
        pencil=bool(rng.random() < 0.2),
        shade=bool(rng.random() < 0.25),
        loose=int(rng.integers(0, 5)),
    )


def random_boards(
    printed: PrintedSet, rng: np.random.Generator, *, full: float = 0.5, two: float = 0.2
) -> list[LaidBoard]:
    """One or two boards that share the tiles drawn, in any places; full with the chance `full`."""
    colours = list(rng.permutation(sorted(printed.boards)))[: 2 if rng.random() < two else 1]
    count = 19 if rng.random() < full else int(rng.integers(3, 19))
    drawn = rng.permutation(sorted(printed.tiles))[:count]
    boards = []
    apart = float(np.hypot(*printed.board_mm)) * 0.5 + 12.0
    for k, colour in enumerate(colours):
        cells: dict[str, str | None] = dict.fromkeys(printed.cells_mm)
        for cell, tile in zip(rng.permutation(sorted(cells)), drawn, strict=False):
            cells[str(cell)] = str(tile)
        x = 0.0 if len(colours) == 1 else (k - 0.5) * 2 * apart * 0.86
        boards.append(LaidBoard(str(colour), (x, 0.0, float(rng.uniform(-180, 180))), cells))
    return boards


def render_boards(
    printed: PrintedSet, boards: list[LaidBoard], shot: Shot, seed: int
) -> tuple[Image8, list[dict[str, Any]]]:
    """The photograph (h, w, 3) and the truth of each board: `cells`, `corners_px`, `cells_px`, `ambiguous_cells`, and
    by cell the shares hidden by pencil or hand, `covered_cells`, and beyond the picture, `outside_cells`."""
    rng = np.random.default_rng([seed, 83])
    camera = _camera(shot, rng, wide=len(boards) > 1)
    nothing = Arena((1.0, 1.0), 0.01, 0.01, 0.0)
    look = shot.look or random_look(rng, width_px=shot.size_px[0])
    renderer = Renderer(camera, shot.size_px, Surfaces(nothing, look), None)
    truths = [_lay_board(renderer, printed, board, shot.gloss, rng) for board in boards]
    for _ in range(shot.loose):
        _lay_loose(renderer, printed, boards, rng)
    lain: list[tuple[Plate, CardPose]] = []
    if shot.pencil:
        lain.append(_lay_pencil(renderer, boards[0], printed, rng, over=shot.over))
    if shot.hand:
        lain.append(_lay_hand(renderer, boards[0], printed, rng, over=shot.over))
    hidden = np.zeros(shot.size_px[::-1], bool)
    for plate, pose in lain:
        hidden |= renderer.painter.covers(plate, pose)
    for board, truth in zip(boards, truths, strict=True):
        truth.update(unseen_cells(renderer.camera, printed, board, hidden))
    if shot.shade:
        renderer.shade_across(rng)
    renderer.settle()
    return renderer.picture(), truths


def render_tiles(printed: PrintedSet, names: list[str], columns: int, shot: Shot, seed: int) -> Image8:
    """The photograph (h, w, 3) of tiles laid in rows, a finger apart, each a little askew."""
    rng = np.random.default_rng([seed, 89])
    look = shot.look or random_look(rng, width_px=shot.size_px[0])
    surfaces = Surfaces(Arena((1.0, 1.0), 0.01, 0.01, 0.0), look)
    renderer = Renderer(_camera(shot, rng, wide=False), shot.size_px, surfaces, None)
    rows = -(-len(names) // columns)
    for k, name in enumerate(names):
        x = (k % columns - (columns - 1) / 2) * (printed.tile_mm[0] + 9.0) + float(rng.uniform(-1.5, 1.5))
        y = ((rows - 1) / 2 - k // columns) * (printed.tile_mm[1] + 9.0) + float(rng.uniform(-1.5, 1.5))
        plate = _plate(printed.tiles[name], printed.tile_mm, shot.gloss)
        _thick(renderer, plate, x, y, float(rng.uniform(-3, 3)), 0.0, 0.4)
    renderer.settle()
    return renderer.picture()


def _camera(shot: Shot, rng: np.random.Generator, *, wide: bool) -> Camera:
    long = max(shot.size_px)
    focal = long * float(rng.uniform(0.74, 0.95))
    K = np.array([[focal, 0, (shot.size_px[0] - 1) / 2], [0, focal, (shot.size_px[1] - 1) / 2], [0, 0, 1.0]])
    dist = np.array([rng.uniform(-0.05, 0.05), rng.uniform(-0.03, 0.03), *rng.normal(0, 0.001, 2), 0.0])
    if shot.lens is not None:
        K[0, 0] = K[1, 1] = long * shot.lens[0]
        dist[0] = shot.lens[1]
    tilt, way = np.radians(shot.tilt_deg), rng.uniform(0.0, 2.0 * np.pi)
    height = shot.height_mm * (1.5 if wide else 1.0)
    target = np.array([*shot.look_at_mm, 0.0])
    aside = height * np.sin(tilt) * np.array([np.cos(way), np.sin(way)])
    return looking_down(K, dist, target + np.array([*aside, height * np.cos(tilt)]), target, shot.roll_deg)


def _plate(image: Image8, size_mm: Point, gloss: float) -> Plate:
    colour = (srgb_to_linear(np.ascontiguousarray(image[:, :, :3])) * PAPER).astype(np.float32)
    if image.shape[2] == 3:
        return Plate(*size_mm, colour, gloss=gloss)
    w = size_mm[0] / 2
    angles = np.arange(6) * np.pi / 3
    outline = np.column_stack([w * np.cos(angles), w * np.sin(angles)])
    return Plate(*size_mm, colour, alpha=image[:, :, 3].astype(np.float32) / 255.0, outlines_mm=(outline,), gloss=gloss)


def _draw(renderer: Renderer, plate: Plate, pose: CardPose) -> None:
    scale = renderer.camera.px_per_mm(pose.centre_mm)
    small = plate.reduced(scale)
    if plate.alpha is not None:
        size = (small.colour.shape[1], small.colour.shape[0])
        alpha = np.asarray(cv2.resize(plate.alpha, size, interpolation=cv2.INTER_AREA), np.float32)
        small = Plate(plate.width_mm, plate.height_mm, small.colour, 0.0, alpha, plate.outlines_mm, plate.gloss)
    renderer.painter.draw(renderer.still, small, pose)


def _thick(
    renderer: Renderer, plate: Plate, x: float, y: float, turn_deg: float, z_mm: float, height_mm: float
) -> CardPose:
    """Lays a tile of some thickness: its shadow, its sides as a stack of grey sheets, its face. Returns the face's."""
    top = CardPose.flat(x, y, turn_deg, z_mm + height_mm)
    renderer.painter.cast(renderer.still, plate, top)
    side = Plate(
        plate.width_mm,
        plate.height_mm,
        np.broadcast_to(srgb_to_linear(np.full((1, 1, 3), EDGE_COLOUR, np.uint8)), plate.colour.shape).astype(
            np.float32
        ),
        alpha=plate.alpha,
    )
    for share in (0.2, 0.4, 0.6, 0.8):
        _draw(renderer, side, CardPose.flat(x, y, turn_deg, z_mm + height_mm * share))
    _draw(renderer, plate, top)
    return top


def _lay_board(
    renderer: Renderer, printed: PrintedSet, board: LaidBoard, gloss: float, rng: np.random.Generator
) -> dict[str, Any]:
    x, y, turn = board.at_mm
    pose = CardPose.flat(x, y, turn, BOARD_MM)
    plate = _plate(printed.boards[board.colour], printed.board_mm, gloss * float(rng.uniform(0.2, 1.0)))
    renderer.painter.cast(renderer.still, plate, pose)
    _draw(renderer, plate, pose)
    middle = np.asarray(printed.board_mm) / 2
    places = {cell: (at[0] - middle[0], middle[1] - at[1]) for cell, at in printed.cells_mm.items()}
    wrong = dict(board.wrong)
    tile_gloss = gloss * float(rng.uniform(0.6, 1.0))
    doubtful: list[str] = list(wrong)
    for cell, tile in board.cells.items():
        if tile is None:
            continue
        at, turned, also = _slipped(places, cell, wrong.get(cell), board.cells, rng)
        doubtful += also
        there = pose.points(*np.array([[at[0]], [at[1]]]))[0]
        face = _plate(printed.tiles[tile], printed.tile_mm, tile_gloss)
        _thick(renderer, face, there[0], there[1], turn + turned, BOARD_MM, TILE_MM)
    w, h = middle
    project = renderer.camera.project
    corners = pose.points(np.array([-w, w, w, -w]), np.array([h, h, -h, -h]))
    centres = pose.points(np.array([p[0] for p in places.values()]), np.array([p[1] for p in places.values()]))
    return {
        "colour": board.colour,
        "cells": dict(board.cells),
        "corners_px": np.round(project(corners), 2).tolist(),
        "cells_px": dict(zip(places, np.round(project(centres), 2).tolist(), strict=True)),
        "ambiguous_cells": doubtful,
        "washed_out_cells": [],
    }


def unseen_cells(camera: Camera, printed: PrintedSet, board: LaidBoard, hidden: NDArray[np.bool_]) -> dict[str, Any]:
    """By cell the share of it that something hides, `hidden` (h, w), and that lies beyond the picture; cells without
    are left out."""
    pose = CardPose.flat(*board.at_mm, BOARD_MM)
    reach, middle = 0.45 * printed.tile_mm[1], np.asarray(printed.board_mm) / 2
    grid = np.mgrid[-reach:reach:15j, -reach:reach:15j].reshape(2, -1)
    grid = grid[:, np.hypot(*grid) < reach]
    covered, outside = {}, {}
    for cell, at in printed.cells_mm.items():
        points = pose.points(grid[0] + at[0] - middle[0], grid[1] + middle[1] - at[1])
        x, y = np.round(camera.project(points)).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < hidden.shape[1]) & (y < hidden.shape[0])
        outside[cell] = round(1.0 - float(inside.mean()), 2)
        covered[cell] = round(float(hidden[y[inside], x[inside]].sum()) / grid.shape[1], 2)
    both = (
        (name, {cell: share for cell, share in shares.items() if share > 0})
        for name, shares in (("covered_cells", covered), ("outside_cells", outside))
    )
    return dict(both)


def _slipped(
    places: Mapping[str, Point], cell: str, how: str | None, cells: Mapping[str, str | None], rng: np.random.Generator
) -> tuple[Array, float, list[str]]:
    """The place of a tile on its board, its turn, and the other cells that it makes doubtful."""
    slip = rng.uniform(0, SLIP_MM) * _unit(rng.uniform(0, 2 * np.pi))
    at, turned = np.array(places[cell]) + slip, float(rng.uniform(-SLIP_DEG, SLIP_DEG))
    if how is None:
        return at, turned, []
    if how.startswith("turned"):
        return at, turned + float(how.removeprefix("turned")), []
    free = [c for c, t in cells.items() if t is None and 1.0 < np.hypot(*(np.array(places[c]) - places[cell])) < 50.0]
    if not free:
        return at, turned + 180.0, []
    other = free[int(rng.integers(len(free)))]
    share = 0.5 if how == "across" else float(rng.uniform(0.28, 0.4))
    return at + share * (np.array(places[other]) - places[cell]), turned + float(rng.uniform(-25, 25)), [other]


def _unit(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle)])


def _beside(boards: list[LaidBoard], printed: PrintedSet, rng: np.random.Generator, room_mm: float) -> Point:
    """A place on the table whose circle of `room_mm` touches no board."""
    reach = float(np.hypot(*printed.board_mm)) / 2
    for _ in range(100):
        at = rng.uniform(-2.0, 2.0, 2) * reach
        if all(_distance(at, board, printed) > room_mm for board in boards):
            return float(at[0]), float(at[1])
    return 5 * reach, 0.0


def _distance(at: Array, board: LaidBoard, printed: PrintedSet) -> float:
    turn = np.radians(board.at_mm[2])
    d = np.asarray(at) - board.at_mm[:2]
    local = np.array([np.cos(turn) * d[0] + np.sin(turn) * d[1], -np.sin(turn) * d[0] + np.cos(turn) * d[1]])
    return float(np.hypot(*np.maximum(np.abs(local) - np.asarray(printed.board_mm) / 2, 0.0)))


def _lay_loose(renderer: Renderer, printed: PrintedSet, boards: list[LaidBoard], rng: np.random.Generator) -> None:
    faces = printed.tiles if rng.random() < 0.6 else printed.backs
    name = sorted(faces)[int(rng.integers(len(faces)))]
    x, y = _beside(boards, printed, rng, 0.55 * printed.tile_mm[0])
    _thick(renderer, _plate(faces[name], printed.tile_mm, 0.05), x, y, float(rng.uniform(0, 360)), 0.0, TILE_MM)


def _lay_pencil(
    renderer: Renderer, board: LaidBoard, printed: PrintedSet, rng: np.random.Generator, *, over: bool
) -> tuple[Plate, CardPose]:
    """A pencil that touches the board's border at most, or lies `over` some of its cells; and where it lies."""
    colour = np.empty((8, 180, 3), np.float32)
    colour[:] = srgb_to_linear(np.array([[[20, 170, 240]]], np.uint8))
    x, y = _beside([board], printed, rng, 2.0)
    if over:
        x, y = np.asarray(board.at_mm[:2]) + rng.uniform(-0.3, 0.3, 2) * printed.board_mm
    turn = float(np.degrees(np.arctan2(y - board.at_mm[1], x - board.at_mm[0])) + 90 + rng.uniform(-12, 12))
    plate = Plate(175.0, 7.0, colour, alpha=np.ones((8, 180), np.float32))
    return plate, _thick(renderer, plate, float(x), float(y), turn, BOARD_MM + TILE_MM if over else 0.0, 7.0)


def _lay_hand(
    renderer: Renderer, board: LaidBoard, printed: PrintedSet, rng: np.random.Generator, *, over: bool
) -> tuple[Plate, CardPose]:
    """A hand whose finger tips reach the board's border, or `over` some of its cells; and where it is."""
    way = float(rng.uniform(0, 2 * np.pi))
    reach = 0.5 * min(printed.board_mm) + float(rng.uniform(0, 25))
    tip = np.asarray(board.at_mm[:2]) + (0.5 if over else 1.0) * reach * _unit(way)
    hand = Reach((float(tip[0]), float(tip[1])), float(np.degrees(way)) + 90.0, 25.0, int(rng.integers(20)))
    plate, pose = hand_plate(hand.kind), hand.pose()
    renderer.painter.cast(renderer.still, plate, pose)
    renderer.painter.draw(renderer.still, plate, pose)
    return plate, pose
