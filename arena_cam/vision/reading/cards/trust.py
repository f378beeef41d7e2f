"""When a fit is accepted: the thresholds that judge the same quantity stand in one table, each with its reason."""

from __future__ import annotations

from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.scene import Scene


class Explained:
    """Of what is in view of a card, the share (0..1) that looks as its face does (`Fit.explained`).

    On 160 rendered pictures of four decks, of fits aligned for the first time, the share that explained at least so
    much:

    | at least                             | 0.3  | 0.5  | 0.6  | 0.75 | 0.8  | 0.85 | 0.9  | 0.93 | 0.97 |
    | 642 of a card, under its name        | 0.99 | 0.97 | 0.96 | 0.92 | 0.89 | 0.86 | 0.81 | 0.75 | 0.59 |
    | 407 of a card, under another name    | 0.89 | 0.76 | 0.65 | 0.34 | 0.27 | 0.17 | 0.10 | 0.07 | 0.04 |
    | 1120 where no card lies              | 0.70 | 0.47 | 0.34 | 0.17 | 0.12 | 0.08 | 0.05 | 0.04 | 0.03 |
    | 743 cards read rightly, in the end   | 1.00 | 1.00 | 1.00 | 0.97 | 0.96 | 0.92 | 0.86 | 0.80 | 0.60 |

    What explains much where no card lies are slivers between other cards: evidence and the share in view tell them.
    """

    UNMISTAKEN = 0.97  # and InView.MUCH: it is what it was taken for, whatever else is looked for
    WHOLE = 0.95  # of a card that lies alone: nothing lies on it
    ALL = 0.93  # nothing is left to ask: neither another pose, nor the other way up, nor more evidence a tile
    PLAIN = 0.9  # accepted at once, before the other guesses are compared; lies where it was found
    AS_IT_SHOULD = 0.85  # what others cover of it is all that is amiss; its name has its full say
    PLAINLY = 0.8  # of a card that lies flat, or in full view: others may be over some of it
    UNCLEAR = 0.75  # less: it may be far from where it was looked for, or a hand is on it
    UNLIKE = 0.6  # less: it lies at a wrong place, or something lies on it, and its name has the least say
    HALF = 0.5  # less: accepted only with Nats.MANY; half a face under glare has fooled a name
    EXPECTED = 0.35  # what others show is not claimed to the last tile: a little may be taken for its part
    FEW = 0.3  # less: not accepted with any evidence; more may have a hand or another stranger over it


class InView:
    """The share (0..1) of a card that lies in the picture and that no other card claims (`Fit.uncovered`)."""

    WHOLE = 0.97  # nothing covers it: an edge may be off by a tile's part
    FULL = 0.9  # on top of what came
    MOST = 0.6  # less: what covers it may have misled its name
    MUCH = 0.4  # what shows has a figure and a border in it
    TELLING = 0.25  # less: a part of a drawing may be that of another card; half a figure took a nine for an eight
    LEAST = 0.06  # less holds none of the tiles that could speak for a card: it is not looked at
    HOPELESS = 0.02  # of what is in view and explained: the guess is not looked at again


class Nats:
    """By how many nats a face explains what is in view better than even grey does (`Fit.evidence`).

    Cards that are there, with 40 % or more visible, have over 50 nats, 0.6 explained and 3 nats a tile in view; guesses
    of nothing stay below 30 nats, 0.4, and 1.2 nats a tile.
    """

    SURELY = 150.0  # there is a card, though perhaps under another name; a back beside another back is one of its own
    TELLING = 80.0  # a name has its full say: of 260 covered cards on pictures the wrongly named had less
    MANY = 70.0  # accepted even if little is explained
    WEAK = 45.0  # less: said to be doubtful, as chance resemblances reach 45
    LEAST = 34.0  # less: not accepted
    BY_SIDES = 17.0  # with its sides, and all of these seen that may be: two sides are some thirty points
    BY_TWO_SIDES = 20.0  # of a card of which two sides or more are in view
    BY_ALL_SIDES = 30.0  # of some 42 that the four sides of a card in full view say at most
    WEAK_EXPECTED = 20.0  # as WEAK, of a card that is known to be there: only its place is open
    EXPECTED = 9.0  # as LEAST, of a card that is known to be there
    WORTH_LEANING = -10.0  # less: no steep card either, of which a third shows where a flat one is thought to be
    HOPELESS = -15.0  # the guess is not looked at again

    LEAST_A_TILE = 1.8  # of the tiles that have print and show it
    EXPECTED_A_TILE = 1.0
    WORTH_AFAR_A_TILE = 0.8  # of those in view: a steep card shows some of itself where it was looked for
    # Of those in view, a face slid to its best place: less is not there, or not flat. Of 680 that proved to be there 25
    # said less, most of them far from their place or leaning.
    HOPEFUL_A_TILE = 0.3


