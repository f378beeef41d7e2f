"""CPU time of a quiet frame, as a share of one full-frame ArucoDetector.detectMarkers on the same frame.

Run: python -m bench.quiet_frame [FRAMES...], folders of JPEG pictures of which the first ones show a quiet table;
without any, a simulated table. Both sides take the same frames; decoding counts for the quiet frame. Bar: 0.10.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import cv2

from arena_cam.camera.folder import FolderSource
from arena_cam.camera.frame import Frame
from arena_cam.domain.lies import Lie, Reading
from arena_cam.simulation.arena.actions import Wait
from arena_cam.vision.watching.watcher import Watcher
from bench.simulated_video import write_video

BAR = 0.10
QUIET_FRAMES = 6
ROUNDS = 20


class NothingThere:
    """A reader for which the arena is empty: how long reading takes is another measurement."""

    def read(self, frame: Frame, *, known: Sequence[Lie] = (), **_: object) -> Reading:
        return Reading(frame.name, frame.time_s, tuple(known))


def quiet_seconds(folder: Path) -> list[float]:
    """CPU seconds of each frame that the watcher takes from the first `QUIET_FRAMES`, again and again."""
    watcher = Watcher(NothingThere())
    seconds = []
    for turn in range(ROUNDS):
        source = FolderSource(folder)
        for _ in range(QUIET_FRAMES):
            begin = time.process_time()
            frame = source.read()
            assert frame is not None
            watcher.feed(frame)
            if turn > 1:
                seconds.append(time.process_time() - begin)
    return seconds


def scan_seconds(folder: Path) -> list[float]:
    """What the bar is measured by."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    seconds = []
    source = FolderSource(folder)
    pictures = [frame.image_bgr for frame in (source.read() for _ in range(QUIET_FRAMES)) if frame is not None]
    for _ in range(ROUNDS):
        for picture in pictures:
            begin = time.process_time()
            detector.detectMarkers(picture)
            seconds.append(time.process_time() - begin)
    return seconds


def main() -> None:
    """Prints one line a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("frames", nargs="*", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as made:
        folders = args.frames or [write_video(Path(made), QUIET_FRAMES, Wait(1.0))[0]]
        for folder in folders:
            quiet, scan = statistics.mean(quiet_seconds(folder)), statistics.mean(scan_seconds(folder))
            print(
                f"quiet frame {folder.parent.name}: {quiet * 1e3:.2f} ms, detectMarkers {scan * 1e3:.2f} ms, "
                f"ratio {quiet / scan:.3f} (bar {BAR:g})"
            )


if __name__ == "__main__":
    main()
