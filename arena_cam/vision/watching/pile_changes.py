"""Compares a new reading with the believed cards: which are new, moved, gone, or only hidden.

A card was fully visible before the next one covered it. If the reading does not show it any more but something covers
its place, it is believed to lie there as before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

from arena_cam.domain.lies import Face, Lie, Reading
from arena_cam.vision.watching.card_cells import Places

# A card whose corners all stay within this is where it was. A read lie repeats to a few tenths of a millimetre; a card
# that is hit slides further, or what it did changes nothing.
MOVED_MM = 2.0
# A card that came changed at least this share of what is seen of it: its rim alone is more. What changed nothing is a
# second explanation of something that lay there before.
FRESH_SHARE = 0.3
# Less than this of a card neither names it nor says how it lies.
LEAST_VISIBLE = 0.15
# A card face down has no name, and little print by which to tell it from the shadow beside a card that came: it has
# come only where so much of it shows. Under a card that came later it is known from before.
LEAST_VISIBLE_OF_A_NEW_BACK = 0.4
# Outlines that share this much (intersection over union) are of one place; two thrown cards never coincide so well.
SAME_OUTLINE = 0.7
# A card on top shows all of itself, but for what the picture's border and the drawing of outlines take away.
ON_TOP = 0.9
# From this share in view on a card's tilt can be trusted against an earlier reading.
TILT_VISIBLE = 0.5
# Outlines without a calibrated table: the same at the least scale at which cards can be read, 1.5 px/mm.
MOVED_PX = 3.0
# A card may be taken for covered when less than this of its place is free: a card is still found with 40 % in view.
FREE_WHEN_COVERED = 0.4
# A face-down card has no name: it is taken for the nearest one believed before, if that is no further than half a card.
SAME_BACK_MM = 45.0


class Place(Enum):
    """What the place of a card that is missing in the reading looks like now."""

    UNCHANGED = "looks as it did when the card was read there"
    EMPTY = "looks as it did before the card came"
    OTHER = "looks like neither"
    IN_MOTION = "something moves there"


class Evidence(Protocol):
    """What the pictures show at places, beside the reading."""

    def place(self, lie: Lie, above: Sequence[Lie]) -> Place:
        """What the visible part of the lie's place, not under `above`, looks like."""
        ...

    def fresh_share(self, lie: Lie, above: Sequence[Lie]) -> float:
        """The share of the card's visible part (not under `above`) that has changed; 0 if nothing of it is visible."""
        ...

    def at_rest(self, lie: Lie) -> bool:
        """Whether nothing moved on the card while the frames of the reading were taken."""
        ...


@dataclass(frozen=True)
class PileChanges:
    """The changes that a reading brings. `believed`, from bottom to top, are all cards now believed to lie there.

    `covered` are those of them that are invisible now, under something that is no card.
    """

    rested: tuple[Lie, ...] = ()
    moved: tuple[tuple[Lie, Lie], ...] = ()
    gone: tuple[Lie, ...] = ()
    believed: tuple[Lie, ...] = ()
    covered: tuple[Lie, ...] = ()

    @property
    def nothing(self) -> bool:
        return not (self.rested or self.moved or self.gone)

    @property
    def in_doubt(self) -> bool:
        """Whether any observation that would be reported now is not sure."""
        return any(not lie.sure for lie in (*self.rested, *(after for _, after in self.moved)))


def pile_changes(
    believed: Sequence[Lie], reading: Reading, evidence: Evidence, places: Places, *, first_look: bool = False
) -> PileChanges:
    """The differences between `reading`, under the believed keys (`with_same_keys`), and `believed`.

    `first_look`: nothing was read here before, so cards may have come one after the other.
    """
    before = {lie.key: lie for lie in believed}
    seen = _believable(reading.lies, before, evidence, places, first_look)
    rested = [lie for lie in seen if lie.key not in before]
    moved, now = _compared(before, seen, evidence)
    gone, hidden, covered = _missing(believed, seen, evidence, places)
    now = _with_hidden(now, hidden, places)
    by_key = {lie.key: lie for lie in now}
    return PileChanges(
        rested=tuple(by_key[lie.key] for lie in rested),
        moved=tuple((before[key], by_key[key]) for key in moved),
        gone=tuple(gone),
        believed=tuple(now),
        covered=tuple(by_key[lie.key] for lie in covered),
    )


