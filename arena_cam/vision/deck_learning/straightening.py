"""A card's face as if looked at from straight above, cut to its outline, at one scale for the whole deck."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.folder import read_picture
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CannotDo
from arena_cam.formats.messages import FileTrouble
from arena_cam.geometry.arrays import Array
from arena_cam.vision.picture.linear_light import Linear

Image = NDArray[np.uint8]
Pixels = Callable[[Array], Array]  # places (N, 2) on the card, as shares of its width and height, to pixels (N, 2)

# Finer than any camera over a table sees (1.3 to 4 px/mm), and fine enough for a person to look at.
PX_PER_MM = 8.0
_MOST_RADIUS_MM = 8.0
_DEPTH_STEP_MM = 0.05
_CLEAR_STEP = 0.4  # of the strongest step on the diagonal: a printed frame's corner lies further in, and is no weaker


def picture_size(width_mm: float, height_mm: float) -> tuple[int, int]:
    """Width and height in pixels of a face's picture."""
    return round(width_mm * PX_PER_MM), round(height_mm * PX_PER_MM)


def px_per_mm(pixels: Pixels, width_mm: float, height_mm: float) -> float:
    """The scale at which a picture shows the card, the mean over its face."""
    corners = pixels(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)).astype(np.float32)
    return float(np.sqrt(cv2.contourArea(corners) / (width_mm * height_mm)))


def straighten(light: Linear, pixels: Pixels, width_mm: float, height_mm: float) -> Linear:
    """The face (H, W, 3) in linear light at PX_PER_MM, averaged over what of a finer picture falls into a pixel."""
    width, height = picture_size(width_mm, height_mm)
    finer = int(np.clip(np.ceil(px_per_mm(pixels, width_mm, height_mm) / PX_PER_MM), 1, 6))
    x = (np.arange(width * finer) + 0.5) / (width * finer)
    y = (np.arange(height * finer) + 0.5) / (height * finer)
    places = np.stack(np.meshgrid(x, y), axis=-1)
    at = pixels(places.reshape(-1, 2)).reshape(places.shape).astype(np.float32)
    how = cv2.INTER_LINEAR if finer > 1 else cv2.INTER_CUBIC
    face = cv2.remap(light, at[..., 0], at[..., 1], how, borderMode=cv2.BORDER_REPLICATE)
    if finer > 1:
        face = cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(face, 0.0, None), np.float32)


def corner_radius_mm(light: Linear, pixels: Pixels, width_mm: float, height_mm: float) -> float | None:
    """The radius of the card's rounded corners, from how far inside the sharp corner the edge runs on the diagonal.

    A circle of radius r leaves r (sqrt 2 - 1) there. None where no edge is clear.
    """
    depths = np.arange(-1.0, _MOST_RADIUS_MM * 0.42, _DEPTH_STEP_MM)
    found = []
    for corner, inwards in (((0, 0), (1, 1)), ((1, 0), (-1, 1)), ((1, 1), (-1, -1)), ((0, 1), (1, -1))):
        diagonal = np.array(inwards) / np.sqrt(2.0)
        across = np.array([diagonal[1], -diagonal[0]])
        # three lines side by side; on a circle of 3 mm the outer two are 7 hundredths of a millimetre off
        at_mm = depths[None, :, None] * diagonal + np.array([-0.6, 0.0, 0.6])[:, None, None] * across
        shares = np.array(corner) + at_mm / (width_mm, height_mm)
        at = pixels(shares.reshape(-1, 2)).reshape(shares.shape).astype(np.float32)
        colours = cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        eye = np.cbrt(np.asarray(colours, np.float64).mean(axis=0))
        smooth = cv2.GaussianBlur(eye, (1, 9), sigmaX=1e-3, sigmaY=3.0)
        slope = np.sqrt((np.diff(smooth, axis=0) ** 2).sum(axis=1))
        falling = np.diff(slope, append=-1.0) <= 0
        first = int(((slope >= _CLEAR_STEP * slope.max()) & falling).argmax())
        if slope[first] * 5 > 0.02:  # of the eye's scale from black 0 to white 1, over a quarter of a millimetre
            found.append(max(0.0, float(depths[first]) + _DEPTH_STEP_MM / 2) / (np.sqrt(2.0) - 1.0))
    return float(np.median(found)) if len(found) >= 3 else None


def trimmed(face: Image, radius_mm: float, rim_mm: float) -> Image:
    """The face (H, W, 3) with its rim and what is beyond its rounded corners painted over from the nearest inside.

    There the picture shows what the card lay on, mixed with its edge by the lens; another table would show through.
    """
    height, width = face.shape[:2]
    rim, radius = rim_mm * PX_PER_MM, radius_mm * PX_PER_MM
    x, y = np.arange(width) + 0.5, np.arange(height) + 0.5
    dx = np.maximum(np.abs(x - width / 2) - (width / 2 - radius), 0.0)
    dy = np.maximum(np.abs(y - height / 2) - (height / 2 - radius), 0.0)
    straight = np.minimum(np.minimum(x, width - x)[None, :], np.minimum(y, height - y)[:, None])
    within_corner = radius - np.hypot(dx[None, :], dy[:, None])
    in_corner = (dx[None, :] > 0) & (dy[:, None] > 0)
    depth = np.where(in_corner, within_corner, straight)
    outside = (depth < rim).astype(np.uint8)
    if not outside.any():
        return face
    _, labels = cv2.distanceTransformWithLabels(outside, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    inside = outside.ravel() == 0
    colour_of = np.zeros((int(labels.max()) + 1, 3), np.uint8)
    colour_of[labels.ravel()[inside]] = face.reshape(-1, 3)[inside]
    return np.asarray(np.where(outside[:, :, None] > 0, colour_of[labels], face), np.uint8)


def png_of(face: Image) -> bytes:
    """The picture as a PNG file's bytes."""
    return cv2.imencode(".png", face, [cv2.IMWRITE_PNG_COMPRESSION, 6])[1].tobytes()


_TILE_PX, _TILES_A_ROW, _TEXT_PX = 150, 10, 22


def save_overview(deck: Deck, file: Path) -> Path:
    """One picture of all faces with their names, for people; returns `file`. Raises BadPicture, CannotDo."""
    entries = [(card.id, card.image) for card in deck.cards] + ([("back", deck.back)] if deck.back else [])
    height = round(_TILE_PX * deck.height_mm / deck.width_mm)
    rows = -(-len(entries) // _TILES_A_ROW)
    step = height + _TEXT_PX + 6
    sheet = np.full((rows * step, min(len(entries), _TILES_A_ROW) * (_TILE_PX + 6), 3), 90, np.uint8)
    for k, (name, picture) in enumerate(entries):
        row, column = divmod(k, _TILES_A_ROW)
        face = cv2.resize(read_picture(picture), (_TILE_PX, height), interpolation=cv2.INTER_AREA)
        y, x = row * step, column * (_TILE_PX + 6)
        sheet[y : y + height, x : x + _TILE_PX] = face
        cv2.putText(
            sheet, name, (x + 4, y + height + 17), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (255, 255, 255), 1, cv2.LINE_AA
        )
    try:
        file.write_bytes(cv2.imencode(".jpg", sheet)[1].tobytes())
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN(text=error.strerror), about=file) from None
    return file
