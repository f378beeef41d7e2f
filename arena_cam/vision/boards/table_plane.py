"""The table's plane, known by one board: all other boards lie on it, as large as this one.

A keypoint on the table then fixes a turn and a shift only. Of several thousand keypoints of a patterned cloth that look
like a set's print one in thirty is as large as the print would be there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.seeds import Seed
from arena_cam.vision.printed.keypoints import Keypoints, Matches

Floats = NDArray[np.float64]

# A keypoint's size is good to some 15 % (see seeds), the plane beside the board that tells it to some more.
LEAST_SCALE, MOST_SCALE = 0.75, 1.35
HORIZON = 0.1  # of the first board's depth, the other way round: what is ten times as far away is nothing on the table


class TablePlane:
    """The plane on which a board lies; `px_from_mm` (3, 3) maps its millimetres, the board's frame, to pixels."""

    def __init__(self, px_from_mm: Floats) -> None:
        self.px_from_mm = px_from_mm / px_from_mm[2, 2]
        self._back = np.asarray(np.linalg.inv(self.px_from_mm))

    def keypoints(self, seen: Keypoints) -> Keypoints:
        """A photograph's keypoints in millimetres of the plane; those beyond its horizon are left out."""
        depth = seen.xy @ self._back[2, :2] + self._back[2, 2]
        near = depth > HORIZON
        at = transformed(self._back, seen.xy[near])
        jacobian = self._back[None, :2, :2] - at[:, :, None] * self._back[None, 2:, :2]
        frame = jacobian / depth[near][:, None, None] @ seen.frame[near]
        return Keypoints(at, frame, seen.descriptor[near])

    def on_plane(self, px: Floats) -> Floats:
        """Points (N, 2) of the photograph in millimetres of the plane."""
        return transformed(self._back, np.asarray(px, np.float64))

    def photographed(self, seed: Seed) -> Seed:
        """A place on the plane as one in the photograph."""
        return Seed(np.asarray(self.px_from_mm @ seed.px_from_mm), seed.votes, seed.filled)

    def nearer_than(self, px_per_mm: float, size_px: tuple[int, int], *, further: bool = False) -> Floats:
        """The part (N, 2) of a picture of `size_px` (width, height) where the plane is seen larger than that, or
        smaller; N is 0 where there is none.

        An area is seen larger by the third power of how near it is, and places of one nearness lie on a line.
        """
        area = abs(float(np.linalg.det(self._back)))
        least = (px_per_mm**2 * area) ** (1.0 / 3.0)
        line = np.append(self._back[2, :2], self._back[2, 2] - least)
        w, h = size_px[0] - 1.0, size_px[1] - 1.0
        corners = np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]])
        return _beside(corners, -line if further else line)


def of_their_size(matches: Matches) -> Matches:
    """Those matches of a print with keypoints of its plane that are as large as they are printed."""
    return matches.only((matches.scale > LEAST_SCALE) & (matches.scale < MOST_SCALE))


def _beside(polygon: Floats, line: Floats) -> Floats:
    """The part (M, 2) of a convex polygon (N, 2) where a line's equation (3,) is positive (Sutherland and Hodgman)."""
    side = polygon @ line[:2] + line[2]
    out: list[Floats] = []
    for k, at in enumerate(polygon):
        after, further = polygon[(k + 1) % len(polygon)], side[(k + 1) % len(polygon)]
        if side[k] > 0:
            out.append(at)
        if (side[k] > 0) != (further > 0):
            out.append(at + (after - at) * side[k] / (side[k] - further))
    return np.array(out).reshape(-1, 2)
