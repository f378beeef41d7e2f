"""Which keypoints of a photograph lie on one card together, and, once the table is known, where cards may lie.

A match of two keypoints fixes an affinity and with it where the card's other keypoints should be (a RANSAC of one
point: Lowe, IJCV 2004, section 7). Cards of a kind share much of their print, so matches speak for places, not names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels import vote_calls
from arena_cam.vision.printed.keypoints import Matches
from arena_cam.vision.printed.votes import worth_trying
from arena_cam.vision.tokens.view.table_view import SeenPrint, TableView, placed, rigid

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

MOST_TRIED, BIN_MM, MOST_PRINTS, LEAST_AGREE = 60, 7.0, 12, 7
# An affinity is fixed by one keypoint: sizes and turns of keypoints are good to some 15 % and 10 degrees.
NEAR_MM, PER_MM, MOST_TURN, MOST_LOG_SCALE = 2.0, 0.14, 0.45, 0.45
# On the table sizes are known, so a match whose print is seen as much too large or too small is none.
MOST_LARGER = 1.4
ON_TABLE_NEAR_MM, ON_TABLE_PER_MM, FITTED_MM = 2.5, 0.17, 1.2
MOST_PLACES = 60  # as many are tried
# Middles that two matches of one card give lie no farther apart along a side: each turn is off by MOST_TURN at most.
FARTHEST_MM = 75.0
MOST_CELLS = 8  # of which one match each is tried
CELL_MM, FARTHEST_CELL = 8.0, 10_000  # squares in which middles of cards are counted; matches at the horizon lie far
LEAST_SPREAD_MM, MOST_PAIRS = 12.0, 50
MOST_FACES, FACE_MM = 3, 3.0
MET_VOTES = 6  # a keypoint of a card that is there speaks for no other
ASKEW_VOTES, ASKEW_SPREAD_MM = 12, 16.0
# In the order of the compiled twin.
_AGREEING = np.array([MOST_TURN, MOST_LOG_SCALE, NEAR_MM, PER_MM, LEAST_AGREE])
_PLACES = np.array(
    [
        *(FARTHEST_MM, MOST_TURN, ON_TABLE_NEAR_MM, ON_TABLE_PER_MM),
        *(LEAST_SPREAD_MM, 2.0 * FITTED_MM, 1.5 * FITTED_MM, MOST_PAIRS),
        *(FITTED_MM, FACE_MM, MET_VOTES),
    ]
)


@dataclass(frozen=True, eq=False)
class Place:
    """Where a card may lie: x, y (mm), turn (rad) on the table, how many keypoints speak for it, and the `faces` that
    have most of them, at most MOST_FACES; `seen` are those keypoints. `as_seen` tells `askew`, which few places are
    asked for."""

    at: Floats
    votes: int
    faces: tuple[int, ...]
    seen: SeenPrint
    as_seen: Callable[[], Floats | None] | None = None

    @cached_property
    def askew(self) -> Floats | None:
        """The motion (2, 3) of the card's mm that the keypoints tell, where they are many: in a view that is not yet
        true cards are seen askew."""
        return None if self.as_seen is None else self.as_seen()


def seen_prints(matches: Matches) -> list[SeenPrint]:
    """Groups of matches that agree on one card each, the largest first.

    Matches of one face first. In a large set keypoints of a card may seem to be of many faces, for letters and signs
    are alike: where no face alone has enough of them, all that agree on a place are taken.
    """
    return _groups(matches, one_face=True) or _groups(matches, one_face=False)


def _groups(matches: Matches, *, one_face: bool) -> list[SeenPrint]:
    found: list[SeenPrint] = []
    left = np.ones(len(matches.mm), bool)
    for _ in range(MOST_PRINTS):
        members = _largest(matches, left, one_face=one_face)
        if members is None:
            break
        members = _fitting(matches, members, left)
        left &= ~np.isin(matches.seen, matches.seen[members])
        left[members] = False
        if _count(matches.seen[members]) >= LEAST_AGREE:
            found.append(SeenPrint(matches.mm[members], matches.px[members]))
    return sorted(found, key=lambda group: -len(group.mm))


def _largest(matches: Matches, left: Mask, *, one_face: bool) -> NDArray[np.intp] | None:
    tried, log_scale = worth_trying(matches, left, BIN_MM, MOST_TRIED), np.log(matches.scale)
    m = vote_calls.SeenMatches(
        matches.mm, matches.px, matches.affine, matches.turn, log_scale, matches.seen, matches.face
    )
    compiled = vote_calls.agreeing(m, left, tried, _AGREEING, one_face=one_face)
    if compiled is not None:
        return compiled if len(compiled) else None
    best, most = None, LEAST_AGREE - 1
    for i in tried:
        turn = np.abs((matches.turn - matches.turn[i] + np.pi) % (2 * np.pi) - np.pi)
        near = np.flatnonzero(left & (turn < MOST_TURN) & (np.abs(log_scale - log_scale[i]) < MOST_LOG_SCALE))
        away = matches.mm[near] - matches.mm[i]
        back = (matches.px[near] - matches.px[i]) @ np.linalg.inv(matches.affine[i]).T
        close = np.linalg.norm(back - away, axis=1) < NEAR_MM + PER_MM * np.linalg.norm(away, axis=1)
        members = _of_leading_face(matches.face, matches.seen, near[close]) if one_face else near[close]
        count = _count(matches.seen[members])
        if count > most:
            best, most = members, count
    return best


def _count(seen: NDArray[np.intp]) -> int:
    """How many different ones there are: of some dozens a set tells sooner than sorting."""
    return len(set(seen.tolist()))


def _fitting(matches: Matches, members: NDArray[np.intp], left: Mask) -> NDArray[np.intp]:
    """The members and others that an affinity through them explains."""
    for within_mm in (2.0, 1.5, 1.0):
        columns = np.column_stack([matches.mm[members], np.ones(len(members))])
        fitted = np.linalg.lstsq(columns, matches.px[members], rcond=None)[0]
        off = np.column_stack([matches.mm, np.ones(len(matches.mm))]) @ fitted - matches.px
        size = np.sqrt(abs(float(np.linalg.det(fitted[:2]))))
        inside = left & (np.linalg.norm(off, axis=1) < within_mm * size)
        if np.count_nonzero(inside) < LEAST_AGREE:
            break
        members = np.flatnonzero(inside)
    return members


def _of_leading_face(face: NDArray[np.intp], seen: NDArray[np.intp], members: NDArray[np.intp]) -> NDArray[np.intp]:
    """Those members that belong to the face most of them belong to: words of other faces stand a little elsewhere."""
    if not len(members):
        return members
    leading = np.bincount(_faces_of_each(face, seen, members)).argmax()
    return np.asarray(members[face[members] == leading], np.intp)


def _faces(face: NDArray[np.intp], seen: NDArray[np.intp], members: NDArray[np.intp]) -> tuple[int, ...]:
    """The faces that most keypoints of the photograph belong to."""
    counts = np.bincount(_faces_of_each(face, seen, members))
    return tuple(int(k) for k in np.argsort(-counts, kind="stable")[:MOST_FACES])


def _faces_of_each(face: NDArray[np.intp], seen: NDArray[np.intp], members: NDArray[np.intp]) -> NDArray[np.intp]:
    """(P,): the faces of all different pairs of face and keypoint among the members."""
    keypoints = int(seen[members].max(initial=0)) + 1
    return np.asarray(np.unique(face[members] * keypoints + seen[members]) // keypoints)


@dataclass(frozen=True, eq=False)
class _Across:
    """Points sorted by their `x` (N,): of 70,000 matches of a pattern all over a table only a strip is looked at."""

    x: Floats
    order: NDArray[np.intp]

    @staticmethod
    def of(x: Floats) -> _Across:
        order = np.argsort(x, kind="stable")
        return _Across(x[order], order)

    def about(self, x: float, reach: float) -> NDArray[np.intp]:
        """The points at most so far from `x` along it, as they come in their own array."""
        first, last = np.searchsorted(self.x, (x - reach, x + reach))
        return np.sort(self.order[first:last])


@dataclass(frozen=True, eq=False)
class _OnTable:
    """Matches of the right size as they lie on the table: `at` (N, 2) mm, `turn` (N,) rad; the rest as in Matches.

    `middle` (N, 2): where each has its card's middle; `cell` (N,): the number of its square and turn there; `by_middle`
    (N,): the matches from left to right by their cards' middles."""

    mm: Floats
    px: Floats
    at: Floats
    turn: Floats
    seen: NDArray[np.intp]
    face: NDArray[np.intp]
    alike: NDArray[np.float32]
    middle: Floats
    cell: NDArray[np.intp]
    by_middle: _Across

    @cached_property
    def by_at(self) -> _Across:
        """(N,): the matches from left to right by where they are seen."""
        return _Across.of(self.at[:, 0])

    @cached_property
    def farthest_mm(self) -> float:
        """How far from its card's middle a print lies, at most."""
        return float(np.linalg.norm(self.mm, axis=1).max(initial=0.0))

    @staticmethod
    def of(matches: Matches, view: TableView) -> _OnTable:
        one = np.zeros(int(matches.seen.max(initial=-1)) + 1, np.intp)
        one[matches.seen] = np.arange(len(matches.seen))  # a keypoint has up to six matches, all at one place
        there = view.to_mm(matches.px[one])
        at = there[matches.seen]
        frame = np.linalg.inv(view.px_per_mm(there))[matches.seen] @ matches.affine
        area = frame[:, 0, 0] * frame[:, 1, 1] - frame[:, 0, 1] * frame[:, 1, 0]
        turn = np.arctan2(frame[:, 1, 0] - frame[:, 0, 1], frame[:, 0, 0] + frame[:, 1, 1])
        size = np.sqrt(np.abs(area))
        good = (area > 0) & (size < MOST_LARGER) & (size > 1 / MOST_LARGER)
        at, turn, mm, px = (each[good] for each in (at, turn, matches.mm, matches.px))
        middle = placed(-mm, np.column_stack([at, turn]))
        cells = np.clip(np.floor(middle / CELL_MM), -FARTHEST_CELL, FARTHEST_CELL)
        keys = np.column_stack([cells, np.floor(turn / (np.pi / 6))]).astype(np.int64)
        cell = np.unique(_numbered(keys), return_inverse=True)[1].reshape(-1) if len(keys) else np.zeros(0, np.intp)
        across = _Across.of(middle[:, 0])
        seen, face = matches.seen[good], matches.face[good]
        return _OnTable(mm, px, at, turn, seen, face, matches.alike[good], middle, cell, across)

    def fitting(self, place: Floats, within_mm: float) -> NDArray[np.intp]:
        """The matches that lie so near to where a card at `place` (3,) would have them."""
        near = self.by_at.about(float(place[0]), self.farthest_mm + within_mm)
        off = placed(self.mm[near], place) - self.at[near]
        return np.asarray(near[(off * off).sum(axis=1) < within_mm * within_mm], np.intp)

    def crowd(self, left: Mask) -> NDArray[np.intp]:
        """The most matches of those `left` that agree with one of them about the card."""
        seeds = _crowded(self.cell, left)
        best, members = 0.0, np.zeros(0, np.intp)
        for i in seeds:
            near = self.by_middle.about(float(self.middle[i, 0]), FARTHEST_MM)
            near = near[left[near] & (np.abs(self.middle[near, 1] - self.middle[i, 1]) < FARTHEST_MM)]
            apart = np.abs((self.turn[near] - self.turn[i] + np.pi) % (2 * np.pi) - np.pi)
            near = near[apart < MOST_TURN]
            away = self.mm[near] - self.mm[i]
            c, s = np.cos(self.turn[i]), np.sin(self.turn[i])
            off = self.at[near] - self.at[i] - away @ np.array([[c, s], [-s, c]])
            reach = ON_TABLE_NEAR_MM + ON_TABLE_PER_MM * np.linalg.norm(away, axis=1)
            close = near[np.linalg.norm(off, axis=1) < reach]
            weight = len(set(self.seen[close].tolist())) + float(self.alike[i])
            if weight > best:
                best, members = weight, close
        return members

    def place(self, crowd: NDArray[np.intp], left: Mask) -> tuple[Place, NDArray[np.intp]]:
        """Where the card of a crowd lies, and which matches are on it."""
        members, place = _agreed(self.mm, self.at, self.turn, self.seen, crowd)
        for _ in range(2):
            fitting = self.fitting(place, FITTED_MM)
            fitting = fitting[left[fitting]]
            if _count(self.seen[fitting]) < 3 or _spread(self.mm[fitting]) < LEAST_SPREAD_MM:
                break
            members, place = fitting, rigid(self.mm[fitting], self.at[fitting])
        near = self.fitting(place, FACE_MM)
        near = near[left[near]]
        faces = _faces(self.face, self.seen, near if len(near) else members)
        return self._place(place, _count(self.seen[members]), faces, members, left.copy()), members

    def _place(self, at: Floats, votes: int, faces: tuple[int, ...], members: NDArray[np.intp], left: Mask) -> Place:
        """A place with so many keypoints, its faces and members; what else of the matches `left` lies about it tells
        how it is seen askew."""
        askew = partial(self._askew, at, left) if votes >= ASKEW_VOTES else None
        return Place(at, votes, faces, SeenPrint(self.mm[members], self.px[members]), askew)

    def places(self, most: int, least: int) -> list[Place] | None:
        """All places in the order in which they are found, by what is compiled; None where nothing is."""
        across, order = self.by_middle.x, self.by_middle.order
        laid = (self.mm, self.at, self.turn, self.middle, across, order, self.seen, self.face, self.cell, self.alike)
        found = vote_calls.places(vote_calls.LaidMatches(*laid), _PLACES, most, least)
        if found is None:
            return None
        each = zip(found.at, found.votes.tolist(), found.faces, found.members, strict=True)
        return [self._place(*told, found.gone >= k) for k, told in enumerate(each)]

    def _askew(self, at: Floats, left: Mask) -> Floats | None:
        """The affine motion (2, 3) that most matches `left` near a place tell; None if they lie too close together."""
        near = self.fitting(at, FACE_MM)
        near = near[left[near]]
        columns = np.column_stack([self.mm, np.ones(len(self.mm))])
        for _ in range(3):
            if _count(self.seen[near]) < ASKEW_VOTES or _spread(self.mm[near]) < ASKEW_SPREAD_MM:
                return None
            fitted = np.linalg.lstsq(columns[near], self.at[near], rcond=None)[0]
            near = np.flatnonzero(np.linalg.norm(columns @ fitted - self.at, axis=1) < FITTED_MM)
        return np.asarray(fitted.T)


