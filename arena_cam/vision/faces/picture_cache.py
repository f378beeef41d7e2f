"""Pictures of a deck as cards over a table are compared with, kept from one start of the program to the next.

Half of what a start costs is unpacking fifty large pictures and making them small. What comes of it depends on nothing
but the pictures' bytes, so it is kept under their fingerprint: a picture that changes, or another version of what makes
them small, is another fingerprint. Whatever is wrong with the folder or a file in it, the pictures are read as if
nothing had been kept.
"""

from __future__ import annotations

import hashlib
import io
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam import __version__

# Shape (faces, height, width, 3), uint8, blue first; (faces, height, width) in grey.
Stack = NDArray[np.uint8]

# The way they are made small; one more whenever that changes within a version.
_RECIPE = 1
# Decks kept, about 11 MB each: as many as a club has on its shelf. Those used longest ago go first. A deck has a second
# file, of its local features, and an ordinary pack a third, of how its indices are read.
_MOST_DECKS, _FILES_A_DECK = 8, 3


class PictureCache:
    """A folder of small pictures and of what was found in them, up to three files a deck. It may be missing, full,
    read-only, torn, or used by many at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, key: str, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Stack] | None:
        """The stacks saved under `key`, by name; None unless all are there in these shapes (-1 is any length) and
        whole."""
        try:
            # The archive holds a checksum of every array, and its table of contents stands at its end.
            with self._file(key).open("rb") as file, np.load(file, allow_pickle=False) as kept:
                stacks = {name: kept[name] for name in shapes}
        except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error):
            return None
        whole = all(stack.dtype == np.uint8 and _fits(stack, shapes[name]) for name, stack in stacks.items())
        if not whole:
            return None
        with suppress(OSError):
            self._file(key).touch()
        return stacks

    def save(self, key: str, stacks: Mapping[str, Stack]) -> None:
        """Keeps stacks under `key`, or does nothing where that cannot be."""
        part: Path | None = None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            archive = io.BytesIO()  # on a full disk numpy 1 leaves an archive half open, which complains when it goes
            np.savez(archive, **stacks)  # type: ignore[arg-type]  # the stub takes names for the option allow_pickle
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=".part", delete=False) as file:
                part = Path(file.name)
                file.write(archive.getbuffer())
            part.replace(self._file(key))
            self._forget_oldest()
        except OSError:
            if part is not None:
                with suppress(OSError):
                    part.unlink()

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.npz"

    def _forget_oldest(self) -> None:
        """Removes the oldest files, and parts left behind by a process that was killed."""
        files = [*self._folder.glob("*.npz"), *self._folder.glob("*.part")]
        for file in sorted(files, key=lambda each: each.stat().st_mtime)[: -_MOST_DECKS * _FILES_A_DECK]:
            file.unlink(missing_ok=True)


def _fits(stack: Stack, shape: tuple[int, ...]) -> bool:
    return stack.ndim == len(shape) and all(
        wanted in (-1, size) for size, wanted in zip(stack.shape, shape, strict=True)
    )


def fingerprint(files: Iterable[bytes], sizes: Sequence[float]) -> str:
    """A name for the pictures whose files' bytes are given in order, prepared at `sizes`."""
    digest = hashlib.sha256(f"{_RECIPE} {__version__} {cv2.__version__} {list(sizes)}".encode())
    for data in files:
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
