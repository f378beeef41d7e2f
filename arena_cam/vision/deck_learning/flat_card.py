"""Whether an outline can be that of a flat card of its size.

The outline of a rectangle in a photograph has more information than its four corners: for one focal length, its shape
follows from the pose of the card (Zhang, "A flexible new technique for camera calibration", PAMI 22(11), 2000). An
outline with one side along something else fits no flat card, or only a camera with an unusual focal length; and all
pictures of one camera have the same focal length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.edge_tracing import side_points
from arena_cam.vision.deck_learning.straightening import Pixels, px_per_mm

FOCALS = np.geomspace(0.5, 3.0, 25)  # of the picture's longer side: from wide-angle lenses to a phone's third
_PLACES = 9  # along a side
_DOUBT_MM = 0.1  # of misfit weighs as much as a focal length one standard deviation from the usual
_FEWEST, _AGREED_MM = 6, 0.15  # photographs, and their median misfit, by which a camera is known
_CAPPED_MM = 0.3  # a misfit beyond it is that of a wrong outline, whatever the focal length


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera's focal length as a share of the picture's longer side, and the standard deviation of its logarithm."""

    focal: float
    spread: float


# Phones' main cameras have 0.72 to 0.8, cameras over a table 0.8 to 1.1, phones' second lenses 1.5 and more.
ANY_LENS = Lens(0.9, 0.35)
_ONE_CAMERA = 0.1  # what focusing, and a picture cut a little, change of the focal length


@dataclass(frozen=True, eq=False)
class Misfit:
    """How far an outline is off the nearest that a flat card has: `by_focal_mm` (25,), root mean squares over its
    sides, for each of FOCALS."""

    by_focal_mm: Array

    def at(self, lens: Lens) -> float:
        """For the focal length that suits the outline best; one that is unlikely for the lens counts as misfit."""
        unlikely = _DOUBT_MM * np.log(FOCALS / lens.focal) / lens.spread
        return float(np.sqrt(self.by_focal_mm**2 + unlikely**2).min())


def misfit(pixels: Pixels, picture_px: tuple[int, int], width_mm: float, height_mm: float) -> Misfit:
    """The misfit of an outline in a picture of that width and height, whose optical axis is at its middle."""
    shares = side_points(_PLACES).reshape(-1, 2)
    seen = pixels(shares)
    card = np.column_stack([shares * (width_mm, height_mm), np.zeros(len(shares))])
    scale = px_per_mm(pixels, width_mm, height_mm)
    out = np.full(len(FOCALS), np.inf)
    for k, focal in enumerate(FOCALS * max(picture_px)):
        K = np.array([[focal, 0.0, (picture_px[0] - 1) / 2], [0.0, focal, (picture_px[1] - 1) / 2], [0.0, 0.0, 1.0]])
        found, rvec, tvec = cv2.solvePnP(card, seen, K, np.zeros(5))
        if not found:
            continue
        again = np.asarray(cv2.projectPoints(card, rvec, tvec, K, np.zeros(5))[0], np.float64).reshape(-1, 2)
        out[k] = float(np.sqrt(((again - seen) ** 2).sum(axis=1).mean())) / scale
    return Misfit(out)


def one_lens(misfits: Sequence[Misfit]) -> Lens | None:
    """The lens that photographs of one size share; None for few photographs, or where they do not agree on one."""
    if len(misfits) < _FEWEST:
        return None
    of = np.array([m.by_focal_mm for m in misfits])
    best = int((np.minimum(of, _CAPPED_MM) ** 2).sum(axis=0).argmin())
    lens = Lens(float(FOCALS[best]), _ONE_CAMERA)
    return lens if np.median([m.at(lens) for m in misfits]) < _AGREED_MM else None