def places_on_table(matches: Matches, view: TableView, most: int = MOST_PLACES, least: int = 1) -> list[Place]:
    """Where cards may lie flat on the table, the best supported first; a place may stand on a single keypoint. No more
    are looked for once the largest crowd of matches has `least` keypoints no more."""
    if not len(matches.mm):
        return []
    table = _OnTable.of(matches, view)
    places = table.places(most, least)
    if places is None:
        places = _found_one_by_one(table, most, least)
    return sorted(places, key=lambda p: -p.votes)


def _found_one_by_one(table: _OnTable, most: int, least: int) -> list[Place]:
    """The places of cards on a table, each without the matches that those before it explain."""
    left, met = np.ones(len(table.at), bool), np.zeros(int(table.seen.max(initial=0)) + 1, bool)
    places: list[Place] = []
    while left.any() and len(places) < most:
        crowd = table.crowd(left)
        if least > 1 and _count(table.seen[crowd]) < least:
            break
        place, members = table.place(crowd, left)
        places.append(place)
        left[members] = False
        left[table.fitting(place.at, FITTED_MM)] = False
        if place.votes >= MET_VOTES:
            met[table.seen[members]] = True
            left &= ~met[table.seen]
    return places


def _crowded(cell: NDArray[np.intp], left: Mask) -> NDArray[np.intp]:
    """Some matches in whose neighbourhood most others have the card's middle."""
    usable = np.flatnonzero(left)
    count = np.bincount(cell[usable])
    least = np.partition(count, -MOST_CELLS)[-MOST_CELLS] if len(count) > MOST_CELLS else 1
    full = usable[(count >= max(least, 1))[cell[usable]]]
    cells, first = np.unique(cell[full], return_index=True)
    return full[first[np.argsort(-count[cells], kind="stable")]][:MOST_CELLS]


