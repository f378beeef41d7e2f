"""Reads photographs of any ordinary pack that was never learned, by corner indices and outlines alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Lie, Reading, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import CARDS
from arena_cam.vision.photographs.indexed_cards import IndexedCard, cards_of, indices_on_plane, with_pips
from arena_cam.vision.photographs.leftovers import paper_beside, whole_cards
from arena_cam.vision.photographs.plane_scene import reach_of_picture, side_of
from arena_cam.vision.photographs.sides_seen import is_same_paper, paper_of, sides_seen
from arena_cam.vision.planes.card_plane import CardPlane, camera_over, pinhole
from arena_cam.vision.planes.outline_corners import Corners, find_corners
from arena_cam.vision.planes.plane_guesses import likeliest_planes, too_small

# Poker and bridge cards (mm).
SIZES_MM = ((63.0, 88.0), (57.5, 88.0))
# Where no outline helps the picture is taken to look straight down, at one of these scales (px/mm).
_SCALES = (1.4, 1.9, 2.6, 3.6, 5.0)
_MOST_PLANES = 4
_PLAIN = 0.97  # an index read so surely settles the plane
_ALONE = 0.9  # of hundreds of marks a view has a few that look like an index: one that stands alone must do so plainly
_SURE, _SURE_AT_ONE_END = 0.97, 0.99
# A side seen where the index says speaks for a plane, and so do two ends: on a plane of another scale cards have
# neither. A card seen twice speaks against it more than two cards speak for it.
_SIDE, _BOTH_ENDS, _TWICE = 0.5, 0.5, 2.0
_WHOLE = 3  # sides of a card that lies there as thought
_LEAST_OVERLAP_MM2, _TOLD = 25.0, 1.25
_EDGE_MM, _STEP_MM = 1.2, 1.0


class OrdinaryReader:
    """Names the cards of any international pack in photographs."""

    def read(self, frame: Frame) -> Reading | Unreadable:
        """The cards in a photograph; Unreadable for one too small to tell a card in."""
        trouble = too_small(frame)
        if trouble is not None:
            return trouble
        image = frame.image_bgr
        corners = find_corners(image)
        found = self.best_plane(image, corners)
        if found is None:
            return _nothing_read(frame, corners)
        return reading_of(frame, found, corners)

    def best_plane(self, image: NDArray[np.uint8], corners: Sequence[Corners]) -> OnPlane | None:
        """The plane on which what the picture shows makes most sense as cards."""
        best: OnPlane | None = None
        for camera, size in _planes(image, corners):
            found = self.on_plane(image, corners, camera, size)
            if found.cards and (best is None or found.worth > best.worth):
                best = found
            if best is not None and best.is_plain:
                break
        return best

    def on_plane(
        self, image: NDArray[np.uint8], corners: Sequence[Corners], camera: Camera, size: tuple[float, float]
    ) -> OnPlane:
        """The cards of `size` (mm) that a picture shows on the camera's floor."""
        grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)
        indices = indices_on_plane(image, camera, reach_of_picture(camera, (image.shape[1], image.shape[0])))
        cards = with_pips(cards_of(indices, corners, camera, size), image, camera, size)
        cards = [replace(card, sides=sides_seen(grey, camera, card.pose, size)) for card in cards]
        cards = _on_paper(image, camera, size, [card for card in cards if _is_credible(card)])
        return OnPlane(camera, size, cards)


def _nothing_read(frame: Frame, corners: Sequence[Corners]) -> Reading:
    """No card; surely only where nothing has the outline of one either."""
    height, width = frame.image_bgr.shape[:2]
    size = SIZES_MM[0]
    if not likeliest_planes(corners, pinhole((width, height)), size):
        return Reading(frame.name, frame.time_s, ())
    doubt = Doubt.STRANGER(side=side_of(0.0, 0.0), area_cm2=round(size[0] * size[1] / 100, 1))
    return Reading(frame.name, frame.time_s, (), sure=False, doubts=(doubt,))


@dataclass(frozen=True, eq=False)
class OnPlane:
    """The cards whose indices are seen on a plane, where cards have a size."""

    camera: Camera
    size_mm: tuple[float, float]
    cards: list[IndexedCard]

    @property
    def twice(self) -> int:
        """Cards that are there already: two ends of one card, on a plane of another scale."""
        return len(self.cards) - len({card.card for card in self.cards})

    @property
    def worth(self) -> float:
        """Each name once; a card whose two ends are as far apart as its size says, or whose sides are seen, more."""
        by_name: dict[str, float] = {}
        for card in self.cards:
            by_name[card.card] = max(by_name.get(card.card, 0.0), card.probability**2 * _witnesses(card))
        return sum(by_name.values()) - _TWICE * self.twice

    @property
    def is_plain(self) -> bool:
        """Whether no other plane need be asked."""
        sure = all(card.probability > _PLAIN and card.sides > 1 for card in self.cards)
        whole = any(len(card.indices) > 1 and card.sides >= _WHOLE for card in self.cards)
        return sure and whole and not self.twice


