"""Markers that cards beside them hide: a marker whose white rim is covered is detected only after the covering card is
painted white."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.picture.markers import SeenMarker, boxes_round, find_markers_in
from arena_cam.vision.picture.robust import percentiles
from arena_cam.vision.reading.cards.scene import Scene

_FRINGE_MM = 0.3  # the blur of a card's edge reaches beyond it
_WITH_RIM = 1.6  # a marker turned by 45 degrees, with a module of white round it
_SAME_PX = 4.0  # two markers are farther apart
_WHITE_PERCENTILE = 95  # of the picture: the paper that markers are printed on


def find_hidden_markers(scene: Scene, cards: Sequence[CardPose]) -> tuple[SeenMarker, ...]:
    """The markers beyond the scene's own that become visible when the `cards` are painted over."""
    dictionaries = scene.points.markers.dictionaries
    if not dictionaries or not cards:
        return ()
    deck = scene.faces.deck
    painted = scene.grey.copy()
    white = int(percentiles(painted[::8, ::8].reshape(-1, 1), (_WHITE_PERCENTILE,))[0][0])
    wide, high = deck.width_mm + 2 * _FRINGE_MM, deck.height_mm + 2 * _FRINGE_MM
    for pose in cards:
        outline = scene.camera.project(pose.corners(wide, high))
        cv2.fillConvexPoly(painted, np.round(outline * 16).astype(np.int32), (white,), cv2.LINE_AA, 4)
    largest = scene.points.markers.largest_mm * _WITH_RIM
    near = [scene.camera.project(pose.corners(wide + 2 * largest, high + 2 * largest)) for pose in cards]
    boxes = boxes_round(near, (painted.shape[0], painted.shape[1]))  # elsewhere nothing was painted
    seen = np.array([marker.middle_px for marker in scene.markers]).reshape(-1, 2)
    return tuple(
        marker
        for name in dictionaries
        for marker in find_markers_in(painted, name, boxes)
        if not (np.abs(seen - marker.middle_px).max(axis=1) < _SAME_PX).any()
    )
