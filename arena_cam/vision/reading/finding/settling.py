"""Final poses: each card is aligned finely on the pixels that no card above it covers, and the order of overlapping
cards is found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.picture.qr_codes import read_qr
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.fitting import (
    FINE,
    FLAT_FIRST,
    SAYS_ENOUGH_NATS,
    START_PRIOR,
    fit_coarse,
    fit_fine,
    fit_held_flat,
    laid_into,
    near_then_free,
    slide,
)
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import hangs, is_sunk, laid_flat, leaning_starts
from arena_cam.vision.reading.cards.lies import FOREIGN_MM2, FittedCard
from arena_cam.vision.reading.cards.measuring import evidence_at, measure
from arena_cam.vision.reading.cards.naming import AS_EVIDENT, Found
from arena_cam.vision.reading.cards.placed_face import PlacedFace, alone, contradicted_mm2, outline_of, place_face
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.stacking import (
    LEAST_TOLD_NATS,
    Overlap,
    drawn_otherwise,
    overlaps,
    rises_over_mm,
    stands_by_any_name,
)
from arena_cam.vision.reading.cards.trust import (
    SEEN_ALL_ROUND,
    Explained,
    InView,
    Nats,
    is_seen_by_sides,
    marked_nats,
)
from arena_cam.vision.reading.finding.findings import arm_reaches_in, placed_among
from arena_cam.vision.reading.finding.laid_first import named_by_order, nats_of_lying_lowest, ordered_anew
from arena_cam.vision.reading.finding.outline_fit import fit_outline, lacks_sides, outline_at
from arena_cam.vision.reading.finding.settled_names import (
    as_likely_as_unseen,
    each_name_once,
    is_surely_named,
    named_again,
    shared_with_rivals,
    told_by_inks,
)
from arena_cam.vision.reading.finding.sided_cards import laid_finely
from arena_cam.vision.reading.resting.landing import judge_resting


@dataclass(frozen=True, eq=False)
class Pile:
    """The cards of a frame, the pairs of them that overlap, and their numbers from bottom to top. `ghosts` are the
    numbers of those found that proved to be none."""

    cards: list[FittedCard]
    pairs: list[Overlap]
    order: list[int]
    ghosts: tuple[int, ...] = ()


def settle(scene: Scene, found: Sequence[Found], laid_first: Collection[int], expected: Collection[int] = ()) -> Pile:
    """The cards `found`, in their final poses. `laid_first` are faces that lay there before all others; they, and those
    that are `expected`, are known to be there."""
    first = [card.fit.face in laid_first for card in found]
    known = [card.fit.face in {*laid_first, *expected} for card in found]
    single = alone(scene, [card.fit.pose for card in found])
    made: dict[Fit, Claims] = {}
    placed = [_placed(scene, found, number, single[number], made) for number in range(len(found))]
    pairs, order = overlaps(scene, placed, [card.fit.uncovered for card in found], _numbers(first))
    cards = [
        replace(_settled(scene, found, placed, pairs, number, single[number]), expected=known[number])
        for number in range(len(found))
    ]
    above = [_above(scene, placed, pairs, number) for number in range(len(found))]
    at_work = partial(arm_reaches_in, scene, [card.placed.outline_px for card in cards])
    again = named_again(found, cards, above, laid_first, at_work)
    for number, (before, card) in enumerate(zip(found, again, strict=True)):
        if card is not before:
            placed[number] = _placed(scene, again, number, single[number], made)
            named = _settled(scene, again, placed, pairs, number, single[number])
            cards[number] = replace(named, expected=card.fit.face in {*laid_first, *expected})
    return _told_beneath(scene, found, _without_ghosts(scene, placed, Pile(cards, pairs, order)), _numbers(known))


def _told_beneath(scene: Scene, found: Sequence[Found], pile: Pile, first: Collection[int]) -> Pile:
    """The pile, a pair that was told one way before the final poses and the other way after them told by what the
    picture shows once the lower card is laid as the lower one. The order that made its final pose was not borne out
    there. If the other one is in the pose that it makes, it alone agrees with itself: of a card that leaned on a wall
    and lay under another's rim the rim was taken for its own, and it was tilted by a degree too much. One of which
    nothing is left there is none: of a chequered back two were found, the one aside by some squares.
    """
    turned = [pair for pair in pile.pairs if abs(pair.a_over_b - 0.5) < 2.0 * _HARDLY and abs(pair.nats) > _PLAIN_NATS]
    if not turned or pile.ghosts:
        return pile
    cards, order = list(pile.cards), [replace(pair, a_over_b=float(pair.nats > 0.0)) for pair in pile.pairs]
    for pair in turned:
        lower = pair.b if pair.nats > 0.0 else pair.a
        again = [Found(card.fit, before.identity) for card, before in zip(cards, found, strict=True)]
        settled = _settled(scene, again, [card.placed for card in cards], order, lower, False)
        cards[lower] = replace(settled, identity=cards[lower].identity, expected=cards[lower].expected)
    placed, shown = [card.placed for card in cards], [card.fit.uncovered for card in cards]
    pairs, bottom_up = overlaps(scene, placed, shown, first)
    told = {(pair.a, pair.b): pair.nats for pair in pairs}
    if any(_nats_of(told, pair.a, pair.b) * np.sign(pair.nats) <= _PLAIN_NATS for pair in turned):
        return pile
    laid = Pile(cards, open_where_turned(order, pairs, range(len(cards))), bottom_up)
    beneath = {pair.b if pair.nats > 0.0 else pair.a for pair in turned}
    return _without_ghosts(scene, placed, laid) if any(_is_ghost(scene, cards[number]) for number in beneath) else laid


def named_once(scene: Scene, pile: Pile, faces: Collection[int]) -> Pile:
    """The pile, no name told of two cards, names that hang on an ink told by the inks of other cards, and each of the
    `faces`, which are certainly there, shared by all cards that may be it, seen or not."""
    cards = each_name_once(scene, pile.cards)
    pile = replace(pile, cards=cards)
    if not faces and all(is_surely_named(card) for card in cards):
        return pile
    above = [_above(scene, [card.placed for card in cards], pile.pairs, number) for number in range(len(cards))]
    cards = told_by_inks(cards, above)
    pile = replace(pile, cards=cards)
    for face in faces:
        pile = _with_the_face(scene, pile, above, face)
    return pile


def _with_the_face(scene: Scene, pile: Pile, above: Sequence[Known], face: int) -> Pile:
    """The pile with a `face` that is certainly there, and was laid first, shared by all cards that may be it, and under
    the name of the likeliest."""
    first = _numbers([card.expected for card in pile.cards])
    lowest = nats_of_lying_lowest(pile.pairs, first, len(pile.cards))
    cards = shared_with_rivals(pile.cards, above, face, lowest)
    named = named_by_order(cards, above, face)
    if [card.fit.face for card in named] != [card.fit.face for card in cards]:
        now_first = _numbers([card.expected or card.fit.face == face for card in named])
        pairs, order = ordered_anew(scene, named, pile.pairs, now_first)
        pile = replace(pile, pairs=pairs, order=order)
    return replace(pile, cards=as_likely_as_unseen(scene, named, face))


def ordered_by_any_name(scene: Scene, pile: Pile) -> Pile:
    """The pile, cards of which the name is a guess marked where the order of all their overlaps that is told is told by
    what is the same under any name that they may have. Where a figure is hidden a dozen names are as likely, and who
    covers whom was told with one of them: of a yellow card under three others the number lay beneath a fourth, and
    people were asked how it lay, though the three showed their own print all over it. Of two such cards that overlap
    neither is known: that one of them was the challenge, and so the lower one, was a guess, too, and wrong."""
    cards = list(pile.cards)
    told = [pair for pair in pile.pairs if max(pair.a_over_b, 1.0 - pair.a_over_b) >= _TOLD]
    placed, shown = [card.placed for card in cards], [card.fit.uncovered for card in cards]
    guessed = {n for n, card in enumerate(cards) if float(card.identity.probabilities()[card.fit.face]) < _A_GUESS}
    for number in guessed:
        mine = [pair for pair in told if number in (pair.a, pair.b)]
        if not mine or cards[number].is_weak or any({pair.a, pair.b} <= guessed for pair in mine):
            continue
        names = _other_faces(_above(scene, placed, pile.pairs, number), cards[number])
        open_part = number, drawn_otherwise(scene, placed[number].face, names)
        if all(stands_by_any_name(scene, placed, shown, pile.order, pair, open_part) for pair in mine):
            cards[number] = replace(cards[number], covers_by_any_name=True)
    return replace(pile, cards=cards)


def _other_faces(above: Known, card: FittedCard) -> list[tuple[int, bool]]:
    """The other faces that a card may be: upright, and turned by half a turn, too, where what is in view leaves open
    which way up it lies."""
    chances, face, pose = card.identity.probabilities(), card.placed.face, card.fit.pose
    ranked = np.argsort(-chances)
    likely = ranked[: 1 + int(np.searchsorted(np.cumsum(chances[ranked]), _OF_ALL_NAMES))]
    upright, turned = evidence_at(above, face, pose), evidence_at(above, face, pose.half_turned)
    ways = (False, True) if turned > upright - _OTHER_WAY_NATS else (False,)
    return [(int(other), way) for other in likely for way in ways if (other, way) != (face, False)]


_A_GUESS = 0.9  # a name less likely than this: `formats.judgement.GUESS`
_TOLD = 0.9  # of an order that is told, as `lies` has it
_OF_ALL_NAMES = 0.98  # of all chances: what is left is not asked about either
_OTHER_WAY_NATS = 10.0  # a way up that is so far behind shows another drawing


def doubted_without_sides(scene: Scene, pile: Pile) -> Pile:
    """The pile; cards found by their print of which the picture shows no sides in their final place, and cards of which
    it shows bare floor, are said to be hardly seen."""
    placed, cards = [card.placed for card in pile.cards], list(pile.cards)
    outlines = [each.outline_px for each in placed]
    for number, card in enumerate(cards):
        no_sides = False
        if card.fit.outline is None:
            others = Claims.of_outlines(scene, outlines[:number] + outlines[number + 1 :])
            no_sides = lacks_sides(_above(scene, placed, pile.pairs, number), card.fit, others)
        if no_sides or _lies_on_floor_in_view(scene, outlines, number, card.fit):
            cards[number] = replace(card, astray=True)
    return replace(pile, cards=cards)


def _lies_on_floor_in_view(scene: Scene, outlines_px: Sequence[Array], number: int, fit: Fit) -> bool:
    """Whether the picture shows bare floor where a card seems to lie, while the rest of it plainly differs from the
    floor: it lies elsewhere. A card with three rules, its figure and two of its sides hidden, was slid along these by
    27 mm: beyond the card above it 172 mm2 were floor, and by what lay elsewhere it was surely of another colour.

    So, too, where hardly any of it differs from the floor and print and sides say little: the edge of a shadow, a wall
    and a card's side enclosed 430 mm2 of floor, and that was surely a back."""
    if scene.change is None:
        return False
    others = [outline for other, outline in enumerate(outlines_px) if other != number]
    bare_mm2, odd = scene.change.bare_within(outlines_px[number], others)
    return bare_mm2 > _BARE_MM2 and (odd > _PLAINLY_ODD or (odd < _HARDLY_ODD and fit.support < Nats.WEAK))