def _witnesses(card: IndexedCard) -> float:
    return 1.0 + _SIDE * card.sides + (_BOTH_ENDS if len(card.indices) > 1 else 0.0)


def _is_credible(card: IndexedCard) -> bool:
    """Whether more than a doubtful index says that a card lies there: cloths and art have marks that look like one."""
    witnessed = len(card.indices) > 1 or (card.pips_agree and card.probability > _PLAIN)
    return witnessed or (card.sides > 0 and card.probability > _ALONE)


def _on_paper(
    image: NDArray[np.uint8], camera: Camera, size: tuple[float, float], cards: Sequence[IndexedCard]
) -> list[IndexedCard]:
    """Those of the cards that are of the paper of the one that is seen best: a cloth has marks that look like print."""
    if not cards:
        return []
    papers = [paper_of(image, camera, card.pose, size) for card in cards]
    best = max(range(len(cards)), key=lambda n: _witnesses(cards[n]) * cards[n].probability)
    return [card for card, paper in zip(cards, papers, strict=True) if is_same_paper(paper, papers[best])]


def _planes(image: NDArray[np.uint8], corners: Sequence[Corners]) -> Iterator[tuple[Camera, tuple[float, float]]]:
    height, width = image.shape[:2]
    K = pinhole((width, height))
    guesses = [(guess, size) for size in SIZES_MM for guess in likeliest_planes(corners, K, size)]
    guesses.sort(key=lambda g: -g[0].plane.support)
    for guess, size in guesses[:_MOST_PLANES]:
        yield camera_over(guess.plane, K, np.zeros(5), guess.middle_px), size
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    for scale in _SCALES:
        plane = CardPlane(np.array([0.0, 0.0, scale / float(K[0, 0])]), 0.0)
        yield camera_over(plane, K, np.zeros(5), middle), SIZES_MM[0]


def reading_of(frame: Frame, found: OnPlane, corners: Sequence[Corners]) -> Reading:
    """What a picture shows: the cards `found` in it, who covers whom, and what is left to ask."""
    image, camera, size, cards = frame.image_bgr, found.camera, found.size_mm, found.cards
    outlines = [camera.project(card.pose.corners(*size)) for card in cards]
    keys = _keys(cards)
    uppers, untold = _overlaps(image, camera, cards, size)
    doubts: list[Message] = [Doubt.UPPER_UNKNOWN(card=keys[a], card_other=keys[b]) for a, b in untold]
    doubts += [Doubt.SEEN_TWICE(card=card.card) for card in cards if keys[list(cards).index(card)] != card.card]
    half = reach_of_picture(camera, (image.shape[1], image.shape[0]))
    for patch in paper_beside(image, camera, half, outlines, corners):
        doubts.append(Doubt.STRANGER(side=side_of(patch.x_mm, patch.y_mm), area_cm2=round(patch.area_mm2 / 100, 1)))
    order = _bottom_to_top(len(cards), uppers)
    lies = tuple(_lie(cards[n], keys, n, outlines[n], uppers) for n in order)
    lies = (*_face_down(camera, size, corners, lies), *lies)
    covers = tuple((keys[a], keys[b]) for a, b in uppers)
    sure = not doubts and all(lie.sure for lie in lies)
    return Reading(frame.name, frame.time_s, lies, covers, None, sure, tuple(doubts))


def _keys(cards: Sequence[IndexedCard]) -> list[str]:
    keys: list[str] = []
    for card in cards:
        key = card.card
        while key in keys:
            key += "'"
        keys.append(key)
    return keys


