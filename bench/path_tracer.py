"""The simulation's scenes as a path tracer renders them: light between things, true shadows and reflections.

`arena_cam.simulation` is quick enough to be live, and so leaves much of light out: what cards send onto each other, the
sheen of a rough varnish in all directions, a shadow's true edge. `TracedRenderer` takes the place of its `Renderer`:
what is laid is collected as meshes, and Mitsuba 3 (https://www.mitsuba-renderer.org, BSD) renders it. A picture takes
3 to 15 s, so this is for measuring alone. A bent card that leans, which the quick renderer draws over all else, is cut
here by what it would reach into. Mitsuba is no dependency of the program: `pip install mitsuba`; and it wants LLVM's
library, 16 or newer (Debian: libllvm19; DRJIT_LIBLLVM_PATH names another).
"""

from __future__ import annotations

import ctypes
import math
import os
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena, Fiducials
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.rendering.background import TEXTURE_PX_MM, Surfaces
from arena_cam.simulation.rendering.camera_picture import Image8, Image32, Renderer, marker_plate
from arena_cam.simulation.rendering.look import Lamp
from arena_cam.simulation.rendering.plates import NOTHING, Box, Plate
from arena_cam.simulation.rendering.textures import paint

SHEET_MM, TOKEN_MM = 0.28, 2.0  # how thick cards and tokens are; a card's pose is that of its upper side
ROUGHNESS = (0.08, 0.14, 0.22, 0.35)  # of varnish (GGX): from playing cards to coated paper
PAPER_EDGE = 0.8
FINE = 2  # the traced picture is so many times finer than the camera's, which is then warped as the lens does
SAMPLES = 9  # light paths a fine pixel, spread evenly: the noise left (half a grey level) is less than a sensor's
BOUNCES = 4

ROOM_MM = 1600.0  # half the size of the table that is rendered: light comes back from it, and gloss shows it
VARIANT = "llvm_ad_rgb"
LLVM = "libLLVM.so.19.1"  # an older one, which would be taken first, cannot compile for the newest processors


def tracer() -> Any:
    """Mitsuba, ready to render. SystemExit with what to do where it is not there."""
    try:
        import mitsuba
    except ImportError:
        raise SystemExit("Mitsuba is not installed: pip install mitsuba") from None
    if mitsuba.variant() is None:
        if _loads(LLVM):
            os.environ.setdefault("DRJIT_LIBLLVM_PATH", LLVM)
        mitsuba.set_variant(VARIANT)
    return mitsuba


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


@dataclass(frozen=True, eq=False)
class Laid:
    """A plate where it lies, `thick_mm` downwards from its upper side; its edge's colour (3,)."""

    plate: Plate
    pose: CardPose
    thick_mm: float
    edge: Array


class _Collector:
    """Stands where a `Painter` does: what is to be drawn is only noted. Shadows come of themselves."""

    def __init__(self) -> None:
        self.laid: list[Laid] = []
        self._rim: Array | None = None

    def cast(self, _into: Image32, _plate: Plate, _pose: CardPose, **_how: Any) -> Box:
        return NOTHING

    def draw(self, _into: Image32, plate: Plate, pose: CardPose, **_how: Any) -> Box:
        if plate.alpha is None:
            edge = np.full(3, PAPER_EDGE)
            self.laid.append(Laid(plate, pose, SHEET_MM, edge))
        elif not plate.gloss:
            self._rim = np.asarray(plate.colour[0, 0], np.float64)  # a slice of a token: the token is made as a whole
        else:
            edge = plate.colour.mean(axis=(0, 1)) if self._rim is None else self._rim
            self.laid.append(Laid(plate, pose, TOKEN_MM, np.asarray(edge)))
        return NOTHING