def _numbered(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """(N,): a number for each row of small whole numbers (N, 3), in the rows' order: they sort ten times as fast."""
    rows = rows - rows.min(axis=0)
    sides = rows.max(axis=0) + 1
    return np.asarray((rows[:, 0] * sides[1] + rows[:, 1]) * sides[2] + rows[:, 2])


def _agreed(
    mm: Floats, at: Floats, turn: Floats, seen: NDArray[np.intp], members: NDArray[np.intp]
) -> tuple[NDArray[np.intp], Floats]:
    """Which of the members most others agree with, and the place they give (RANSAC over pairs of them)."""
    best = members[:1]
    place = np.array([*placed(-mm[best], np.array([*at[best[0]], turn[best[0]]]))[0], turn[best[0]]])
    told = _told_by_pairs(mm[members], at[members], seen[members])
    if told is not None:
        place, best = told[0], members[told[1]]
    if len(best) >= 3 and _spread(mm[best]) > LEAST_SPREAD_MM:
        place = rigid(mm[best], at[best])
    return best, place


def _told_by_pairs(mm: Floats, at: Floats, seen: NDArray[np.intp]) -> tuple[Floats, Mask] | None:
    """The place (3,) of the pair of matches with which most different keypoints agree, and which matches (N,) do; None
    where no two of them agree."""
    first, second = _pairs(len(mm))
    here, there = mm[second] - mm[first], at[second] - at[first]
    length, seen_length = np.linalg.norm(here, axis=1), np.linalg.norm(there, axis=1)
    good = np.flatnonzero((length > LEAST_SPREAD_MM) & (np.abs(seen_length - length) < 2.0 * FITTED_MM))[:MOST_PAIRS]
    if not len(good):
        return None
    a, d, e = first[good], here[good], there[good]
    angle = np.arctan2(d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0], (d * e).sum(axis=1))
    tried = np.column_stack([placed(-mm[a], np.column_stack([at[a], angle])), angle])
    inside = _off(mm, at, tried) < FITTED_MM * 1.5
    count = _different(seen, inside)
    k = int(count.argmax())
    return (tried[k], inside[k]) if count[k] > 1 else None


