"""A camera's intrinsics from views of a calibration board, and how well they are determined, or what is missing.

Method: Zhang, "A flexible new technique for camera calibration" (PAMI 2000), as cv2.calibrateCamera does it, with
OpenCV's distortion k1, k2, p1, p2, k3. Wrong corners and blurred views are left out once, by their own residuals. The
standard deviations are those of the least-squares fit, scaled by its residuals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from arena_cam.domain.errors import CannotDo
from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.vision.setup.board_corners import BoardView
from arena_cam.vision.setup.messages import SurveyRefusal, ViewsLack

PARAMETERS = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")

FEWEST_VIEWS = 5  # three determine the parameters (Zhang); two more show whether they are right
LEAST_MOVE = 0.02  # of the picture's width: views nearer than that to one another count as one
# A plane seen head-on says nothing of the focal length: a longer lens farther away gives the same picture. The spread
# of the board's tilt is asked for about both of the picture's axes, as the difference of the sine between views.
LEAST_TILT_SPREAD = 0.35  # 20 deg
# The lens bends most in the corners of the picture; where no view reached them its distortion is only guessed.
THIRD = 1.0 / 3.0
# A fit that is no better than this is a sign that the views are too much alike, however many they are.
MOST_FOCAL_SD = 0.005  # of the focal length; 0.5 % is 2 mm of height for a camera at 400 mm
MOST_CENTRE_SD = 0.005  # of the picture's width

OUTLIER_SIGMAS = 5.0
SMALLEST_OUTLIER_PX = 0.3
BAD_VIEW_TIMES = 3.0  # a view whose residuals are this many times the others' was blurred, or its board bent
SMALLEST_BAD_VIEW_PX = 0.5


@dataclass(frozen=True, slots=True)
class ViewFit:
    """How one view agrees with the parameters found: `rms_px` over its `corners` corners."""

    name: str
    corners: int
    rms_px: float


@dataclass(frozen=True, eq=False)
class Intrinsics:
    """`K` (3, 3) and `dist` (k1, k2, p1, p2, k3) for pictures of `image_size` (w, h).

    `rms_px` is the root mean square reprojection error as cv2.calibrateCamera gives it; `sd` the standard deviation of
    each of PARAMETERS, pixels for the first four. `left_out` names views that were not believed.
    """

    image_size: tuple[int, int]
    K: Array
    dist: Array
    rms_px: float
    sd: dict[str, float]
    views: tuple[ViewFit, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Fit:
    rms_px: float
    K: Array
    dist: Array
    sd: Array
    rotations: Array  # (N, 3, 3), board to camera
    residuals_px: list[Array]  # a view's corners, (M, 2)


def estimate_intrinsics(views: Sequence[BoardView], image_size: tuple[int, int]) -> Intrinsics:
    """The intrinsics that explain `views` best. Raises CannotDo, naming what is missing, if they do not suffice."""
    found, missing = determine_intrinsics(views, image_size)
    if found is None:
        raise CannotDo(SurveyRefusal.VIEWS_LACK(why=tuple(missing)))
    return found


def determine_intrinsics(
    views: Sequence[BoardView], image_size: tuple[int, int]
) -> tuple[Intrinsics | None, list[Message]]:
    """The intrinsics that explain `views` best and nothing missing, or None and what is missing."""
    missing = missing_before_fit(views, image_size)
    if missing:
        return None, missing
    fitted = _fit(views, image_size)
    kept = _without_outliers(views, fitted) if fitted is not None else []
    fit = _fit(kept, image_size) if kept else None
    if fit is None:
        return None, [ViewsLack.FIT(count=len(views))]
    missing = [*missing_before_fit(kept, image_size), *_missing_after_fit(fit, image_size)]
    if missing:
        return None, missing
    return _intrinsics(fit, kept, views, image_size), []


def _intrinsics(
    fit: _Fit, kept: Sequence[BoardView], views: Sequence[BoardView], image_size: tuple[int, int]
) -> Intrinsics:
    names = {view.name for view in kept}
    return Intrinsics(
        image_size=image_size,
        K=fit.K,
        dist=fit.dist,
        rms_px=fit.rms_px,
        sd=dict(zip(PARAMETERS, (float(value) for value in fit.sd), strict=True)),
        views=tuple(ViewFit(v.name, len(v.image_px), _rms(r)) for v, r in zip(kept, fit.residuals_px, strict=True)),
        left_out=tuple(view.name for view in views if view.name not in names),
    )


def intrinsics_to_json(intrinsics: Intrinsics) -> dict[str, Any]:
    """The camera for table.json, with the data of the calibration under "calibration"."""
    return {
        "image_size": list(intrinsics.image_size),
        "K": intrinsics.K.tolist(),
        "dist": intrinsics.dist.tolist(),
        "calibration": {
            "reprojection_px": intrinsics.rms_px,
            "sd": intrinsics.sd,
            "views": [{"name": v.name, "corners": v.corners, "reprojection_px": v.rms_px} for v in intrinsics.views],
            "left_out": list(intrinsics.left_out),
        },
    }


def missing_before_fit(views: Sequence[BoardView], image_size: tuple[int, int]) -> list[Message]:
    """What can be requested before any fit: more views, and views that reach the corners of the picture."""
    missing = []
    different = different_views(views, image_size)
    if len(different) < FEWEST_VIEWS:
        missing.append(ViewsLack.DIFFERENT(least=FEWEST_VIEWS, count=len(different)))
    corners = uncovered_corners(views, image_size)
    if corners:
        missing.append(ViewsLack.CORNERS(corners=tuple(corners)))
    return missing


def different_views(views: Sequence[BoardView], image_size: tuple[int, int]) -> list[BoardView]:
    """`views` without those that show the board at the place of an earlier one, which add no information."""
    different: list[BoardView] = []
    for view in views:
        if all(board_moved_px(view, other) > LEAST_MOVE * image_size[0] for other in different):
            different.append(view)
    return different


def board_moved_px(view: BoardView, other: BoardView) -> float:
    """The mean distance in pixels between the corners that both views show; infinite where they share none."""
    places = {tuple(place): image for place, image in zip(view.board_mm.tolist(), view.image_px, strict=True)}
    moves = [
        float(np.linalg.norm(image - places[tuple(place)]))
        for place, image in zip(other.board_mm.tolist(), other.image_px, strict=True)
        if tuple(place) in places
    ]
    return float(np.mean(moves)) if moves else float("inf")


def uncovered_corners(views: Sequence[BoardView], image_size: tuple[int, int]) -> list[str]:
    """Which corners of the picture (outer third both ways) no corner of a board has come into."""
    if not views:
        return ["top left", "top right", "bottom left", "bottom right"]
    x, y = (np.concatenate([view.image_px for view in views]) / np.array(image_size)).T
    rows = {"top": y < THIRD, "bottom": y > 1 - THIRD}
    columns = {"left": x < THIRD, "right": x > 1 - THIRD}
    return [
        f"{row} {column}" for row, high in rows.items() for column, wide in columns.items() if not (high & wide).any()
    ]


def _missing_after_fit(fit: _Fit, image_size: tuple[int, int]) -> list[Message]:
    missing = []
    normals = fit.rotations[:, :2, 2]  # the board's normal in the picture: how far it is tilted, and which way
    tilt_x, tilt_y = normals.max(axis=0) - normals.min(axis=0)
    if tilt_x < LEAST_TILT_SPREAD:
        missing.append(ViewsLack.TILT_X())
    if tilt_y < LEAST_TILT_SPREAD:
        missing.append(ViewsLack.TILT_Y())
    doubt_focal = max(fit.sd[0] / fit.K[0, 0], fit.sd[1] / fit.K[1, 1])
    doubt_centre = max(fit.sd[2:4]) / image_size[0]
    if not missing and not (doubt_focal <= MOST_FOCAL_SD and doubt_centre <= MOST_CENTRE_SD):
        centre_px = f"{doubt_centre * image_size[0]:.0f}"
        missing.append(ViewsLack.CERTAINTY(percent=f"{doubt_focal * 100:.1f}", centre_px=centre_px))
    return missing


def _fit(views: Sequence[BoardView], image_size: tuple[int, int]) -> _Fit | None:
    boards = [np.column_stack([v.board_mm, np.zeros(len(v.board_mm))]).astype(np.float32) for v in views]
    pictures = [view.image_px.astype(np.float32) for view in views]
    try:
        rms, matrix, dist, rvecs, tvecs, sd, *_ = cv2.calibrateCameraExtended(
            boards, pictures, image_size, np.eye(3), np.zeros(5)
        )
    except cv2.error:
        return None
    K, dist_5 = np.asarray(matrix, np.float64), np.asarray(dist, np.float64).reshape(-1)[:5]
    residuals = [
        np.asarray(cv2.projectPoints(board, r, t, K, dist_5)[0], np.float64).reshape(-1, 2) - view.image_px
        for board, view, r, t in zip(boards, views, rvecs, tvecs, strict=True)
    ]
    rotations = np.array([cv2.Rodrigues(np.asarray(r))[0] for r in rvecs], np.float64)
    sd_9 = np.asarray(sd, np.float64).reshape(-1)[: len(PARAMETERS)]
    return _Fit(float(rms), K, dist_5, sd_9, rotations, residuals)


def _rms(residuals_px: Array) -> float:
    return float(np.sqrt((residuals_px**2).sum(axis=1).mean()))


def _without_outliers(views: Sequence[BoardView], fit: _Fit) -> list[BoardView]:
    """`views` without blurred ones and without single corners that agree with nothing else."""
    errors = [np.linalg.norm(residuals, axis=1) for residuals in fit.residuals_px]
    typical_view = float(np.median([_rms(residuals) for residuals in fit.residuals_px]))
    # For two independent normal errors the median length is 1.18 sigma.
    sigma = float(np.median(np.concatenate(errors))) / 1.1774
    worst_corner = max(OUTLIER_SIGMAS * sigma, SMALLEST_OUTLIER_PX)
    worst_view = max(BAD_VIEW_TIMES * typical_view, SMALLEST_BAD_VIEW_PX)
    kept = []
    for view, error, residuals in zip(views, errors, fit.residuals_px, strict=True):
        good = error <= worst_corner
        if _rms(residuals) <= worst_view and good.sum() >= len(good) / 2:
            kept.append(BoardView(view.name, view.board_mm[good], view.image_px[good]))
    return kept
