"""Which marks that look like indices stand on paper of the cards, and which on the cloth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.photographs.indexed.indexed_cards import CERTAIN, IndexedCard
from arena_cam.vision.photographs.indexed.papers import SeenPlace, is_same_paper, places_among
from arena_cam.vision.photographs.on_plane import witnesses

_ROUND = 1.4  # heights of an index: so far along it what is round it is looked at


def _is_doubtful(card: IndexedCard) -> bool:
    return len(card.indices) == 1 and card.indices[0].probability <= CERTAIN


def _is_on_cloth(card: IndexedCard, place: SeenPlace, papers: Sequence[Array]) -> bool:
    """Whether all that is seen of a card with one index, and not of the other cards, looks as the cloth round it and is
    of another colour than the `papers` (3,), those of each of them: no card lies there, however plain its index is."""
    return len(card.indices) == 1 and len(papers) > 0 and place.is_only_cloth(papers)


def cloth_marks(
    image: NDArray[np.uint8],
    camera: Camera,
    size: tuple[float, float],
    bare: Sequence[IndexedCard],
    cards: Sequence[IndexedCard],
    papers: Sequence[Array],
) -> list[Array]:
    """The middles (2,) of the indices of those `bare` cards that are only cloth beside the `cards`, which are of the
    `papers` (3,)."""
    outlines = [camera.project(card.pose.corners(*size)) for card in cards]
    places = [SeenPlace(image, camera, card.pose, size, outlines) for card in bare]
    return [
        card.indices[0].middle for card, place in zip(bare, places, strict=True) if _is_on_cloth(card, place, papers)
    ]


def papers_on(
    image: NDArray[np.uint8], camera: Camera, size: tuple[float, float], cards: Sequence[IndexedCard]
) -> list[Array]:
    """The colour (3,) of what each of the cards is printed on."""
    return [SeenPlace(image, camera, card.pose, size).paper() for card in cards]


def without_marks(
    image: NDArray[np.uint8], camera: Camera, size: tuple[float, float], cards: Sequence[IndexedCard]
) -> list[IndexedCard]:
    """The cards but those whose indices are on no paper like that of the cards that are seen best: marks of a cloth."""
    well = [card for card in cards if card.probability > CERTAIN and (card.cornered or len(card.indices) > 1)]
    if not well:
        return list(cards)
    papers = papers_on(image, camera, size, well)
    return [card for card in cards if card in well or any(is_on_paper(image, camera, i, papers) for i in card.indices)]


def is_on_paper(image: NDArray[np.uint8], camera: Camera, index: SeenIndex, papers: Sequence[Array]) -> bool:
    """Whether round an index there is paper, in any shade, like one of the `papers` (3,)."""
    x, y = index.middle
    height = float(np.hypot(*(index.top - index.bottom)))
    pose = CardPose.flat(float(x), float(y), index.angle_deg)
    return SeenPlace(image, camera, pose, (height, _ROUND * height)).is_paper_round(papers)


def on_paper(
    image: NDArray[np.uint8], camera: Camera, size: tuple[float, float], cards: Sequence[IndexedCard]
) -> tuple[list[IndexedCard], list[IndexedCard]]:
    """Those of the cards that are of the paper of the one that is seen best, and those that show none of it along their
    sides, or by one index that is not certain and where all that is seen of them looks as the cloth round it does: a
    cloth has marks that look like print."""
    if not cards:
        return [], []
    places = places_among(image, camera, [card.pose for card in cards], size)
    papers, alone = [place.paper() for place in places], papers_on(image, camera, size, cards)
    best = max(range(len(cards)), key=lambda n: witnesses(cards[n]) * cards[n].probability)
    bare = [
        card
        for n, card in enumerate(cards)
        if n != best
        and (
            not places[n].is_blank_along_sides(papers[best])
            or (_is_doubtful(card) and places[n].is_as_outside())
            or _is_on_cloth(card, places[n], alone[:n] + alone[n + 1 :])
        )
    ]
    same = [card for n, card in enumerate(cards) if is_same_paper(papers[n], papers[best]) and card not in bare]
    return same, bare
