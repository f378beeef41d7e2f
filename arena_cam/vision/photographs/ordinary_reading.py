"""What is said of a picture once its plane is known: cards, backs, what lies on what, and what nothing explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Lie, Reading, Unknown
from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import CARDS
from arena_cam.vision.photographs.indexed.indexed_cards import IndexedCard
from arena_cam.vision.photographs.indexed.leftovers import INDEX_MM2, Patch, paper_beside, stranger_at, without_cloth
from arena_cam.vision.photographs.indexed.papers import SeenPlace
from arena_cam.vision.photographs.indexed.settled_cards import (
    apart,
    as_high,
    halves_in_view,
    is_inside,
    unexplained_outlines,
)
from arena_cam.vision.photographs.on_paper import papers_on
from arena_cam.vision.photographs.on_plane import SIZES_MM, OnPlane, doubted_by, is_surely_read
from arena_cam.vision.photographs.overlapping import overlaps, with_shares_in_view
from arena_cam.vision.planes.card_plane import camera_over, pinhole, reach_of_picture
from arena_cam.vision.planes.outline_corners import Corners
from arena_cam.vision.planes.plane_guesses import likeliest_planes
from arena_cam.vision.planes.rectangle_fit import fit_rectangle

_BACK_SHARE = 0.15  # of a card's middle is paper at most; of courts a quarter and more


_HIDDEN_HALVES = 2  # of a back's sides, at most, are in the picture and not seen


# Within and outside its sides 13 drawn backs had at most 0.04 of their colours in common, 168 places on cloths 0.82.
_CLOTH = 0.5


def grey_of(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    return cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)


def nothing_read(frame: Frame, corners: Sequence[Corners]) -> Reading:
    """No card; surely only where nothing has the outline of one either."""
    height, width = frame.image_bgr.shape[:2]
    (card_width, card_height), K = SIZES_MM[0], pinhole((width, height))
    planes = likeliest_planes(corners, K, SIZES_MM[0])
    if not planes:
        return Reading(frame.name, frame.time_s, ())
    camera = camera_over(planes[0].plane, K, np.zeros(5), K[:2, 2])
    ((x, y, _),) = camera.to_plane(planes[0].middle_px[None])
    thing = stranger_at(camera, float(x), float(y), card_width * card_height)
    return Reading(frame.name, frame.time_s, (), sure=False, doubts=(thing.doubt,), unknown=(thing,))


def reading_of(frame: Frame, found: OnPlane, corners: Sequence[Corners]) -> Reading:
    """What a picture shows: the cards `found` in it, who covers whom, and what is left to ask."""
    image, camera, size, cards = frame.image_bgr, found.camera, found.size_mm, found.cards
    outlines = [camera.project(card.pose.corners(*size)) for card in cards]
    keys = _keys(cards)
    if found.order is not None and found.order.is_of(cards):
        uppers, untold = found.order.told, found.order.untold
    else:
        uppers, untold = overlaps(image, camera, cards, size)
    doubts: list[Message] = [Doubt.UPPER_UNKNOWN(card=keys[a], card_other=keys[b]) for a, b in untold]
    doubts += [Doubt.SEEN_TWICE(card=card.card) for card in cards if keys[list(cards).index(card)] != card.card]
    paper = paper_beside(image, camera, reach_of_picture(camera, image.shape[1::-1]), outlines, corners)
    seen = unexplained_outlines(grey_of(image), camera, size, corners, outlines, paper)
    down = _backs_among([outline.pose for outline in seen], image, camera, size, cards)
    paper = without_cloth(paper, image, camera, size, corners, outlines)
    edged = (outline.pose for outline in seen if outline.has_margin)
    others = apart((pose for pose in edged if not SeenPlace(image, camera, pose, size, outlines).is_as_outside()), down)
    unknown = [
        stranger_at(camera, float(pose.centre_mm[0]), float(pose.centre_mm[1]), size[0] * size[1]) for pose in others
    ]
    lost = (index.middle for index in found.lost if not any(is_inside(index.middle, pose, size) for pose in others))
    unknown += [stranger_at(camera, float(x), float(y), INDEX_MM2) for x, y in lost]
    unknown += _unexplained_paper(camera, paper, [*others, *down], size)
    doubts += [thing.doubt for thing in unknown]
    open_ones = {n for pair in untold for n in pair} | {n for n in range(len(cards)) if keys[n] != cards[n].card}
    open_ones |= found.bare | doubted_by(SeenPlace.ends_early, image, camera, size, cards)
    # of a suit that is half covered what is seen may be another's
    open_ones |= {n for n, card in enumerate(cards) if not as_high(card.indices, found.index.height_mm)}
    certain = found.is_certain
    lies = tuple(
        _lie(
            cards[n],
            keys[n],
            outlines[n],
            tuple(keys[lower] for upper, lower in uppers if upper == n),
            settled=certain and n not in open_ones,
        )
        for n in _bottom_to_top(len(cards), uppers)
    )
    lies = (*(_down(f"?{n}", pose, camera.project(pose.corners(*size))) for n, pose in enumerate(down, 1)), *lies)
    covers = tuple((keys[a], keys[b]) for a, b in uppers)
    lies = with_shares_in_view(lies, covers, (image.shape[1], image.shape[0]))
    sure = not doubts and all(lie.sure for lie in lies)
    return Reading(frame.name, frame.time_s, lies, covers, None, sure, tuple(doubts), tuple(unknown))


def _unexplained_paper(
    camera: Camera, paper: Sequence[Patch], others: Sequence[CardPose], card_mm: tuple[float, float]
) -> list[Unknown]:
    """Each patch of paper that is none of the `others`: a card lies there whose sides are lost on the white of the
    cards beneath it."""
    return [
        stranger_at(camera, patch.x_mm, patch.y_mm, patch.area_mm2)
        for patch in paper
        if not any(is_inside(np.array([patch.x_mm, patch.y_mm]), pose, card_mm) for pose in others)
    ]


def _backs_among(
    places: Sequence[CardPose],
    image: NDArray[np.uint8],
    camera: Camera,
    size: tuple[float, float],
    cards: Sequence[IndexedCard],
) -> list[CardPose]:
    """Where exactly cards lie face down of those near the places, the likeliest of which come first: such a card shows
    none of the paper that the others' faces show, or print where faces have none. Most of its outline is seen, and what
    is within it is not the cloth round it, which is as unlike paper as a back."""
    papers = papers_on(image, camera, size, cards)
    outlines = [camera.project(card.pose.corners(*size)) for card in cards]
    grey, backs = grey_of(image), list[CardPose]()
    for place in places if papers else ():
        if not apart([place], backs):
            continue
        fit = fit_rectangle(grey, camera, place, size)
        there = SeenPlace(image, camera, fit.pose, fit.size_mm, outlines)
        hidden = halves_in_view(image, camera, fit.pose, fit.size_mm) - fit.halves
        if hidden > _HIDDEN_HALVES or there.likeness_outside() > _CLOTH:
            continue
        if max(map(there.paper_share, papers)) < _BACK_SHARE or there.is_printed_to_rim(papers):
            backs.append(fit.pose)
    return backs


def _keys(cards: Sequence[IndexedCard]) -> list[str]:
    keys: list[str] = []
    for card in cards:
        key = card.card
        while key in keys:
            key += "'"
        keys.append(key)
    return keys


def _lie(card: IndexedCard, key: str, outline: Array, rests_on: tuple[str, ...], *, settled: bool) -> Lie:
    """What is said of a card; `settled`: the plane fits all cards, none lies where another does, and their order is
    known. One of two cards of one name or in one place is not there."""
    p = card.probabilities
    others = tuple((CARDS[i], float(p[i])) for i in np.argsort(-p)[:4] if CARDS[i] != card.card)
    sure = settled and is_surely_read(card)
    doubts = () if sure else (Doubt.OTHER_CARD(card_other=others[0][0]), Doubt.INDEX_ALONE())
    return replace(lie_of(card, key, outline), rests_on=rests_on, other_names=others, sure=not doubts, doubts=doubts)


def lie_of(card: IndexedCard, key: str, outline: Array) -> Lie:
    """What its indices alone say of a card that lies face up, `outline` (4, 2) in px; it is not sure."""
    a, b, c, d = ((float(x), float(y)) for x, y in outline)
    return Lie(
        key=key,
        card=card.card,
        face=Face.UP,
        landing=None,
        confidence=card.probability,
        tilt_deg=None,
        tilt_sd_deg=None,
        centre_mm=None,
        angle_deg=card.pose.angle_deg,
        corners_px=(a, b, c, d),
        identity_probability=card.probability,
        sure=False,
        doubts=(Doubt.INDEX_ALONE(),),
    )


def _bottom_to_top(count: int, uppers: Sequence[tuple[int, int]]) -> list[int]:
    left, order = set(range(count)), []
    while left:
        free = [n for n in sorted(left) if not any(u == n and low in left for u, low in uppers)] or [min(left)]
        order += free[:1]
        left -= set(free[:1])
    return order


def _down(key: str, pose: CardPose, outline: Array) -> Lie:
    a, b, c, d = ((float(x), float(y)) for x, y in outline)
    return Lie(key, None, Face.DOWN, None, 0.9, None, None, None, pose.angle_deg, (a, b, c, d))
