"""Which of the deck's faces lies at a pose? Every face is compared on the same pixels.

For each face and colour channel the best gain and offset are found in closed form, over the pixels that no other card
covers. A prior penalises gains that would need a light unlike this frame's; without it, colour would not count. Each
face leaves a residual, from which its log-likelihood follows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.ink_light import BLUE_RED_SD, GREEN_SD, ink_seen, light_needed
from arena_cam.vision.faces.name_points import INDEPENDENT_SHARE, NamePoints, Points
from arena_cam.vision.kernels.calls import Chosen, best_off, named
from arena_cam.vision.picture.channels import tells_something
from arena_cam.vision.picture.robust import MAD_TO_SD
from arena_cam.vision.reading.cards.known import Known, seen_at

_TONE_SD, _TONE_SHARE, _SHEEN_SD = 20.0, 0.08, 80.0  # grey levels; of a level; grey levels
_NOISE = 9.0  # grey levels: sensor noise, print against picture, interpolation
_UNMODELLED = 14.0  # grey levels: tone curves of cameras and print, by which even the right face is off over its area
_MISALIGNED = 0.5  # of a grid step: how far off an aligned face may still be, which matters where the picture is steep
# A channel in which a face varies by less than this (grey levels squared) cannot tell its own gain: dark red on red.
_GAIN_RIDGE = 300.0
# Faces that are compared again, robustly, after a first closed-form round: those within so many nats of the best, at
# least and at most so many. Of 700 comparisons on photographs none with a lead of more than 20 was overturned.
_LIKELY_NATS, _LEAST_LIKELY, _MOST_LIKELY = 25.0, 2, 7
_STRANGE_VARIANCE = 70.0**2  # and counts as off by so many grey levels
# Sums are rounded off otherwise where an array begins elsewhere in memory: of a card on which nothing tells the name
# the last digits did, and a picture had another answer with the deck's pictures kept than with them read anew.
_DECIMALS = 6  # of a nat
AS_LIKELY = 1e-6  # nats: what sums are rounded off by is less
_FEWEST_POINTS = 50  # in view of the grid's, to say anything
_STRANGE = 5.0  # standard deviations of the noise: what even the best face misses by more belongs to no face


@dataclass(frozen=True, eq=False)
class Identity:
    """Log-likelihoods (faces,) of the faces at a pose, and the number of grid points that were compared."""

    log_likelihood: Array
    points: int

    @property
    def best(self) -> int:
        return int(np.argmax(self.log_likelihood))

    def may_be(self, face: int) -> bool:
        """Whether no face is likelier than this one: of a card on which nothing tells the name many are as likely."""
        return bool(self.log_likelihood[face] >= self.log_likelihood.max() - AS_LIKELY)

    def probabilities(self) -> Array:
        """Probabilities (faces,) of the faces under a uniform prior."""
        shifted = np.exp(self.log_likelihood - self.log_likelihood.max())
        return np.asarray(shifted / shifted.sum())


def compare_faces(known: Known, pose: CardPose, asked: int | None = None) -> Identity:
    """Compares all faces that are not taken, at `pose`, on the pixels that no other card claims. `asked` is a face that
    is always compared in the second round, whatever its rank in the first."""
    return _compared(known, _looked_at(known, pose), asked)


def compare_ways(known: Known, pose: CardPose) -> tuple[Identity, Identity]:
    """`compare_faces` of a card at `pose`, and of one turned by half a turn in the same place. The picture is sampled
    once: half a turn takes the grid of points to itself, the last point to the first. A way up that is far behind in
    the first round is not compared again: it stays as far behind as that round said."""
    look = _looked_at(known, pose)
    names = known.scene.points.names
    if not names.turns_onto_itself:
        return _compared(known, look), compare_faces(known, pose.half_turned)
    ways = look, look.turned
    if not all(way.tells_names(names) for way in ways):
        return _compared(known, ways[0]), _compared(known, ways[1])
    first, other = (_in_the_first_round(known, way) for way in ways)
    gap = float(first.max() - other.max())
    if gap < -_FAR_BEHIND_NATS:
        turned = _in_both_rounds(known, ways[1], other)
        return _as_far_behind(turned, first - other.max()), turned
    upright = _in_both_rounds(known, look, first)
    if gap > _FAR_BEHIND_NATS:
        return upright, _as_far_behind(upright, other - first.max())
    return upright, _in_both_rounds(known, ways[1], other)


# By the first round, of which way up a card lies: of 206 cards on 40 pictures of drawn decks none lay the way that was
# behind by more than 40 nats when both ways were compared again; half of the others were behind by more than 60.
_FAR_BEHIND_NATS = 100.0


def _as_far_behind(leader: Identity, behind: Array) -> Identity:
    """The comparison of faces (faces,) that are so far `behind` the best of another one; none that is taken (-1e9)."""
    nats = np.where(behind <= -1e8, -1e9, float(leader.log_likelihood.max()) + behind)
    return Identity(np.asarray(np.round(nats, _DECIMALS), np.float64), leader.points)


@dataclass(frozen=True, eq=False)
class _Look:
    """What is `seen` (N, 3) at all points of the grid of names, a mask (N,) of those that count, `weight`, and how
    `steep` (N,) the picture is there."""

    seen: Array
    weight: Array
    steep: Array

    @property
    def turned(self) -> _Look:
        """As a card in the same place sees it that is turned by half a turn: the same numbers, from the last on."""
        return _Look(self.seen[::-1], self.weight[::-1], self.steep[::-1])

    @property
    def count(self) -> int:
        return int(self.weight.sum())

    def tells_names(self, names: NamePoints) -> bool:
        """Whether enough is in view; a sliver may miss all points of a round."""
        in_both_rounds = self.weight[names.rough_at].any() and self.weight[names.close_at].any()
        return self.count >= _FEWEST_POINTS and bool(in_both_rounds)


def _looked_at(known: Known, pose: CardPose) -> _Look:
    names = known.scene.points.names
    seen, weight = _seen(known, pose, names.places)
    return _Look(seen, weight, names.steepness(seen))


def _compared(known: Known, look: _Look, asked: int | None = None) -> Identity:
    """The comparison of all faces with what `_looked_at` gives."""
    names = known.scene.points.names
    if not look.tells_names(names):
        return Identity(np.where(_allowed(names, known.taken), 0.0, -1e9), look.count)
    return _in_both_rounds(known, look, _in_the_first_round(known, look), asked)


def _in_the_first_round(known: Known, look: _Look) -> Array:
    names, rough = known.scene.points.names, known.scene.points.names.rough_at
    allowed = _allowed(names, known.taken)
    return _first_round(names, look.seen[rough], look.weight[rough], look.count, known.scene.white_ratio, allowed)


def _in_both_rounds(known: Known, look: _Look, first: Array, asked: int | None = None) -> Identity:
    """The comparison of all faces, those that lead in the `first` round (faces,) once more."""
    names = known.scene.points.names
    allowed = _allowed(names, known.taken)
    leaders = _short_list(first, allowed)
    short = leaders if asked is None or asked in leaders else np.append(leaders, asked)
    noise = _noise_of(look.steep[names.close_at])
    likely = _second_round(names, look.seen, look.weight, noise, known.scene.white_ratio, short)
    # What is not in the short list is behind all that are, and as far behind the best as the first round said. But a
    # place in that list says nothing where the first round told the last of it from nobody: of a card of blank paper
    # forty faces were as likely, and the challenge was one of eight.
    result = np.minimum(likely.max() + first - first[short].max(), likely.min() - 10.0)
    as_last = np.abs(first - first[leaders[-1]]) < _NOTHING_TOLD
    result[as_last] = likely[as_last[short]].min()
    result[~allowed] = -1e9
    result[short] = likely
    return Identity(np.round(result, _DECIMALS), look.count)


@dataclass(frozen=True, eq=False)
class SeenInk:
    """How a picture renders the ink of a card: what is drawn with a level is seen with `gain` (3,) times that and
    `haze` (3,) more, in the middle of the card (grey levels; blue, green, red)."""

    gain: Array
    haze: Array


def ink_of(known: Known, pose: CardPose, face: int) -> SeenInk | None:
    """How the ink of a face at a pose is seen; None where too little of it is in view."""
    chosen = np.array([face])
    seen = _close_points(known, pose, chosen)
    if seen is None:
        return None
    fit = _fit_all(known.scene.points.names.close[chosen], *seen, known.scene.white_ratio)
    return SeenInk(fit.gain[0], fit.haze[0])


def gained_by_inks(known: Known, pose: CardPose, inks: Mapping[int, SeenInk]) -> Array | None:
    """By how many nats (J,) each of some faces at a pose is likelier than by a light that nobody knows, given how a
    card of the same ink is seen near by; up to a common constant. None where too little is in view.

    Camera and print render each ink in a way of its own, whatever the light: violet with less green than blue. On two
    cards of one ink that is the same, but for the light of either place."""
    scene, chosen = known.scene, np.array(list(inks))
    seen = _close_points(known, pose, chosen)
    if seen is None:
        return None
    faces = scene.points.names.close[chosen]
    gain, haze = (np.stack([getattr(ink, part) for ink in inks.values()])[:, :, None] for part in ("gain", "haze"))
    points = scene.points.names.close_step * float(seen[1].sum()) * INDEPENDENT_SHARE
    by_itself = _fit_all(faces, *seen, scene.white_ratio)
    as_seen = _fit_all(np.maximum(gain * faces + haze, 0.0).astype(np.float32), *seen, np.ones(3))
    before = _ratio_misfit(by_itself.gain, scene.white_ratio) + _haze_misfit(by_itself, points, scene.white_ratio)
    now = _ratio_misfit(as_seen.gain, np.ones(3), _INK_SD)
    now = now + _haze_misfit(as_seen, points, scene.white_ratio, _INK_TONE, -np.inf)
    return np.asarray(0.5 * (before - now))


def likely_by_light(known: Known, pose: CardPose, faces: NDArray[np.intp]) -> Array | None:
    """The log-likelihoods (J,) of some faces at a pose, up to a common constant, as `compare_faces` has them but for
    the light: that which its inks need, and not of grey levels. None where too little is in view, or nobody knows how
    bright white is, and of faces that their inks do not tell apart."""
    scene, names = known.scene, known.scene.points.names
    if (scene.white == 1.0).all() or not _tells_inks(names, faces):
        return None
    seen = _close_points(known, pose, faces)
    if seen is None:
        return None
    fit = _fit_all(names.close[faces], *seen, scene.white_ratio)
    points = names.close_step * float(seen[1].sum()) * INDEPENDENT_SHARE
    inks = ink_seen(names.close[faces], *seen, scene.white, _UNMODELLED, 1.0 / (names.close_step * INDEPENDENT_SHARE))
    return np.asarray(-points * np.log(fit.variance + _UNMODELLED**2).mean(axis=1) - 0.5 * light_needed(inks))


def _tells_inks(names: NamePoints, faces: NDArray[np.intp]) -> bool:
    """Whether some faces are so much of their inks that all over the card they look unlike each other in colour: of
    thin print pictures show its colour paler than it is, and how much is blur."""
    means = names.rough[faces].mean(axis=2)
    return bool(np.ptp(means, axis=0).max() > _MUCH_INK)


_MUCH_INK = 20.0  # grey levels in one channel, on the whole card


def _close_points(known: Known, pose: CardPose, faces: NDArray[np.intp]) -> tuple[Array, Array, Array] | None:
    """What is seen (N, 3) at the close points of a card, how much each counts (N,), little where none of the `faces`
    explains it, and the terms of light (N, 3); None where too little is in view."""
    names = known.scene.points.names
    look, close = _looked_at(known, pose), names.close_at
    if float(look.weight[close].sum()) * names.close_step < _FEWEST_POINTS:
        return None
    seen, weight, light = look.seen[close], look.weight[close], names.close_light
    noise = _noise_of(look.steep[close])
    off = residual_of_best(names.close, seen, weight, light, known.scene.white_ratio, faces) / noise
    return seen, weight / _as_strange(off), light


def compare_roughly(known: Known, pose: CardPose) -> Identity:
    """The first round of `compare_faces`: one point in five, in closed form. This is enough where one face leads by
    far. The result must not be compared with that of another pose."""
    names, white_ratio = known.scene.points.names, known.scene.white_ratio
    seen, weight = _seen(known, pose, names.rough_places)
    count = int(weight.sum()) * names.rough_step
    allowed = _allowed(names, known.taken)
    if count < _FEWEST_POINTS:
        return Identity(np.where(allowed, 0.0, -1e9), count)
    return Identity(_first_round(names, seen, weight, count, white_ratio, allowed), count)


def _seen(known: Known, pose: CardPose, places: Array) -> tuple[Array, Array]:
    """The picture (N, 3) at `places` (3, N) of a card at `pose`, and a mask (N,) that is 1 where no claim covers it
    and gloss has not washed it out."""
    pixels, weight = seen_at(known, pose, places)
    seen = known.scene.sample_bgr(pixels)
    outside = np.isnan(seen[:, 0])
    if outside.any():
        weight[outside] = 0.0
        seen[outside] = 0.0
    return seen, weight * tells_something(seen)


def _allowed(names: NamePoints, taken: Collection[int]) -> NDArray[np.bool_]:
    allowed = np.ones(len(names.rough), dtype=bool)
    allowed[list(taken)] = False
    return allowed


def _first_round(
    names: NamePoints, seen: Array, weight: Array, count: int, white_ratio: Array, allowed: NDArray[np.bool_]
) -> Array:
    """Of all faces (faces,), in closed form, from the rough points, which stand for `count` of the grid's."""
    light, stands_for = names.rough_light, count / max(float(weight.sum()), _LITTLE)
    first = likelihoods_of((names.rough, None), seen, weight, light, white_ratio, stands_for)
    return np.where(allowed, np.round(first, _DECIMALS), -1e9)


