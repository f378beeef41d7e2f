"""Finds the frame source that a word on the command line means."""

from __future__ import annotations

from pathlib import Path

from arena_cam.camera.folder import PICTURE_SUFFIXES, FolderSource
from arena_cam.camera.frame import FrameSource
from arena_cam.camera.messages import SourceTrouble
from arena_cam.camera.phone import PHONE, PhoneSource
from arena_cam.camera.usb import open_usb
from arena_cam.camera.video import VideoSource
from arena_cam.domain.errors import BadInput

SIMULATED = "sim"  # who can watch a simulated table opens it in its own way, before this


def open_source(
    spec: str, fps: float = 15.0, size_px: tuple[int, int] | None = None, *, pages: bool = False
) -> FrameSource:
    """The source that `spec` names: a folder of pictures, a video file, `usb:N`, `picamera2` (`picamera2:N`),
    or `phone` for pictures that a telephone's browser sends.

    `fps` is a folder's rate and what a camera is asked for; `size_px` (width, height) is asked of a camera, whose
    table.json must have been made at that size. `pages`: whether this program serves the page that a telephone needs:
    elsewhere nobody would ever send a picture. Raises BadInput for a word that means nothing here, CannotDo for a
    camera that does not answer.
    """
    kind, _, number = spec.partition(":")
    if spec == PHONE:
        if not pages:
            raise BadInput(SourceTrouble.NO_PAGES(), about=spec)
        return PhoneSource(fps)
    if kind == "usb" and number.isdigit():
        return open_usb(int(number), fps, size_px or (1536, 864))
    if kind == "picamera2" and (not number or number.isdigit()):
        # Imported only here: picamera2 opens devices when it is imported, and most machines do not have it.
        from arena_cam.camera.raspberry_pi import open_raspberry_pi

        return open_raspberry_pi(int(number or 0), fps, size_px)
    path = Path(spec)
    if spec == SIMULATED and not path.exists():
        raise BadInput(SourceTrouble.SIMULATED(), about=spec)
    if path.is_dir():
        return FolderSource(path, fps)
    if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file():
        raise BadInput(SourceTrouble.ONE_PICTURE(), about=spec)
    if path.exists():
        return VideoSource(path, fps)
    raise BadInput(SourceTrouble.NO_SOURCE(), about=spec)