# Of 585 surely named cards on 160 drawn pictures two in their places showed more than 20 mm2, of foil as grey as the
# floor: 0.6 of the rest of them was odd.
_BARE_MM2, _PLAINLY_ODD, _HARDLY_ODD = 60.0, 0.9, 0.1


def _numbers(chosen: Sequence[bool]) -> set[int]:
    return {number for number, is_chosen in enumerate(chosen) if is_chosen}


def _placed(scene: Scene, found: Sequence[Found], number: int, single: bool, made: dict[Fit, Claims]) -> PlacedFace:
    """A card at the pose where it was found. No light is fitted on a card that overlaps no other. `made` are the claims
    of the others worked out so far."""
    fit = found[number].fit
    if single:
        return PlacedFace(fit.face, fit.pose, outline_of(scene, fit.pose))
    return placed_among(scene, found, number, made)


def _settled(
    scene: Scene,
    found: Sequence[Found],
    placed: Sequence[PlacedFace],
    pairs: Sequence[Overlap],
    number: int,
    single: bool,
) -> FittedCard:
    """One card aligned finely, and again without the part that something unknown covers."""
    card, above = found[number], _above(scene, placed, pairs, number)
    outline = card.fit.outline
    fit = (
        _with_its_sides(above, fit_fine(above, card.fit.face, card.fit.pose))
        if outline is None
        else laid_finely(above, card.fit.face, outline)
    )
    fit = as_it_leans(above, _not_astray(above, card.fit, fit))
    fitted = _fitted(above, card, fit, single, placed[number])
    if hangs(scene, fit.pose):
        if outline is not None and fit.uncovered >= InView.MOST:
            return fitted
    elif outline is not None or fitted.placed.foreign_mm2 <= FOREIGN_MM2:
        return fitted
    beside = _fit_beside(above, fitted.placed)
    # what was left out of the alignment is in view all the same, and may be another card of the same colours
    in_view = measure(above, beside.face, beside.alignment).tiles
    return replace(
        _fitted(above, card, beside, False, placed[number]), contradicted_mm2=_against(above, beside, in_view)
    )


