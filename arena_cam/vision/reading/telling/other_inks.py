"""Faces drawn as the likeliest one in another ink: they are compared with it whatever the whole card says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.print_hue import told_by_hue
from arena_cam.vision.reading.cards.face_comparison import AS_LIKELY, Identity, likely_by_light
from arena_cam.vision.reading.telling.looks import USUALLY, Looks
from arena_cam.vision.reading.telling.told_faces import OUT_NATS, told_of


def with_other_inks(
    looks: Looks, seen: Sequence[Identity], likely: list[tuple[int, int]], told: Array
) -> tuple[list[tuple[int, int]], Array]:
    """The faces `likely` (K) and how well each explains the points at which they differ, `told` (K,), with those that
    are drawn as the best of them, in another ink, each compared with the best. `seen` are the whole cards, either way
    up. Over a whole card laid a millimetre beside its place thin print says next to nothing, and what it says is of the
    frame: of a seven all blue ones, and one violet one, were compared, and none was green as the card was. Another ink
    leads by some nats or not at all: from one that fits just as well, others were compared that it led by chance, and a
    yellow card became violet."""
    known = looks.known
    alike = known.scene.points.names.drawn_alike
    for _ in range(_INKS_LED_ON):
        best = likeliest(seen, likely, told)
        face = likely[best][0]
        same = known.scene.points.names.is_same_turned
        ways = [0, 1] if same(face) else [way for way in (0, 1) if _lies_so(likely, told, (face, way))]
        others = [int(other) for other in alike[face] if other not in known.taken]
        new = [[(o, way) for way in ([0] if same(o) else ways) if (o, way) not in likely] for o in others]
        inks = [ink for of_one in [each for each in new if each][:OTHER_INKS] for ink in of_one]
        if len({face for face, _ in likely}) > 1:  # what was compared with nothing else may not be there at all
            inks = _worth_asking(looks, seen, likely[best], inks)
        asked = [likely[best], *inks]
        if len(asked) == 1:
            break
        lead = _leads(looks, seen, asked)
        lead = np.where(lead > LEADS, lead, np.minimum(lead, 0.0))
        as_likely = [int(number) for number in np.flatnonzero(told > told[best] - AS_LIKELY) if number != best]
        likely, told = likely + asked[1:], np.append(told, told[best] + lead)
        if not (lead > 0.0).any():
            break
        told = _against_the_best(looks, seen, likely, told, as_likely)
    return likely, told


def _worth_asking(
    looks: Looks, seen: Sequence[Identity], best: tuple[int, int], inks: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Those of the faces `inks`, drawn as the `best` is in another ink, that a whole card does not speak plainly
    against. Half of it must be in view: of a part that lies in a shade, or is another card's, its colour says as
    much."""
    if float(looks.at(USUALLY).weight.mean()) < _HALF:
        return list(inks)
    least = of_whole_card(seen, best) - _OUT_BY_WHOLE
    return [way for way in inks if of_whole_card(seen, way) > least]


# Nats, and the share of a card's grid that tells it: 0.93 where nothing covers the card. Of 3123 inks asked about, of
# cards of nine drawn decks, 895 were so far behind on such cards: all were told to be behind by 20 nats and more. Of
# lesser parts of cards 257 were so far behind, and the points said nothing of 19 of these. Those that led, by 11 nats,
# were behind by 56 over the whole card.
_OUT_BY_WHOLE, _HALF = 75.0, 0.5


def _leads(looks: Looks, seen: Sequence[Identity], asked: Sequence[tuple[int, int]]) -> Array:
    """By how many nats (J,) faces lead the first of those `asked` (1 + J)."""
    whole = in_light(looks, asked, np.array([of_whole_card(seen, way) for way in asked]))
    against = told_of(looks, asked, whole)
    return np.asarray(against[1:] - against[0])


def _against_the_best(
    looks: Looks, seen: Sequence[Identity], likely: Sequence[tuple[int, int]], told: Array, these: Sequence[int]
) -> Array:
    """What is `told` (K,) of the faces `likely` (K), those with the numbers `these` compared each with the best: it led
    one of them, which they were as likely as. Of a yellow one, its number and a tip of its figure in view, nothing told
    the yellow ones apart while red ones were among them; a green one led the yellow five by its number, and was told
    surely: nobody had compared it with the yellow one."""
    best, told = likeliest(seen, likely, told), told.copy()
    for number in sorted(these, key=lambda number: -of_whole_card(seen, likely[number]))[:_AS_LIKELY_BEFORE]:
        told[number] = told[best] + float(_leads(looks, seen, [likely[best], likely[number]])[0])
    return told


