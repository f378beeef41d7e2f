"""CPU time of reading photographs of boards, in calls of a full-frame ArucoDetector.detectMarkers on the same picture;
and of a photograph of 12 megapixels, as a ratio to decoding its JPEG.

Run: python -m bench.board_speed. Bars: 25 calls a board at 1536 x 864; 2 s for 12 megapixels on the machine it ran on.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from pathlib import Path

# A second thread of BLAS waits more than it computes, on matrices as small as these. It is heeded at the first import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.decoding import decode_picture
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.printing.hexes.style import Style
from arena_cam.simulation.boards.photographs import Shot, random_boards, render_boards
from arena_cam.vision.boards.board_reader import BoardReader
from bench.board_pictures import printed_set
from bench.judging import seconds

PICTURES = 4
LARGE = (4000, 3000)


def of_a_telephone(reader: BoardReader, picture: NDArray[np.uint8]) -> tuple[float, float]:
    """Seconds for decoding and for reading a picture (h, w, 3) as one of 12 megapixels."""
    large = np.asarray(cv2.resize(picture, LARGE, interpolation=cv2.INTER_CUBIC), np.uint8)
    data = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    decoding = seconds(lambda: decode_picture(data, "photograph"))
    return decoding, seconds(lambda: reader.read(large, "photograph"))


def main() -> None:
    style = Style(colours=("red", "blue", "green"))
    printed = printed_set(style)
    with tempfile.TemporaryDirectory() as scratch:
        reader = BoardReader(read_tile_set(write_set(Path(scratch), style)))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    calls: list[float] = []
    large: list[tuple[float, float]] = []
    for k in range(PICTURES):
        rng = np.random.default_rng([k, 4711])
        boards = random_boards(printed, rng, two=0.0)
        shot = Shot(height_mm=480.0, tilt_deg=8.0 * k, roll_deg=50.0 * k)
        picture, _ = render_boards(printed, boards, shot, k)
        reader.read(picture, "warm")
        scan = seconds(lambda p=picture: detector.detectMarkers(p))  # type: ignore[misc]
        calls.append(seconds(lambda p=picture: reader.read(p, "photograph")) / scan)  # type: ignore[misc]
        large.append(of_a_telephone(reader, picture))
    decoding, reading = (statistics.median(each) for each in zip(*large, strict=True))
    longest = max(map(sum, large))
    print(
        f"boards at 1536 x 864: {statistics.median(calls):.1f} detectMarkers a board, worst {max(calls):.1f} (bar 25); "
        f"12 megapixels, median: read in {reading / decoding:.1f} x decoding ({reading:.2f} s, {decoding:.2f} s; both "
        f"{reading + decoding:.2f} s, longest {longest:.2f} s; bar 2 s)"
    )


if __name__ == "__main__":
    argparse.ArgumentParser(description="Takes about a minute and no options.").parse_args()
    main()
