"""A card found by its sides: first the outline is fitted to the picture, then the face in it is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.reading.cards.face_comparison import Identity, compare_ways
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.fitting import (
    COVERED_PRIOR,
    FINE,
    SAYS_ENOUGH_NATS,
    START_PRIOR,
    fit_coarse,
    fit_fine,
    is_turned_from,
    laid_into,
)
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import is_sunk, laid_flat, leaning_by_a_side, leaning_starts
from arena_cam.vision.reading.cards.measuring import in_view
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.cards.placed_face import outline_of
from arena_cam.vision.reading.cards.scene import COARSE_HALVINGS
from arena_cam.vision.reading.cards.trust import (
    ALL_ROUND,
    SEEN_ALL_ROUND,
    Explained,
    InView,
    Nats,
    is_seen_by_sides,
    is_there,
)
from arena_cam.vision.reading.finding.findings import round_about
from arena_cam.vision.reading.finding.outline_fit import FAR_MM, fit_outline, outline_at
from arena_cam.vision.reading.floor.table_change import TableChange

# A leaning outline must explain so many nats more than a flat one: three points of it.
_LEANS_NATS = 1.8
# Of the sides that nothing covers: fewer are those of something else, whatever print lies beside them. Of 1325 outlines
# that were named on 110 pictures of nine drawn decks 142 showed less, and none of these was a card's; those that led to
# one showed 0.67 and more.
_LEAST_SHOWN = 0.62


def fit_by_sides(known: Known, place: CardPose) -> Fit | None:
    """The card whose sides are visible round a place, under the likeliest name; None if hardly any side is visible.
    Where cards not yet known hide a part of its sides its print tells: a covered six, of whose sides less than three
    quarters showed, was found in its place by it, and a millimetre off without it."""
    outlines = [o for o in _outlines(known, place) if o.shown >= _LEAST_SHOWN and not _is_bare_floor(known, o)]
    fit = max((_named_in(known, outline) for outline in outlines), key=lambda fit: fit.worth, default=None)
    if fit is None:
        return None
    fit = _off_its_frame(known, place, fit, max(outline.nats for outline in outlines))
    return None if _is_shaded_floor(known, fit) else fit


def _off_its_frame(known: Known, place: CardPose, fit: Fit, nats: float) -> Fit:
    """The fit; or the card whose printed frame was taken for some of its sides, if its print shows where these lie
    then. On others of its colour a card's frame stands out more than its edge, and encloses nearly as much: a white
    card in full view on white ones was followed along two sides of its frame, leaning by 8 degrees, and no face showed
    there; laid off the frame its own said 113 nats. `nats`: what the sides said that led to the fit."""
    as_printed = fit.evidence >= Nats.LEAST and fit.explained >= Explained.PLAIN
    if as_printed or nats < _FRAME_NATS or _speaks_against_a_frame(fit) or not known.scene.faces.frames_mm:
        return fit
    flat = laid_flat(known.scene, place)
    aside = ((x * across, y * along) for across, along in known.scene.faces.frames_mm for x in _WAYS for y in _WAYS)
    shifts = [x * flat.R[:, 0] + y * flat.R[:, 1] for x, y in dict.fromkeys(aside) if x or y]
    moved = [CardPose(flat.R, flat.centre_mm + shift) for shift in shifts]
    outlines = [fit_outline(known.scene, at, known.claims, COVERED_PRIOR, _SHORT_OF_FRAME_MM) for at in moved]
    likely = [each for each in outlines if each.shown >= _LEAST_SHOWN and not _is_bare_floor(known, each)]
    plainest = sorted(likely, key=lambda each: -each.nats)[:_MOST_OFF_FRAME]
    fits = [_named_in(known, each) for each in plainest]
    there = [each for each in fits if each.outline is not None and each.evidence >= Nats.LEAST]
    return max([fit, *(each for each in there if each.explained > fit.explained)], key=lambda each: each.worth)


def _speaks_against_a_frame(fit: Fit) -> bool:
    """Whether neither print nor sides are those of a card that was followed along its frame: the print speaks against
    the likeliest face, which shows less than half of itself, and sides are missing, where a frame goes all round. Of
    195 fits that were asked, on 230 pictures of eleven decks, 27 were so; none of these was a card off its frame."""
    all_round = fit.outline is not None and fit.outline.shown >= ALL_ROUND
    return fit.evidence < 0.0 and fit.explained < Explained.HALF and not all_round


_WAYS = (-1.0, 0.0, 1.0)
_SHORT_OF_FRAME_MM = (1.25, 1.0, 1.0)  # the sides are looked for so near that the frame is out of reach
# Of 18 drawn cards laid by sides of their frame the sides said 15 nats and more. Naming costs most: of the places off
# the frame of two path-traced cards the right one was the first and the third by its sides.
_FRAME_NATS, _MOST_OFF_FRAME = 12.0, 3


def fits_in_sides(known: Known, place: CardPose) -> list[Fit]:
    """The cards whose sides are visible round a place, each under several likely names, laid into them: where one long
    side is in view a card may be a millimetre off along it, by which any other name may seem likelier. Of a violet six
    with three tenths in view a five did, by a third of a nat; laid there, the six said 88 nats and the five none."""
    fits: list[Fit] = []
    for outline in _outlines(known, place):
        if outline.shown < ALL_ROUND or _is_bare_floor(known, outline):
            continue
        for identity, way in zip(compare_ways(known, outline.pose), (outline, outline.half_turned), strict=True):
            likeliest = np.argsort(-identity.log_likelihood)[:_LIKELY_NAMES]
            fits += [laid_into(known, int(face), way) for face in likeliest]
    return fits


_LIKELY_NAMES = 3  # each way up


def _is_bare_floor(known: Known, outline: Outline) -> bool:
    """Whether hardly any of what an outline encloses differs from the empty table, and not all of its sides show: then
    these are sides of cards beside it, and nothing in it is worth a name, which costs ten times as much. A dark card on
    a dark floor differs by its sides alone, but by all of them.

    Nor is one of which floor is a part and a side is missing: these are sides of several cards. What hides a side of a
    card is another card, which differs from the floor, too."""
    if outline.nats >= Nats.BY_ALL_SIDES:
        return False
    free, odd = in_view(known, outline.pose)
    if outline.shown >= SEEN_ALL_ROUND and free >= InView.WHOLE:
        return False
    return odd < LEAST_ODD or (outline.shown < ALL_ROUND and odd < _MOSTLY_ODD)


# Where so little differs from the empty table no card lies, unless all of its sides show: white ones on light sand
# show 0.11 and more, a white one on a white cloth less, with 0.95 of its sides. Of 654 guesses by sides on 60 pictures
# of 20 drawn decks 119 showed less, none of them a card; of the 224 cards none less than 0.4.
LEAST_ODD = 0.08
# And so little where sides are missing: of 306 outlines on 50 pictures of eleven decks, 70 of them those of cards, 77
# lacked a side and showed less, none of them a card's; the two of cards that lacked one showed 0.79 and 0.97.
_MOSTLY_ODD = 0.7


def _is_shaded_floor(known: Known, fit: Fit) -> bool:
    """Whether what seems to be a card shows no print and is mostly as dark as the floor in shade: the sides of cards
    beside each other, and the edges of their shadows, enclose a piece of floor, too. These never show all round: of 78
    candidates refused here on 11 pictures those of nothing had up to 16 nats, a pale blue card on marble had 30."""
    shows_all_round = fit.outline is not None and fit.outline.nats >= Nats.BY_ALL_SIDES
    return not shows_all_round and fit.evidence < 0.0 and in_view(known, fit.pose)[1] < _SURELY_ODD


_SURELY_ODD = 0.5  # see `peeling`


def explaining(
    known: Known, places: Sequence[CardPose], outlines_px: Sequence[Array], named: Callable[[Fit], Found]
) -> Found | None:
    """Of the cards whose sides show round some places the plainest that explains what is unknown on the floor beside
    the outlines (4, 2) of all others, as it is `named`; None if none does. Of a card that looks out below others two
    short pieces of its sides are in view, and sides of cards beside each other enclose as much; but what these enclose
    is known. It is named before it is asked whether the picture shows its face: of a violet one under three others a
    fifth was in view with its figure, and showed less of the face that was likeliest before it was laid."""
    change, deck = known.scene.change, known.scene.faces.deck
    if change is None:
        return None
    plainest = sorted(_with_outlines(known, places), key=lambda fit: -fit.support)
    for fit in plainest:
        outline = known.scene.camera.project(fit.pose.corners(deck.width_mm, deck.height_mm))
        if not explains(change, outline, outlines_px, deck.card_mm2, shows_print=fit.evidence >= Nats.LEAST):
            continue
        if _speaks_against_all(fit):
            continue
        card = named(fit)
        if card.fit.outline is not None:
            card = replace(card, fit=replace(card.fit, outline=replace(card.fit.outline, explains=True)))
        if is_there(card.fit) and not is_sunk(known.scene, card.fit.pose):
            return card
    return None


def _speaks_against_all(fit: Fit) -> bool:
    """Whether most of a card would be in view, and is seen neither by the print of the likeliest face nor by its sides:
    so it is under any name (`peeling`). The table beside a hand, in edges of its shadow, explained what was unknown
    there; of 0.9 of it in view all names were asked in vain, half a second each."""
    if fit.uncovered < InView.MOST or fit.evidence >= 0.0 or fit.outline is None:
        return False
    return not is_seen_by_sides(replace(fit, outline=replace(fit.outline, explains=True)))


def _with_outlines(known: Known, places: Sequence[CardPose]) -> Iterator[Fit]:
    """The fits by the sides that show round some places, if these are nearly all in view and say enough for a card that
    explains what is unknown."""
    for place in places:
        fit = fit_by_sides(known, place)
        if fit is not None and fit.outline is not None and fit.outline.shown >= ALL_ROUND:
            yield fit


def explains(
    change: TableChange,
    outline_px: Array,
    others_px: Sequence[Array],
    card_mm2: float,
    *,
    shows_print: bool = False,
) -> bool:
    """Whether a card in an outline (4, 2) is what is unknown on the floor beside all others (4, 2): all that is in view
    of it beyond doubt shows no floor, and without it as much would be unknown as is ever looked at. Of one that hides
    hardly any floor, for it lies over the wall, its face must show, and anything unknown will do."""
    told = change.share_told(outline_px, others_px)
    over_wall = told is None and shows_print
    if not over_wall and (told is None or told < _ALL_TOLD):
        return False
    without, with_it = (
        sum(thing.area_mm2 for thing, _ in change.strangers(outlines))
        for outlines in (others_px, [*others_px, outline_px])
    )
    return without - with_it > (0.0 if over_wall else InView.LEAST * card_mm2)


_ALL_TOLD = 0.95  # of it: the rest is a rim that blur and the play of light leave open


def is_shadow_of(known: Known, fit: Fit, other: Fit) -> bool:
    """Whether what seems to be a card in an outline may be the shadow of another one that is raised: its print hardly
    shows, no more than a strip of it is in view, and it lies as the other one does, aside by no more than the lamp
    takes a shadow at that height. Sides enclose a shadow as they do a card: one that lay over a wall threw a back on
    wall and floor, which was said surely. Cards that fell on each other lie at any angle. An even dark back is drawn
    much like a shadow with the floor's grain in it: it must show as much as a card without sides."""
    if fit.outline is None or fit.evidence >= Nats.LEAST or fit.uncovered >= InView.TELLING:
        return False
    deck = known.scene.faces.deck
    top_mm = float(other.pose.corners(deck.width_mm, deck.height_mm)[:, 2].max())
    aside_mm = float(np.hypot(*(fit.pose.centre_mm - other.pose.centre_mm)[:2]))
    return (
        top_mm > _RAISED_MM
        and aside_mm < _SHADOWS_A_HEIGHT * top_mm
        and abs(float(fit.pose.R[:, 0] @ other.pose.R[:, 0])) > np.cos(np.radians(_LIES_AS_DEG))
    )


