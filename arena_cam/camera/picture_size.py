"""How large a picture is, from its first bytes: asked before anything is decoded that came from elsewhere.

PNG: the IHDR chunk (W3C, Portable Network Graphics, 11.2.1).
JPEG: the first start-of-frame segment (ITU-T T.81, B.2.2).
"""

from __future__ import annotations

import struct

from arena_cam.camera.messages import SourceTrouble
from arena_cam.domain.errors import BadPicture

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8"
# Start of frame: all markers from C0 to CF but those that define Huffman tables, extensions and arithmetic coding.
_STARTS_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# Markers that stand alone, without a length after them: TEM, RST0 to RST7, SOI.
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})


def picture_size(content: bytes) -> tuple[int, int]:
    """(width, height) in px of a PNG or JPEG. Raises BadPicture if it is neither, or breaks off before it says so."""
    try:
        if content.startswith(PNG) and content[12:16] == b"IHDR":
            width, height = struct.unpack_from(">II", content, 16)
            return int(width), int(height)
        if content.startswith(JPEG):
            return _jpeg_size(content)
    except (struct.error, IndexError):
        pass
    raise BadPicture(SourceTrouble.NO_PNG_OR_JPEG())


def png_is_whole(content: bytes) -> bool:
    """Whether every chunk of a PNG is there in the length that it says of itself, down to the last (IEND)."""
    at = len(PNG)
    while at + 12 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        at += 12 + length
        if kind == b"IEND":
            return bool(at <= len(content))
    return False


def _jpeg_size(content: bytes) -> tuple[int, int]:
    at = 2
    while True:
        while content[at] != 0xFF:
            at += 1
        while content[at] == 0xFF:  # any number of fill bytes may stand before a marker
            at += 1
        marker, at = content[at], at + 1
        if marker in _STARTS_OF_FRAME:
            height, width = struct.unpack_from(">HH", content, at + 3)
            return int(width), int(height)
        if marker not in _ALONE:
            at += struct.unpack_from(">H", content, at)[0]