def _believable(
    lies: Sequence[Lie], believed: Mapping[str, Lie], evidence: Evidence, places: Places, first_look: bool
) -> list[Lie]:
    """The lies of a reading without cards that cannot have come, and without known ones too little visible to change
    anything."""
    refused = {
        lie.key: lie.rests_on
        for i, lie in enumerate(lies)
        if lie.visible_fraction < LEAST_VISIBLE
        or (
            lie.key not in believed
            and not (
                (first_look or lie.face is Face.UP or lie.visible_fraction >= LEAST_VISIBLE_OF_A_NEW_BACK)
                and evidence.at_rest(lie)
                and evidence.fresh_share(lie, lies[i + 1 :]) >= FRESH_SHARE
                and not _misread(lie, believed, places)
            )
        )
    }
    unknown = {key: below for key, below in refused.items() if key not in believed}
    return [replace(lie, rests_on=_through(lie.rests_on, unknown)) for lie in lies if lie.key not in refused]


def _misread(lie: Lie, believed: Mapping[str, Lie], places: Places) -> bool:
    """Whether a partly covered card is one believed before under a wrong name: it was known when all of it was seen."""
    others = believed.values()
    return lie.visible_fraction < ON_TOP and any(places.overlap(lie, other) > SAME_OUTLINE for other in others)