class TracedRenderer(Renderer):
    """A `Renderer` whose pictures are path-traced. `picture` shows what was laid before the last `settle`."""

    def __init__(  # not the parent's: nothing of its quick background is needed
        self, camera: Camera, size_px: tuple[int, int], surfaces: Surfaces, fiducials: Fiducials | None, **_how: Any
    ) -> None:
        look = surfaces.look
        self.camera, self.size_px, self.look = camera, size_px, look
        self._arena = surfaces.arena
        self._fiducials = fiducials
        self.painter: Any = _Collector()
        self.still = np.ones((size_px[1], size_px[0], 3), np.float32)  # the share of light that a passer-by leaves
        self._make_sensor()
        self._rng = np.random.default_rng([look.seed, 3])
        self.roughness = float(self._rng.choice(ROUGHNESS))
        self._base = self._room()
        self._picture: Image8 | None = None

    def clear_still(self) -> None:
        self.painter.laid.clear()
        self.still[:] = 1.0

    def settle(self, _changed: Box | None = None) -> None:
        self._picture = None

    def picture(self, _changed: Box | None = None, *, noise: bool = True) -> Image8:
        if self._picture is None:
            self._picture = self.develop(self._traced() * self.still)
        return self.noisy(self._picture) if noise else self._picture.copy()

    def _traced(self) -> Image32:
        """Light (h, w, 3), blue-green-red, as the lens distorts it."""
        mi = tracer()
        extent, focal, grid = _pinhole(self.camera, self.size_px)
        things = dict(self._base)
        for k, laid in enumerate(self.painter.laid):
            things |= _sheet(mi, f"laid-{k}", laid, self.roughness)
        things["sensor"] = _sensor(mi, self.camera, extent, focal)
        scene = mi.load_dict(things)
        seed = int(self._rng.integers(2**31))
        wide = np.asarray(mi.render(scene, spp=SAMPLES, seed=seed), np.float32)[:, :, 2::-1]
        fine = cv2.remap(np.ascontiguousarray(wide), grid[:, :, 0], grid[:, :, 1], cv2.INTER_LINEAR)
        return np.asarray(cv2.resize(fine, self.size_px, interpolation=cv2.INTER_AREA), np.float32)

    def _room(self) -> dict[str, Any]:
        """Table, tray, fiducials and lamps."""
        mi, arena, rng = tracer(), self._arena, np.random.default_rng(self.look.seed)
        things: dict[str, Any] = {"type": "scene", "integrator": {"type": "path", "max_depth": BOUNCES + 1}}
        things["sky"] = {"type": "constant", "radiance": _rgb(mi, self.look.sky)}
        for k, lamp in enumerate(self.look.lamps):
            things[f"lamp-{k}"] = _lamp(mi, lamp)
        half = (ROOM_MM / 2, ROOM_MM / 2)
        things["table"] = _level(mi, _painted(mi, self.look.table, rng, half), half, arena.table_z_mm)
        inner = np.asarray(arena.inner_mm) / 2
        if inner.min() > 10.0:
            reach = (float(inner[0]), float(inner[1]))
            things["floor"] = _level(mi, _painted(mi, self.look.floor, rng, reach), reach, 0.0)
            things |= _walls(mi, arena, _painted(mi, self.look.wall, rng, (200.0, 200.0)))
        if self._fiducials is not None:
            for number, centre in self._fiducials.centres_mm.items():
                plate = marker_plate(self._fiducials.dictionary, number, self._fiducials.size_mm, 0.0)
                pose = CardPose.flat(*centre, 0.0, self._fiducials.z_mm)
                things |= _sheet(mi, f"marker-{number}", Laid(plate, pose, 0.1, np.full(3, PAPER_EDGE)), None)
        return things


def _rgb(mi: Any, bgr: Any) -> dict[str, Any]:
    return {"type": "rgb", "value": mi.ScalarColor3f(*(float(v) for v in tuple(bgr)[::-1]))}


def _lamp(mi: Any, lamp: Lamp) -> dict[str, Any]:
    """A luminous disc that faces the origin and lights a white sheet there with its strength."""
    position = np.array(lamp.position_mm)
    distance = float(np.linalg.norm(position))
    facing = position[2] / distance
    per_strength = distance**2 / (lamp.radius_mm**2 * facing)  # radiance; pi of the sheet and of the disc's area cancel
    to_world = mi.ScalarTransform4f().look_at(
        origin=[float(v) for v in position], target=[0.0, 0.0, 0.0], up=[0.0, 1.0, 0.01]
    ) @ mi.ScalarTransform4f().scale(lamp.radius_mm)
    light = {"type": "area", "radiance": _rgb(mi, np.array(lamp.strength) * per_strength)}
    return {"type": "disk", "to_world": to_world, "emitter": light}


