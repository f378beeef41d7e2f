"""The empty table as the camera sees it: table, tray, light and walls' shadows, in linear light."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.simulation.rendering.lighting import Light
from arena_cam.simulation.rendering.look import Look
from arena_cam.simulation.rendering.textures import paint

Image32 = NDArray[np.float32]
_Numbers = tuple[tuple[Any, ...], ...]

TEXTURE_PX_MM = 2.0
LIGHT_STEP_MM = 2.5  # the narrowest penumbra of a 15 mm wall is about that wide
TEXTURE_REACH_MM = (500.0, 330.0)  # half-size of what is painted of the table; textures are mirrored beyond their ends
TEXTURE_SCALE = 32767.0  # textures are kept as 16-bit numbers, half the room; albedo is below 2
STRIP_ROWS = 120  # rays are followed in strips, to keep memory flat


class Ground(IntEnum):
    """One pixel of the empty table."""

    TABLE = 0
    FLOOR = 1
    TOP = 2
    FACE_X = 3
    FACE_Y = 4


def rays_of(camera: Camera, size_px: tuple[int, int], supersample: int = 1, rows: slice = slice(None)) -> Image32:
    """Directions (rows, w, 3) of the rays through the pixels' middles, in the world frame, not normalised."""
    width, height = size_px[0] * supersample, size_px[1] * supersample
    xs = (np.arange(width) + 0.5) / supersample - 0.5
    ys = ((np.arange(height) + 0.5) / supersample - 0.5)[rows]
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 1, 2)
    flat = cv2.undistortPoints(grid, camera.K, camera.dist).reshape(-1, 2)
    rays = np.column_stack([flat, np.ones(len(flat))]) @ camera.R
    return rays.reshape(len(ys), width, 3).astype(np.float32)


class Surfaces:
    """The empty table's materials and lamps: everything that a bumped camera does not change."""

    def __init__(self, arena: Arena, look: Look) -> None:
        self.arena, self.look = arena, look
        self.light = Light(look, arena)
        self._inner_mm = (arena.inner_mm[0] / 2 + 5.0, arena.inner_mm[1] / 2 + 5.0)
        self._textures: dict[Ground, NDArray[np.uint16]] = {}
        self.lights = {
            Ground.TABLE: self._light_map(arena.table_z_mm, TEXTURE_REACH_MM, 2 * LIGHT_STEP_MM),
            Ground.FLOOR: self._light_map(0.0, self._inner_mm, LIGHT_STEP_MM),
            Ground.TOP: self._light_map(arena.wall_height_mm, TEXTURE_REACH_MM, 8 * LIGHT_STEP_MM),
        }

    def __eq__(self, other: object) -> bool:
        """Two of one look on one arena are alike to the last pixel: all that is random comes of the look's seed."""
        return isinstance(other, Surfaces) and (self.arena, self.look) == (other.arena, other.look)

    def __hash__(self) -> int:
        return hash((self.arena, self.look))

    def make_textures(self) -> None:
        """Makes the textures, always the same; call before light is asked for."""
        rng = np.random.default_rng(self.look.seed)
        self._textures = {
            Ground.TABLE: self._texture(self.look.table, rng, TEXTURE_REACH_MM),
            Ground.FLOOR: self._texture(self.look.floor, rng, self._inner_mm),
            Ground.TOP: self._texture(self.look.wall, rng, self._inner_mm),
        }

    def put_away(self) -> None:
        """Gives the textures' memory back, 20 MB that are needed only while a background is rendered."""
        self._textures = {}

    def _texture(self, material: str, rng: np.random.Generator, reach_mm: tuple[float, float]) -> NDArray[np.uint16]:
        """Albedo times TEXTURE_SCALE, seen from above."""
        shape = tuple(int(2 * reach * TEXTURE_PX_MM) for reach in reversed(reach_mm))
        picture = paint(material, rng, (shape[0], shape[1]), TEXTURE_PX_MM)
        if rng.random() < 0.5:  # boards run across as often as along
            turned = cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)
            picture = np.asarray(cv2.resize(turned, (shape[1], shape[0]), interpolation=cv2.INTER_AREA), np.float32)
        return np.asarray(np.clip(picture * TEXTURE_SCALE + 0.5, 0, 65535), np.uint16)

    def _light_map(self, z_mm: float, reach_mm: tuple[float, float], step_mm: float) -> tuple[Image32, float]:
        """Light on the level plane at `z_mm` as a picture from above, and its px per mm."""
        columns, rows = (2 * int(reach / step_mm) + 1 for reach in reach_mm)
        x, y = np.meshgrid(
            (np.arange(columns) - (columns - 1) / 2) * step_mm, ((rows - 1) / 2 - np.arange(rows)) * step_mm
        )
        points = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, z_mm)])
        light = self.light.on(points, np.array([0.0, 0.0, 1.0]))
        return light.reshape(rows, columns, 3).astype(np.float32), 1.0 / step_mm

    def shade(self, kind: Ground, xy: Image32) -> Image32:
        """Light (N, 3) that a level surface of that kind sends up from points (N, 2)."""
        return self._albedo(kind, xy) * _sample(*self.lights[kind], xy)

    def shade_face(self, points: Array, normals: Array, along: Array) -> Image32:
        """Light (N, 3) from points (N, 3) of the walls' upright faces, their texture read at `along` (N, 2)."""
        lifted = points + 0.05 * normals  # off the wall, or it would shade itself
        texture = self._albedo(Ground.TOP, along.astype(np.float32))
        return np.asarray(texture * self.light.on(lifted, normals), np.float32)

    def _albedo(self, kind: Ground, xy: Image32) -> Image32:
        """Albedo (N, 3) of that kind at points (N, 2)."""
        return np.asarray(_sample(self._textures[kind], TEXTURE_PX_MM, xy) / np.float32(TEXTURE_SCALE), np.float32)


