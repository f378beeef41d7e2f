"""Whose dilemmas are, by the discs beside them: the disc whose rim lies nearest to the outline of their cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_groups import distance_mm, share_on
from arena_cam.vision.tokens.discs.cloth_pattern import is_repeated
from arena_cam.vision.tokens.discs.faint_rims import bare_cloth
from arena_cam.vision.tokens.discs.owner_search import (
    ALL_ROUND,
    RoundThing,
    free_rim,
    is_clear,
    is_whole,
    usual_sharpness,
)
from arena_cam.vision.tokens.discs.rims import ROUND, sharpness
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]

REACH_MM, UNCLEAR_MM = 40.0, 4.0
# How much likelier a round thing is as a disc than as a token, and how much less of its cost is left: what neither
# explains counts for neither. In photographs of six styles 9 of 11 discs taken for tokens had 10 and more, and 0.4 and
# less; whole tokens had at most 26, and 0.55 and more. The other two are asked about.
MORE_LIKELY, OF_COST = 6.0, 0.5
# A disc shows its rim wherever nothing lies so near (mm) that it may hide it: of 190 in 150 photographs of 31 sets none
# had less than 0.88 of it, of 27 veins, checks and corners of cards all had less than 0.84. But one on a cloth that is
# as bright does not: a white disc between veins of marble had 0.74. It is as printed (its cost 34; of 65 discs one had
# more than 47) and ends as sharply as tokens (1.33 times); of veins five were as printed, none as sharp as 0.7 of that.
BROKEN, FREE_MM, AS_PRINTED, AS_SHARP = 0.85, 3.0, 60.0, 0.8
# Where so many things are cloth that repeats, one more that lacks a part of its rim is some square that stretched or
# shaded otherwise: of ten white squares on a check nine repeated, and the tenth was surely a white owner's disc.
PATTERNED = 3
LEAST_FREE = 0.4  # of a rim: of less than that it is not told whether it is whole
HALF = 0.5  # of a token: less of it on cards, and it lies beside them


def told(
    things: Sequence[RoundThing],
    outlines: Sequence[Sequence[Floats]],
    names: Sequence[str],
    halves: Sequence[int] = (),
) -> dict[int, tuple[str | None, bool]]:
    """By dilemma: the colour of the disc nearest to it, None if it is round but no known disc; whether that is clear.

    `outlines`: of each dilemma the outlines (M, 2) of its cards in mm; `names`: the colours by the discs' kinds;
    `halves`: which dilemmas lack a card. Such a one may be none, in a check of the cloth: a disc nearest to it is
    another's in reach, too, if that has no clearer one.
    """
    things = _but_for_cloth(things)
    colours = [names[thing.disc.kind] if thing.disc else None for thing in things]
    nearest: dict[int, list[tuple[float, str | None, bool]]] = {}
    reached = []
    for thing, colour in zip(things, colours, strict=True):
        away = np.array([min(_rim_away(thing, outline) for outline in each) for each in outlines])
        order = [int(k) for k in np.argsort(away) if away[k] <= REACH_MM]
        if not order:
            continue
        reached.append((order, away, colour))
        k, others = order[0], np.delete(away, order[0])
        clear = bool(away[k] < REACH_MM - UNCLEAR_MM and (others - away[k] > UNCLEAR_MM).all())
        clear &= thing.disc is not None and is_clear(thing.disc) and colours.count(colour) == 1
        nearest.setdefault(k, []).append((float(away[k]), colour, clear))
        whole = [n for n in order if n not in halves]
        if k in halves and whole:
            nearest.setdefault(whole[0], []).append((float(away[whole[0]]), colour, False))
    owned = {k: _one_of(each) for k, each in nearest.items()}
    return _may_be_neighbours(reached, owned) | owned


def _may_be_neighbours(
    reached: Sequence[tuple[Sequence[int], Floats, str | None]], owned: Mapping[int, tuple[str | None, bool]]
) -> dict[int, tuple[str | None, bool]]:
    """Of dilemmas beside which no disc is nearest: a disc in reach that may be theirs, never clearly. It is as near as
    to the one that it is nearest to, or that one has a disc of its own. `reached`: the dilemmas in reach of each disc,
    the nearest first, how far away all are (mm), and its colour."""
    found: dict[int, tuple[str | None, bool]] = {}
    for order, away, colour in reached:
        spare = owned[order[0]][0] != colour
        for k in order[1:]:
            if k not in owned and colour is not None and (spare or away[k] - away[order[0]] <= UNCLEAR_MM):
                found.setdefault(k, (colour, False))
    return found


def is_owned(outlines: Sequence[Floats], things: Sequence[RoundThing]) -> bool:
    """Whether some of the things lies in reach of cards with these outlines (M, 2)."""
    return any(_rim_away(thing, outline) <= REACH_MM for thing in things for outline in outlines)


def _but_for_cloth(things: Sequence[RoundThing]) -> list[RoundThing]:
    """The things without those in which a check or a vein seems to be a disc that lies elsewhere: a set has one disc of
    each colour, and where one of two has a whole rim, the other is it only if its rim is whole, too, or if what is seen
    of it is likelier that disc: a corner of marble had 0.88 of a rim, with a cost of 71, and the white disc on it 0.81,
    with 18, and was nobody's."""
    whole: dict[int, float] = {}
    for thing in things:
        if thing.disc is not None and is_whole(thing.disc):
            whole[thing.disc.kind] = min(thing.cost, whole.get(thing.disc.kind, thing.cost))
    return [
        thing
        for thing in things
        if thing.disc is None or is_whole(thing.disc) or thing.cost < whole.get(thing.disc.kind, np.inf)
    ]


