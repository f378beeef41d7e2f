"""Names a card whose outline or print gives its pose, by the points at which the likeliest faces differ."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.name_points import NAMES_PX_PER_MM
from arena_cam.vision.faces.print_hue import told_by_hue
from arena_cam.vision.faces.softness import USUALLY_SOFT_PX, Faces, Numbers, Softly, SoftView
from arena_cam.vision.faces.telling import agreement, is_said_in_full, nobodys, told_apart
from arena_cam.vision.kernels.telling_calls import grouped, views_of
from arena_cam.vision.picture.channels import greatest, tells_something
from arena_cam.vision.reading.cards.face_comparison import AS_LIKELY, Identity, gained_by_light
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.fitting import fit_coarse, laid_into
from arena_cam.vision.reading.cards.known import Known, seen_at
from arena_cam.vision.reading.cards.measuring import measure
from arena_cam.vision.reading.cards.naming import AS_EVIDENT, Found, compared, compared_ways
from arena_cam.vision.reading.cards.placed_face import outline_of
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.trust import NATS_A_MARKER, InView, Nats
from arena_cam.vision.reading.finding.findings import round_about
from arena_cam.vision.reading.finding.sided_cards import laid_or_free

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
    likely = worth_telling(known, [at.log_likelihood for at in seen])
    if likely and asked is not None:
        likely += [(asked, turned) for turned in (0, 1) if (asked, turned) not in likely]
    if not likely:
        return fit, seen[0]
    telling = _telling_at(known, fit.pose, seen, likely)
    likely, told, best = telling.likely, telling.told, telling.best
    likelihood = np.full(len(seen[0].log_likelihood), float(told.max()) - _BEHIND_NATS)
    for (face, _), nats in zip(likely, told, strict=True):
        likelihood[face] = max(likelihood[face], nats)
    likelihood[telling.as_likely] = told[best]
    face, turned = likely[best]
    likelier = [way for (other, way), nats in zip(likely, told, strict=True) if other == face and nats > -_EITHER_WAY]
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
        say *= _as_from_a_part(float(likelihood[again.face] - np.delete(likelihood, again.face).max()))
    return again, Identity(top + (likelihood - top) * say, seen[turned].points)


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
    own = laid_into(known, turned.best, outline.towards(fit.pose.half_turned))
    there = compared(known, own.pose)
    is_better = float(there.log_likelihood.max()) > float(turned.log_likelihood.max())
    return upright, there if is_better else turned


_OTHER_WAY_NATS = 45.0  # so far behind a face is still laid by itself where faces differ, too


@dataclass(frozen=True, eq=False)
class _Telling:
    """What the points at which the `likely` faces (K), upright (0) or turned (1), differ tell of them, `told` (K,): how
    far each is behind the `best`, by its number. `as_likely` are faces that nothing in view tells from it."""

    likely: list[tuple[int, int]]
    told: Array
    best: int
    as_likely: list[int]

    @property
    def half_turned(self) -> _Telling:
        """What it tells of the same card at a pose turned by half a turn."""
        return replace(self, likely=[(face, 1 - turned) for face, turned in self.likely])

    def without(self, taken: Collection[int]) -> _Telling | None:
        """The same without faces known to lie elsewhere; None if the best is one of them."""
        left = [number for number, (face, _) in enumerate(self.likely) if face not in taken]
        if len(left) == len(self.likely):
            return self
        if self.best not in left:
            return None
        others = [face for face in self.as_likely if face not in taken]
        return _Telling([self.likely[n] for n in left], self.told[left], left.index(self.best), others)


@dataclass(frozen=True, eq=False)
class _Told:
    """A telling, and what it depends on: where the card's corners lie in the picture (4, 2), and what was known."""

    corners_px: Array
    known: Known
    telling: _Telling


def _telling_at(known: Known, pose: CardPose, seen: Sequence[Identity], likely: list[tuple[int, int]]) -> _Telling:
    """What tells some faces apart of a card at a pose, `seen` as a whole either way up. A doubtful card is asked about
    up to five times, once more of it is known. Cards are compared in places a millimetre beside their own, too: while
    one lies nearer to where it was than these lie apart, and nothing that tells is known to be in view of it or hidden
    since, it says the same. Faces known to lie elsewhere since are left out, and those that are likely now, too, are
    compared with the best: if one leads it, all are told anew."""
    earlier: list[_Told] = known.scene.once("tellings", list)
    corners, looks = outline_of(known.scene, pose), _Looks(known, pose)
    before = next((it for each in reversed(earlier) if (it := _as_before(each, known, pose, corners))), None)
    telling = None if before is None else _with_more(looks, seen, before, [w for w in likely if w not in before.likely])
    if telling is not None:
        return telling
    whole = _in_light(looks, likely, np.array([_whole(seen, way) for way in likely]))
    likely, told = _with_other_inks(looks, seen, likely, _told(looks, likely, whole))
    told -= told.max()
    best = _likeliest(seen, likely, told)
    told = _with_hue(looks, likely, told, best)
    telling = _Telling(likely, told, best, _not_told_from(looks, likely, best))
    earlier.append(_Told(corners, known, telling))
    return telling


