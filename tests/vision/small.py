"""What the tests of single stages build in a line: decks of blotches, cameras, tables, and cards painted into pictures.

Nothing here renders light, shadows or lenses: a picture is a homography of a card's print, blurred as by a lens, so
that what must come out is known to a hundredth of a pixel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Card, Deck
from arena_cam.domain.lies import Face, Landing, Lie, Point2
from arena_cam.domain.table import Arena, Fiducials, Table
from arena_cam.formats.deck_toml import save_deck
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.softness import Faces, Levels, Softly, SoftView
from arena_cam.vision.picture.markers import dictionary_named

WIDTH_MM, HEIGHT_MM = 63.0, 88.0
NO_DISTORTION = np.zeros(5)
PRINT_PX_PER_MM = 4  # of the pictures of a deck
FINER = 4  # a picture is painted so many times finer, then averaged, as a sensor does


def blotches(seed: int, width: int = 252, height: int = 352, cell: int = 24) -> Image:
    """A picture (height, width, 3) of soft blotches, another for every seed: a face that no other looks like."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(20, 236, (height // cell + 2, width // cell + 2, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def small_deck(
    folder: Path, faces: Sequence[Image] | None = None, *, back: bool = False, radius_mm: float = 3.0
) -> Deck:
    """A deck with these faces, else with three of blotches, called card-0, card-1..."""
    folder.mkdir(parents=True, exist_ok=True)
    faces = [blotches(seed) for seed in range(3)] if faces is None else faces
    cards = []
    for number, face in enumerate(faces):
        file = folder / f"card-{number}.png"
        cv2.imwrite(str(file), face)
        cards.append(Card(file.stem, file))
    if back:
        cv2.imwrite(str(folder / "back.png"), blotches(99, cell=12))
    return Deck("small", WIDTH_MM, HEIGHT_MM, radius_mm, tuple(cards), folder / "back.png" if back else None)


def small_deck_folder(folder: Path, cards: int = 5) -> Path:
    """A deck folder with deck.toml, as `read_deck` takes it."""
    deck = small_deck(folder, [blotches(seed) for seed in range(cards)])
    save_deck(folder, deck)
    return folder


def camera_above(
    px_per_mm: float = 2.0, size: tuple[int, int] = (320, 240), *, tilt_deg: float = 0.0, height_mm: float = 500.0
) -> Camera:
    """A camera over the world's origin, which is in the middle of its picture `size` (w, h), at that scale."""
    f = px_per_mm * height_mm
    K = np.array([[f, 0.0, (size[0] - 1) / 2], [0.0, f, (size[1] - 1) / 2], [0.0, 0.0, 1.0]])
    down = np.diag([1.0, -1.0, -1.0])  # x right, y up in the picture, z towards the camera
    tilt = np.asarray(cv2.Rodrigues(np.array([np.radians(tilt_deg), 0.0, 0.0]))[0])
    rvec = np.asarray(cv2.Rodrigues(tilt @ down)[0], np.float64).reshape(3)
    return Camera(K, NO_DISTORTION, rvec, np.array([0.0, 0.0, height_mm]))


def small_table(
    px_per_mm: float = 2.0,
    size: tuple[int, int] = (640, 480),
    *,
    inner_mm: tuple[float, float] = (200.0, 150.0),
    empty: Path | None = None,
) -> Table:
    """The table under `camera_above`: a tray with walls of 15 mm, and four fiducials of 24 mm round it."""
    camera = camera_above(px_per_mm, size)
    across, along = inner_mm[0] / 2 + 30.0, inner_mm[1] / 2 - 10.0
    centres = {1: (-across, along), 2: (across, along), 3: (-across, -along), 4: (across, -along)}
    rows = [[float(value) for value in row] for row in camera.K]
    K = (
        (rows[0][0], rows[0][1], rows[0][2]),
        (rows[1][0], rows[1][1], rows[1][2]),
        (rows[2][0], rows[2][1], rows[2][2]),
    )
    return Table(size, K, (0.0,) * 5, Arena(inner_mm, 15.0, 6.0), Fiducials("DICT_5X5_50", 24.0, centres), empty)


def marker(dictionary: str, number: int, module_px: int = 8) -> Image:
    """A marker's print with one module of white round it."""
    known = dictionary_named(dictionary)
    side = (known.markerSize + 2) * module_px
    print_ = np.asarray(cv2.aruco.generateImageMarker(known, number, side), np.uint8)
    return np.pad(print_, module_px, constant_values=255)


def painted(picture: Image, face: Image, camera: Camera, corners_mm: Array) -> Image:
    """The picture with `face` lying over it: its corners, from its top-left one clockwise, at `corners_mm` (4, 3)."""
    return painted_at(picture, face, camera.project(corners_mm))