def background_of(camera: Camera, size_px: tuple[int, int], surfaces: Surfaces, supersample: int = 2) -> Background:
    """The empty table, rendered once for a camera, a size and surfaces; the two asked for last are kept, so that a game
    that starts over does not wait again. Whoever draws over it draws over a copy."""
    return _rendered(_numbers(camera), size_px, surfaces, supersample)


def kept_rays(camera: Camera, size_px: tuple[int, int]) -> Image32:
    """`rays_of` the whole picture, not to be written to; those of the camera asked for last are kept."""
    return _followed(_numbers(camera), size_px)


def _numbers(camera: Camera) -> _Numbers:
    """What makes the camera, to look it up by."""
    inner = tuple(tuple(float(x) for x in row) for row in camera.K)
    outer = tuple(tuple(float(x) for x in each.ravel()) for each in (camera.dist, camera.rvec, camera.tvec))
    return (inner, *outer)


def _camera(numbers: _Numbers) -> Camera:
    return Camera(*(np.array(each) for each in numbers))


@lru_cache(maxsize=1)  # a camera that was bumped lets go of where it was
def _followed(camera: _Numbers, size_px: tuple[int, int]) -> Image32:
    rays = rays_of(_camera(camera), size_px)
    rays.setflags(write=False)
    return rays


@lru_cache(maxsize=2)
def _rendered(camera: _Numbers, size_px: tuple[int, int], surfaces: Surfaces, supersample: int) -> Background:
    background = Background(_camera(camera), size_px, surfaces, supersample)
    background.linear.setflags(write=False)
    background.ground.setflags(write=False)
    return background