# A marker read at the very place where a face prints it: the dictionaries fire falsely now and then, hardly ever there.
NATS_A_MARKER = 40.0


def is_seen_by_sides(fit: Fit) -> bool:
    """Whether the sides alone show that a card is there: all uncovered sides show an edge, or nearly all, they are long
    enough, and the enclosed area looks like one of the deck's faces."""
    outline = fit.outline
    if outline is None or outline.shown < ALL_ROUND:
        return False
    if outline.explains and outline.shown >= SEEN_ALL_ROUND and fit.support >= Nats.EXPECTED:
        return fit.explained >= Explained.PLAINLY
    if fit.support < Nats.BY_SIDES:
        return False
    if outline.shown >= SEEN_ALL_ROUND and outline.nats >= Nats.BY_ALL_SIDES:
        return fit.explained >= Explained.HALF  # the light on it is not known well; what it is is plain
    return fit.explained >= Explained.PLAINLY


SEEN_ALL_ROUND = 0.9  # of the points along the sides, with most of the sides in view: nothing else has these sides
ALL_ROUND = 0.75  # of the points along the sides that nothing covers: edges that enclose no card are chance, and end


def is_plain(fit: Fit) -> bool:
    """Whether a fit is accepted at once, without comparing it with the other guesses of the round. A nearly blank face
    explains most of whatever paper is in an outline: of a card that lay over a wall the edge of its shadow was
    followed, with 0.84 explained and print that spoke against it, and the outline that was its own came later."""
    if fit.outline is not None and fit.evidence < 0.0 and fit.explained < Explained.ALL:
        return False
    return fit.explained >= (Explained.PLAINLY if fit.uncovered > InView.WHOLE else Explained.PLAIN)


def is_there(fit: Fit, marked_nats: float = 0.0) -> bool:
    """Whether the face is visible at all, whatever its name. `marked_nats`: the evidence of its markers."""
    if fit.outline is not None:  # a face that is not in its outline has its figures elsewhere, and is misnamed
        return is_seen_by_sides(fit) or _has_sides_of_its_own(fit)
    if fit.evidence + marked_nats >= Nats.MANY:
        return fit.explained >= Explained.FEW
    if fit.evidence < Nats.LEAST or fit.explained < Explained.HALF:
        return False
    telling = int((fit.shown & (fit.tiles > 0.0)).sum())  # tiles without print say nothing for a card
    return fit.explained >= Explained.ALL or fit.evidence >= Nats.LEAST_A_TILE * telling


def _has_sides_of_its_own(fit: Fit) -> bool:
    """Whether nearly all of the uncovered sides of a card show an edge, and most of what they enclose looks like the
    face: a card not yet found, or its shadow, may lie on the rest. Of 535 outlines of 80 pictures of twenty drawn decks
    six fits of five cards showed so much and were turned away, and nothing that was no card did."""
    outline = fit.outline
    if outline is None or outline.shown < _NEARLY_ALL_ROUND or outline.nats < Nats.BY_TWO_SIDES:
        return False
    return fit.evidence >= 0.0 and fit.explained >= Explained.UNLIKE


_NEARLY_ALL_ROUND = 0.85  # as SEEN_ALL_ROUND, where another card's edge crosses a side


def is_no_shadow(fit: Fit) -> bool:
    """Whether a face with much print is in view by more than sides, which shadows between cards and walls have, too:
    nearly all of it shows; or, in sides that show all round, as much print as is a card's without any. A card that was
    not found yet, or its shadow, may lie on the rest: of two portraits beneath a third, which leaned, 0.79 and 0.64
    showed, with 51 and 84 nats, and both were left out, as what a shadow shows."""
    if fit.explained >= Explained.PLAINLY:
        return True
    return fit.outline is not None and fit.outline.shown >= SEEN_ALL_ROUND and fit.evidence >= Nats.LEAST


def marked_nats(scene: Scene, fit: Fit) -> float:
    """The evidence (nats) of the face's own markers: 0 unless two of them lie where the face prints them, given that
    the place was found by the first. A hand may hide more of a card than it leaves visible."""
    marks = scene.markers_in_place(fit.pose).get(fit.face, 0)
    return NATS_A_MARKER * marks if marks >= 2 else 0.0


def is_expected(fit: Fit) -> bool:
    """Whether enough of a face is visible for a card that is known to be in the arena, where only the place is open."""
    if fit.evidence < Nats.EXPECTED or fit.explained < Explained.EXPECTED:
        return False
    return fit.evidence / (fit.uncovered * fit.tiles.size * fit.explained) >= Nats.EXPECTED_A_TILE