def _texture(mi: Any, bgr: NDArray[np.floating]) -> dict[str, Any]:
    """Linear albedo (h, w, 3), blue-green-red, as a texture, mirrored beyond its ends."""
    rgb = np.ascontiguousarray(np.clip(bgr[:, :, ::-1], 0.0, 0.98), np.float32)
    return {"type": "bitmap", "bitmap": mi.Bitmap(rgb), "raw": True, "wrap_mode": "mirror"}


def _painted(mi: Any, material: str, rng: np.random.Generator, reach_mm: tuple[float, float]) -> dict[str, Any]:
    shape = (max(8, int(2 * reach_mm[1] * TEXTURE_PX_MM)), max(8, int(2 * reach_mm[0] * TEXTURE_PX_MM)))
    return _texture(mi, paint(material, rng, shape, TEXTURE_PX_MM))


def _level(mi: Any, texture: dict[str, Any], half_mm: tuple[float, float], z_mm: float) -> dict[str, Any]:
    move = mi.ScalarTransform4f().translate([0.0, 0.0, z_mm]) @ mi.ScalarTransform4f().scale([*half_mm, 1.0])
    return {"type": "rectangle", "to_world": move, "bsdf": {"type": "diffuse", "reflectance": texture}}


def _walls(mi: Any, arena: Arena, texture: dict[str, Any]) -> dict[str, Any]:
    """Four bars round the floor, down to the table."""
    inner, thick = np.asarray(arena.inner_mm) / 2, arena.wall_thickness_mm
    low, high = arena.table_z_mm, arena.wall_height_mm
    middle, up = (low + high) / 2, (high - low) / 2
    bars = [(s * (inner[0] + thick / 2), 0.0, thick / 2, inner[1] + thick) for s in (-1, 1)]
    bars += [(0.0, s * (inner[1] + thick / 2), inner[0], thick / 2) for s in (-1, 1)]
    scene = mi.ScalarTransform4f()
    return {
        f"wall-{k}": {
            "type": "cube",
            "to_world": scene.translate([float(x), float(y), middle]) @ scene.scale([float(a), float(b), up]),
            "bsdf": {"type": "diffuse", "reflectance": texture},
        }
        for k, (x, y, a, b) in enumerate(bars)
    }


def _sheet(mi: Any, name: str, laid: Laid, roughness: float | None) -> dict[str, Any]:
    """A plate's upper side with its print, and the edge and lower side of plain paper. `roughness` None: matt."""
    plate = laid.plate
    radius = plate.width_mm / 2 if plate.alpha is not None else plate.corner_radius_mm
    x, y, faces, outline = _grid(plate.width_mm, plate.height_mm, radius)
    raised = laid.pose.points(x, y) + plate.lift_mm(x, y)[:, None] * laid.pose.R[:, 2]
    up = laid.pose.R[:, 2]
    uv = np.column_stack([x / plate.width_mm + 0.5, 0.5 - y / plate.height_mm])
    printed = _texture(mi, plate.colour)
    surface: dict[str, Any] = {"type": "diffuse", "reflectance": printed}
    if roughness is not None:
        surface = {"type": "roughplastic", "distribution": "ggx", "alpha": roughness, "diffuse_reflectance": printed}
        surface["nonlinear"] = False
    edge = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": _rgb(mi, laid.edge)}}
    rim = np.concatenate([raised[outline], raised[outline] - laid.thick_mm * up])
    n = len(outline)
    a, b = np.arange(n), np.roll(np.arange(n), -1)
    rim_faces = np.concatenate([np.column_stack([a, a + n, b]), np.column_stack([b, a + n, b + n])])
    return {
        name: _mesh(mi, raised, faces, uv, {"type": "twosided", "bsdf": surface}),
        f"{name}-edge": _mesh(mi, rim, rim_faces, None, edge),
        f"{name}-under": _mesh(mi, raised - laid.thick_mm * up, faces[:, ::-1], None, edge),
    }


