"""Names a card whose outline or print gives its pose, by the points at which the likeliest faces differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.fitting import fit_coarse, laid_into
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.measuring import measure
from arena_cam.vision.reading.cards.naming import AS_EVIDENT, Found, compared, compared_ways
from arena_cam.vision.reading.cards.trust import InView, Nats
from arena_cam.vision.reading.finding.findings import round_about
from arena_cam.vision.reading.finding.sided_cards import laid_or_free
from arena_cam.vision.reading.telling.kept_tellings import Telling, not_told_from, telling_at
from arena_cam.vision.reading.telling.looks import USUALLY, Looks
from arena_cam.vision.reading.telling.told_faces import OUT_NATS, as_from_a_part

_BEHIND_NATS = 60.0  # of names that were not told apart: none that is may be less likely


def named_in_place(known: Known, fit: Fit, outline: Outline | None, asked: int | None = None) -> tuple[Fit, Identity]:
    """The name of a card whose `outline` gives its pose, or else its print, either way up, by the points at which the
    likeliest faces differ. `asked` is a face that is compared with them whatever the whole card says.

    A search that begins anew, once all cards lie in their places, comes to the same places again: while what it depends
    on is the same, so is the answer."""
    poses = [fit.pose] if outline is None else [fit.pose, outline.pose]
    claimed = known.claims.mask[round_about(known.scene, poses)]
    depends_on = (
        *(fit.face, fit.evidence, fit.uncovered, asked, tuple(sorted(known.taken)), claimed.shape, claimed.tobytes()),
        *(part.tobytes() for pose in poses for part in (pose.R, pose.centre_mm)),
        *(fit.alignment.information.tobytes(), None if outline is None else outline.information.tobytes()),
    )
    return known.scene.once(("named in place", depends_on), lambda: _named_in_its_place(known, fit, outline, asked))


def _named_in_its_place(known: Known, fit: Fit, outline: Outline | None, asked: int | None) -> tuple[Fit, Identity]:
    """The name in the place of a fit, or in the place to which the print of the likeliest other face leads, if that
    explains the picture better. There all faces are compared once more: in the place of before they were as much beside
    theirs as the one that leads now. Of a six of which a strip of the figure was in view, a nine led a seven by 7 nats
    in its own place, and was said surely, though it had never led the six."""
    again, identity = _named_in_place(known, fit, outline, asked)
    ahead = _in_its_own_place(known, again, identity.log_likelihood) if outline is None else None
    if ahead is None:
        return again, identity
    own, nats = ahead
    there, renamed = _named_in_place(known, own, None, again.face)
    likelihood = renamed.log_likelihood.copy()
    likelihood[again.face] = min(likelihood[again.face], likelihood[own.face] - nats)
    return (own if there.face == again.face else there), replace(renamed, log_likelihood=likelihood)


def _named_in_place(known: Known, fit: Fit, outline: Outline | None, asked: int | None) -> tuple[Fit, Identity]:
    seen = _with_the_other_way(known, fit, outline, compared_ways(known, fit.pose))
    likely, seen = worth_telling(known, [at.log_likelihood for at in seen]), either_way(known, seen)
    if likely and asked is not None:
        likely += [(asked, turned) for turned in _ways_of(known, asked) if (asked, turned) not in likely]
    if not likely:
        return fit, seen[0]
    telling = telling_at(known, fit.pose, seen, likely)
    likely, told, best = telling.likely, telling.told, telling.best
    likelihood = np.full(len(seen[0].log_likelihood), float(told.max()) - _BEHIND_NATS)
    for (face, _), nats in zip(likely, told, strict=True):
        likelihood[face] = max(likelihood[face], nats)
    likelihood[telling.as_likely] = told[best]
    face, turned = likely[best]
    likelier = [way for (other, way), nats in zip(likely, told, strict=True) if other == face and nats > -_EITHER_WAY]
    likelier = likelier if len(_ways_of(known, face)) == 2 else [0, 1]
    fits = {way: _fitted(known, fit, outline, face, way) for way in likelier}
    turned = max(fits, key=lambda way: fits[way].worth)
    again = fits[turned]
    drawn = _drawn_plainer(known, fit, than=again)
    if drawn is not None:
        top = float(told.max()) + 0.5 * (drawn.evidence - again.evidence)
        likelihood = np.maximum(likelihood, top + _behind_as_it_lies(known, drawn, telling))
        again, turned = drawn, 0
    top, say = float(likelihood.max()), min(1.0, fit.uncovered / InView.TELLING)  # a part may be that of another face
    if again.evidence < 0.0 < fit.evidence and again.face != fit.face:
        # None of its drawing shows, and some of another's does: the points that took it for this one lie in a light
        # that is not even. Of a pale hexagon under a lamp's reflection they said surely a circle in another ink.
        say *= as_from_a_part(float(likelihood[again.face] - np.delete(likelihood, again.face).max()))
    return again, Identity(top + (likelihood - top) * say, seen[turned].points)


def _ways_of(known: Known, face: int) -> tuple[int, ...]:
    """The ways up in which a face is told: upright (0) and turned (1), or upright alone where it looks the same."""
    return (0,) if known.scene.points.names.is_same_turned(face) else (0, 1)


def either_way(known: Known, seen: tuple[Identity, Identity]) -> tuple[Identity, Identity]:
    """The whole cards, either way up, a face that looks the same either way as likely as in the way that suits it
    better: it is one candidate. Half of a nearly blank deck, and all cards without a top, had been told apart twice."""
    upright, turned = (way.log_likelihood for way in seen)
    best = np.maximum(upright, turned)
    near = np.flatnonzero(best > best.max() - _TOLD_NATS)
    same = [int(face) for face in near if len(_ways_of(known, int(face))) == 1]
    if not same:
        return seen
    ways = (upright.copy(), turned.copy())
    for way in ways:
        way[same] = best[same]
    return replace(seen[0], log_likelihood=ways[0]), replace(seen[1], log_likelihood=ways[1])


def _with_the_other_way(
    known: Known, fit: Fit, outline: Outline | None, seen: Sequence[Identity]
) -> tuple[Identity, Identity]:
    """The whole cards, either way up, that of the turned faces as they are `seen` at the pose of a fit turned by half a
    turn, or where the likeliest of them has its own place, if that suits it better. The fit was laid by the print of a
    face that lies the one way up, and fine stripes are printed a little beside their places of the other: of a one that
    was upside down they said by 30 nats that it was an upright seven, surely."""
    upright, turned = seen
    if outline is None or float(turned.log_likelihood.max()) < float(upright.log_likelihood.max()) - _OTHER_WAY_NATS:
        return upright, turned
    if len(_ways_of(known, turned.best)) == 1:  # it lies in its own place: upright it looks the same
        return upright, turned
    own = laid_into(known, turned.best, outline.towards(fit.pose.half_turned))
    there = compared(known, own.pose)
    is_better = float(there.log_likelihood.max()) > float(turned.log_likelihood.max())
    return upright, there if is_better else turned


_OTHER_WAY_NATS = 45.0  # so far behind a face is still laid by itself where faces differ, too


def is_named_in_place(fit: Fit) -> bool:
    """Whether a fit of a deck whose faces are alike is named by the points at which they differ, wherever it was
    guessed."""
    return fit.outline is not None or fit.evidence >= Nats.MANY


def has_compared(card: Found, face: int) -> bool:
    """Whether a card's name came of a comparison, in place, with a face among those compared: all others stand behind
    these, one like the other."""
    return is_named_in_place(card.fit) and bool(card.identity.log_likelihood[face] > card.identity.log_likelihood.min())


def _in_its_own_place(known: Known, fit: Fit, likelihood: Array) -> tuple[Fit, float] | None:
    """The likeliest other face aligned by its own print, and by how many nats it leads there, if it explains the
    picture better. Where the print alone gives the place, a face that is drawn like another one but a
    little turned leads it to a place where only it fits. There all others drawn so are behind by any number of nats,
    and each is aligned by itself. A violet flower of nine petals was laid by the lines of the green one, 3 degrees off:
    it was 100 nats behind there, led by 36 in its own place, and the card was green, surely."""
    others = np.where(np.arange(len(likelihood)) == fit.face, -np.inf, likelihood)
    rival = int(np.argmax(others))
    starts = {rival: fit.pose} if others[rival] > likelihood.max() - _BEHIND_NATS else {}
    starts |= {one.face: _turned(fit.pose, -one.turned_deg) for one in known.scene.points.turned.of(fit.face)}
    led = (_lead_in_its_own_place(known, fit, face, at) for face, at in starts.items() if face not in known.taken)
    return max((each for each in led if each is not None), key=lambda each: each[1], default=None)


def _turned(pose: CardPose, angle_deg: float) -> CardPose:
    """A card turned counterclockwise in its own plane."""
    return pose.moved(np.concatenate([np.zeros(3), np.radians(angle_deg) * pose.R[:, 2]]))


def _lead_in_its_own_place(known: Known, fit: Fit, rival: int, start: CardPose) -> tuple[Fit, float] | None:
    own = fit_coarse(known, rival, start, close=True)
    if own.evidence < max(AS_EVIDENT * fit.evidence, Nats.LEAST) or _apart_mm(known, own, fit) < max(USUALLY.steps_mm):
        return None  # so near all faces were compared
    at_places = ((compared(known, each.pose), each.face) for each in (own, fit))
    there, here = (float(names.log_likelihood[face]) for names, face in at_places)
    return (own, there - here) if there > here else None


def _apart_mm(known: Known, a: Fit, b: Fit) -> float:
    """How far the corners of two fits lie apart at most."""
    deck = known.scene.faces.deck
    one, other = (fit.pose.corners(deck.width_mm, deck.height_mm) for fit in (a, b))
    return float(np.linalg.norm(one - other, axis=1).max())


def _drawn_plainer(known: Known, fit: Fit, than: Fit) -> Fit | None:
    """The `fit`, as what is known leaves it in view, if it shows so much more drawing than the face that a few points
    tell in the same place that these points lie in a shade, whose edge is no print. Each tile has a light of its own,
    points have that of the whole card."""
    if fit.face == than.face or fit.face in known.taken or fit.evidence < Nats.LEAST:
        return None
    seen = replace(measure(known, fit.face, fit.alignment), outline=fit.outline)
    return seen if seen.evidence >= Nats.LEAST and than.evidence < AS_EVIDENT * seen.evidence else None


def _behind_as_it_lies(known: Known, drawn: Fit, telling: Telling) -> Array:
    """How far each face (faces,) is behind that of a fit that shows its drawing, as it lies: by the points at which
    they differ, and by how much of its own drawing each shows there. -inf of those that nobody compared. Of a card with
    a coloured end, its figure hidden, the face that the fit was tried with had led nine that look the same."""
    behind = np.full(len(known.scene.points.names.rough), -np.inf)
    behind[not_told_from(Looks(known, drawn.pose), [(drawn.face, 0)], 0)] = behind[drawn.face] = 0.0
    told = zip(telling.likely, telling.told, strict=True)
    upright = {face: float(nats) for (face, turned), nats in told if not turned}
    if drawn.face in upright:
        for face, nats in upright.items():
            behind[face] = max(behind[face], min(0.0, nats - upright[drawn.face]))
    for number in np.flatnonzero(behind > -OUT_NATS):
        evidence = measure(known, int(number), drawn.alignment).evidence
        behind[number] = min(behind[number], 0.5 * (evidence - drawn.evidence))
    return behind


_EITHER_WAY = 2.0  # nats: many a face is the same both ways up but for a fine detail; the alignment then tells better


def _fitted(known: Known, fit: Fit, outline: Outline | None, face: int, turned: int) -> Fit:
    """A face in the place of a fit, upright (0) or turned (1): by its `outline`, where that is its own, or else by its
    print; or as the fit lies, where it shows more of its drawing.

    The outline was followed before anybody knew the name: of a black card that leaned on a black wall the upper side
    was found too high, and its drawing told the name, though not there. And the fit was aligned by print, too: laid
    into an outline that was millimetres off, a card with four strokes showed less than the three that had been aligned,
    and was said surely to have three."""
    if (face, turned) == (fit.face, 0):
        return fit
    pose = fit.pose.half_turned if turned else fit.pose
    way = None if outline is None else outline.towards(pose)
    own = fit_coarse(known, face, pose, close=True) if way is None else laid_or_free(known, face, way)
    there = replace(measure(known, face, replace(fit.alignment, pose=pose)), outline=way)
    return max((own, there), key=lambda each: each.evidence)


def worth_telling(known: Known, likelihoods: Sequence[Array]) -> list[tuple[int, int]]:
    """The faces, upright (0) or turned (1), to be compared at the points where they differ: those that lead over the
    whole card, and those that look most like these, unless the whole card speaks plainly against them. A small figure
    decides, which hardly counts over the whole card: a face that is far behind there has another drawing, or lies the
    other way up."""
    nearest, best = known.scene.points.names.nearest, max(float(nats.max()) for nats in likelihoods)
    chosen: set[tuple[int, int]] = set()
    for turned, nats in enumerate(likelihoods):
        may_be = nats > best - _TOLD_NATS
        leaders = [face for face in np.argsort(-nats)[:_LEADERS] if may_be[face]]
        faces = {int(face) for leader in leaders for face in nearest[leader][:_LIKE_THEM] if may_be[face]}
        chosen |= {(min(turned, _ways_of(known, face)[-1]), face) for face in faces.difference(known.taken)}
    return [(face, turned) for turned, face in sorted(chosen)]


# How far behind the best over the whole card, either way up, a face may be that is worth telling. Of 206 names on 40
# pictures of twenty drawn decks the one told had been behind by 0 at the median, 17 of 95 % and 48 at most; and where
# it led by more than a nat, by 21 at most. Of those compared two in five were farther behind.
_LEADERS, _LIKE_THEM, _TOLD_NATS = 2, 11, 75.0