def with_hue(looks: Looks, likely: Sequence[tuple[int, int]], told: Array, best: int) -> Array:
    """How far each of the faces `likely` (K) is behind the `best` of them, by what is `told` (K,), those drawn as it is
    in another ink by the hue of all their print, too, if that agrees. It makes a name surer, and changes none: of a
    green six, plain to see, two corners and a thin frame were in view, and by the points it led the violet one by 2
    nats."""
    drawings = looks.known.scene.points.names.drawings[likely[best][0]]
    inks = [number for number, (face, _) in enumerate(likely) if drawings[face] > _ONE_DRAWING]
    rivals = [float(told[number]) for number in inks if likely[number][0] != likely[best][0]]
    if max(rivals, default=-np.inf) < told[best] - OUT_NATS:  # either way up a face has one ink
        return told
    usual = looks.at(USUALLY)
    nats = told_by_hue(usual.view.against(usual.soft([likely[n] for n in inks])), inks.index(best))
    hued = told.copy()
    hued[inks] -= np.clip(nats[inks.index(best)] - nats, 0.0, _MOST_BY_HUE)
    return hued


_MOST_BY_HUE = 4.0  # nats: no more than another card's ink says (`settled_names.told_by_inks`)


def in_light(looks: Looks, likely: Sequence[tuple[int, int]], whole: Array) -> Array:
    """How well each of some faces (K,), upright (0) or turned (1), explains the whole card, `whole` (K,), in which
    light was of grey levels: corrected by the light that its ink needs, for those that are the best of them drawn in
    another ink."""
    best = int(np.argmax(whole))
    (face, turned), names = likely[best], looks.known.scene.points.names
    open_still = whole > whole[best] - _OUT_OF_HAZE
    drawn_so = [way == turned and names.drawings[face, other] > _ONE_DRAWING for other, way in likely]
    inks = np.flatnonzero(open_still & drawn_so).tolist()
    faces = np.array([likely[n][0] for n in inks])
    if len(faces) < 2:
        return whole
    nats = likely_by_light(looks.known, looks.pose.half_turned if turned else looks.pose, faces)
    if nats is None:
        return whole
    corrected = whole.copy()
    corrected[inks] = whole[best] + nats - nats[inks.index(best)]
    return corrected


# Of thirteen cards under a sheen grey levels put another ink before the right one by a nat at most. What they leave so
# far behind no haze brings back: without one, light is the less exact witness; a violet card was asked about as green.
_OUT_OF_HAZE = 15.0


_ONE_DRAWING = 0.9  # the same lines in another ink: their brightness may differ by a sign, or where two inks meet


def _lies_so(likely: Sequence[tuple[int, int]], told: Array, way: tuple[int, int]) -> bool:
    """Whether a face may lie upright (0) or turned (1), by what is `told` (K,) of those compared. A drawing in another
    ink lies no other way up than the drawing itself."""
    return way in likely and bool(told[likely.index(way)] > told.max() - OUT_NATS)


def likeliest(seen: Sequence[Identity], likely: Sequence[tuple[int, int]], told: Array) -> int:
    """The number of the likeliest of some faces, upright (0) or turned (1), by what is `told` of each (K,); where that
    says nothing about several, the one of them that explains the whole card best."""
    ahead = np.flatnonzero(told > told.max() - AS_LIKELY)
    return max((int(number) for number in ahead), key=lambda number: of_whole_card(seen, likely[number]))


def of_whole_card(seen: Sequence[Identity], way: tuple[int, int]) -> float:
    face, turned = way
    return float(seen[turned].log_likelihood[face])


_AS_LIKELY_BEFORE = 10  # a deck has some ten of one ink; the others suit the whole card less


OTHER_INKS, _INKS_LED_ON = 4, 2  # a deck has some four or five colours; a better one leads on once more


LEADS = 2.0  # nats: of a figure that lies under a hand another ink says nothing, and the two differ by less
