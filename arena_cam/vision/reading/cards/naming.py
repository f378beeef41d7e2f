"""The name under which a fitted face explains its pixels best, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.cards.face_comparison import Identity, compare_faces, compare_roughly, compare_ways
from arena_cam.vision.reading.cards.fit import Fit, same_place
from arena_cam.vision.reading.cards.fitting import fit_close, fit_coarse
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.trust import NATS_A_MARKER, Explained, InView, Nats


@dataclass(frozen=True, eq=False)
class Found:
    """An accepted card: its fit, the claims it was measured with, and the comparison of faces."""

    fit: Fit
    identity: Identity


# Names this many nats behind the best are compared again, each aligned for itself: a face laid a little wrong because
# another one put it there can lose by that much.
OPEN_NATS = 45.0
_OPEN_AT_A_POSE, _OPEN_NAMES = 3, 4  # so many at most, at one pose and at all
_LED_TO = 2  # names more that are seen only where these led to
# A name that was not tried, and was this far behind where it was first compared, is held to be so far behind the best.
_NEAR_NATS, _BEHIND_NATS = 3.0, 10.0
_FAR_MM = 1.0  # a name that was compared so far from where the best fits was not compared at all
# The edge of a shadow over a card makes every face fit badly in colour, so that a wrong one may seem better: it must
# show nearly as much of its own drawing as the other does.
AS_EVIDENT = 0.8


def named(known: Known, fit: Fit, start: CardPose | None = None) -> tuple[Fit, Identity]:
    """The fit under the name that explains its pixels best, and the comparison of names at that fit's pose. `start` is
    the guessed pose, from which alignment with a wrong face may have moved away."""
    plain = _plainly(known, fit)
    if plain is not None:
        return fit, plain
    looks = _looks(known, fit, start)
    open_names = _open_names(looks)
    if len(open_names) == 1 and open_names[0].face == fit.face and open_names[0].pose is fit.pose:
        return fit, looks[0].identity
    tried = [_aligned(known, fit, looks[0].identity, name) for name in open_names]
    return _judged(known, _led_on(known, tried), looks)


@dataclass(frozen=True, eq=False)
class _Look:
    """The comparison of all names at one pose."""

    pose: CardPose
    identity: Identity


def _looks(known: Known, fit: Fit, start: CardPose | None) -> list[_Look]:
    """At the fit's own pose, upside down where that may be, and likewise where it started if that is elsewhere.

    A six upside down is nearly a nine; and a face that looks the same either way up fits a card of another name, whose
    figure then lies the wrong way up."""
    own, turned = _both_ways(known, fit.pose)
    if fit.explained >= Explained.ALL and _leads((own.identity, turned.identity), fit.face):
        return [own]
    if fit.explained < Explained.ALL and start is not None and _moved_mm(start, fit.pose) > _FAR_MM:
        return [own, turned, *_both_ways(known, start)]
    return [own, turned]


def _both_ways(known: Known, pose: CardPose) -> list[_Look]:
    """All names at a pose, upright and upside down."""
    return [_Look(at, names) for at, names in zip((pose, pose.half_turned), compared_ways(known, pose), strict=True)]


def _moved_mm(a: CardPose, b: CardPose) -> float:
    return float(np.abs(a.centre_mm - b.centre_mm)[:2].max())


@dataclass(frozen=True, eq=False)
class _OpenName:
    """A face that may be the right one at a pose."""

    likelihood: float
    face: int
    pose: CardPose


def _open_names(looks: Sequence[_Look]) -> list[_OpenName]:
    """The likeliest faces at all poses together, best first."""
    names = [
        _OpenName(float(look.identity.log_likelihood[face]), int(face), look.pose)
        for look in looks
        for face in np.argsort(-look.identity.log_likelihood)[:_OPEN_AT_A_POSE]
    ]
    ranked = sorted(names, key=lambda name: -name.likelihood)[:_OPEN_NAMES]
    return [name for name in ranked if name.likelihood > ranked[0].likelihood - OPEN_NATS]


def _aligned(known: Known, fit: Fit, identity: Identity, name: _OpenName) -> _Tried:
    """A candidate name aligned by itself. `fit` and the `identity` at its pose are used if they already are of that
    name.

    Alignment may lead it away: an eight over a wall, a third of it outside the picture, was laid flat from where the
    outline of a seven had been found upside down, suited the picture less there by 45 nats than where it had started,
    and was surely a seven. Then it is aligned from there as one that is known to a millimetre, and left so if as much
    of its drawing shows there."""
    if name.face == fit.face and name.pose is fit.pose:
        return _Tried(fit, identity)
    own = fit_coarse(known, name.face, name.pose)
    tried = _Tried(own, compared(known, own.pose))
    if float(tried.identity.log_likelihood[name.face]) > name.likelihood - _NEAR_NATS:
        return tried
    near = fit_close(known, name.face, name.pose)
    if near.evidence < own.evidence:
        return tried
    beside = _Tried(near, compared(known, near.pose))
    return max((tried, beside), key=lambda one: one.worth)


def _led_on(known: Known, tried: list[_Tried]) -> list[_Tried]:
    """Adds the names that become likely only at the poses that the tried names were aligned to: a guess may have been
    some millimetres off, and the right face may fit only where alignment with a wrong face ended."""
    for _ in range(_LED_TO):
        best = _best_of(tried)
        ahead = best.identity.best
        if any(other.fit.face == ahead for other in tried):
            break
        led_to = fit_coarse(known, ahead, best.fit.pose)
        tried = [*tried, _Tried(led_to, compared(known, led_to.pose))]
    return tried


def _judged(known: Known, tried: Sequence[_Tried], looks: Sequence[_Look]) -> tuple[Fit, Identity]:
    """The best of the names tried, and by how much it leads all others."""
    best, evident = _best_of(tried), _as_evident(tried)
    fit, identity = best.fit, best.identity
    # names that were behind at the first pose, either way up, and lost, stay behind
    first = np.maximum.reduce([look.identity.log_likelihood for look in looks])
    moved = min(_moved_mm(fit.pose, look.pose) for look in looks)
    behind = (first < first.max() - _NEAR_NATS) & (moved < _FAR_MM)
    behind[[other.fit.face for other in evident]] = False
    limit = identity.log_likelihood[fit.face] - _BEHIND_NATS
    likelihood = np.where(behind, np.minimum(identity.log_likelihood, limit), identity.log_likelihood)
    for other in evident:
        face = other.fit.face
        if face != fit.face:  # each name is given the benefit of its own alignment
            gained = float(other.identity.log_likelihood[face]) + 0.5 * (other.fit.evidence - fit.evidence)
            likelihood[face] = max(gained, likelihood[face])
    name = int(np.argmax(likelihood))
    if name != fit.face:  # seen from where another face led to
        fits = [other.fit for other in evident if other.fit.face == name]
        fit = fits[0] if fits else fit_coarse(known, name, fit.pose)
    return fit, tempered(Identity(likelihood, identity.points), fit)


@dataclass(frozen=True, eq=False)
class _Tried:
    """A name aligned by itself, and the comparison of names at its pose."""

    fit: Fit
    identity: Identity

    @property
    def worth(self) -> float:
        return float(self.identity.log_likelihood[self.fit.face]) + 0.5 * self.fit.evidence


def _as_evident(tried: Sequence[_Tried]) -> list[_Tried]:
    most = max(one.fit.evidence for one in tried)
    return [one for one in tried if most <= 0.0 or one.fit.evidence >= AS_EVIDENT * most]


def _best_of(tried: Sequence[_Tried]) -> _Tried:
    return max(_as_evident(tried), key=lambda one: one.worth)


def _plainly(known: Known, fit: Fit) -> Identity | None:
    """The name of a fitted card where it is settled without a close comparison; None otherwise."""
    if fit.explained < Explained.AS_IT_SHOULD:
        return None
    scene = known.scene
    count = len(scene.faces.names)
    in_place = scene.markers_in_place(fit.pose)
    # two markers where this face prints them, and no others, on a face that looks as it should
    if in_place.get(fit.face, 0) >= 2 and len(in_place) == 1:
        return _all_behind(count, fit.face, NATS_A_MARKER * in_place[fit.face])
    if any(face == fit.face and same_place(pose.centre_mm, pose.R, fit) for face, pose in scene.believed):
        return _all_behind(count, fit.face, _BELIEVED_NATS)
    if fit.explained >= Explained.ALL and not in_place:
        ways = compare_roughly(known, fit.pose), compare_roughly(known, fit.pose.half_turned)
        return ways[0] if _leads(ways, fit.face) else None
    return None


def is_plainly_named(known: Known, fit: Fit) -> bool:
    """Whether the face of a fit is so far ahead of all others by what is in view of it, either way up, that nothing
    needs to be compared more closely. Of a deck whose faces differ the whole card tells that. A name believed a moment
    ago does not: it may have been that of what covers the card."""
    by_sight = replace(known, scene=replace(known.scene, believed=()))
    return _plainly(by_sight, fit) is not None or _leads(compared_ways(known, fit.pose), fit.face)


def _all_behind(count: int, face: int, nats: float) -> Identity:
    """All of `count` faces behind one, by so many nats."""
    likelihood = np.full(count, -nats)
    likelihood[face] = 0.0
    return Identity(likelihood, 0)


def _leads(ways: tuple[Identity, Identity], face: int) -> bool:
    """Whether a face, upright, is so far ahead of all others, either way up, that nothing needs to be compared again. A
    ten without one of its shapes may be a nine upside down, and that explains nearly all of it. A deck of one card has
    no others to be held against: then it is compared in full."""
    if len(ways[0].log_likelihood) == 1:
        return False
    others = max(float(np.delete(way.log_likelihood, face).max()) for way in ways)
    return bool(ways[0].log_likelihood[face] > others + OPEN_NATS)


def tempered(identity: Identity, fit: Fit) -> Identity:
    """Faces differ in their drawing, so a fit says as much about the name as it shows of the drawing, and little where
    much of what is in view looks otherwise: then it lies at a wrong place, or something lies on it. Of 260 covered
    cards on rendered photographs the wrongly named had less than Nats.TELLING, or led by less than three nats; and
    where less than an eighth of a card was in view, half a figure took a nine for an eight by seven."""
    clear = np.clip((fit.explained - Explained.UNLIKE) / (Explained.AS_IT_SHOULD - Explained.UNLIKE), _LEAST_SAY, 1.0)
    say = float(np.clip(fit.evidence / Nats.TELLING * clear, _LEAST_SAY, min(1.0, fit.uncovered / InView.TELLING)))
    top = float(identity.log_likelihood.max())
    return Identity(top + (identity.log_likelihood - top) * say, identity.points)


_LEAST_SAY = 0.2


# A face that was surely there a moment ago and still looks as it should: another card in its very place is no chance.
_BELIEVED_NATS = 20.0


def compared(known: Known, pose: CardPose, asked: int | None = None) -> Identity:
    """The comparison of faces at a pose, including the evidence of markers."""
    return _with_markers(known, pose, compare_faces(known, pose, asked))


def compared_ways(known: Known, pose: CardPose) -> tuple[Identity, Identity]:
    """As `compared`, upright at a pose and turned by half a turn."""
    upright, turned = compare_ways(known, pose)
    return _with_markers(known, pose, upright), _with_markers(known, pose.half_turned, turned)


def roughly_compared(known: Known, pose: CardPose) -> Identity:
    """As `compared`, from the first round alone: enough to choose the faces that are looked at more closely."""
    return _with_markers(known, pose, compare_roughly(known, pose))


def _with_markers(known: Known, pose: CardPose, identity: Identity) -> Identity:
    likelihood = identity.log_likelihood.copy()
    for face, count in known.scene.markers_in_place(pose).items():
        if face not in known.taken:
            likelihood[face] += NATS_A_MARKER * count
    return Identity(likelihood, identity.points)


# How much likelier a card that is known to be in the arena is at a place than any one of the fifty others: these lie
# there only where the known one is hidden altogether, once in thirty times.
KNOWN_NATS = 7.0
# By so much another face shows more plainly by chance; and what is then no sure name, but the likeliest: 0.95.
BY_CHANCE_NATS, _LIKELIER_NATS = 2.0, 3.0


def boosted(identity: Identity, face: int) -> Identity:
    """The comparison for a face that is known to be in the arena: the deck's other faces are far less likely here.

    Where another face shows more plainly it is likelier all the same, but not surely there: it may lie where nobody
    sees it. A faint five in full view, by 2.6 nats a five, was surely the three that a card beside it hid."""
    likelihood = identity.log_likelihood.copy()
    behind = float(likelihood.max() - likelihood[face])
    likelihood[face] += KNOWN_NATS if behind <= BY_CHANCE_NATS else min(KNOWN_NATS, behind + _LIKELIER_NATS)
    return Identity(likelihood, identity.points)