class Background:
    """`linear` (h, w, 3) float32: the light that reaches the lens; `ground` (h, w) uint8: see `Ground`."""

    def __init__(self, camera: Camera, size_px: tuple[int, int], surfaces: Surfaces, supersample: int = 2) -> None:
        self._arena, self._surfaces = surfaces.arena, surfaces
        width, height = size_px
        self.linear = np.empty((height, width, 3), np.float32)
        self.ground = np.empty((height, width), np.uint8)
        surfaces.make_textures()
        for top in range(0, height, STRIP_ROWS):
            rows = slice(top, min(top + STRIP_ROWS, height))
            fine = slice(rows.start * supersample, rows.stop * supersample)
            colour, ground = self._strip(rays_of(camera, size_px, supersample, fine), camera.centre_mm)
            self.linear[rows] = cv2.resize(colour, (width, rows.stop - rows.start), interpolation=cv2.INTER_AREA)
            self.ground[rows] = ground[supersample // 2 :: supersample, supersample // 2 :: supersample]
        surfaces.put_away()

    def _strip(self, rays: Image32, centre: Array) -> tuple[Image32, NDArray[np.uint8]]:
        """Colour and ground of one strip of rays: each is followed down to the first thing it meets."""
        arena = self._arena
        inner = np.asarray(arena.inner_mm) / 2
        outer = inner + arena.wall_thickness_mm
        at_top = _meet(rays, centre, arena.wall_height_mm)
        at_floor = _meet(rays, centre, 0.0)
        at_table = _meet(rays, centre, arena.table_z_mm)
        over_inner, over_outer = _within(at_top, inner), _within(at_top, outer)
        on_floor = over_inner & _within(at_floor, inner)
        ground = np.full(rays.shape[:2], Ground.TABLE, np.uint8)
        ground[over_outer & ~over_inner] = Ground.TOP
        ground[on_floor] = Ground.FLOOR
        colour = np.empty(rays.shape, np.float32)
        for kind, place in ((Ground.TABLE, at_table), (Ground.FLOOR, at_floor), (Ground.TOP, at_top)):
            mask = ground == kind
            if mask.any():
                colour[mask] = self._surfaces.shade(kind, place[mask])
        inside_face = over_inner & ~on_floor
        if inside_face.any():
            self._shade_faces(colour, ground, inside_face, rays, centre, inner, inward=True)
        outside_face = ~over_outer & _within(at_table, outer)
        if outside_face.any():
            self._shade_faces(colour, ground, outside_face, rays, centre, outer, inward=False)
        return colour, ground

    def _shade_faces(
        self,
        colour: Image32,
        ground: NDArray[np.uint8],
        mask: NDArray[np.bool_],
        rays: Image32,
        centre: Array,
        half: Array,
        *,
        inward: bool,
    ) -> None:
        """The walls' upright faces, point by point: they are few."""
        directions = rays[mask].astype(np.float64)
        side = np.sign(directions[:, :2]) * (1.0 if inward else -1.0)
        reach = np.where(np.abs(directions[:, :2]) > 1e-9, (side * half - centre[:2]) / directions[:, :2], np.inf)
        # From inside the first wall plane on the way is met, from outside the last one.
        axis = np.argmin(reach, axis=1) if inward else np.argmax(np.where(np.isfinite(reach), reach, -np.inf), axis=1)
        pick = np.arange(len(axis))
        points = centre + directions * reach[pick, axis][:, None]
        normals = np.zeros((len(axis), 3))
        normals[pick, axis] = side[pick, axis] * (-1.0 if inward else 1.0)
        along = np.column_stack([points[pick, 1 - axis], points[:, 2] + 300.0])
        colour[mask] = self._surfaces.shade_face(points, normals, along)
        ground[mask] = np.where(axis == 0, Ground.FACE_X, Ground.FACE_Y)


def _meet(rays: Image32, centre: Array, z_mm: float) -> Image32:
    """The points (h, w, 2) at which rays (h, w, 3) from `centre` meet the plane at `z_mm`."""
    reach = (z_mm - centre[2]) / rays[:, :, 2:]
    return np.asarray(centre[:2] + rays[:, :, :2] * reach, np.float32)


def _within(xy: Image32, half: Array) -> NDArray[np.bool_]:
    return np.asarray((np.abs(xy[:, :, 0]) <= half[0]) & (np.abs(xy[:, :, 1]) <= half[1]))


def _sample(picture: Image32 | NDArray[np.uint16], px_per_mm: float, xy: Image32) -> Image32:
    """The values (N, 3) of a picture seen from above, its middle at the origin, at points (N, 2) in mm."""
    height, width = picture.shape[:2]
    u = (xy[:, 0] * px_per_mm + (width - 1) / 2).astype(np.float32)
    v = ((height - 1) / 2 - xy[:, 1] * px_per_mm).astype(np.float32)
    # remap takes no more than 32767 columns: fold the list of points into rows.
    columns = 4096
    missing = -len(u) % columns
    u, v = (np.pad(c, (0, missing)).reshape(-1, columns) for c in (u, v))
    out = cv2.remap(picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(out.reshape(-1, 3)[: len(xy)], np.float32)