def is_shadow_of_arm(known: Known, fit: Fit) -> bool:
    """Whether what seems to be a card mostly beneath an arm that reaches in is the arm's shadow: sleeve and wrist have
    straight sides, and so has the shadow beside them. What is in view of it a shadow explains, whatever its print seems
    to show: of ten such things beside arms on five pictures a fiftieth at most was more than shadow, of cards beneath
    arms nine tenths and more."""
    change = known.scene.change
    if known.scene.arm is None or change is None or fit.uncovered >= _HALF_IN_VIEW:
        return False
    outline_px = outline_of(known.scene, fit.pose)
    beyond = change.share_beyond_shadow(outline_px, known.claims.mask, known.claims.STEP)
    return beyond is not None and beyond < _BEYOND_SHADOW


_HALF_IN_VIEW, _BEYOND_SHADOW = 0.5, 0.3

# What lies lower throws no shadow that is wide enough for an outline; lamps hang no lower than 27 degrees over a table;
# tilted cards throw their shadows a little askew.
_RAISED_MM, _SHADOWS_A_HEIGHT, _LIES_AS_DEG = 5.0, 2.0, 8.0


def _named_in(known: Known, outline: Outline) -> Fit:
    """The likeliest face in an outline; or beside it, where that explains more. A search that begins anew follows the
    same sides to the same outline: while nothing is known otherwise round about, so is the answer the same."""
    claimed = known.claims.mask[round_about(known.scene, [outline.pose])]
    depends_on = (
        *(part.tobytes() for part in (outline.pose.R, outline.pose.centre_mm, outline.information)),
        *(outline.shown, outline.nats, tuple(sorted(known.taken)), claimed.shape, claimed.tobytes()),
    )
    return known.scene.once(("named in its outline", depends_on), lambda: _laid_as_likeliest(known, outline))


