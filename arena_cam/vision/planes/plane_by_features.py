"""Planes by the deck's own print, where outlines say nothing: a face recognised by its features, aligned with the
picture in the eight parameters of a homography, is a card in the plane."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.candidates import candidates, corners_px
from arena_cam.vision.planes.face_features import FaceFeatures
from arena_cam.vision.planes.picture import Picture
from arena_cam.vision.planes.plane_alignment import Templates
from arena_cam.vision.planes.plane_fit import SeenCard, fit_camera

_PX_PER_MM = 0.75
_MOST_GUESSES, _MOST_PLANES = 24, 3


class FeaturePlanes:
    """Finds the planes of one deck's cards. What it needs is made when it is first asked."""

    def __init__(self, faces: DeckFaces) -> None:
        self._faces = faces
        self._features: FaceFeatures | None = None
        self._templates: Templates | None = None

    def cameras(self, image_bgr: NDArray[np.uint8], K: Array) -> Iterator[Camera]:
        """Cameras over the planes of the faces recognised best."""
        if self._features is None or self._templates is None:
            self._features, self._templates = FaceFeatures(self._faces), Templates(self._faces, _PX_PER_MM)
        picture = Picture(image_bgr)
        guesses = self._features.guesses(image_bgr, most=_MOST_GUESSES)
        deck, size = self._faces.deck, (image_bgr.shape[1], image_bgr.shape[0])
        half = np.array([deck.width_mm, deck.height_mm]) / 2
        world = np.array([[-1.0, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * [half[0], half[1], 1.0]
        for candidate in candidates(picture, guesses, self._templates)[:_MOST_PLANES]:
            corners = corners_px(candidate.px_from_mm, self._templates)
            done, rvec, tvec = cv2.solvePnP(world, corners, K, np.zeros(5), flags=cv2.SOLVEPNP_IPPE)
            if not done:
                continue
            start = Camera(K, np.zeros(5), np.asarray(rvec, np.float64).ravel(), np.asarray(tvec, np.float64).ravel())
            yield fit_camera(start, size, [SeenCard(corners, candidate.visible_fraction)], (2 * half[0], 2 * half[1]))