def _lie(card: IndexedCard, keys: list[str], n: int, outline: Array, uppers: Sequence[tuple[int, int]]) -> Lie:
    p = card.probabilities
    others = tuple((CARDS[i], float(p[i])) for i in np.argsort(-p)[:4] if CARDS[i] != card.card)
    # A pip and a figure may look like an index, and one reading errs. Both ends of one card, read apart, must agree, or
    # what is seen between them.
    # A pack has each card once: of two of one name at least one is another.
    once = sum(key.rstrip("'") == card.card for key in keys) == 1
    witnessed = len(card.indices) > 1 or (card.pips_agree and card.probability >= _SURE_AT_ONE_END)
    sure = card.probability >= _SURE and witnessed and once
    doubts = () if sure else (Doubt.OTHER_CARD(card_other=others[0][0]), Doubt.INDEX_ALONE())
    a, b, c, d = ((float(x), float(y)) for x, y in outline)
    return Lie(
        key=keys[n],
        card=card.card,
        face=Face.UP,
        landing=None,
        confidence=card.probability,
        tilt_deg=None,
        tilt_sd_deg=None,
        centre_mm=None,
        angle_deg=card.pose.angle_deg,
        corners_px=(a, b, c, d),
        rests_on=tuple(keys[lower] for upper, lower in uppers if upper == n),
        identity_probability=card.probability,
        other_names=others,
        sure=not doubts,
        doubts=doubts,
    )


def _overlaps(
    image: NDArray[np.uint8], camera: Camera, cards: Sequence[IndexedCard], size: tuple[float, float]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Pairs (upper, lower), and pairs of which it cannot be told. The upper card's edges are seen in the lower."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)
    told, untold = [], []
    for a in range(len(cards)):
        for b in range(a):
            one, other = (cards[n].pose.corners(*size)[:, :2].astype(np.float32) for n in (a, b))
            area, _ = cv2.intersectConvexConvex(one.reshape(-1, 1, 2), other.reshape(-1, 1, 2))
            if area < _LEAST_OVERLAP_MM2:
                continue
            mine, yours = _index_covers(cards[a], cards[b], size), _index_covers(cards[b], cards[a], size)
            first, second = (_edge(grey, camera, *pair) for pair in ((one, other), (other, one)))
            if mine != yours:
                told.append((a, b) if mine else (b, a))
            elif max(first, second) > _TOLD * min(first, second):
                told.append((a, b) if first > second else (b, a))
            else:
                untold.append((a, b))
    return told, untold


def _index_covers(card: IndexedCard, other: IndexedCard, size: tuple[float, float]) -> bool:
    """Whether an index of a card is seen where the other one lies, too: then the card is the upper."""
    half = np.array(size) / 2 - 1.5
    for index in card.indices:
        for point in (index.top, index.middle, index.bottom):
            local = (np.array([*point, 0.0]) - other.pose.centre_mm) @ other.pose.R
            if (np.abs(local[:2]) < half).all():
                return True
    return False


def _edge(grey: NDArray[np.float32], camera: Camera, one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """How plainly the sides of one outline (4, 2) are seen where they run inside another, in grey levels."""
    steps = []
    contour = other.reshape(-1, 1, 2)
    for p, q in zip(one, np.roll(one, -1, axis=0), strict=True):
        long = float(np.hypot(*(q - p)))
        along = (q - p) / long
        across = np.array([-along[1], along[0]])
        for t in np.arange(4.0, long - 4.0, _STEP_MM):
            at = p + along * t
            if cv2.pointPolygonTest(contour, (float(at[0]), float(at[1])), True) < 2.0:
                continue
            line = at + np.linspace(-_EDGE_MM, _EDGE_MM, 7)[:, None] * across
            pixels = camera.project(np.column_stack([line, np.zeros(7)])).astype(np.float32)
            seen = cv2.remap(grey, pixels[:, :1], pixels[:, 1:], cv2.INTER_LINEAR).ravel()
            steps.append(float(seen.max() - seen.min()))
    return float(np.median(steps)) + 1.0 if steps else 1.0


def _bottom_to_top(count: int, uppers: Sequence[tuple[int, int]]) -> list[int]:
    left, order = set(range(count)), []
    while left:
        free = [n for n in sorted(left) if not any(u == n and low in left for u, low in uppers)] or [min(left)]
        order += free[:1]
        left -= set(free[:1])
    return order


def _face_down(camera: Camera, size: tuple[float, float], corners: Sequence[Corners], lies: Sequence[Lie]) -> list[Lie]:
    """Cards whose outline is seen whole and which bear no index: they lie face down."""
    poses = whole_cards(camera, size, corners, lies)
    return [_down(f"?{number}", pose, camera.project(pose.corners(*size))) for number, pose in enumerate(poses, 1)]


def _down(key: str, pose: CardPose, outline: Array) -> Lie:
    a, b, c, d = ((float(x), float(y)) for x, y in outline)
    return Lie(key, None, Face.DOWN, None, 0.9, None, None, None, pose.angle_deg, (a, b, c, d))
