"""A photograph that a person took, as evidence: the file as it was sent, and two smaller pictures of it for pages.

photo.jpg       (or .png, .webp) exactly the bytes that came
view.jpg        upright, at most VIEW_PX on its longer side
thumbnail.jpg
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.decoding import MOST_PIXELS, decode_picture, is_heif, is_jpeg
from arena_cam.camera.frame import Image
from arena_cam.camera.messages import PictureTrouble
from arena_cam.camera.picture_size import PNG, picture_size
from arena_cam.domain.errors import BadPicture, Refused
from arena_cam.referee.messages import PhotoRefusal
from arena_cam.referee.pictures.frame_ring import to_jpeg

Read = Callable[[Image, dict[str, Any]], dict[str, Any]]  # as referee.game.eye.Eye.read_photo
VIEW, THUMBNAIL = "view.jpg", "thumbnail.jpg"
VIEW_PX, THUMBNAIL_PX = 1600, 320  # the longer side; the view fills a laptop's screen
MEDIA_TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}


@dataclass(frozen=True, eq=False)
class Taken:
    """A photograph decoded: `image` is upright. `name`: the same for the same bytes of the same player of a game."""

    name: str
    content: bytes
    ending: str
    image: Image

    @property
    def file(self) -> str:
        """The name of the photograph itself among its files."""
        return f"photo.{self.ending}"

    @property
    def size_px(self) -> tuple[int, int]:
        """(width, height) as it is seen, and as places in it are measured."""
        return self.image.shape[1], self.image.shape[0]

    def files(self) -> dict[str, bytes]:
        return {
            self.file: self.content,
            VIEW: to_jpeg(_smaller(self.image, VIEW_PX), 85),
            THUMBNAIL: to_jpeg(_smaller(self.image, THUMBNAIL_PX)),
        }


def take(content: bytes, game: str, player: str | None) -> Taken:
    """Looks at what was sent. Raises Refused `bad_argument`, saying what to do, where it is no photograph of use."""
    image = decoded(content)
    digest = hashlib.sha256(f"{game}/{player or ''}/".encode() + content).hexdigest()
    return Taken(f"p{digest[:20]}", content, _ending(content), image)


def decoded(content: bytes) -> Image:
    """The picture, upright. Raises as `take` does."""
    if is_heif(content):
        raise Refused("bad_argument", PhotoRefusal.HEIC())
    if not content or not _ending(content):
        raise Refused("bad_argument", PhotoRefusal.NO_PHOTO())
    _check_size(content)
    try:
        return decode_picture(content, "the photograph")
    except BadPicture as error:
        strip = error.said.sentence is PictureTrouble.STRIP
        raise Refused("bad_argument", error.said if strip else PhotoRefusal.PHOTO_TORN()) from None


def _check_size(content: bytes) -> None:
    try:
        width, height = picture_size(content)
    except BadPicture:
        return  # no JPEG or PNG: the decoder has its own limit
    if width * height > MOST_PIXELS:
        raise Refused("bad_argument", PhotoRefusal.PHOTO_LARGE(megapixels=MOST_PIXELS // 1_000_000))


def _ending(content: bytes) -> str:
    if is_jpeg(content):
        return "jpg"
    if content.startswith(PNG):
        return "png"
    return "webp" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else ""


def _smaller(image: Image, longest_px: int) -> Image:
    scale = longest_px / max(image.shape[:2])
    if scale >= 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
