"""Guesses from what was read before: a card that lay somewhere a moment ago lies there still, as a rule."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena_cam.domain.lies import Lie
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.reading.guesses.guess import Finder, Guess

_VOTES = 1e3  # more than any other finder's: they are tried first


def believed_places(faces: DeckFaces, known: Sequence[Lie]) -> tuple[tuple[int, CardPose], ...]:
    """The faces that surely lay somewhere, and where."""
    return tuple(
        (faces.index(lie.card), CardPose.of_corners(np.array(lie.corners_mm)))
        for lie in known
        if lie.card is not None and lie.corners_mm is not None and lie.sure
    )


def known_guesses(faces: DeckFaces, known: Sequence[Lie]) -> list[Guess]:
    """A guess for each lie known (bottom to top), what covers others first."""
    return [
        Guess(faces.index(lie.card or BACK), CardPose.of_corners(np.array(lie.corners_mm)), _VOTES, Finder.KNOWN)
        for lie in reversed(known)
        if lie.corners_mm is not None
    ]