def _laid_as_likeliest(known: Known, outline: Outline) -> Fit:
    quarters = [outline, outline.quarter_turned] if known.scene.faces.is_square else [outline]
    ways = [
        seen for each in quarters for seen in zip(compare_ways(known, each.pose), (each, each.half_turned), strict=True)
    ]
    identity, way = max(ways, key=lambda entry: float(entry[0].log_likelihood.max()))
    return laid_or_free(known, identity.best, way)


def laid_or_free(known: Known, face: int, outline: Outline) -> Fit:
    """A face laid into an outline; or beside it, where it explains more there: its outline may be that of something
    else."""
    laid = laid_into(known, face, outline)
    if laid.explained >= Explained.PLAINLY:
        return laid
    free = fit_coarse(known, face, outline.pose, likely=True)
    if free.explained <= laid.explained or free.evidence <= laid.evidence or is_sunk(known.scene, free.pose):
        return laid
    own = fit_outline(known.scene, free.pose, known.claims, START_PRIOR)
    return replace(free, outline=own) if own.shown >= ALL_ROUND else free


def flat_by_print(known: Known, fit: Fit) -> Fit | None:
    """A card in an outline that leans as it lies flat by its print, if it shows more there, as much as it should, in
    sides of its own; None if it does not. A frame printed beside the edge stands out more than the edge, black on
    dark green, and where one or two sides are followed along it the card seems to lean."""
    flat = fit_coarse(known, fit.face, laid_flat(known.scene, fit.pose))
    if flat.explained < Explained.AS_IT_SHOULD or flat.evidence <= fit.evidence:
        return None
    own = fit_outline(known.scene, flat.pose, known.claims, START_PRIOR)
    return replace(flat, outline=own) if own.shown >= ALL_ROUND else None