def _through(rests_on: Sequence[str], refused: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """`rests_on` with what lies beneath the refused ones in their place."""
    keys: list[str] = []
    for key in rests_on:
        keys += _through(refused[key], refused) if key in refused else (key,)
    return tuple(dict.fromkeys(keys))


def _compared(before: dict[str, Lie], seen: Sequence[Lie], evidence: Evidence) -> tuple[list[str], list[Lie]]:
    """Keys of the cards whose lie changed, and the lies to believe of those in the reading."""
    displaced = {lie.key for lie in seen if lie.key in before and _displaced(before[lie.key], lie)}
    new = {lie.key for lie in seen if lie.key not in before}
    moved: list[str] = []
    now: list[Lie] = []
    for lie in seen:
        old = before.get(lie.key)
        if old is None:
            now.append(lie)
        elif not evidence.at_rest(lie):
            now.append(old)
        elif lie.key in displaced or _rests_otherwise(old, lie, displaced, new):
            moved.append(lie.key)
            now.append(lie)
        elif old.landing != lie.landing and lie.sure and not old.sure and lie.visible_fraction >= TILT_VISIBLE:
            # Nothing moved, but the doubt is gone: said as a change, because the first word was wrong. What shows of a
            # card half covered by now does not take a doubt away.
            moved.append(lie.key)
            now.append(lie)
        else:
            now.append(_same_place(old, lie))
    return moved, now


def _same_place(old: Lie, lie: Lie) -> Lie:
    """The better seen of two lies that mean the same rest, where the card is in the newer picture."""
    better = lie if lie.visible_fraction > old.visible_fraction and lie.landing == old.landing else old
    return replace(better, corners_px=lie.corners_px, visible_fraction=lie.visible_fraction)


def _rests_otherwise(old: Lie, lie: Lie, displaced: set[str], new: set[str]) -> bool:
    """Whether it rests on other cards because one of those moved, or because it was lifted and one came beneath it."""
    differ = set(old.rests_on) ^ set(lie.rests_on)
    return bool(differ & displaced) or bool((set(lie.rests_on) & new) - set(old.rests_on))


def _displaced(old: Lie, lie: Lie) -> bool:
    if old.face != lie.face:
        return True
    if old.corners_mm is not None and lie.corners_mm is not None:
        # Of a card that is half covered the tilt is too uncertain to contradict what was read when all of it was seen.
        axes = 3 if lie.visible_fraction >= TILT_VISIBLE else 2
        apart_mm = [math.dist(a[:axes], b[:axes]) for a, b in zip(old.corners_mm, lie.corners_mm, strict=True)]
        # A card that stays but changes its tilt keeps two corners: the mean of the four would hide it.
        return max(apart_mm) > max(MOVED_MM, _noise_mm(old), _noise_mm(lie))
    return max(math.dist(a, b) for a, b in zip(old.corners_px, lie.corners_px, strict=True)) > MOVED_PX


def _noise_mm(lie: Lie) -> float:
    """How far a corner may be out (4 sd) by the tilt's own uncertainty, over the card's longer side."""
    if lie.tilt_sd_deg is None or lie.corners_mm is None:
        return 0.0
    side_mm = max(math.dist(lie.corners_mm[0], lie.corners_mm[1]), math.dist(lie.corners_mm[1], lie.corners_mm[2]))
    return 4 * math.radians(lie.tilt_sd_deg) * side_mm


def _missing(
    believed: Sequence[Lie], seen: Sequence[Lie], evidence: Evidence, places: Places
) -> tuple[list[Lie], list[Lie], list[Lie]]:
    """Of the believed cards that the reading lacks: those gone, those hidden, and of the hidden those under something
    that is no card."""
    found = {lie.key for lie in seen}
    gone: list[Lie] = []
    hidden: list[Lie] = []
    covered: list[Lie] = []
    for lie in believed:
        if lie.key in found:
            continue
        place = evidence.place(lie, seen)
        if places.share_free(lie, seen) < FREE_WHEN_COVERED or place is Place.UNCHANGED:
            hidden.append(lie)
        elif place is Place.EMPTY:
            gone.append(lie)
        else:
            hidden.append(lie)
            covered.append(lie)
    return gone, hidden, covered


def _with_hidden(now: Sequence[Lie], hidden: Sequence[Lie], places: Places) -> list[Lie]:
    """`now` with the hidden lies put beneath whatever covers them, and those resting on them saying so."""
    pile = list(now)
    for lie in hidden:  # bottom to top, so that one which rests on another finds it there
        pile.insert(max((i + 1 for i, other in enumerate(pile) if other.key in lie.rests_on), default=0), lie)
    keys = {lie.key for lie in hidden}
    return [
        replace(lie, visible_fraction=min(lie.visible_fraction, places.share_free(lie, pile[i + 1 :])))
        if lie.key in keys
        else _resting_on_hidden(pile, i, keys, places)
        for i, lie in enumerate(pile)
    ]


def _resting_on_hidden(pile: Sequence[Lie], upper: int, hidden: set[str], places: Places) -> Lie:
    """The lie at `upper` in the pile, resting also on the hidden ones that it touches."""
    lie = pile[upper]
    touched = tuple(
        lower.key
        for i, lower in enumerate(pile[:upper])
        if lower.key in hidden and lower.key not in lie.rests_on and places.directly_on(lie, lower, pile[i + 1 : upper])
    )
    return replace(lie, rests_on=lie.rests_on + touched) if touched else lie


def with_same_keys(reading: Reading, believed: Sequence[Lie], next_back: int) -> Reading:
    """`reading` under the keys believed before: cards by their name, face-down ones by where they lie.

    Face-down cards that are new are called ?N with N from `next_back`.
    """
    backs = [lie for lie in reading.lies if lie.card is None]
    pairs = sorted((_apart_mm(old, lie), old.key, lie.key) for lie in backs for old in believed if _is_back(old))
    renamed: dict[str, str] = {}
    for apart_mm, old_key, key in pairs:
        if apart_mm <= SAME_BACK_MM and key not in renamed and old_key not in renamed.values():
            renamed[key] = old_key
    for lie in backs:
        if lie.key not in renamed:
            renamed[lie.key] = f"?{next_back}"
            next_back += 1
    return replace(
        reading,
        lies=tuple(
            replace(lie, key=renamed.get(lie.key, lie.key), rests_on=tuple(renamed.get(k, k) for k in lie.rests_on))
            for lie in reading.lies
        ),
        covers=tuple((renamed.get(upper, upper), renamed.get(lower, lower)) for upper, lower in reading.covers),
    )


def _is_back(lie: Lie) -> bool:
    return lie.card is None and lie.face is Face.DOWN


def _apart_mm(one: Lie, other: Lie) -> float:
    if one.centre_mm is not None and other.centre_mm is not None:
        return math.dist(one.centre_mm, other.centre_mm)
    centres = [[sum(axis) / 4 for axis in zip(*lie.corners_px, strict=True)] for lie in (one, other)]
    return math.dist(*centres) * MOVED_MM / MOVED_PX
