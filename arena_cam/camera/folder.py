"""A folder of numbered images as a frame source: what was recorded once can be watched again at its own rate."""

from __future__ import annotations

import re
from pathlib import Path

from arena_cam.camera.decoding import check_whole, decode_picture, is_jpeg
from arena_cam.camera.encoded_frame import EncodedFrame
from arena_cam.camera.frame import Frame, Image
from arena_cam.camera.messages import CameraTrouble, PictureTrouble, SourceRefusal, SourceTrouble
from arena_cam.domain.errors import BadInput, BadPicture, CameraLost

# The still formats that every OpenCV build reads.
PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm"})
KINDS = ", ".join(sorted(suffix[1:] for suffix in PICTURE_SUFFIXES))  # as people are told them
# What telephones write, too: not read, but said by name where people put photographs of their own.
PHOTOGRAPH_SUFFIXES = PICTURE_SUFFIXES | {".heic", ".heif", ".avif"}


def natural_key(path: Path) -> list[tuple[int, int, str]]:
    """Sorts 2.jpg before 10.jpg: runs of digits compare as numbers, the rest as text without regard to case."""
    parts = re.findall(r"\d+|\D+", path.name.lower())
    return [(0, int(part), part) if part.isdigit() else (1, 0, part) for part in parts]


def pictures_in(folder: Path, suffixes: frozenset[str] = PICTURE_SUFFIXES) -> list[Path]:
    """The folder's files whose names end so, in natural order, without hidden ones, which systems put beside pictures.

    Raises OSError where the folder cannot be listed.
    """
    files = (file for file in folder.iterdir() if file.suffix.lower() in suffixes and not file.name.startswith("."))
    return sorted((file for file in files if file.is_file()), key=natural_key)


def read_picture(file: Path) -> Image:
    """The picture in `file`, shape (h, w, 3), uint8, blue-green-red. Raises BadPicture, naming the file."""
    return decode_picture(_read_bytes(file), str(file))


def _read_bytes(file: Path) -> bytes:
    """The bytes of a picture that is whole. Raises BadPicture, naming the file.

    Read through memory so that a file name outside the system's code page works and a torn file is told from an
    absent one.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadPicture(PictureTrouble.NO_ACCESS(text=str(error.strerror)), about=file) from None
    check_whole(data, str(file))
    return data


class FolderSource:
    """Hands out a folder's pictures in natural order, one every 1 / `fps` seconds of its own time; not live.

    Raises BadInput when made, if the folder is not there or holds no pictures.
    """

    live = False

    def __init__(self, folder: Path | str, fps: float = 15.0) -> None:
        folder = Path(folder)
        if not fps > 0:
            raise BadInput(SourceTrouble.FRAME_RATE(rate=f"{fps:g}"))
        if not folder.is_dir():
            raise BadInput(SourceRefusal.NO_FOLDER(), about=folder)
        self._files = pictures_in(folder)
        if not self._files:
            raise BadInput(SourceRefusal.NO_PICTURES(names=KINDS), about=folder)
        self.name, self._folder = str(folder), folder
        self.fps = float(fps)
        self._next = 0

    def __len__(self) -> int:
        return len(self._files)

    def read(self) -> Frame | None:
        """The next picture; None after the last. Raises BadPicture for one that is torn or empty, and goes on then;
        CameraLost while the folder is gone: it stays at that picture."""
        if self._next >= len(self._files):
            return None
        if not self._folder.is_dir():
            raise CameraLost(CameraTrouble.FOLDER_GONE(name=self.name))
        sequence, self._next = self._next, self._next + 1
        file = self._files[sequence]
        data = _read_bytes(file)
        if is_jpeg(data):
            return EncodedFrame(
                data,
                time_s=sequence / self.fps,
                sequence=sequence,
                source=self.name,
                name=file.name,
            )
        return Frame(
            image_bgr=decode_picture(data, str(file)),
            time_s=sequence / self.fps,
            sequence=sequence,
            source=self.name,
            name=file.name,
        )

    def close(self) -> None:
        self._next = len(self._files)