def laid_finely(above: Known, face: int, outline: Outline) -> Fit:
    """A face laid into an outline at the fine scale, on what cards `above` leave in view; or as its print leans, if
    that is much, or if it says so much more there that the outline must be another's. Of a card over the wall the sides
    were followed to one side of its frame, at 23 degrees: there a nearly blank face said 75 nats, and 110 as it leaned,
    at 15."""
    laid = laid_into(above, face, outline, FINE)
    says_enough = laid.evidence >= SAYS_ENOUGH_NATS
    if not says_enough and laid.explained >= Explained.UNMISTAKEN:
        return laid
    free = fit_fine(above, face, laid.pose)
    if not says_enough and free.evidence < laid.evidence + Nats.BY_SIDES:
        return laid
    return laid if not is_turned_from(outline.pose, free.pose) else _as_print_leans(above, laid, free, outline)


def told_finely(above: Known, fit: Fit, identity: Identity) -> Identity:
    """The identity of a card that was laid into its outline at the fine scale. Each other face that it may be is laid
    into that outline as finely: one that explains too little to be a card does not lie there, and is behind by what it
    explains less.

    Seen coarsely, fine stripes in a dim light are the grey that they are on average: eighteen faces were as likely as
    the back, which explains 217 nats more.
    """
    if fit.outline is None:
        return identity
    likelihood = identity.log_likelihood.copy()
    for face in np.flatnonzero(likelihood > likelihood.max() - _MAY_BE_OTHERWISE).tolist():
        other = laid_into(above, face, fit.outline, FINE) if face != fit.face else fit
        if other.evidence < Nats.LEAST:
            likelihood[face] = min(likelihood[face], likelihood[fit.face] - (fit.evidence - other.evidence))
    return replace(identity, log_likelihood=likelihood)