def _as_before(each: _Told, known: Known, pose: CardPose, corners_px: Array) -> _Telling | None:
    """An earlier telling, if all that it depends on is the same for a card at a pose; else None."""
    scene, telling = known.scene, each.telling
    moved_px = [float(np.linalg.norm(np.roll(corners_px, turn, 0) - each.corners_px, axis=1).max()) for turn in (0, 2)]
    if min(moved_px) > _STAYED_MM * scene.camera.px_per_mm(pose.centre_mm):
        return None
    like_it = scene.points.names.drawn_alike[telling.likely[telling.best][0]][: _OTHER_INKS + 1]
    if (set(each.known.taken) - set(known.taken)) & {int(face) for face in like_it}:
        return None
    telling = telling if moved_px[0] < moved_px[1] else telling.half_turned
    return telling.without(known.taken) if _shows_the_same(known, each.known, pose, telling) else None


def _shows_the_same(known: Known, before: Known, pose: CardPose, telling: _Telling) -> bool:
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
    then, now = (cv2.erode(each, np.ones((3, 3), np.uint8)) for each in (then, now))  # see `_BESIDE_OTHERS_MM`
    changed = np.stack([names.few_of(*way)[then != now] for way in telling.likely])
    return bool((np.ptp(changed, axis=0) <= _ALIKE_LEVELS).all())


# Places beside a card's own lie so far apart; and less of a card than this is a line along the edge of another one. Of
# more than the last the light is told otherwise, too.
_STAYED_MM, _HARDLY_MORE, _MUCH_MORE = 0.5, 0.01, 0.1


def _with_more(
    looks: _Looks, seen: Sequence[Identity], telling: _Telling, more: list[tuple[int, int]]
) -> _Telling | None:
    """A telling with `more` faces, compared with its best; None if one of them leads that."""
    if not more:
        return telling
    asked = [telling.likely[telling.best], *more]
    told = _told(looks, asked, _in_light(looks, asked, np.array([_whole(seen, way) for way in asked])))
    lead = told[1:] - told[0]
    if lead.max() > _LEADS:
        return None
    faces = {face for face, _ in more}
    return replace(
        telling,
        likely=telling.likely + more,
        told=np.append(telling.told, telling.told[telling.best] + np.minimum(lead, 0.0)),
        as_likely=[face for face in telling.as_likely if face not in faces],
    )


