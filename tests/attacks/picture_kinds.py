"""Pictures of every kind that a camera, a messenger or an image editor leaves behind, and some that none would."""

from __future__ import annotations

import io
import struct

import numpy as np
from PIL import Image

SIZE = (64, 48)
FORMATS = (
    ("RGB", "JPEG"), ("L", "JPEG"), ("CMYK", "JPEG"), ("RGB", "PNG"), ("RGBA", "PNG"), ("LA", "PNG"), ("P", "PNG"),
    ("1", "PNG"), ("I;16", "PNG"), ("P", "GIF"), ("RGB", "TIFF"), ("F", "TIFF"), ("I;16", "TIFF"), ("CMYK", "TIFF"),
    ("RGB", "BMP"), ("RGB", "WEBP"), ("RGBA", "WEBP"), ("RGB", "PPM"), ("L", "PPM"),
)  # fmt: skip
STRIPS = ((4000, 1), (1, 4000), (2, 4000))
SMALL = ((1, 1), (7, 5), (16, 16))


def picture(mode: str, kind: str, size: tuple[int, int] = SIZE, **options: object) -> bytes:
    """A slope of grey in a mode and a file format of Pillow's; `size`: (width, height)."""
    grey = np.add.outer(np.arange(size[1]), np.arange(size[0])) % 256
    made = Image.fromarray(grey.astype(np.uint8))
    made = Image.fromarray((grey * 257).astype(np.uint16)) if mode == "I;16" else made.convert(mode)
    out = io.BytesIO()
    made.save(out, kind, **options)
    return out.getvalue()


def every_kind() -> dict[str, bytes]:
    """File name -> content."""
    kinds = {f"{mode.replace(';', '')}.{kind.lower()}": picture(mode, kind) for mode, kind in FORMATS}
    kinds |= {f"strip-{w}-{h}.png": picture("RGB", "PNG", (w, h)) for w, h in STRIPS}
    kinds |= {f"small-{w}-{h}.jpg": picture("RGB", "JPEG", (w, h)) for w, h in SMALL}
    for turn in (6, 99):
        exif = Image.Exif()
        exif[0x0112] = turn  # EXIF's Orientation; 99 is none
        kinds[f"turned-{turn}.jpg"] = picture("RGB", "JPEG", exif=exif)
    pages = [Image.new("RGB", SIZE, colour) for colour in ("red", "blue")]
    for kind in ("GIF", "WEBP", "PNG", "TIFF"):
        out = io.BytesIO()
        pages[0].save(out, kind, save_all=True, append_images=pages[1:])
        kinds[f"two.{kind.lower()}"] = out.getvalue()
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 60_000, 60_000) + b"\x08\x02\0\0\0" + bytes(4)
    lossless = b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8L" + struct.pack("<I", 17)
    return kinds | {
        "empty.jpg": b"",
        "text.jpg": b"hello",
        "drawing.png": b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
        "torn.jpg": picture("RGB", "JPEG")[:-200],
        "torn.png": picture("RGB", "PNG")[:-30],
        "huge.png": header + b"\0\0\0\0IEND\xaeB`\x82",
        "huge.webp": lossless + b"\x2f" + struct.pack("<I", 0x3FFF | (0x3FFF << 14)) + bytes(12),
        "telephone.jpg": b"\0\0\0\x18ftypheic" + bytes(400),
        "float.ppm": b"PF\n4 2\n-1.0\n" + np.full((2, 4, 3), 0.5, np.float32).tobytes(),
    }