def painted_at(picture: Image, face: Image, corners_px: Array) -> Image:
    """The picture with `face` over it: its corners, from its top-left one clockwise, at `corners_px` (4, 2)."""
    left, top = np.maximum(np.floor(corners_px.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.minimum(np.ceil(corners_px.max(axis=0)).astype(int) + 2, picture.shape[1::-1])
    painted = picture.copy()
    if left < right and top < bottom:  # the rest of the picture stays as it is
        part = painted[top:bottom, left:right]
        part[:] = _painted_over(part, face, corners_px - (left, top))
    return painted


def _painted_over(picture: Image, face: Image, corners_px: Array) -> Image:
    size = (picture.shape[1] * FINER, picture.shape[0] * FINER)
    h, w = face.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    target = ((corners_px + 0.5) * FINER - 0.5).astype(np.float32)
    homography = cv2.getPerspectiveTransform(source, target)
    if face.ndim == 2 and picture.ndim == 3:
        face = np.asarray(cv2.cvtColor(face, cv2.COLOR_GRAY2BGR), np.uint8)
    over = cv2.warpPerspective(face, homography, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    there = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(there, np.round(target).astype(np.int32), (1,))
    share = cv2.resize(there.astype(np.float32), picture.shape[1::-1], interpolation=cv2.INTER_AREA)
    small = cv2.resize(over, picture.shape[1::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    share = share if picture.ndim == 2 else share[..., None]
    return np.asarray(np.rint(share * small + (1 - share) * picture), np.uint8)


def with_card(picture: Image, deck: Deck, card: str, camera: Camera, pose: CardPose) -> Image:
    """The picture with a card of the deck lying over it."""
    face = read_picture(deck.by_id[card].image)
    return painted(picture, face, camera, pose.corners(deck.width_mm, deck.height_mm))


def empty_table(table: Table, camera: Camera, floor: int = 120) -> Image:
    """An even table with its fiducials and its tray's rim, as `camera` sees them."""
    width, height = table.image_size
    picture = np.full((height, width, 3), floor + 40, np.uint8)
    across, along = (inner / 2 for inner in table.arena.inner_mm)
    for beyond, grey in ((table.arena.wall_thickness_mm, floor - 50), (0.0, floor)):
        x, y = across + beyond, along + beyond
        rim = np.array([[-x, y, 0.0], [x, y, 0.0], [x, -y, 0.0], [-x, -y, 0.0]])
        picture = painted(picture, np.full((8, 8, 3), grey, np.uint8), camera, rim)
    modules = dictionary_named(table.fiducials.dictionary).markerSize + 2
    half = table.fiducials.size_mm * (modules + 2) / modules / 2
    for number, (x, y) in table.fiducials.centres_mm.items():
        corners = np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])
        at = np.column_stack([corners, np.full(4, table.fiducials.z_mm)])
        picture = painted(picture, marker(table.fiducials.dictionary, number), camera, at)
    return picture


def frame(picture: Image, time_s: float = 0.0, sequence: int = 0) -> Frame:
    return Frame(picture, time_s, sequence, "test", f"{sequence}.png")


def lie(
    key: str,
    left_px: float = 0.0,
    top_px: float = 0.0,
    *,
    size_px: tuple[float, float] = (63.0, 88.0),
    card: str | None = None,
    sure: bool = True,
    rests_on: Iterable[str] = (),
    landing: Landing | None = Landing.FLAT,
) -> Lie:
    """A card upright in the picture, its top-left corner at (left_px, top_px)."""
    right_px, bottom_px = left_px + size_px[0], top_px + size_px[1]
    corners: tuple[Point2, Point2, Point2, Point2] = (
        (left_px, top_px),
        (right_px, top_px),
        (right_px, bottom_px),
        (left_px, bottom_px),
    )
    return Lie(
        key=key,
        card=card if card is not None or key.startswith("?") else key,
        face=Face.DOWN if key.startswith("?") else Face.UP,
        landing=landing,
        confidence=1.0,
        tilt_deg=0.0,
        tilt_sd_deg=0.5,
        centre_mm=((left_px + right_px) / 2, -(top_px + bottom_px) / 2),
        angle_deg=0.0,
        corners_px=corners,
        rests_on=tuple(rests_on),
        sure=sure,
    )


def softly(faces: Faces, seen: Levels, weight: Array, *beside_and_how: Any) -> Softly:
    """Faces and a card, both given sharply, as softly as they are compared; the rest as SoftView takes it."""
    view = SoftView(seen, weight, *beside_and_how)
    return view.against(view.softly(faces))


class Pictures:
    """Whole pictures (H, W, 3) as the views of a card laid beside its place, each with its log-likelihood; `steps_mm`
    (M, 2) is how far, where that is told."""

    _NOT_ASKED = np.uint8(77)

    def __init__(
        self, views: Sequence[tuple[float, NDArray[Any]]], steps_mm: NDArray[np.float32] | None = None
    ) -> None:
        self.nats = np.array([nats for nats, _ in views])
        self.steps_mm = np.zeros((len(views), 2), np.float32) if steps_mm is None else steps_mm
        self._pictures = np.stack([picture for _, picture in views])

    def cut(self, rows: NDArray[np.intp], columns: NDArray[np.intp], asked: NDArray[np.uint8]) -> NDArray[Any]:
        """Where it is not `asked` for, nothing that anybody may use."""
        return np.where(asked[:, :, None] > 0, self._pictures[:, rows][:, :, columns], self._NOT_ASKED)

    def only(self, views: NDArray[np.intp]) -> Pictures:
        return Pictures([(float(self.nats[view]), self._pictures[view]) for view in views], self.steps_mm[views])
