"""What was told of a card once is kept for a frame, and told again only where more of it is known that tells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.name_points import NamePoints
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.placed_face import outline_of
from arena_cam.vision.reading.telling.looks import USUALLY, Looks
from arena_cam.vision.reading.telling.other_inks import (
    LEADS,
    OTHER_INKS,
    in_light,
    likeliest,
    of_whole_card,
    with_hue,
    with_other_inks,
)
from arena_cam.vision.reading.telling.told_faces import ALIKE_LEVELS, told_of


@dataclass(frozen=True, eq=False)
class Telling:
    """What the points at which the `likely` faces (K), upright (0) or turned (1), differ tell of them, `told` (K,): how
    far each is behind the `best`, by its number. `as_likely` are faces that nothing in view tells from it."""

    likely: list[tuple[int, int]]
    told: Array
    best: int
    as_likely: list[int]

    def half_turned(self, names: NamePoints) -> Telling:
        """What it tells of the same card at a pose turned by half a turn."""
        turned = [(face, 0 if names.is_same_turned(face) else 1 - way) for face, way in self.likely]
        return replace(self, likely=turned)

    def without(self, taken: Collection[int]) -> Telling | None:
        """The same without faces known to lie elsewhere; None if the best is one of them."""
        left = [number for number, (face, _) in enumerate(self.likely) if face not in taken]
        if len(left) == len(self.likely):
            return self
        if self.best not in left:
            return None
        others = [face for face in self.as_likely if face not in taken]
        return Telling([self.likely[n] for n in left], self.told[left], left.index(self.best), others)


@dataclass(frozen=True, eq=False)
class _Told:
    """A telling, and what it depends on: where the card's corners lie in the picture (4, 2), and what was known."""

    corners_px: Array
    known: Known
    telling: Telling


def telling_at(known: Known, pose: CardPose, seen: Sequence[Identity], likely: list[tuple[int, int]]) -> Telling:
    """What tells some faces apart of a card at a pose, `seen` as a whole either way up. A doubtful card is asked about
    up to five times, once more of it is known. Cards are compared in places a millimetre beside their own, too: while
    one lies nearer to where it was than these lie apart, and nothing that tells is known to be in view of it or hidden
    since, it says the same. Faces known to lie elsewhere since are left out, and those that are likely now, too, are
    compared with the best: if one leads it, all are told anew."""
    earlier: list[_Told] = known.scene.once("tellings", list)
    corners, looks = outline_of(known.scene, pose), Looks(known, pose)
    before = next((it for each in reversed(earlier) if (it := _as_before(each, known, pose, corners))), None)
    telling = None if before is None else _with_more(looks, seen, before, [w for w in likely if w not in before.likely])
    if telling is not None:
        return telling
    whole = in_light(looks, likely, np.array([of_whole_card(seen, way) for way in likely]))
    likely, told = with_other_inks(looks, seen, likely, told_of(looks, likely, whole))
    told -= told.max()
    best = likeliest(seen, likely, told)
    told = with_hue(looks, likely, told, best)
    telling = Telling(likely, told, best, not_told_from(looks, likely, best))
    earlier.append(_Told(corners, known, telling))
    return telling


def _as_before(each: _Told, known: Known, pose: CardPose, corners_px: Array) -> Telling | None:
    """An earlier telling, if all that it depends on is the same for a card at a pose; else None."""
    scene, telling = known.scene, each.telling
    moved_px = _moved_px(corners_px, each.corners_px)
    if min(moved_px) > _STAYED_MM * scene.camera.px_per_mm(pose.centre_mm):
        return None
    like_it = scene.points.names.drawn_alike[telling.likely[telling.best][0]][: OTHER_INKS + 1]
    if (set(each.known.taken) - set(known.taken)) & {int(face) for face in like_it}:
        return None
    telling = telling if moved_px[0] < moved_px[1] else telling.half_turned(scene.points.names)
    return telling.without(known.taken) if _shows_the_same(known, each.known, pose, telling) else None


def _moved_px(corners_px: Array, before_px: Array) -> tuple[float, float]:
    """How far the farthest corner (4, 2) of a card has moved since, the same way up and the other."""
    turned = np.concatenate([corners_px[2:], corners_px[:2]])
    off = np.stack([corners_px, turned]) - before_px
    upright, half_turned = np.sqrt((off * off).sum(axis=2).max(axis=1)).tolist()
    return upright, half_turned


