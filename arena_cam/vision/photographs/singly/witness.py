"""Holds two readings of one photograph against each other, each made in its own way.

A name is sure where both say it surely; what only one of them says is in question.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie, Reading
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.photographs.singly.selection import LEAST_VISIBLE

# Logarithm of lengths: the plane of one card alone is off by a few degrees. False ones on a cloth were twice as long.
_AS_LARGE = 0.2
_TELL_PLANE = 2  # cards: of one alone the plane is seen by one small rectangle
_PLAINLY_NAMED = 0.9  # a face below that is often one that only looks like what lies there
# Two outlines of one card agree in more than this part of the smaller one; overlapping cards of a trick in less.
_SAME_CARD = 0.75


def witnessed(reading: Reading, others: Reading) -> Reading:
    """A reading that leaves something open, held against the cards found one by one.

    A name stays sure, or becomes it where only another name was in question, if both say it surely. Cards that only
    `others` has, at places and with names that are not given yet, come first: they lie beside or beneath the rest.
    """
    surely = {lie.key for lie in others.lies if lie.sure}
    lies = tuple(_by_witness(lie, lie.key in surely) for lie in reading.lies)
    known = {lie.key for lie in lies}
    outlines = [outline_of(lie) for lie in lies]
    more = tuple(
        lie
        for lie in others.lies
        if lie.key not in known and not any(_shared(outline_of(lie), each) for each in outlines)
    )
    keys = known | {lie.key for lie in more}
    below = tuple(
        replace(unlike_deck(lie) if lie.sure else lie, rests_on=tuple(key for key in lie.rests_on if key in keys))
        for lie in more
    )
    told = set(reading.covers) | {(lower, upper) for upper, lower in reading.covers}
    covers = (*reading.covers, *(pair for pair in others.covers if set(pair) <= keys and pair not in told))
    sure = not reading.doubts and not below and all(lie.sure for lie in lies)
    return replace(reading, lies=_bottom_up([*below, *lies], covers), covers=covers, sure=sure)


def agreed(reading: Reading, others: Reading, in_deck: Set[str]) -> Reading | None:
    """A reading by faces together with a sure one of the same picture by indices alone, `others`; None where they are
    at odds. What is printed in corners and what is printed between them are read independently of each other.

    They are at odds where faces name a card plainly that `others` does not have in that place, or has in another order,
    and where `others` has a card that is not `in_deck`. What faces name doubtfully, indices may say otherwise.
    """
    by_name = {lie.card: lie for lie in others.lies if lie.card is not None}
    if not others.sure or not by_name or not set(by_name) <= in_deck:
        return None
    seen: dict[str | None, Lie] = {}
    for lie in reading.lies:
        there = [by_name[lie.card]] if lie.card in by_name else [each for each in others.lies if each.card == lie.card]
        same = any(_shared(outline_of(lie), outline_of(each)) for each in there)
        if not same and _is_plainly_named(lie):
            return None
        if same and lie.card is not None:
            seen[lie.card] = lie
    if set(reading.covers) & {(lower, upper) for upper, lower in others.covers}:
        return None
    lies = tuple(
        replace(seen[lie.card], key=lie.key, rests_on=lie.rests_on, sure=True, doubts=()) if lie.card in seen else lie
        for lie in others.lies
    )
    return replace(others, lies=lies)


def asks_anyway(reading: Reading, card_mm: tuple[float, float]) -> bool:
    """Whether a picture is asked about whatever a search for single cards finds, and that has no card to find: all
    cards are named surely, and whatever else is seen is too small for a card that is found singly, or two cards tell
    the plane, on which all others were searched for. The plane of one card may be off by some degrees."""
    known = {thing.doubt for thing in reading.unknown}
    least = LEAST_VISIBLE * card_mm[0] * card_mm[1]
    small = all((thing.area_mm2 or 0.0) < least for thing in reading.unknown)
    all_sure = bool(reading.lies) and all(lie.sure for lie in reading.lies)
    is_told = sum(lie.card is not None for lie in reading.lies) >= _TELL_PLANE
    return all_sure and bool(reading.doubts) and set(reading.doubts) <= known and (small or is_told)


def with_more(reading: Reading, others: Reading) -> Reading:
    """A reading with those cards of others that it does not have."""
    known = {lie.key for lie in reading.lies}
    return replace(reading, lies=(*reading.lies, *(lie for lie in others.lies if lie.key not in known)))


def as_large_there(reading: Reading, camera: Camera, card_mm: tuple[float, float]) -> Reading:
    """A reading of cards found one by one without those that are not as large as cards on the camera's floor: all cards
    of a picture lie on one plane, and chequers, each on a plane of its own, look like the pips of larger ones."""
    outlines = {lie.key: camera.to_plane(np.array(lie.corners_px))[:, :2] for lie in reading.lies}
    sides = {key: np.hypot(*(np.roll(at, -1, axis=0) - at).T).reshape(2, 2) for key, at in outlines.items()}
    off = {key: float(np.abs(np.log(each / np.array(card_mm))).max()) for key, each in sides.items()}
    kept = {key for key, each in off.items() if each < _AS_LARGE}
    covers = tuple(pair for pair in reading.covers if set(pair) <= kept)
    return replace(reading, lies=tuple(lie for lie in reading.lies if lie.key in kept), covers=covers)


def _bottom_up(lies: list[Lie], covers: Sequence[tuple[str, str]]) -> tuple[Lie, ...]:
    """`lies` so that each comes after those it covers, (upper, lower) in `covers`; else in the order given."""
    ordered: list[Lie] = []
    while lies:
        waiting = {lie.key for lie in lies}
        free = [lie for lie in lies if not any(upper == lie.key and lower in waiting for upper, lower in covers)]
        ordered.append((free or lies)[0])
        lies = [lie for lie in lies if lie is not ordered[-1]]
    return tuple(ordered)


def _by_witness(lie: Lie, agreed: bool) -> Lie:
    if not agreed:
        return unlike_deck(lie) if lie.sure else lie
    only_name = all(doubt.sentence is Doubt.OTHER_CARD for doubt in lie.doubts)
    return replace(lie, sure=True, doubts=()) if only_name else lie


def _shared(first: NDArray[np.float32], second: NDArray[np.float32]) -> bool:
    """Whether two outlines (4, 2) are of one card."""
    both, _ = cv2.intersectConvexConvex(first, second)
    smaller = min(cv2.contourArea(first), cv2.contourArea(second))
    return bool(both > _SAME_CARD * max(smaller, 1.0))


def _is_plainly_named(lie: Lie) -> bool:
    """Whether enough of a face is seen to say that it lies there: nothing but how well it is printed is in doubt."""
    hardly = any(doubt.sentence in (Doubt.OTHER_CARD, Doubt.LITTLE_OF_FACE) for doubt in lie.doubts)
    return lie.identity_probability >= _PLAINLY_NAMED and not hardly


def outline_of(lie: Lie) -> NDArray[np.float32]:
    return np.array(lie.corners_px, np.float32)


def unlike_deck(lie: Lie) -> Lie:
    return replace(lie, sure=False, doubts=(*lie.doubts, Doubt.UNLIKE_THE_DECK()))


def none_sure(lies: Sequence[Lie], keys: Set[str] | None = None) -> tuple[Lie, ...]:
    """The lies, none of them sure: all, or those with one of the keys."""
    return tuple(unlike_deck(lie) if lie.sure and (keys is None or lie.key in keys) else lie for lie in lies)
