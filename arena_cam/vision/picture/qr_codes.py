"""The QR code printed on a card, as independent evidence of its name. The only importer of pyzbar."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import PrintedQr
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.picture.sampling import remap

# A code for a card's name has 21 to 25 modules a side (versions 1 and 2).
_MODULES = 23
# The reader wants about four pixels a module; a picture with fewer than two a module holds no code that could be read.
_PX_A_MODULE, _LEAST_PX_A_MODULE = 5.0, 2.0
_RIM = 1.3  # the code with the white round it, as a multiple of its size


def read_qr(
    grey: NDArray[np.uint8], camera: Camera, pose: CardPose, qr: PrintedQr, width_mm: float, height_mm: float
) -> str | None:
    """The text of the code that a card of `width_mm` x `height_mm` at `pose` bears at `qr`, straightened by the pose.

    None where the picture (H, W) is too coarse for it, or where nothing can be read: covered, glaring, blurred.
    """
    if camera.px_per_mm(pose.centre_mm) * qr.size_mm / _MODULES < _LEAST_PX_A_MODULE:
        return None
    from pyzbar import pyzbar  # needs the system's libzbar, which only decks with codes need

    side = round(_MODULES * _PX_A_MODULE * _RIM)
    axis = ((np.arange(side) + 0.5) / side - 0.5) * qr.size_mm * _RIM
    x, y = np.meshgrid(qr.x_mm - width_mm / 2 + axis, height_mm / 2 - qr.y_mm - axis)
    places = camera.project(pose.points(x.ravel(), y.ravel())).astype(np.float32).reshape(side, side, 2)
    patch = np.asarray(remap(grey, places, cv2.INTER_CUBIC), dtype=np.uint8)
    codes = pyzbar.decode(patch, symbols=[pyzbar.ZBarSymbol.QRCODE])
    return codes[0].data.decode("utf-8", "replace") if codes else None


@dataclass(frozen=True, eq=False)
class SeenCode:
    """A QR code in a picture: its text and its outer corners (4, 2) in pixels from the picture's outer corner, in no
    particular order."""

    text: str
    corners_px: NDArray[np.float64]


def find_codes(grey: NDArray[np.uint8]) -> list[SeenCode]:
    """All QR codes in a picture (H, W) that looks straight at them; none where there is no reader."""
    try:
        from pyzbar import pyzbar
    except ImportError:  # without the system's libzbar a card's name is asked for instead of read
        return []
    return [
        SeenCode(code.data.decode("utf-8", "replace"), np.array(code.polygon, np.float64).reshape(-1, 2))
        for code in pyzbar.decode(grey, symbols=[pyzbar.ZBarSymbol.QRCODE])
    ]


def codes_in(image_bgr: NDArray[np.uint8]) -> list[str]:
    """The texts of all QR codes in a picture (H, W, 3) that looks straight at them; none where there is no reader."""
    return [code.text for code in find_codes(np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8))]