def _not_astray(above: Known, found: Fit, fine: Fit) -> Fit:
    """The `fine` fit of a card; or the card as it was `found`, if it shows so much more of its drawing there that the
    fine alignment was led astray. Beside the shadow of a card above a nearly blank nine, half covered, was tilted until
    nothing was left of it."""
    if fine.explained >= Explained.AS_IT_SHOULD:
        return fine
    before = replace(measure(above, found.face, found.alignment), outline=found.outline)
    is_better = before.explained > fine.explained and AS_EVIDENT * before.evidence > max(fine.evidence, 0.0)
    return before if is_better and before.evidence > fine.evidence + _BY_NOISE else fine


# Nats that the print of a blank card says for any pose: of one that leaned by 9 degrees 3 said that it lay flat.
_BY_NOISE = 5.0


def as_it_leans(above: Known, fit: Fit) -> Fit:
    """The `fit` of a card, or of one that leans on a wall within reach, where that shows plainly more of its drawing.
    What was found by its sides may have been followed along a frame printed beside them, or along its shadow: a back
    that leaned by 5 degrees on cards and wall was laid flat."""
    if fit.explained >= Explained.ALL:
        return fit
    best = fit
    for lean in leaning_starts(above.scene, laid_flat(above.scene, fit.pose)):
        near = near_then_free(above, fit.face, lean)
        if near.explained * near.evidence <= FLAT_FIRST * best.explained * best.evidence:
            continue
        fine = fit_fine(above, fit.face, near.pose)
        if best.outline is not None:  # the sides say as much for either, if they show there as well
            sides = outline_at(above.scene, fine.pose, above.claims)
            fine = replace(fine, outline=replace(sides, information=best.outline.information))
        if fine.worth > FLAT_FIRST * best.worth and not is_sunk(above.scene, fine.pose):
            best = fine
    return best


