"""Guesses from the last reading: a card usually still lies where it lay a moment ago."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena_cam.domain.lies import Lie
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.reading.guesses.guess import Finder, Guess

_VOTES = 1e3  # more than any other finder's: they are tried first


def believed_places(faces: DeckFaces, known: Sequence[Lie]) -> tuple[tuple[int, CardPose], ...]:
    """The faces that surely lay somewhere in the last reading, with their poses."""
    return tuple(
        (faces.index(lie.card), CardPose.of_corners(np.array(lie.corners_mm)))
        for lie in known
        if lie.card is not None and lie.corners_mm is not None and lie.sure
    )


def known_guesses(faces: DeckFaces, known: Sequence[Lie]) -> list[Guess]:
    """A guess for each known lie (given bottom to top), covering cards first."""
    return [
        Guess(faces.index(lie.card or BACK), CardPose.of_corners(np.array(lie.corners_mm)), _VOTES, Finder.KNOWN)
        for lie in reversed(known)
        if lie.corners_mm is not None
    ]