def _off(mm: Floats, at: Floats, places: Floats) -> Floats:
    """(P, N): how far (mm) points `mm` (N, 2) of a card at each of `places` (P, 3) lie from `at` (N, 2)."""
    c, s = np.cos(places[:, 2:]), np.sin(places[:, 2:])
    x = places[:, :1] + c * mm[:, 0] - s * mm[:, 1] - at[:, 0]
    y = places[:, 1:2] + s * mm[:, 0] + c * mm[:, 1] - at[:, 1]
    return np.sqrt(x * x + y * y)


def _different(seen: NDArray[np.intp], chosen: Mask) -> NDArray[np.intp]:
    """(P,): how many different keypoints `seen` (N,) each row of `chosen` (P, N) holds."""
    order = np.argsort(seen, kind="stable")
    begins = np.flatnonzero(np.diff(seen[order], prepend=-1))
    return np.asarray(np.logical_or.reduceat(chosen[:, order], begins, axis=1).sum(axis=1), np.intp)


@lru_cache(maxsize=512)
def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs of different indices below `count`, the nearer indices later: neighbours in a list lie close on a card."""
    steps = sorted(range(1, count), key=lambda step: abs(step - count // 2))
    first = [k for step in steps[:8] for k in range(count - step)]
    second = [k + step for step in steps[:8] for k in range(count - step)]
    return np.array(first, np.intp), np.array(second, np.intp)


def _spread(mm: Floats) -> float:
    """How far (mm) points (N, 2) of a card lie from their middle, at most."""
    return float(np.linalg.norm(mm - mm.mean(axis=0), axis=1).max())