def _with_its_sides(above: Known, fit: Fit) -> Fit:
    """A card found by print that says little, laid into its outline where the picture shows all of that: two or three
    figures in a row hardly tell a tilt about that row, four sides do."""
    if fit.evidence >= SAYS_ENOUGH_NATS or fit.uncovered < InView.FULL:
        return fit
    outline = fit_outline(above.scene, fit.pose, above.claims, START_PRIOR)
    if outline.shown < SEEN_ALL_ROUND or outline.nats < Nats.BY_ALL_SIDES:
        return fit
    laid = laid_into(above, fit.face, outline, FINE)
    return replace(measure(above, fit.face, laid.alignment.settled), outline=outline)


def _fitted(above: Known, card: Found, fit: Fit, single: bool, before: PlacedFace) -> FittedCard:
    """`single`: no other card is near; `before` is the face at its assumed pose."""
    scene, deck = above.scene, above.scene.faces.deck
    resting = judge_resting(fit.alignment, scene.arena, deck.width_mm, deck.height_mm, deck.corner_radius_mm)
    if single and fit.explained > Explained.WHOLE:
        placed = PlacedFace(fit.face, fit.pose, outline_of(scene, fit.pose))
    elif before.light is not None and before.foreign_mm2 == 0.0 and _stayed(scene, before, fit.pose):
        placed = replace(before, pose=fit.pose, outline_px=outline_of(scene, fit.pose))
    else:
        placed = place_face(above, fit.face, fit.pose)
    against = _against(above, fit, fit.tiles)
    sides = _sides_of_the_faint(above, fit)
    return FittedCard(fit, card.identity, resting, placed, _qr_text(scene, fit), contradicted_mm2=against, sides=sides)