def _shows_the_same(known: Known, before: Known, pose: CardPose, telling: Telling) -> bool:
    """Whether as much is in view of a card at a pose as was known `before`, but for a line along the edge of another
    one, and for what tells nothing: where all faces that a telling compared look alike. On 40 pictures of twenty decks
    no name that was sure became another by that."""
    scene, names = known.scene, known.scene.points.names
    pixels = scene.camera.project_plane(pose.plane, names.few_places)
    shape = names.few_of(*telling.likely[0]).shape[:2]
    then, now = ((each.claims.at(pixels) == 0.0).reshape(shape).astype(np.uint8) for each in (before, known))
    share = float((then != now).mean())
    if share <= _HARDLY_MORE or share > _MUCH_MORE:
        return share <= _HARDLY_MORE
    then, now = (cv2.erode(each, np.ones((3, 3), np.uint8)) for each in (then, now))  # see `looks`
    changed = np.stack([names.few_of(*way)[then != now] for way in telling.likely])
    return bool((np.ptp(changed, axis=0) <= ALIKE_LEVELS).all())


# Places beside a card's own lie so far apart; and less of a card than this is a line along the edge of another one. Of
# more than the last the light is told otherwise, too.
_STAYED_MM, _HARDLY_MORE, _MUCH_MORE = 0.5, 0.01, 0.1


def _with_more(looks: Looks, seen: Sequence[Identity], telling: Telling, more: list[tuple[int, int]]) -> Telling | None:
    """A telling with `more` faces, compared with its best; None if one of them leads that."""
    if not more:
        return telling
    asked = [telling.likely[telling.best], *more]
    told = told_of(looks, asked, in_light(looks, asked, np.array([of_whole_card(seen, way) for way in asked])))
    lead = told[1:] - told[0]
    if lead.max() > LEADS:
        return None
    faces = {face for face, _ in more}
    return replace(
        telling,
        likely=telling.likely + more,
        told=np.append(telling.told, telling.told[telling.best] + np.minimum(lead, 0.0)),
        as_likely=[face for face in telling.as_likely if face not in faces],
    )


def not_told_from(looks: Looks, likely: Sequence[tuple[int, int]], best: int) -> list[int]:
    """The faces that were not compared, as others are more like the leaders, but which nothing in view tells from the
    `best` of the `likely`: they are as likely. Of a card with its figure hidden sixteen names were as likely as the
    challenge's own, and thirty more that nobody had compared would have been."""
    known, compared_faces = looks.known, {face for face, _ in likely}
    (face, turned), names = likely[best], known.scene.points.names
    in_view = looks.at(USUALLY).weight[::2, ::2] > 0
    own = names.few_of(face, turned)[in_view]
    if not own.size:
        return []
    others = [n for n in range(len(names.rough)) if n not in compared_faces and n not in known.taken]
    # nearly all differ at some of a few points; only of the others all are looked at
    some = np.flatnonzero(in_view)[:: max(1, len(own) // _FEW_POINTS)]
    few = names.few[turned].reshape(len(names.rough), -1, 3)
    apart = np.abs(few[np.array(others, np.intp)[:, None], some] - few[face, some])
    others = [
        n for n, most in zip(others, apart.max(axis=(1, 2), initial=0.0).tolist(), strict=True) if most < ALIKE_LEVELS
    ]
    return [n for n in others if _are_alike(names.few_of(n, turned)[in_view], own)]


def likelier_than(looks: Looks, ways: Sequence[tuple[int, int]], chance: float) -> bool:
    """Whether one of some faces, upright (0) or turned (1), may be likelier than a `chance` by what is in view of a
    card: of those printed alike there none is likelier than another. Of a card with its figure hidden ten faces of one
    ink are alike, and none of them is likelier than a tenth however closely it is looked at."""
    names, known = looks.known.scene.points.names, looks.known
    in_view = cv2.dilate((looks.at(USUALLY).weight > 0).astype(np.uint8), np.ones((2, 2), np.uint8), anchor=(0, 0))
    shown = np.flatnonzero(in_view[::2, ::2])
    free = np.ones(len(names.rough), bool)
    free[list(known.taken)] = False
    for turned in (0, 1):
        left = list(dict.fromkeys(face for face, way in ways if way == turned))
        prints = names.prints[turned].reshape(len(free), -1)
        while left:
            alike = free & (prints[:, shown] == prints[left[0], shown]).all(axis=1)
            if np.count_nonzero(alike) * chance < 1.0 - _ROUNDED:
                return True
            left = [face for face in left[1:] if not alike[face]]
    return False


_ROUNDED = 1e-4  # as a share of a chance


def _are_alike(a: NDArray[np.float32], b: NDArray[np.float32]) -> bool:
    """Whether nothing tells two faces apart at some points (N, 3)."""
    return bool(np.abs(a - b).max() < ALIKE_LEVELS)


_FEW_POINTS = 300
