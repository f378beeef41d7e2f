"""Bytes to an 8-bit picture, blue-green-red: the one place where what others saved becomes an array.

OpenCV hands some files out as they are stored, whatever it was asked for: one channel, 16 bit, floating point. Here
they become three channels of 8 bit, or are refused with the remedy.
"""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.camera.messages import PictureTrouble
from arena_cam.camera.picture_size import JPEG, PNG, picture_size, png_is_whole
from arena_cam.domain.errors import BadPicture

# A telephone's largest mode makes 200 megapixels; 600 MB when decoded. Nothing that referees needs more than 12.
MOST_PIXELS = 100_000_000
# Cameras make panoramas of ten to one. Made smaller as pictures are here, a strip would be left without a pixel.
LONGEST_TO_SHORTEST = 20
_END = 64 * 1024  # a whole JPEG says within its last bytes that it ends; some cameras write a little behind that
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis"})


def is_jpeg(data: bytes) -> bool:
    """Whether the bytes begin as a JPEG does, whatever the file is called: messengers rename what they pass on."""
    return data.startswith(JPEG)


def is_heif(data: bytes) -> bool:
    """Whether the bytes begin as HEIC or AVIF does, which is not read here."""
    return data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS


def check_whole(data: bytes, name: str) -> None:
    """Raises BadPicture where the bytes cannot be a whole picture of a size that may be decoded."""
    if not data:
        raise BadPicture(PictureTrouble.EMPTY(), about=name)
    if is_jpeg(data) and data.rfind(b"\xff\xd9", -_END) < 0:
        # libjpeg fills what is missing with grey and says nothing: cards would vanish without a word.
        raise BadPicture(PictureTrouble.TORN(), about=name)
    if is_heif(data):
        raise BadPicture(PictureTrouble.HEIF(), about=name)
    if is_jpeg(data) or data.startswith(PNG):
        width, height = _size(data, name)
        if width * height > MOST_PIXELS:
            large = PictureTrouble.LARGE(width_px=width, height_px=height, most=MOST_PIXELS // 1_000_000)
            raise BadPicture(large, about=name)
    if data.startswith(PNG) and not png_is_whole(data):
        # OpenCV asks for as much memory as a chunk says that it has, gigabytes, before it looks whether it is there.
        raise BadPicture(PictureTrouble.TORN(), about=name)


def decode_picture(data: bytes, name: str, flags: int = cv2.IMREAD_COLOR) -> Image:
    """The picture in `data`: shape (height, width, 3), or (height, width) where `flags` ask for grey; uint8.

    A picture's EXIF orientation is applied. Raises BadPicture, which calls the picture `name`.
    """
    picture = _decoded(data, name, flags)
    return picture if flags & cv2.IMREAD_COLOR == 0 and picture.ndim == 2 else _three_channels(picture, name)


def decode_with_opacity(data: bytes, name: str) -> Image:
    """As `decode_picture`, but (height, width, 4) where a PNG or WebP says how opaque each pixel is."""
    flags = cv2.IMREAD_UNCHANGED if data.startswith(PNG) or data[8:12] == b"WEBP" else cv2.IMREAD_COLOR
    picture = _decoded(data, name, flags)
    return picture if picture.ndim == 3 and picture.shape[2] == 4 else _three_channels(picture, name)


def _decoded(data: bytes, name: str, flags: int) -> Image:
    """One, three or four channels of 8 bit. Raises BadPicture."""
    check_whole(data, name)
    try:
        # The depth as it is stored: OpenCV would cut 0.5 of a floating-point picture down to black.
        depth = 0 if is_jpeg(data) else cv2.IMREAD_ANYDEPTH
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags | depth)
    except cv2.error:  # of damaged files, and of headers that promise more than OpenCV decodes
        picture = None
    if picture is None or picture.size == 0:
        raise BadPicture(PictureTrouble.UNREADABLE(), about=name)
    height, width = picture.shape[:2]
    if max(height, width) > LONGEST_TO_SHORTEST * min(height, width):
        raise BadPicture(PictureTrouble.STRIP(width_px=width, height_px=height), about=name)
    return _eight_bit(np.asarray(picture), name)


def _size(data: bytes, name: str) -> tuple[int, int]:
    try:
        return picture_size(data)
    except BadPicture:
        raise BadPicture(PictureTrouble.UNREADABLE(), about=name) from None


def _eight_bit(picture: np.ndarray, name: str) -> Image:
    if picture.dtype == np.uint8:
        return picture
    if picture.dtype == np.uint16:
        return np.asarray(picture // 257, np.uint8)
    raise BadPicture(PictureTrouble.PIXELS(text=str(picture.dtype)), about=name)


def _three_channels(picture: Image, name: str) -> Image:
    channels = 1 if picture.ndim == 2 else picture.shape[2]
    if channels == 3:
        return picture
    if channels == 2:  # grey and opacity
        picture, channels = np.ascontiguousarray(picture[:, :, 0]), 1
    codes = {1: cv2.COLOR_GRAY2BGR, 4: cv2.COLOR_BGRA2BGR}
    if channels not in codes:
        raise BadPicture(PictureTrouble.CHANNELS(count=channels), about=name)
    return np.asarray(cv2.cvtColor(picture, codes[channels]), np.uint8)