def _as_print_leans(above: Known, laid: Fit, free: Fit, outline: Outline) -> Fit:
    """The fit `free` of the print alone instead of the one `laid` into its outline, if sides show there, too. Seen from
    above a card that leans a little has nearly the outline of a flat one, and its shadow lies along its sides: the
    outline may have been followed to the wrong one of both. Much print tells the tilt. Sides that lead on from there
    to another tilt are judged as they show where the print lies, and count if both together say as much as what is laid
    into the outline. Of a card that leaned on a wall by 12 degrees one side in the wall's shadow was followed to 2
    degrees from the one place and to 14 from the other, and it was flat, surely."""
    own, least = fit_outline(above.scene, free.pose, above.claims, START_PRIOR), _AS_WELL * outline.nats
    if is_turned_from(own.pose, free.pose):
        own = replace(outline_at(above.scene, free.pose, above.claims), information=own.information)
        least = max(least, laid.evidence + outline.nats - free.evidence)
    return laid if own.nats < least else replace(free, outline=own)


# Of the evidence of the other outline: sides in the card's own shadow show less. Of five cards of four drawn decks that
# leaned, their outlines followed to flatter or steeper ones by 3 to 6 degrees, all had 0.78 and more.
_AS_WELL = 0.7
_MAY_BE_OTHERWISE = 12.0  # nats: a face so far behind is none that the fine scale need speak of


def _outlines(known: Known, place: CardPose) -> list[Outline]:
    """The outline of a flat card; and that of a card that leans on a wall, if it fits better. The sides of a covered
    card are few, and the edges of shadows lead a leaning outline astray: the print then says which of both it is. One
    that would reach through the floor is none: where some sides are followed along a frame printed beside them, which
    stands out more, the card seems smaller, and so farther off."""
    flat = best = fit_outline(known.scene, place, known.claims, COVERED_PRIOR)
    for lean in leaning_starts(known.scene, place):
        other = fit_outline(known.scene, lean, known.claims, START_PRIOR, FAR_MM)
        ahead = other.nats > best.nats + (_LEANS_NATS if best.pose.tilt_deg < _FLAT_DEG else 0.0)
        if ahead and not is_sunk(known.scene, other.pose):
            best = other
    if best.nats < Nats.BY_ALL_SIDES:
        by_a_side = max(_plain_by_a_side(known, place), key=lambda outline: outline.nats, default=best)
        best = by_a_side if by_a_side.nats > best.nats + _LEANS_NATS else best
    if in_view(known, place)[0] < InView.MOST:
        return [best] if best is flat else [best, flat]
    nearby = _followed_nearby(known, place, flat)
    return [best] if nearby is None else [nearby] if best is flat else [best, nearby]


def _followed_nearby(known: Known, place: CardPose, flat: Outline) -> Outline | None:
    """The outline of a flat card to which a short reach leads, if it says more than the `flat` one, which does not show
    all round; else None. Lines printed beside the sides stand out more than these: a card whose rim is a grid of blue
    lines, white on a pale table beside the tray, was followed along one from 2 mm off, leaning by 5 degrees, where no
    face showed; within a millimetre of its guess all four sides did.

    Fine print of a back runs to the sides and changes by more than they do: of green stripes on a grey table, no darker
    than a shadow is, 0.87 of the sides showed, and 0.96 in the mean along them. More ways to follow sides lead to more
    wrong places: where that mean does not show all of them it counts for nothing."""
    if flat.nats >= Nats.BY_ALL_SIDES:
        return None
    nearby = fit_outline(known.scene, place, known.claims, COVERED_PRIOR, _SHORT_OF_FRAME_MM)
    if nearby.nats < Nats.BY_ALL_SIDES and _has_fine_back(known):
        through = fit_outline(known.scene, place, known.claims, COVERED_PRIOR, through_print=True)
        nearby = through if through.nats > max(nearby.nats, Nats.BY_ALL_SIDES) else nearby
    return nearby if nearby.nats > flat.nats else None


def _has_fine_back(known: Known) -> bool:
    """Whether the deck's back is of print that the coarse scale does not show."""
    names, points = known.scene.faces.names, known.scene.points
    return BACK in names and points.halvings(names.index(BACK)) < COARSE_HALVINGS


def _plain_by_a_side(known: Known, place: CardPose) -> list[Outline]:
    """The outlines that begin from one side of a guess. They are tried where no other explains the picture, and more
    starts lead to more wrong places: only those count of which the picture shows all sides."""
    starts = leaning_by_a_side(known.scene, place)
    outlines = [fit_outline(known.scene, lean, known.claims, START_PRIOR, FAR_MM) for lean in starts]
    return [o for o in outlines if o.nats >= Nats.BY_ALL_SIDES and not is_sunk(known.scene, o.pose)]


_FLAT_DEG = 3.0
