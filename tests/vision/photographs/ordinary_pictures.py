"""Pictures of cards of an ordinary pack on a cloth, seen by one camera, and what is read of them."""

from __future__ import annotations

import numpy as np

from arena_cam.domain.lies import Reading
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.photographs.indexed.indexed_cards import IndexedCard
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader
from arena_cam.vision.photographs.plane_search import ShownPicture
from arena_cam.vision.planes.card_plane import USUAL_FOCAL
from arena_cam.vision.planes.outline_corners import find_corners
from vision.indices.cards import first_halves
from vision.small import camera_above, frame, with_card

SIZE = (720, 560)
CAMERA = camera_above(2.6, SIZE, tilt_deg=12.0, height_mm=USUAL_FOCAL * SIZE[0] / 2.6)
LOW, OVER, APART = CardPose.flat(-70.0, 0.0, 10.0), CardPose.flat(-40.0, 20.0, 70.0), CardPose.flat(75.0, -20.0, -130.0)


def photograph(pack: DeckFaces, *cards: tuple[str, CardPose]) -> np.ndarray:
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 40), np.uint8)
    for card, pose in cards:
        picture = with_card(picture, pack.deck, card, CAMERA, pose)
    return picture


def shown(picture: np.ndarray) -> ShownPicture:
    return ShownPicture(frame(picture), find_corners(picture))


def read(picture: np.ndarray) -> Reading:
    reading = OrdinaryReader().read(frame(picture))
    assert isinstance(reading, Reading)
    return reading


def indexed(card: str, probability: float, pose: CardPose, *, cornered: bool, sides: float) -> IndexedCard:
    others = np.zeros(len(CARDS))
    others[CARDS.index(card)] = probability
    index = SeenIndex(card, probability, pose.centre_mm[:2], pose.centre_mm[:2] + 9.0, others)
    return IndexedCard(card, pose, (index,), others, cornered, halves=first_halves(sides))


# The halves of sides that lie on the right of a card.
RIGHT_HALVES = ((0, 1), (1, 0), (1, 1), (2, 0))


def at_corner(pose: CardPose) -> SeenIndex:
    """A king of hearts' index in the left upper corner of a card."""
    top, bottom = pose.points(np.array([-26.0, -26.0]), np.array([39.0, 24.0]))[:, :2]
    return SeenIndex("KH", 0.99, top, bottom, np.zeros(len(CARDS)))


def on_cloth(pack: DeckFaces, cloth: np.ndarray) -> np.ndarray:
    picture = cloth
    for name, pose in (("AS", LOW), ("7S", OVER), ("KD", APART)):
        picture = with_card(picture, pack.deck, name, CAMERA, pose)
    return picture


LOST = SeenIndex("5C", 0.99, np.array([0.0, 5.0]), np.array([0.0, -5.0]), np.eye(52)[CARDS.index("5C")])


OTHER = camera_above(2.2, SIZE, tilt_deg=10.0)