_NOTHING_TOLD = 0.01  # nats: what faces drawn alike in all that is in view differ by


def _short_list(first: Array, allowed: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The numbers of the best few faces of the first round (faces,), the best first."""
    short = np.argsort(-first)[:_MOST_LIKELY]
    near = first[short] > first[short[0]] - _LIKELY_NATS
    near[:_LEAST_LIKELY] = True
    return np.asarray(short[near & allowed[short]], np.intp)


def _second_round(
    names: NamePoints, seen: Array, weight: Array, noise: Array, white_ratio: Array, short: NDArray[np.intp]
) -> Array:
    """Of the faces with the numbers `short` (J,), robustly, each with its own outliers. `noise` is that of the close
    points."""
    # What none of the likely faces explains is something that lies on the card, and says nothing about its name.
    seen, weight, light = seen[names.close_at], weight[names.close_at], names.close_light
    off = residual_of_best(names.close, seen, weight, light, white_ratio, short) / noise
    kept = weight / _as_strange(off)
    result = likelihoods_of((names.close, short), seen, kept, light, white_ratio, names.close_step)
    strange = names.close_step * float((weight - kept).sum()) * INDEPENDENT_SHARE
    result -= strange * np.log(_STRANGE_VARIANCE)  # for all faces alike: it tells poses apart, not names
    return np.asarray(result, dtype=np.float64)


def _noise_of(steep: Array) -> Array:
    """By how many grey levels (N,) an aligned face is off where the picture is so `steep` (N,)."""
    return np.asarray(np.sqrt(_NOISE**2 + np.square(_MISALIGNED * steep)))  # np.hypot takes six times as long


def _as_strange(off: Array) -> Array:
    """By how much less points (N,) count that the best face misses by so many standard deviations `off` (N,)."""
    share2 = np.square(off * (1.0 / _STRANGE))
    return np.asarray(1.0 + share2 * share2)  # a power of 4 takes ten times as long


@dataclass(frozen=True, eq=False)
class _InLight:
    """Faces in the light that suits each best, all (faces, 3): the `variance` that is left, the `gain`, the `haze` that
    must lie over the middle of the card for that (grey levels), the face's `mean` level there, and how much it varies
    (`energy`, grey levels squared)."""

    variance: Array
    gain: Array
    haze: Array
    mean: Array
    energy: Array


def likelihoods_of(
    faces: Chosen, seen: Array, weight: Array, light: Array, white_ratio: Array, stands_for: float
) -> Array:
    """The log-likelihoods (J,), up to a common constant, of some `faces` (faces, 3, N), each in the light that suits it
    best, by what is `seen` (N, 3). Each point stands for so many of the grid's, by its `weight` (N,)."""
    compiled = named(faces, seen, weight, light, white_ratio, stands_for, _RULES)
    if compiled is not None:
        return compiled
    of_all, these = faces
    fit = _fit_all(of_all if these is None else of_all[these], seen, weight, light, white_ratio)
    points = stands_for * float(weight.sum()) * INDEPENDENT_SHARE
    off = _ratio_misfit(fit.gain, white_ratio) + _haze_misfit(fit, points, white_ratio)
    return np.asarray(-points * np.log(fit.variance + _UNMODELLED**2).mean(axis=1) - 0.5 * off)


def _fit_all(faces: Points, seen: Array, weight: Array, light: Array, white_ratio: Array) -> _InLight:
    """The weighted regression of `seen` (N, 3) on each of `faces` (faces, 3, N) and a plane of light over the card,
    `light` (N, 3). Where a face hardly varies in a channel, its gain there is that of the light (ridge)."""
    share = weight / weight.sum()
    root = np.sqrt(share)
    plane = _orthonormal(light * root[:, None])
    target = seen * root[:, None]
    target -= plane @ (plane.T @ target)
    # In double precision: of a face that is nearly even only what rounding leaves of two large sums would vary.
    rows = faces.reshape(-1, faces.shape[2]).astype(np.float64)
    products = (rows @ (np.concatenate([plane, target], axis=1) * root[:, None])).reshape(-1, 3, 6)
    whole = ((rows * rows) @ share).reshape(-1, 3)
    energy = np.maximum(whole - (products[:, :, :3] ** 2).sum(axis=2), 0.0)
    covariance = products[:, [0, 1, 2], [3, 4, 5]]
    mean = products[:, :, 0] / float(plane[:, 0] @ root)
    points = float(weight.sum()) * INDEPENDENT_SHARE
    common = _common_gain(covariance, energy, points, mean, share @ seen, white_ratio)
    of_light = np.maximum(common, 0.0)[:, None] * white_ratio
    gain = np.maximum((covariance + _GAIN_RIDGE * of_light) / (energy + _GAIN_RIDGE), 0.0)
    variance = np.maximum((target**2).sum(axis=0) - gain * (2.0 * covariance - gain * energy), 0.0)
    haze = share @ seen - gain * mean
    return _InLight(np.asarray(variance, dtype=np.float64), gain, haze, mean, energy)


def _common_gain(
    covariance: Array, energy: Array, points: float, mean: Array, seen: Array, white_ratio: Array
) -> Array:
    """The gain (faces,) of a light of white's colour that all channels of a face share: by what varies over the face,
    where `points` of it are independent, and by its `mean` colour (faces, 3) against that `seen` (3,).

    Of a card in one ink with its figure hidden nothing varies. Its colour still tells the light, but for a sheen.
    Without that the light came of noise, and violet was surely blue in a light of none."""
    tone, sheen = _TONE_SD**-2, _SHEEN_SD**-2
    lit = mean * white_ratio
    # what a sheen may explain is left out (the inverse of a diagonal and a rank of one)
    along = tone * (lit @ white_ratio) / np.sqrt(sheen + tone * float(white_ratio @ white_ratio))
    seen_along = tone * float(seen @ white_ratio) / np.sqrt(sheen + tone * float(white_ratio @ white_ratio))
    by_print, by_mean = points / _UNMODELLED**2, tone * (lit**2).sum(axis=1) - along**2
    wanted = by_print * (covariance * white_ratio).sum(axis=1) + tone * (lit @ seen) - along * seen_along
    return np.asarray(wanted / np.maximum(by_print * (energy * white_ratio**2).sum(axis=1) + by_mean, _LITTLE))


_LITTLE = 1e-9


def _orthonormal(columns: Array) -> Array:
    """An orthonormal basis (N, 3) of what three columns span (by Gram and Schmidt, twice), in a quarter of
    the time of a QR decomposition."""
    basis = np.empty_like(columns)
    for k in range(columns.shape[1]):
        column = columns[:, k]
        for _ in range(2 if k else 0):
            column = column - basis[:, :k] @ (basis[:, :k].T @ column)
        basis[:, k] = column / max(float(np.sqrt(column @ column)), _NO_LENGTH)
    return basis


_NO_LENGTH = 1e-12  # of a column that the others span: points in a row

# Of the face's colours and the plane of light, by their numbers, what explains each channel; and the channel itself.
_MODEL = np.array([[channel, 3, 4, 5] for channel in range(3)])
_CHANNEL = np.arange(6, 9)[:, None]


def residual_of_best(
    faces: Points,
    seen: Array,
    weight: Array,
    light: Array,
    white_ratio: Array,
    these: NDArray[np.intp] | None = None,
) -> Array:
    """The residual (N,), in the worst channel, of the best of the faces (faces, 3, N) with the numbers `these` (J,)
    against the picture (N, 3); None is all."""
    compiled = best_off((faces, these), seen, weight, light, white_ratio, _GAIN_RIDGE)
    if compiled is not None:
        return compiled
    off = np.full(len(seen), np.inf)
    for face in faces if these is None else faces[these]:
        np.minimum(off, np.abs(_robust_residual(face, seen, weight, light, white_ratio)).max(axis=0), out=off)
    return off


def _robust_residual(face: Points, seen: Array, weight: Array, light: Array, white_ratio: Array) -> Array:
    """Residual (3, N) of one face (3, N) with a plane of light, by reweighting outliers away. In a channel in which the
    visible part of the face hardly varies, the gain of the light is used. Otherwise a little white on a red card could
    not be predicted from the red around it, and would count as an outlier."""
    all_ = np.concatenate([face, light.T, seen.T])
    model, target = all_[:6], all_[6:]
    residual = target
    agree = weight
    asked = weight > 0
    for _ in range(3):
        gram = (all_ * agree) @ all_.T
        normal = gram[_MODEL[:, :, None], _MODEL[:, None, :]]
        diagonal = np.einsum("cii->ci", normal)
        diagonal += 1e-6 * diagonal + 1e-9
        energy = 1.0 / np.linalg.inv(normal)[:, 0, 0]  # of what varies in a channel beyond the plane of light
        free = np.linalg.solve(normal, gram[_MODEL, _CHANNEL][:, :, None])[:, 0, 0]
        common = max(0.0, float((energy * free) @ white_ratio / np.maximum(energy @ white_ratio**2, 1e-9)))
        ridge = _GAIN_RIDGE * float(agree.sum())
        normal[:, 0, 0] += ridge
        right = gram[_MODEL, _CHANNEL]
        right[:, 0] += ridge * common * white_ratio
        solution = np.linalg.solve(normal, right[:, :, None])[:, :, 0]
        solution[:, 0] = np.maximum(solution[:, 0], 0.0)
        mix = np.zeros((3, 6))
        np.put_along_axis(mix, _MODEL, solution, axis=1)
        residual = target - mix @ model
        off = (residual * residual).sum(axis=0) / 3.0
        those = off[asked]
        those.partition(len(those) // 2)
        scale = max(25.0, MAD_TO_SD**2 * float(those[len(those) // 2]))
        off *= 1.0 / (4.0 * scale)
        agree = weight / (1.0 + off * off)
    return residual


def _ratio_misfit(gain: Array, white_ratio: Array, sd: tuple[float, float] = (BLUE_RED_SD, GREEN_SD)) -> Array:
    """Squared deviation (faces,), in standard deviations `sd`, of the gains (faces, 3) from this frame's light."""
    ratio = np.log(np.maximum(gain, 1e-3) / white_ratio)
    blue_red = (ratio[:, 0] - ratio[:, 2]) / sd[0]
    green = (ratio[:, 1] - (ratio[:, 0] + ratio[:, 2]) / 2) / sd[1]
    return np.asarray(np.minimum(blue_red**2 + green**2, _MOST_OFF_LIGHT))


def _haze_misfit(
    fit: _InLight,
    points: float,
    white_ratio: Array,
    tone: tuple[float, float] = (_TONE_SD, _TONE_SHARE),
    least: float = 0.0,
) -> Array:
    """How unlike what light does the haze over the faces is: squared standard deviations (faces,). `points` of what is
    seen are independent. `tone`: by how many levels, and by which share of them, a tone may be off; `least`: the
    sheen that there must be.

    A sheen adds light of its own colour, the same in proportion to white in every channel, and no light takes any away:
    a face whose ink could only be so dark under less than none is not the one. Camera and print change the tones by a
    few levels, and by a share of them; and a gain that few points tell leaves the haze open.
    """
    unknown = (fit.variance + _UNMODELLED**2) / (max(points, 1.0) * (fit.energy + _GAIN_RIDGE)) * fit.mean**2
    sd2 = tone[0] ** 2 + (tone[1] * fit.gain * fit.mean) ** 2 + unknown
    common = (fit.haze * white_ratio / sd2).sum(axis=1) / ((white_ratio**2 / sd2).sum(axis=1) + _SHEEN_SD**-2)
    sheen = np.maximum(common, least)
    off = fit.haze - sheen[:, None] * white_ratio
    return np.asarray(np.minimum((off * off / sd2).sum(axis=1) + (sheen / _SHEEN_SD) ** 2, _MOST_UNLIKE))


# By how much the light on two cards beside each other differs: as the standard deviations above. Of 18 pairs of one ink
# within 60 mm on twelve pictures of three tables it was 0.06, 0.02 and 6 levels (root mean squares), 0.11 at most.
_INK_SD, _INK_TONE = (0.1, 0.05), (8.0, 0.05)
_MOST_UNLIKE = 60.0  # squared standard deviations: a coloured shade or a hand may lie over a part of a card
_MOST_OFF_LIGHT = 200.0  # squared standard deviations of gains from the light
_RULES = np.array([INDEPENDENT_SHARE, _GAIN_RIDGE, _UNMODELLED**2, _TONE_SD, _TONE_SHARE, _SHEEN_SD, _MOST_UNLIKE])
_RULES = np.append(_RULES, (BLUE_RED_SD, GREEN_SD, _MOST_OFF_LIGHT, _NO_LENGTH, _LITTLE))  # as the compiled twin