def _not_told_from(looks: _Looks, likely: Sequence[tuple[int, int]], best: int) -> list[int]:
    """The faces that were not compared, as others are more like the leaders, but which nothing in view tells from the
    `best` of the `likely`: they are as likely. Of a card with its figure hidden sixteen names were as likely as the
    challenge's own, and thirty more that nobody had compared would have been."""
    known, compared_faces = looks.known, {face for face, _ in likely}
    (face, turned), names = likely[best], known.scene.points.names
    in_view = looks.at(_USUALLY).weight[::2, ::2] > 0
    own = names.few_of(face, turned)[in_view]
    if not own.size:
        return []
    others = [n for n in range(len(names.rough)) if n not in compared_faces and n not in known.taken]
    # nearly all differ at some of a few points; only of the others all are looked at
    some = np.flatnonzero(in_view)[:: max(1, len(own) // _FEW_POINTS)]
    here = names.few_of(face, turned).reshape(-1, 3)[some]
    others = [n for n in others if _are_alike(names.few_of(n, turned).reshape(-1, 3)[some], here)]
    return [n for n in others if _are_alike(names.few_of(n, turned)[in_view], own)]


def _are_alike(a: NDArray[np.float32], b: NDArray[np.float32]) -> bool:
    """Whether nothing tells two faces apart at some points (N, 3)."""
    return bool(np.abs(a - b).max() < _ALIKE_LEVELS)


_FEW_POINTS = 300


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
    little turned leads it to a place where only it fits."""
    others = np.where(np.arange(len(likelihood)) == fit.face, -np.inf, likelihood)
    rival = int(np.argmax(others))
    if rival in known.taken or others[rival] <= likelihood.max() - _BEHIND_NATS:
        return None
    own = fit_coarse(known, rival, fit.pose, close=True)
    if own.evidence < max(AS_EVIDENT * fit.evidence, Nats.LEAST) or _apart_mm(known, own, fit) < max(_USUALLY.steps_mm):
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


def _behind_as_it_lies(known: Known, drawn: Fit, telling: _Telling) -> Array:
    """How far each face (faces,) is behind that of a fit that shows its drawing, as it lies: by the points at which
    they differ, and by how much of its own drawing each shows there. -inf of those that nobody compared. Of a card with
    a coloured end, its figure hidden, the face that the fit was tried with had led nine that look the same."""
    behind = np.full(len(known.scene.points.names.rough), -np.inf)
    behind[_not_told_from(_Looks(known, drawn.pose), [(drawn.face, 0)], 0)] = behind[drawn.face] = 0.0
    told = zip(telling.likely, telling.told, strict=True)
    upright = {face: float(nats) for (face, turned), nats in told if not turned}
    if drawn.face in upright:
        for face, nats in upright.items():
            behind[face] = max(behind[face], min(0.0, nats - upright[drawn.face]))
    for number in np.flatnonzero(behind > -_OUT_NATS):
        evidence = measure(known, int(number), drawn.alignment).evidence
        behind[number] = min(behind[number], 0.5 * (evidence - drawn.evidence))
    return behind


def _with_other_inks(
    looks: _Looks, seen: Sequence[Identity], likely: list[tuple[int, int]], told: Array
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
        best, taken_in = _likeliest(seen, likely, told), {face for face, _ in likely}
        face = likely[best][0]
        others = [int(o) for o in alike[face] if o not in taken_in and o not in known.taken][:_OTHER_INKS]
        ways = [way for way in (0, 1) if _lies_so(likely, told, (face, way))]
        asked = [likely[best], *((other, turned) for other in others for turned in ways)]
        lead = _leads(looks, seen, asked)
        lead = np.where(lead > _LEADS, lead, np.minimum(lead, 0.0))
        as_likely = [int(number) for number in np.flatnonzero(told > told[best] - AS_LIKELY) if number != best]
        likely, told = likely + asked[1:], np.append(told, told[best] + lead)
        if not (lead > 0.0).any():
            break
        told = _against_the_best(looks, seen, likely, told, as_likely)
    return likely, told


def _leads(looks: _Looks, seen: Sequence[Identity], asked: Sequence[tuple[int, int]]) -> Array:
    """By how many nats (J,) faces lead the first of those `asked` (1 + J)."""
    whole = _in_light(looks, asked, np.array([_whole(seen, way) for way in asked]))
    against = _told(looks, asked, whole)
    return np.asarray(against[1:] - against[0])


def _against_the_best(
    looks: _Looks, seen: Sequence[Identity], likely: Sequence[tuple[int, int]], told: Array, these: Sequence[int]
) -> Array:
    """What is `told` (K,) of the faces `likely` (K), those with the numbers `these` compared each with the best: it led
    one of them, which they were as likely as. Of a yellow one, its number and a tip of its figure in view, nothing told
    the yellow ones apart while red ones were among them; a green one led the yellow five by its number, and was told
    surely: nobody had compared it with the yellow one."""
    best, told = _likeliest(seen, likely, told), told.copy()
    for number in sorted(these, key=lambda number: -_whole(seen, likely[number]))[:_AS_LIKELY_BEFORE]:
        told[number] = told[best] + float(_leads(looks, seen, [likely[best], likely[number]])[0])
    return told


def _with_hue(looks: _Looks, likely: Sequence[tuple[int, int]], told: Array, best: int) -> Array:
    """How far each of the faces `likely` (K) is behind the `best` of them, by what is `told` (K,), those drawn as it is
    in another ink by the hue of all their print, too, if that agrees. It makes a name surer, and changes none: of a
    green six, plain to see, two corners and a thin frame were in view, and by the points it led the violet one by 2
    nats."""
    drawings = looks.known.scene.points.names.drawings[likely[best][0]]
    inks = [number for number, (face, _) in enumerate(likely) if drawings[face] > _ONE_DRAWING]
    if len(inks) < 2 or float(np.sort(told[inks])[-2]) < told[best] - _OUT_NATS:
        return told
    usual = looks.at(_USUALLY)
    nats = told_by_hue(usual.view.against(usual.soft([likely[n] for n in inks])), inks.index(best))
    hued = told.copy()
    hued[inks] -= np.clip(nats[inks.index(best)] - nats, 0.0, _MOST_BY_HUE)
    return hued


_MOST_BY_HUE = 4.0  # nats: no more than another card's ink says (`settled_names.told_by_inks`)


def _in_light(looks: _Looks, likely: Sequence[tuple[int, int]], whole: Array) -> Array:
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
    gained = gained_by_light(looks.known, looks.pose.half_turned if turned else looks.pose, faces)
    if gained is None:
        return whole
    corrected = whole.copy()
    corrected[inks] += gained - gained[inks.index(best)]
    return corrected


# Of thirteen cards under a sheen grey levels put another ink before the right one by a nat at most. What they leave so
# far behind no haze brings back: without one, light is the less exact witness; a violet card was asked about as green.
_OUT_OF_HAZE = 15.0
_ONE_DRAWING = 0.9  # the same lines in another ink: their brightness may differ by a sign, or where two inks meet


def _lies_so(likely: Sequence[tuple[int, int]], told: Array, way: tuple[int, int]) -> bool:
    """Whether a face may lie upright (0) or turned (1), by what is `told` (K,) of those compared. A drawing in another
    ink lies no other way up than the drawing itself."""
    return way in likely and bool(told[likely.index(way)] > told.max() - _OUT_NATS)


def _likeliest(seen: Sequence[Identity], likely: Sequence[tuple[int, int]], told: Array) -> int:
    """The number of the likeliest of some faces, upright (0) or turned (1), by what is `told` of each (K,); where that
    says nothing about several, the one of them that explains the whole card best."""
    ahead = np.flatnonzero(told > told.max() - AS_LIKELY)
    return max((int(number) for number in ahead), key=lambda number: _whole(seen, likely[number]))


def _whole(seen: Sequence[Identity], way: tuple[int, int]) -> float:
    face, turned = way
    return float(seen[turned].log_likelihood[face])


_AS_LIKELY_BEFORE = 10  # a deck has some ten of one ink; the others suit the whole card less
_OTHER_INKS, _INKS_LED_ON = 4, 2  # a deck has some four or five colours; a better one leads on once more
_LEADS = 2.0  # nats: of a figure that lies under a hand another ink says nothing, and the two differ by less
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
    chosen = []
    for turned, nats in enumerate(likelihoods):
        may_be = nats > best - _TOLD_NATS
        leaders = [face for face in np.argsort(-nats)[:_LEADERS] if may_be[face]]
        faces = {int(face) for leader in leaders for face in nearest[leader][:_LIKE_THEM] if may_be[face]}
        chosen += [(face, turned) for face in sorted(faces) if face not in known.taken]
    return chosen


# How far behind the best over the whole card, either way up, a face may be that is worth telling. Of 206 names on 40
# pictures of twenty drawn decks the one told had been behind by 0 at the median, 17 of 95 % and 48 at most; and where
# it led by more than a nat, by 21 at most. Of those compared two in five were farther behind.
_LEADERS, _LIKE_THEM, _TOLD_NATS = 2, 11, 75.0


_BESIDE_SD_MM = 0.5  # by which an outline may be beside its card
# What lies so near another card's edge says nothing: the edge is known to half a millimetre, it throws a line of shadow
# as wide, and the picture is seen softly. Of a figure hidden but for its foot the shadow made another figure.
_BESIDE_OTHERS_MM = 1.3


def alike_groups(faces: NDArray[np.float32], seen: NDArray[np.bool_], whole: Array) -> list[NDArray[np.intp]]:
    """The numbers of `faces` (K, H, W, 3) in groups that look alike over most of what is `seen` (H, W) of a card. Each
    begins with the face that explains the `whole` card (K,) best.

    Within a group the light is known where all look alike, and the points at which they differ tell the name. Faces of
    other groups leave no such light: there the whole card tells more, with its own light for each face."""
    order = np.argsort(-whole, kind="stable")
    compiled = grouped(faces, order, np.flatnonzero(seen), (_ALIKE_LEVELS, _MOSTLY_ALIKE))
    if compiled is not None:
        return [order[compiled[order] == group] for group in range(int(compiled.max(initial=-1)) + 1)]
    few = faces[:, seen]
    groups: list[list[int]] = []
    for number in order:
        for group in groups:
            apart = greatest(np.abs(few[number] - few[group[0]])) if few.size else np.zeros(1)
            if float((apart < _ALIKE_LEVELS).mean()) > _MOSTLY_ALIKE:
                group.append(int(number))
                break
        else:
            groups.append([int(number)])
    return [np.array(group) for group in groups]


_ALIKE_LEVELS, _MOSTLY_ALIKE = 8.0, 0.5  # grey levels; of what is seen


def told_by_ways(view: Softly, white: Array, ways: NDArray[np.intp], closely: bool = False) -> Array:
    """How far each face (K,) of a view is behind the best; `ways` (K,) are 0 for the upright and 1 for the turned ones.
    Faces of one way up are compared with each other, and only the best of either way across.

    Across ways the whole drawing differs a little, rings drawn off the middle and shades: with that a 5 led an upright
    8 by 8 nats which led it by 2 the same way up. Looked at `closely`, hair lines alone make no way up sure."""
    told, best = np.empty(len(ways)), []
    either = [way for way in (0, 1) if (ways == way).any()]  # in a hundredth of the time of np.unique
    for way in either:
        these = np.flatnonzero(ways == way)
        told[these] = _by_rounds(view, white, these)
        best.append(int(these[np.argmax(told[these])]))
    if len(best) > 1:
        across = told_apart(view, white, np.array(best), between_places=True)
        plain = told_apart(view, white, np.array(best), hair_lines=False, between_places=True) if closely else None
        if plain is not None:
            ahead = int(np.argmax(across))
            across = np.maximum(across, across[ahead] - np.maximum(plain[ahead] - plain, _FROM_A_PART))
        for way, nats in zip(either, across, strict=True):
            told[ways == way] += nats
    return np.asarray(told - told.max())


def _by_rounds(view: Softly, white: Array, these: NDArray[np.intp]) -> Array:
    """Compares the faces of a view with the numbers `these` (J,), then again those that are left. The fewer there are,
    the fewer are the points at which they differ, and the better is the light known at all other points. If there are
    still too many points for each to have its say, each face is compared with the best alone."""
    nats, alive = np.zeros(len(these)), np.arange(len(these))
    for _ in range(_MOST_ROUNDS):
        told = told_apart(view, white, these[alive])
        nats[alive] = told - told.max()
        kept = alive[nats[alive] > -_OUT_NATS]
        if len(kept) in (1, len(alive)):
            break
        alive = kept
    nats = nats - nats.max()
    return nats if is_said_in_full(view, these[alive]) else _by_duels(view, white, these, nats)


_MOST_ROUNDS, _OUT_NATS = 4, 12.0  # a face so far behind is not asked again


def _by_duels(view: Softly, white: Array, these: NDArray[np.intp], nats: Array) -> Array:
    """The likelihoods `nats` (J,) of the faces with the numbers `these` with the likeliest each compared with the best
    alone: of ten faces that differ in one figure most points at which any two differ say nothing about two of them. If
    no other is left, the best and the next are compared: the round that dropped the next counted each point for less.
    Among 18 faces a violet five was 26 nats behind the yellow one that it led by 151 alone. If the next leads, so may
    others."""
    nearest = [int(face) for face in np.argsort(-nats, kind="stable")[:_MOST_RIVALS]]
    left = sum(nats[face] > -_OUT_NATS for face in nearest)
    rivals, best = nearest[: max(left, 2)], nearest[0]
    for _ in range(_MOST_CHANGES if left != 2 else 0):
        for rival in rivals:
            if rival != best:
                against = told_apart(view, white, these[[best, rival]])
                nats[rival] = against[1] - against[0]
        nats[best] = 0.0
        ahead = max(rivals, key=lambda face: nats[face])
        if ahead == best:
            break
        best, rivals = ahead, nearest if left == 1 else rivals
    return np.asarray(nats - nats.max())


_MOST_RIVALS, _MOST_CHANGES = 8, 3


def _told(looks: _Looks, likely: Sequence[tuple[int, int]], whole: Array) -> Array:
    """How well each of some faces (K,), upright (0) or turned (1), explains the points at which they differ; `whole`
    (K,) is how well each explains the whole card."""
    usual, told = looks.at(_USUALLY), np.empty(len(likely))
    few = np.stack([looks.known.scene.points.names.few_of(*way) for way in likely])
    groups = alike_groups(few, usual.weight[::2, ::2] > 0, whole)
    for group in groups:
        told[group] = whole[group].max()
        if len(group) > 1 and told[group[0]] > whole.max() - _OUT_NATS:
            these = [likely[int(number)] for number in group]
            told[group] += _told_in_a_group(looks, these, usual.view.against(usual.soft(these)))
    told = _shown_to_lead(looks, likely, told, groups)
    marks = [looks.known.scene.markers_in_place(way) for way in (looks.pose, looks.pose.half_turned)]
    return told + NATS_A_MARKER * np.array([marks[turned].get(face, 0) for face, turned in likely])


def _shown_to_lead(
    looks: _Looks, likely: Sequence[tuple[int, int]], told: Array, groups: Sequence[NDArray[np.intp]]
) -> Array:
    """How far each of some faces (K,) is behind the best, by what is `told` (K,) of them, those that are mostly alike
    in `groups`. A face like no other, as a back is, leads by the whole card alone: surely only if it leads by far, too,
    at the points at which it differs from the next, or explains the contrast that is seen there. Where hardly any print
    shows the colours of the light lead, which are noise then: of a foil card the bare end with a clear 1 was surely the
    back, whose frame was nowhere. And not where these points speak plainly for the next: of a brown card with half an 8
    the paper's tone was that of the back, by 12 nats, and where the back has a frame it was a face by 188."""
    best = int(np.argmax(told))
    others = [number for number, (face, _) in enumerate(likely) if face != likely[best][0]]
    rival = max(others, key=lambda number: float(told[number]), default=best)
    lead = float(told[best] - told[rival])
    if lead < _FROM_A_PART or any({best, rival} <= set(group.tolist()) for group in groups):
        return told
    usual = looks.at(_USUALLY)
    view = usual.view.against(usual.soft([likely[best], likely[rival]]))
    ahead, behind = told_apart(view, looks.known.scene.white)
    if ahead - behind > _OUT_NATS:
        return told
    if behind - ahead > _OUT_NATS:  # neither the card as a whole nor these points tell the name
        return np.asarray(np.where(told > told[rival], told[rival], told))
    say, _ = _say(view, looks.known.scene.white, np.array([0.0, -lead]))
    return np.asarray(told[best] + (told - told[best]) * max(say, _as_from_a_part(lead)))


def _told_in_a_group(looks: _Looks, likely: Sequence[tuple[int, int]], view: Softly) -> Array:
    """How far each of some faces (K,) that are mostly alike is behind the best. Where something that was not found yet
    lies on the card, what it shows speaks for no face: the rest is asked once more. But the card may as well lie
    elsewhere: a name from a part leads by so much that it is asked again once the other cards are known."""
    told, say, missing, hidden = _told_of_parts(looks, likely, view)
    if hidden is not None:
        rest = looks.without(hidden)
        usual = rest.at(_USUALLY)
        told, say, missing, _ = _told_of_parts(rest, likely, usual.view.against(usual.soft(likely)))
        best = likely[int(np.argmax(told))][0]
        others = [nats for (face, _), nats in zip(likely, told, strict=True) if face != best]
        lead = float(told.max() - max(others, default=told.max()))
        say = min(say, _as_from_a_part(lead))
    return np.asarray((told - told.max()) * say - missing)


def _as_from_a_part(lead: float) -> float:
    """By how much (0..1) a lead in nats counts where it must not make a name sure."""
    return _FROM_A_PART / max(lead, _FROM_A_PART)


_FROM_A_PART = 4.0  # nats: likelier than 0.98, and less likely than a sure name


def _told_of_parts(
    looks: _Looks, likely: Sequence[tuple[int, int]], view: Softly
) -> tuple[Array, float, float, NDArray[np.bool_] | None]:
    """How far each of some faces (K,) is behind the best, by what is in view of a card; see `_say` for the next two;
    and which parts (rows, columns) none of the faces explains, if some are. Where several may be, these are looked at
    more closely: seen as softly as hair lines ask for, a figure of 5 mm is a blot. They are looked at beside the places
    in which they suited the picture best, each in all of these: a card lies in one place."""
    white, ways = looks.known.scene.white, np.array([turned for _, turned in likely])
    told = told_by_ways(view, white, ways)
    alive = np.flatnonzero(told > -_OUT_NATS)
    if len({likely[int(number)][0] for number in alive}) > 1:  # which way up one lies its alignment tells
        closely = looks.at(_CLOSELY)
        close = closely.near(_USUALLY.laid_mm[view.best[alive]]).against(
            closely.soft([likely[int(number)] for number in alive])
        )
        told[alive] = told_by_ways(close, white, ways[alive], closely=True)
    say, missing = _say(view, white, told)
    if say == 1.0:
        return told, say, missing, None
    tile_px = round(_TILE_MM * _USUALLY.px_per_mm)
    return told, say, missing, nobodys(view, white, np.arange(len(told)), int(np.argmax(told)), tile_px)


_TILE_MM = 8.0  # a figure is as large, and what covers one covers its surroundings


def _say(view: Softly, white: Array, told: Array) -> tuple[float, float]:
    """How much (0..1) of what the points `told` (K,) of the faces counts: little where the best of them leaves much of
    what is seen there unexplained. Then the card lies elsewhere, or something lies on it. And by how many nats paper
    would explain the points better than the best: then it is no card of this group of faces.

    Of 290 names of twelve drawn decks that led by 100 to 1, 272 of them right, two in a hundred right ones explained
    less than 0.8; of the wrong ones of open cards those with a pose off by 3 mm explained 0.60 and 0.63."""
    order = np.argsort(-told, kind="stable")
    share, missing = agreement(view, white, np.sort(order[:_RIVALS_AGREED]), int(order[0]))
    return float(np.clip((share - _UNLIKE) / (_AS_IT_SHOULD - _UNLIKE), 0.0, 1.0)), missing


_RIVALS_AGREED, _UNLIKE, _AS_IT_SHOULD = 4, 0.4, 0.85


@dataclass(frozen=True, slots=True)
class _Scale:
    """How a card is looked at: points a millimetre, how softly its light and its colour (points), and how far beside
    its place (mm)."""

    px_per_mm: float
    soft_px: float
    colour_soft_px: float
    steps_mm: tuple[float, ...]

    @property
    def laid_mm(self) -> NDArray[np.float32]:
        """How far the card is laid rightwards and upwards (1 + M, 2) in its place and in each view."""
        return np.concatenate([np.zeros((1, 2), np.float32), self.beside_mm])

    @property
    def beside_mm(self) -> NDArray[np.float32]:
        """How far the card is laid rightwards and upwards in each view (M, 2)."""
        return np.array([(x, y) for x in self.steps_mm for y in self.steps_mm if x or y], np.float32)


_USUALLY = _Scale(NAMES_PX_PER_MM, USUALLY_SOFT_PX, USUALLY_SOFT_PX, (-1.0, -0.5, 0.0, 0.5, 1.0))
# Light is looked at more closely, colour as softly as usual: sensors and JPEG keep colour at half the scale, and a
# figure's blue and violet seen sharply are the same grey.
_CLOSELY = _Scale(2.0, 0.6, 2.0 * USUALLY_SOFT_PX / NAMES_PX_PER_MM, (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75))


@dataclass(frozen=True, eq=False)
class _Beside:
    """A card laid a little beside its place. `at` (2, H, W) are the pixels of its points, `rightwards` and `upwards`
    how far a millimetre moves them, and `steps_mm` (M, 2) how far it is laid, rightwards and upwards."""

    scene: Scene
    at: Grey
    rightwards: Grey
    upwards: Grey
    steps_mm: NDArray[np.float32]

    @property
    def nats(self) -> Array:
        return np.asarray(-0.5 * (self.steps_mm.astype(np.float64) ** 2).sum(axis=1) / _BESIDE_SD_MM**2)

    def cut(self, rows: Numbers, columns: Numbers) -> NDArray[np.uint8]:
        grid, fine = (self.at, self.rightwards, self.upwards), 0.5**self.scene.fine_level
        compiled = views_of(self.scene.bgr, fine, grid, (rows, columns), self.steps_mm)
        return self._cut_in_numpy(rows, columns) if compiled is None else compiled

    def _cut_in_numpy(self, rows: Numbers, columns: Numbers) -> NDArray[np.uint8]:
        part = np.ix_(np.arange(2), rows, columns)
        pixels = self.pixels(self.at[part], self.rightwards[part], self.upwards[part])
        size = (len(self.steps_mm), len(rows), len(columns))
        return self.scene.picture_bgr(pixels.reshape(2, -1, len(columns))).reshape(*size, 3)

    def only(self, views: Numbers) -> _Beside:
        return replace(self, steps_mm=self.steps_mm[views])

    def inside(self) -> NDArray[np.bool_]:
        """Which points (H, W) lie in the picture in all views. Where a point is seen moves evenly with the steps, so
        the farthest four views tell."""
        far = np.flatnonzero((np.abs(self.steps_mm) == self.steps_mm.max()).all(axis=1))
        pixels = replace(self, steps_mm=self.steps_mm[far]).pixels(self.at, self.rightwards, self.upwards)
        return np.asarray(self.scene.shows(pixels).all(axis=0))

    def pixels(self, at: Grey, rightwards: Grey, upwards: Grey) -> Grey:
        """The pixels (2, M, R, C) of some points, of which these are parts, in each view."""
        right, up = (self.steps_mm[:, way, None, None] for way in (0, 1))
        pixels = right * rightwards[:, None]
        pixels += at[:, None]
        pixels += up * upwards[:, None]
        return np.asarray(pixels, dtype=np.float32)


class _Look:
    """What is seen of a card at one scale, whatever face it has: `view`, and `weight` (H, W), 1 where nothing covers
    it; the parts that are `hidden` (rows, columns of any grid over the card) are not in view."""

    def __init__(self, known: Known, pose: CardPose, scale: _Scale, hidden: NDArray[np.bool_] | None) -> None:
        scene = known.scene
        self._grid = grid = scene.faces.grid(scale.px_per_mm)
        shape = grid.mask.shape
        here, unclaimed = seen_at(known, pose, grid.places)
        apart_mm = scene.faces.deck.height_mm / shape[0], scene.faces.deck.width_mm / shape[1]
        down, right = np.gradient(here.reshape(2, *shape), *apart_mm, axis=(1, 2))
        at, rightwards, upwards = (part.astype(np.float32).reshape(2, *shape) for part in (here, right, -down))
        beside = _Beside(scene, at, rightwards, upwards, scale.beside_mm)
        sharply = scene.picture_bgr(at)
        sharply[~scene.shows(at)] = 0
        free = (unclaimed > 0.0).reshape(shape) & beside.inside()
        free &= tells_something(sharply.reshape(-1, 3)).reshape(shape)
        clear = cv2.erode(free.astype(np.uint8), _beside_others(scale)) > 0
        if hidden is not None:
            clear &= cv2.resize(hidden.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST) == 0
        self.weight: Array = (clear & grid.inner).astype(np.float64)
        self.view = SoftView(sharply, self.weight, beside, scale.soft_px, scale.colour_soft_px)
        self._scene, self._scale = scene, scale
        # seen whole, faces are as soft on every card
        self._is_open = bool(clear[grid.inner].all())
        self._softened: dict[tuple[int, int], Faces] = {}

    def soft(self, likely: Sequence[tuple[int, int]]) -> Faces:
        """Faces (K, H, W, 3), upright (0) or turned (1), as softly as the card is seen."""
        if self._is_open:
            return self._ways_up(likely, self._soft_of)
        new = [way for way in dict.fromkeys(likely) if way not in self._softened]
        if new:  # the leaders are asked about again and again
            self._softened |= dict(zip(new, self._softly(new), strict=True))
        return np.stack([self._softened[way] for way in likely])

    def _softly(self, likely: Sequence[tuple[int, int]]) -> Faces:
        """As `soft`, where a part of the card is hidden."""
        if self._scale != _USUALLY:
            return self.view.softly(self._ways_up(likely, self._drawn))
        drawn = ((self._drawn(face), turned) for face, turned in likely)
        sharply = (face[::-1, ::-1] if turned else face for face, turned in drawn)  # a part of each is asked for
        return self.view.as_open(self._ways_up(likely, self._soft_of), sharply, self._grid.inner)

    def _ways_up(self, likely: Sequence[tuple[int, int]], drawn: Callable[[int], NDArray[np.float32]]) -> Faces:
        """Faces (K, H, W, 3), upright (0) or turned (1), as each is `drawn`."""
        faces = np.empty((len(likely), *self.weight.shape, 3), np.float32)
        upright = {face: drawn(face) for face in {face for face, _ in likely}}
        for number, (face, turned) in enumerate(likely):
            if turned:
                cv2.flip(upright[face], -1, faces[number])
            else:
                faces[number] = upright[face]
        return faces

    def near(self, places_mm: NDArray[np.float32]) -> SoftView:
        """The views of the card laid beside its place by about as much as one of some (N, 2) is, or between them."""
        steps, little = self._scale.beside_mm, 1e-3
        least, most = places_mm.min(axis=0) - _ABOUT_MM - little, places_mm.max(axis=0) + _ABOUT_MM + little
        return self.view.only(np.flatnonzero(((steps >= least) & (steps <= most)).all(axis=1)))

    def _drawn(self, face: int) -> NDArray[np.float32]:
        """A face (H, W, 3) sharply, kept for one frame: it is asked of every card that something covers."""
        return self._scene.once(("drawn", self._scale, face), lambda: self._grid.bgr_of(face))

    def _soft_of(self, face: int) -> NDArray[np.float32]:
        """A face (H, W, 3), all of it in view. At the closer scale a deck's take 12 MB: kept for one frame."""
        if self._scale == _USUALLY:
            return self._scene.points.names.soft_of(face)
        asked = "soft", self._scale, face
        return self._scene.once(asked, lambda: self.view.softly(self._grid.bgr_of(face)[None])[0])


_ABOUT_MM = 0.5  # a place is seen as one of others that lie so far apart, and a face softly a little beside its own


class _Looks:
    """What is seen of a card at a pose, at each scale that is asked for: the same for all faces, and looked at once."""

    def __init__(self, known: Known, pose: CardPose, hidden: NDArray[np.bool_] | None = None) -> None:
        self.known, self.pose, self._hidden = known, pose, hidden
        self._at: dict[_Scale, _Look] = {}

    def at(self, scale: _Scale) -> _Look:
        if scale not in self._at:
            self._at[scale] = _Look(self.known, self.pose, scale, self._hidden)
        return self._at[scale]

    def without(self, hidden: NDArray[np.bool_]) -> _Looks:
        """The same but for the parts that are `hidden` (rows, columns of any grid over the card)."""
        return _Looks(self.known, self.pose, hidden)


def _beside_others(scale: _Scale) -> NDArray[np.uint8]:
    return np.ones((2 * round(_BESIDE_OTHERS_MM * scale.px_per_mm) + 1,) * 2, np.uint8)