def _against(above: Known, fit: Fit, nats: Array) -> float:
    """`contradicted_mm2` of a card of a deck whose faces are alike, or that says little, by what each tile in view says
    for its face; 0 of others: what lies on much print has other colours (`foreign_mm2`), and a bent card shows it
    beside its place. Of 120 pictures of two decks with much print five bent cards, with 330 nats and more, had some."""
    says_little = above.scene.faces.are_alike or fit.evidence < Nats.SURELY
    return contradicted_mm2(above, fit.face, fit.pose, nats) if says_little else 0.0


def _sides_of_the_faint(above: Known, fit: Fit) -> Outline | None:
    """The outline of a card found by its print, where that says little: under a haze the print is faint, and the card's
    sides are as plain as ever. None for all others."""
    if fit.outline is not None or fit.evidence >= Nats.WEAK:
        return None
    return fit_outline(above.scene, fit.pose, above.claims, START_PRIOR)


def _qr_text(scene: Scene, fit: Fit) -> str | None:
    """The text of the card's printed code, if it has one that is readable at this scale. None, too, where markers were
    read at the places where this face prints them, and no other does: they name it as surely, and have been read."""
    name, deck = scene.faces.names[fit.face], scene.faces.deck
    printed = deck.by_id[name].qr if name in deck.by_id else None
    if printed is None or scene.markers_in_place(fit.pose).keys() == {fit.face}:
        return None
    return read_qr(scene.grey, scene.camera, fit.pose, printed, deck.width_mm, deck.height_mm)


def _without_ghosts(scene: Scene, placed: Sequence[PlacedFace], pile: Pile) -> Pile:
    """The pile without cards that have no evidence left once every card is in its final pose; `placed` are all cards
    where they were found. The order of a pair is found again if a card has moved or the order was not plain."""
    sure_before = {face for face, _ in scene.believed}
    deck = scene.faces.deck
    none = lying_through_others(pile, (deck.width_mm, deck.height_mm)) | made_of_those_beneath(scene, pile)
    kept = [
        card.fit.face in sure_before or not (number in none or _is_ghost(scene, card))
        for number, card in enumerate(pile.cards)
    ]
    cards = [card for card, is_kept in zip(pile.cards, kept, strict=True) if is_kept]
    overlapping = [(b, c.fit.pose) for b, c in zip(placed, cards, strict=False) if b.light is not None]
    stayed = all(kept) and all(_stayed(scene, before, after) for before, after in overlapping)
    if stayed and all(abs(pair.nats) > _PLAIN_NATS for pair in pile.pairs):
        return pile
    first = _numbers([card.expected for card in cards])
    pairs, order = overlaps(scene, [c.placed for c in cards], [c.fit.uncovered for c in cards], first)
    ghosts = tuple(number for number, is_kept in enumerate(kept) if not is_kept)
    return Pile(cards, open_where_turned(pile.pairs, pairs, list(np.flatnonzero(kept))), order, ghosts)


def lying_through_others(pile: Pile, size_mm: tuple[float, float]) -> set[int]:
    """The numbers of hardly seen cards that would have to reach through a card that is seen to lie above them: a stiff
    card that leans does not lie beneath one that lies flat. Such a one was guessed from parts of others."""
    through = set()
    for pair in pile.pairs:
        upper, lower = (pair.a, pair.b) if pair.nats > 0.0 else (pair.b, pair.a)
        above, below = pile.cards[upper], pile.cards[lower]
        is_told = abs(pair.nats) > LEAST_TOLD_NATS and below.is_weak and not below.expected
        if is_told and rises_over_mm(below.fit.pose, above.fit.pose, size_mm) > _THROUGH_MM:
            through.add(lower)
    return through


_THROUGH_MM = 8.0  # cards curl by 3 mm each, and the height of one hardly seen is known to some 4


def made_of_those_beneath(scene: Scene, pile: Pile) -> set[int]:
    """The numbers of hardly seen cards without which the cards beneath them show as much more as these do themselves:
    who explains the same part of the picture twice is none. Of golden arcs on black those of a card over the wall were
    taken for another one's, which lay between it and a third. Of 12 covered cards that were there those beneath would
    have shown 6 nats more at most, of 14 that the cards showed themselves at least; the false one showed 53, and 80
    would be shown without it."""
    placed, none = [card.placed for card in pile.cards], set()
    for number, card in enumerate(pile.cards):
        if card.expected or card.fit.uncovered >= InView.MUCH:
            continue
        others = [pair for pair in pile.pairs if number not in (pair.a, pair.b)]
        gained = 0.0
        for pair in pile.pairs:
            upper, lower = (pair.a, pair.b) if pair.a_over_b > 0.5 else (pair.b, pair.a)
            if upper == number:
                below = pile.cards[lower].fit
                with_it, without = (
                    measure(_above(scene, placed, pairs, lower), below.face, below.alignment).evidence
                    for pairs in (pile.pairs, others)
                )
                gained += without - with_it
        if gained > max(card.fit.support, Nats.EXPECTED):
            none.add(number)
    return none