def _grid(width: float, height: float, radius: float) -> tuple[Array, Array, NDArray[np.int32], NDArray[np.intp]]:
    """A rounded rectangle as a grid of rows that are narrower at its ends: x and y (N,) of its points, triangles
    (M, 3), and the numbers of the points on its outline, in order."""
    bend = radius * (1.0 - np.cos(np.linspace(0.0, math.pi / 2, 9)))
    straight = height - 2 * radius
    middle = np.linspace(-straight / 2, straight / 2, 13)[1:-1] if straight > 1e-6 else np.zeros(0)
    ys = np.concatenate([-height / 2 + bend, middle, (height / 2 - bend)[::-1][int(straight <= 1e-6) :]])
    over = np.clip(np.abs(ys) - (height / 2 - radius), 0.0, radius)
    halves = width / 2 - radius + np.sqrt(np.maximum(radius**2 - over**2, 0.0))
    columns = 13
    x = np.outer(np.maximum(halves, 1e-3), np.linspace(-1.0, 1.0, columns))
    rows = len(ys)
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, 1:].ravel(), at[1:, :-1].ravel()
    faces = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])]).astype(np.int32)
    outline = np.concatenate([at[0, :-1], at[:-1, -1], at[-1, :0:-1], at[:0:-1, 0]])
    return x.ravel(), np.repeat(ys, columns), faces, outline


def _mesh(mi: Any, points: Array, faces: NDArray[np.integer], uv: Array | None, bsdf: dict[str, Any]) -> Any:
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf)
    mesh = mi.Mesh("sheet", len(points), len(faces), has_vertex_texcoords=uv is not None, props=props)
    params = mi.traverse(mesh)
    params["vertex_positions"] = np.ascontiguousarray(points, np.float32).ravel()
    params["faces"] = np.ascontiguousarray(faces, np.uint32).ravel()
    if uv is not None:
        params["vertex_texcoords"] = np.ascontiguousarray(uv, np.float32).ravel()
    params.update()
    return mesh


def _pinhole(camera: Camera, size_px: tuple[int, int]) -> tuple[tuple[int, int], float, Image32]:
    """The size of a picture without distortion that shows all of the camera's, its focal length, and where in it each
    fine pixel of the camera's picture (2h, 2w, 2) lies."""
    width, height = size_px[0] * FINE, size_px[1] * FINE
    xs, ys = ((np.arange(n) + 0.5) / FINE - 0.5 for n in (width, height))
    pixels = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(pixels, camera.K, camera.dist).reshape(height, width, 2)
    focal = float(camera.K[0, 0]) * FINE
    reach = np.ceil(np.abs(rays).max(axis=(0, 1)) * focal).astype(int) + 2
    grid = rays * focal + reach - 0.5
    return (2 * int(reach[0]), 2 * int(reach[1])), focal, np.asarray(grid, np.float32)


def _sensor(mi: Any, camera: Camera, extent: tuple[int, int], focal: float) -> dict[str, Any]:
    rotation = cv2.Rodrigues(camera.rvec)[0]
    to_world = np.eye(4)
    to_world[:3, :3] = rotation.T @ np.diag([-1.0, -1.0, 1.0])  # Mitsuba's cameras have x to the left and y upwards
    to_world[:3, 3] = camera.centre_mm
    film = {"type": "hdrfilm", "width": extent[0], "height": extent[1], "pixel_format": "rgb"}
    return {
        "type": "perspective",
        "fov_axis": "x",
        "fov": math.degrees(2.0 * math.atan(extent[0] / 2 / focal)),
        "near_clip": 10.0,
        "far_clip": 10000.0,
        "to_world": mi.ScalarTransform4f(to_world),
        "film": film | {"rfilter": {"type": "box"}, "component_format": "float32"},
        "sampler": {"type": "multijitter"},
    }