def but_for_cloth(
    view: TopView, things: Sequence[RoundThing], outlines: Sequence[Floats], tokens: Sequence[SeenDisc]
) -> list[RoundThing]:
    """The things without those of which a part of the rim is missing where neither cards with these outlines (M, 2) nor
    tokens are near, and those that are seen elsewhere on the cloth, too: veins, and checks. A dark one on a dark cloth
    may have a faint rim, and stays; so does one as printed that ends as sharply as tokens do. On a cloth of which many
    parts look like discs none that lacks a part of its rim is a known one."""
    broken = [thing for thing in things if not thing.is_dark and _is_broken(view, thing, outlines, tokens)]
    least = AS_SHARP * usual_sharpness(view, tokens) if broken else 0.0
    kept = [thing for thing in things if thing not in broken or _is_as_printed(view, thing, least)]
    known = [thing.middle for thing in things if thing.rim >= ALL_ROUND] + [token.middle for token in tokens]
    if all(map(_is_no_cloth, kept)):
        return kept
    bare = bare_cloth(view, outlines, [(token.middle, token.radius_mm) for token in tokens], FREE_MM)
    stay = [
        thing
        for thing in kept
        if _is_no_cloth(thing) or not is_repeated(view, thing.middle, thing.radius_mm, known, bare)
    ]
    if len(kept) - len(stay) < PATTERNED:
        return stay
    return [thing if thing.rim >= ALL_ROUND else replace(thing, disc=None) for thing in stay]


def _is_no_cloth(thing: RoundThing) -> bool:
    """Whether a round thing is no check whatever the cloth about it is like: all of its rim is an edge, or as much as
    only discs have, and it is as printed. A red disc half on a red check has the check's colour where that is bare."""
    return thing.rim >= ALL_ROUND or (thing.disc is not None and thing.rim >= BROKEN and thing.cost < AS_PRINTED)


def _is_broken(view: TopView, thing: RoundThing, outlines: Sequence[Floats], tokens: Sequence[SeenDisc]) -> bool:
    """Whether a part of a round thing's rim is missing where nothing is near that may hide it."""
    if thing.rim >= BROKEN:
        return False

    def is_free(points: Floats) -> NDArray[np.bool_]:
        free = np.all([distance_mm(points, outline) > FREE_MM for outline in outlines], axis=0)
        for token in tokens:
            free &= np.linalg.norm(points - token.middle, axis=1) > token.radius_mm + FREE_MM
        return np.asarray(free)

    free = is_free(thing.middle + thing.radius_mm * ROUND)
    if free.mean() < LEAST_FREE:
        return False
    return bool(free.all()) or free_rim(view, thing, is_free) < BROKEN


def _is_as_printed(view: TopView, thing: RoundThing, least_sharp: float) -> bool:
    """Whether a colour explains what is seen as well as it does of discs, and it ends as sharply."""
    return thing.cost < AS_PRINTED and sharpness(view, thing.middle, thing.radius_mm) >= least_sharp


def _one_of(discs: Sequence[tuple[float, str | None, bool]]) -> tuple[str | None, bool]:
    """The colour of the clear disc that lies nearest to a dilemma, of any disc where none is clear, and whether it is
    clear that this is its owner's; `discs`: how far away each is, its colour, whether it is clear. What is round and of
    no colour counts where no disc is clear."""
    known = [each for each in discs if each[1] is not None]
    surely = [each for each in discs if each[2]]
    away, colour, clear = min(surely or known or discs, key=lambda each: each[0])
    # A disc nearly as near, or nearer: neither is clear. Nor is one of two that are both clear and nearest to this
    # dilemma, for it has one owner: on marble a bright patch within veins had a rim and a white face.
    asked = known if surely else discs
    rivals = sum(other[0] - away <= UNCLEAR_MM or other[2] for other in asked)
    return colour, clear and rivals == 1


def _rim_away(thing: RoundThing, outline: Floats) -> float:
    return max(float(distance_mm(thing.middle[None], outline)[0]) - thing.radius_mm, 0.0)


def but_for_tokens(
    thing: RoundThing, tokens: Sequence[SeenDisc], outlines: Sequence[Floats], as_token: Callable[[SeenDisc], float]
) -> tuple[RoundThing | None, SeenDisc | None]:
    """The round thing, if no token lies there, and the token there that is it: a plain disc is much like some token.

    One of unknown colour, where a token beside the cards may be a disc; one whose colour is not clear, where it is far
    likelier some disc than a token: it is asked about. `as_token`: the cost of what is seen where a
    token is, if it is one.
    """
    reach = 0.4 * thing.radius_mm
    there = [token for token in tokens if np.linalg.norm(thing.middle - token.middle) < token.radius_mm + reach]
    if not there:
        return thing, None
    nearest = min(there, key=lambda token: float(np.linalg.norm(thing.middle - token.middle)))
    beside_cards = share_on(nearest.middle, nearest.radius_mm, outlines) < HALF
    # One of both is made up if the token's middle lies on the disc: a token of another size is laid askew on a disc.
    same = float(np.linalg.norm(nearest.middle - thing.middle)) < thing.radius_mm
    if not (beside_cards and same and thing.disc is not None):
        return None, None
    cost = as_token(nearest)
    if cost - thing.cost > MORE_LIKELY and thing.cost < OF_COST * cost:  # a disc, even where its colour is unclear
        return thing, nearest
    return (RoundThing(thing.middle, thing.radius_mm, None) if is_clear(thing.disc) else None), None