def open_where_turned(before: Sequence[Overlap], after: Sequence[Overlap], were: Sequence[int]) -> list[Overlap]:
    """The pairs of cards in their final places, open where the same pair was told the other way round before; card n
    `were[n]` then. Of blank paper on blank paper a line as thin as the doubt about either place tells the upper."""
    told = {(pair.a, pair.b): pair.nats for pair in before}
    turned = [_is_turned(pair.nats, _nats_of(told, were[pair.a], were[pair.b])) for pair in after]
    return [
        replace(pair, a_over_b=0.5 + float(np.copysign(_HARDLY, pair.nats))) if is_turned else pair
        for pair, is_turned in zip(after, turned, strict=True)
    ]


_HARDLY = 0.01  # by so much an open pair leans to the order that is said


def _is_turned(after: float, before: float) -> bool:
    return after * before < 0.0 and min(abs(after), abs(before)) > LEAST_TOLD_NATS


def _nats_of(told: Mapping[tuple[int, int], float], a: int, b: int) -> float:
    return told.get((a, b), -told.get((b, a), 0.0))


# Fine alignment that moves a card's corners in the picture by no more than this changes neither the light on it nor who
# is seen to cover whom, where that was plain. A tilt of two degrees more hardly moves them, seen from above.
_STAYED_MM, _PLAIN_NATS = 0.6, 30.0


def _stayed(scene: Scene, before: PlacedFace, after: CardPose) -> bool:
    moved_px = np.abs(before.outline_px - outline_of(scene, after)).max()
    return bool(moved_px < _STAYED_MM * scene.camera.px_per_mm(after.centre_mm))


def _is_ghost(scene: Scene, card: FittedCard) -> bool:
    """True if the cards above, in their final poses, leave no evidence of a card: it was guessed from visible parts of
    those cards. If something else lies there, it is reported as a stranger."""
    fit = card.fit
    # the pattern of backs repeats, and is found in the shadow behind a wall: there a back must say as much as at first
    share = 1.0 if scene.faces.names[fit.face] == BACK else 0.5
    least = share * (Nats.EXPECTED if card.expected else Nats.LEAST)
    if fit.uncovered < 0.5 * InView.LEAST:
        return True
    if is_seen_by_sides(fit):
        return False
    return fit.support < least and fit.support + marked_nats(scene, fit) < least


def _fit_beside(above: Known, placed: PlacedFace) -> Fit:
    """The fine alignment of a partly obscured face on its unobscured part. Otherwise a hand over a card seems to tilt
    it, and so does the rim of a card above whose pose is a little wrong."""
    scene, hidden = above.scene, above.claims.copy()
    if placed.foreign is not None:
        hidden.add_cells(scene, placed.pose, placed.foreign)
    lay = slide if hangs(scene, placed.pose) else fit_coarse
    start = lay(Known(scene, hidden), placed.face, laid_flat(scene, placed.pose))
    hidden = hidden.copy()
    hidden.add_cells(scene, start.pose, ~start.shown)
    beside = fit_fine(Known(scene, hidden), placed.face, start.pose)
    if hangs(scene, beside.pose) and beside.uncovered < InView.MOST:  # cards above, and no wall beneath, hold it flat
        return fit_held_flat(Known(scene, hidden), placed.face, laid_flat(scene, start.pose))
    return beside


def _above(scene: Scene, placed: Sequence[PlacedFace], pairs: Sequence[Overlap], card: int) -> Known:
    """The outlines of the cards that lie over one card."""
    claims = Claims.none_in(scene)
    for pair in pairs:
        if card in (pair.a, pair.b):
            other = pair.b if pair.a == card else pair.a
            other_above = pair.a_over_b if other == pair.a else 1.0 - pair.a_over_b
            if other_above > 0.5:
                claims.add_polygon(placed[other].outline_px)
    return Known(scene, claims)
