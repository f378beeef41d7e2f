"""Which of a few faces lies here? By the points at which they differ, and by nothing else.

Of a nearly blank card a small figure is all that tells its name, and a residual over the whole face drowns it: light
that no plane describes, gloss and tone weigh more. Where all candidates look alike the picture shows what light makes
of them; with that taken out, what is left at the points where they differ is compared point by point.

Light adds, grey levels do not: these are about its square root. The light over a card is therefore known in squares,
`S = G F + H` of what is seen, `S = s^2 / 255`, and drawn, `F = f^2 / 255`: under whatever haze H the gain G is that of
the fiducials' paper, and so is the contrast that is left of a figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.softness import DIFFERENT, LUMA, Faces, Levels, Numbers, Softly, apart_and_common
from arena_cam.vision.kernels.calls import light_of
from arena_cam.vision.kernels.telling_calls import lit_apart, said_apart, said_between, shares_of, told_at
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.picture.robust import median

# Grey levels: candidates that differ by less at a point are alike there, by more than `DIFFERENT` they differ.
_ALIKE = 4.0
_NOISE = 4.0  # grey levels: sensor, compression, seen softly
_TONE = 0.12  # of a difference in print, by which camera, light and printer may render it otherwise
_OFF_PX = 0.3  # points of the grid by which an aligned face may be off, or seen softer than drawn
# A difference that so small a displacement makes is none. A ring drawn a quarter of a point out of the middle told
# which way up a card lay, by where its outline had been found, and with that the card's name. A frame of a hair's
# breadth, 0.15 points off, told the way so by 14 nats: of a three with no figure in view a seven was left, surely.
_DRAWN_OFF_PX = 0.4
# Light and colour of small print, as a share of what is drawn, and their standard deviations.
_STRENGTH, _STRENGTH_SD = np.array([0.9, 0.75]), np.array([0.15, 0.25])
_STRENGTHS = (np.array([0.5, 0.3]), np.array([1.2, 1.2]))  # no light makes blue of yellow
_TAIL = 4.0  # degrees of freedom of Student's t: dust, glare, a fold
# Neighbouring points of the grid see the same pixels through blur: one in so many speaks for itself.
_INDEPENDENT = 1 / 12
# So many do where all is seen softly; and so many points at most: light and tone are off over whole parts of a card. Of
# 129 namings of four drawn decks, their light's scale estimated, 1/8 of the points named all surely named ones rightly.
_INDEPENDENT_SOFTLY, _MOST_SAID = 1 / 8, 110.0
# Steps of the estimate of the residuals' scale (expectation maximisation of Student's t; K. L. Lange et al., "Robust
# statistical modeling using the t distribution", JASA 84, 1989), and the least scale: sensor noise alone.
_SCALE_STEPS, _LEAST_SCALE = 4, 0.1
_LOCAL_PX = 15  # light is taken to be even over so many points of the grid
_FEWEST = 30  # points alike, to know the light by
_RULES = np.array([_INDEPENDENT, *LUMA, *_STRENGTH, *_STRENGTH_SD, *_STRENGTHS[0], *_STRENGTHS[1]])
_RULES = np.append(_RULES, (_TAIL, _SCALE_STEPS, _LEAST_SCALE, _NOISE, _TONE, _OFF_PX))  # as the compiled twin has them
# How bright print is as light, against the fiducials' paper, and how far that goes (standard deviation, as a share): of
# 552 channels of cards on 36 tables of two renderers, nearly blank ones, foil and dark ones under haze, ten decks drawn
# otherwise had 0.85 to 1.2 in the median, two of black cards 1.6 and 2.0, the other renderer's four 1.5. As grey levels
# the gain is 0.3 to 1.05, by how much haze lies over a card.
AGAINST_PAPER, GAIN_SHARE_SD = 1.2, 0.3
# Light (standard deviation, 255 is full) of the haze that gloss lays over a card, and how many points see as one.
_HAZE, _ALIKE_POINTS = 60.0, 12.0
# How much gain, as a share, and haze vary from a card's middle to its rim (standard deviations). Light falls off by a
# tenth or two; a sheen comes and goes within a card. When the haze was even, that of a black card with thin golden
# lines, brighter below than above, was made of a light that is negative above: no figure there could be read.
_GAIN_SLOPE, _HAZE_SLOPE = 0.3, 30.0
# Held back so, for each squared grey level of the residuals' scale; the gain and its slopes for each squared share.
_HELD = _ALIKE_POINTS / np.array([GAIN_SHARE_SD, _GAIN_SLOPE, _GAIN_SLOPE, _HAZE, _HAZE_SLOPE, _HAZE_SLOPE]) ** 2
_FULL, _LEAST_LIGHT = 255.0, 2.5  # the light of a level of 255; that of one of 25: darker ones are not known better
_LITTLE = 1e-6  # and by this, where nothing tells


def told_apart(
    view: Softly,
    white: Array,
    these: NDArray[np.intp] | None = None,
    hair_lines: bool = True,
    between_places: bool = False,
) -> Array:
    """Log-likelihoods (J,) of the candidate faces with the numbers `these` (J,), up to a common constant; None is all.
    `white` (3,) is the share of full light that white paper sends in the picture, by channel; ones where none knows.
    Without `hair_lines` nothing is told by lines so thin that a small displacement makes all of the difference. With
    `between_places` each face may lie between two of the places looked at, too: faces whose common print lies a little
    otherwise, as of one that is turned.

    An outline is known to half a millimetre, and of a thin figure that is much: each face has the place beside its own
    that suits it best.
    """
    these = np.arange(len(view.faces)) if these is None else these
    where = _where_told(view, these, hair_lines)
    at = where.at
    if not len(at):
        return np.zeros(len(these))
    independent = min(_INDEPENDENT_SOFTLY * len(at), _MOST_SAID)
    lit = _lit(view, these, where, white)
    seen = view.nats + independent * _said_beside(view, these, where, lit)
    view.best[these] = seen.argmax(axis=1)
    told = seen.max(axis=1)
    near = np.flatnonzero(told > told.max() - _MAY_LEAD * independent)
    for face in near if between_places and len(near) > 1 and len(view.nats) > 1 else ():
        told[face] = max(told[face], _told_between(view, these, where, lit, int(face), independent))
    return np.asarray(told)


# Nats an independent point by which a face may be behind in the best of its places and lead between them: of two
# sevens, one a quarter of a millimetre beside the other, one was behind by half a nat, and by a twentieth between its
# places.
_MAY_LEAD = 1.5


def _told_between(view: Softly, these: Numbers, where: _Where, lit: _Lit, face: int, independent: float) -> float:
    """The log-likelihood of a `face`, by its number among `these`, between the places in which the card was looked at:
    where what is seen, taken to vary evenly from its best place to those beside it, suits it best.

    A card is aligned by the print of one face, and lies exactly in one of the places if it is that. Any other face was
    compared up to half a step beside its own place, and was behind by as much as all edges of print said of that."""
    best = int(view.best[these[face]])
    beside = view.beside(best)
    if beside is None:
        return -np.inf
    slopes_nats = 0.5 * (view.nats[beside[:, 0]] - view.nats[beside[:, 1]])
    points, light = (these, where.at, view.among(where.at)), (lit.faces, lit.round_about, lit.doubt2)
    places = np.array([best, *beside.ravel()])
    placed = face, places, (_STEPS_BETWEEN, _LITTLE, _BETWEEN)
    compiled = said_between(points, light, where.spread, view.slopes, view.places, _RULES, placed)
    said, laid = _between_in_numpy(view, these, where, lit, (face, places)) if compiled is None else compiled
    return float(view.nats[best] + laid @ slopes_nats) + independent * said


def _between_in_numpy(
    view: Softly, these: Numbers, where: _Where, lit: _Lit, placed: tuple[int, Numbers]
) -> tuple[float, Array]:
    face, places = placed
    here, *ways = (view.places[number].take(view.among(where.at), axis=1).T for number in places)
    slopes = 0.5 * np.stack([ways[0] - ways[1], ways[2] - ways[3]])
    ink, sd2 = lit.faces[face] - lit.round_about, _doubt2(view, these, where, lit)[face]
    contrast, laid = here - lit.round_about, np.zeros(2)
    for _ in range(_STEPS_BETWEEN):
        off = _off(contrast + np.tensordot(laid, slopes, 1)[None], ink, sd2)[0]
        by_weight = slopes * _agree((off**2).mean(axis=1) / sd2)[:, None] / sd2[:, None]
        normal = np.tensordot(by_weight, slopes, ((1, 2), (1, 2)))
        step = np.linalg.solve(normal + _LITTLE * np.eye(2), np.tensordot(by_weight, off, ((1, 2), (0, 1))))
        laid = (laid - step).clip(-_BETWEEN, _BETWEEN)
    off2 = (_off(contrast + np.tensordot(laid, slopes, 1)[None], ink, sd2) ** 2).mean(axis=2) / sd2
    return float(_said(off2)[0]) - 0.5 * float(np.log(sd2).mean()), laid


_STEPS_BETWEEN, _BETWEEN = 2, 0.75  # of Gauss-Newton; steps from place to place, no farther than the next


def _agree(off2: Array) -> Array:
    """The weights (N,) of Student's t for squared residuals (N,), in units of their assumed variance."""
    scale = max(float(np.median(off2)), _LEAST_SCALE)
    return np.asarray((_TAIL + 1.0) / (_TAIL + off2 / scale))


def agreement(view: Softly, white: Array, these: NDArray[np.intp], best: int) -> tuple[float, float]:
    """Of the contrast seen at the points at which the faces with the numbers `these` (J,) differ, the share that the
    `best` of them explains where it suits the picture best: 1 at most, below 0 where paper explains more; and by how
    many nats paper does.

    Of faces all of which are off one is the least off, and may lead by much."""
    where = _where_told(view, these)
    at = where.at
    if not len(at):
        return 1.0, 0.0
    lit = _lit(view, these, where, white)
    among, ink = view.among(at), lit.faces[list(these).index(best)]
    shares = shares_of(ink, lit.round_about, view.places, among, _RULES, _IN_HAZE)
    share = float((_shares(ink, lit.round_about, view.places.take(among, axis=2)) if shares is None else shares).max())
    return share, 0.5 * min(_INDEPENDENT_SOFTLY * len(at), _MOST_SAID) * float(np.log(max(1.0 - share, 1.0)))


def _shares(ink: Array, about: Array, seen: Array) -> Array:
    """The shares (M, 2) of the contrast of what is `seen` (M, 3, N) with what is printed round `about` (N, 3) that an
    `ink` (N, 3) explains: in its light and colour, and in its light alone in whatever haze."""
    shown, ink = seen.transpose(0, 2, 1) - about, ink - about
    left, there = _off(shown, ink, np.full(len(ink), _NOISE**2)), np.maximum((shown**2).sum(axis=(1, 2)), 1.0)
    by_colour = 1.0 - (left**2).sum(axis=(1, 2)) / there
    return np.stack([by_colour, _share_in_haze(shown @ LUMA, ink @ LUMA)], axis=1)


def _contrasts(view: Softly, white: Array, these: Numbers) -> tuple[Numbers, Array, Array] | None:
    """The points (N,) at which the faces with the numbers `these` (J,) differ, and how each face (J, N, 3) and each
    view of the card (M, N, 3) stands out there from what is printed round about; None if they differ nowhere."""
    where = _where_told(view, these)
    if not len(where.at):
        return None
    lit = _lit(view, these, where, white)
    shown = view.places.take(view.among(where.at), axis=2).transpose(0, 2, 1) - lit.round_about
    return where.at, lit.faces - lit.round_about, shown


def nobodys(view: Softly, white: Array, these: NDArray[np.intp], best: int, tile_px: int) -> NDArray[np.bool_] | None:
    """The parts (H, W) of a card, tiles of `tile_px` points, in which contrast is seen that none of the faces with the
    numbers `these` (J,) explains for the most part, where the `best` of them lies: there something lies on the card.
    None if there are none, or nothing else."""
    contrasts = _contrasts(view, white, these)
    if contrasts is None:
        return None
    at, inks, shown = contrasts
    even = np.full(len(at), _NOISE**2)
    place = int(np.argmin((_off(shown, inks[list(these).index(best)], even) ** 2).sum(axis=(1, 2))))
    here = shown[place : place + 1]
    rows, columns = np.divmod(at, view.weight.shape[1])
    across = -(-view.weight.shape[1] // tile_px)
    tile = (rows // tile_px) * across + columns // tile_px
    counts = np.bincount(tile)

    def in_tiles(levels: Array) -> Array:
        return np.asarray(np.bincount(tile, weights=(levels**2).sum(axis=-1).ravel()), np.float64)

    least = np.min([in_tiles(_off(here, ink, even)) for ink in inks], axis=0)
    there = in_tiles(here)
    covered = (least > _MOSTLY * there) & (there > 3.0 * (_PLAIN * _NOISE) ** 2 * counts) & (counts > 0)
    if not covered.any() or covered[counts > 0].all():
        return None
    mask = np.zeros(view.weight.shape, bool)
    for number in np.flatnonzero(covered):
        row, column = divmod(int(number), across)
        mask[row * tile_px : (row + 1) * tile_px, column * tile_px : (column + 1) * tile_px] = True
    return mask


_MOSTLY, _PLAIN = 0.5, 2.0  # of the contrast seen; times the noise


def _share_in_haze(shown: Array, ink: Array) -> Array:
    """The share (M,) of each contrast `shown` (M, N) that the `ink` (N,) explains, however much haze lies over it."""
    strength = np.clip(shown @ ink / max(float(ink @ ink), 1e-9), *_IN_HAZE)
    left = ((shown - strength[:, None] * ink) ** 2).sum(axis=1)
    return np.asarray(1.0 - left / np.maximum((shown**2).sum(axis=1), 1.0))


_IN_HAZE = 0.15, 1.2  # of its contrast a figure keeps at least that can be read at all, and at most


@dataclass(frozen=True, eq=False)
class _Where:
    """Where some faces differ and where they are `alike` (H, W): by how much they differ, their `spread` (H, W), the
    numbers `at` (N,) of the points at which they do, and what they have in `common`: their mean (H, W, 3)."""

    spread: Faces
    alike: NDArray[np.bool_]
    at: Numbers
    common: Faces


def _where_told(view: Softly, these: Numbers, hair_lines: bool = True) -> _Where:
    """Where the faces with the numbers `these` (J,) are told apart."""
    asked = these.tobytes() + bytes([hair_lines])
    where: _Where | None = view.kept.get(asked)
    if where is None:
        where = view.kept[asked] = _where_apart(view, these, hair_lines)
    return where


def _where_apart(view: Softly, these: Numbers, hair_lines: bool) -> _Where:
    of_all = len(these) == len(view.faces)
    spread, common = (view.spread, view.common) if of_all else apart_and_common(view.faces, these)
    points, rules = (view.faces, these, view.differing), (DIFFERENT, _DRAWN_OFF_PX)
    told = told_at(points, spread, common, view.slopes, rules) if hair_lines else None
    at = _told_in_numpy(view, these, hair_lines, (spread, common)) if told is None else view.differing[told]
    return _Where(spread, (spread < _ALIKE) & (view.weight > 0), at, common)


def _told_in_numpy(view: Softly, these: Numbers, hair_lines: bool, differ: tuple[Faces, Faces]) -> Numbers:
    """The numbers of the points at which faces are told apart that `differ` by so much (H, W), and what they have in
    common (H, W, 3)."""
    spread, common = differ
    at = np.flatnonzero((spread > DIFFERENT) & (view.weight > 0))
    slopes = view.slopes[these].take(view.among(at), axis=1) if hair_lines else _steepest(view.faces[these], at)
    steep = spread.ravel()[at] < _DRAWN_OFF_PX * slopes.max(axis=0)
    if steep.any():
        inks = view.faces.reshape(len(view.faces), -1, 3)[these[:, None], at[steep]]
        at = at[~_marked(steep, _is_displaced(inks, common, at[steep]))]
    return at


def _steepest(faces: Faces, at: Numbers) -> Array:
    """How steep each of `faces` (K, H, W, 3) is on the steeper side of each point numbered `at` (N,): (K, N), levels a
    point. Over three points, as slopes are usually measured, a hair line's flanks are half as steep as they are."""
    padded = np.pad(faces, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="edge")
    rows, columns = np.divmod(at, faces.shape[2])
    here = padded[:, rows + 1, columns + 1]

    def towards(down: int, right: int) -> Faces:
        return np.asarray(np.abs(padded[:, rows + 1 + down, columns + 1 + right] - here))

    across, along = np.maximum(towards(0, 1), towards(0, -1)), np.maximum(towards(1, 0), towards(-1, 0))
    return np.asarray(greatest(np.hypot(across, along)), np.float64)


def _marked(asked: NDArray[np.bool_], answers: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The `answers` for those (N,) that were asked, no for all others."""
    marked = np.zeros(len(asked), bool)
    marked[asked] = answers
    return marked


def _is_displaced(inks: Faces, common: Faces, at: Numbers) -> NDArray[np.bool_]:
    """Whether a displacement of no more than `_DRAWN_OFF_PX` makes all of the difference of faces at the points
    numbered `at` (N,): there they are `inks` (K, N, 3), and their mean everywhere is `common` (H, W, 3)."""
    right, down = (cv2.Sobel(common, cv2.CV_32F, *way, scale=0.125).reshape(-1, 3)[at] for way in ((1, 0), (0, 1)))
    off = inks - common.reshape(-1, 3)[at]
    rr, rd, dd = ((a * b).sum(axis=1) for a, b in ((right, right), (right, down), (down, down)))
    r, d = (off * right).sum(axis=2), (off * down).sum(axis=2)
    ridge = 1e-3 * (rr + dd) + 1e-6  # along an edge nothing tells the displacement
    of_both = (rr + ridge) * (dd + ridge) - rd * rd
    by_right, by_down = ((dd + ridge) * r - rd * d) / of_both, ((rr + ridge) * d - rd * r) / of_both
    shorter = np.minimum(1.0, _DRAWN_OFF_PX / np.maximum(np.hypot(by_right, by_down), 1e-6))
    left = off - (shorter * by_right)[:, :, None] * right - (shorter * by_down)[:, :, None] * down
    return np.asarray(greatest(left.max(axis=0) - left.min(axis=0)) <= DIFFERENT)


def is_said_in_full(view: Softly, these: NDArray[np.intp]) -> bool:
    """Whether all points at which the faces with the numbers `these` (J,) differ have a say: not where there are so
    many that each counts for less (`_MOST_SAID`), those at which only some of the faces differ among them."""
    return _INDEPENDENT_SOFTLY * len(_where_told(view, these).at) <= _MOST_SAID


def are_told_nowhere(view: Softly) -> bool:
    """Whether the faces of a view differ nowhere by more than a displacement makes that nobody knows of."""
    return not len(_where_told(view, np.arange(len(view.faces))).at)


def _said_beside(view: Softly, these: Numbers, where: _Where, seen: _Lit) -> Array:
    """What the points where the faces with the numbers `these` (J,) are told apart say a point of each, at each place
    of the card (J, M); all in their light, as `seen`."""
    among = view.among(where.at)
    points, lit = (these, where.at, among), (seen.faces, seen.round_about, seen.doubt2)
    compiled = said_apart(points, lit, where.spread, view.slopes, view.places, _RULES)
    if compiled is not None:
        return compiled
    sd2 = _doubt2(view, these, where, seen)
    contrasts = view.places.take(among, axis=2).transpose(0, 2, 1) - seen.round_about
    inks = seen.faces - seen.round_about
    off2 = [(_off(contrasts, ink, sd) ** 2).mean(axis=2) / sd for ink, sd in zip(inks, sd2, strict=True)]
    said = np.stack([_said(of_place) for of_place in np.stack(off2, axis=1)], axis=1)
    return np.asarray(said - 0.5 * np.log(sd2).mean(axis=1)[:, None])


def _doubt2(view: Softly, these: Numbers, where: _Where, seen: _Lit) -> Array:
    """The variance (J, N) of what is seen where the faces with the numbers `these` (J,) are told apart. Under haze what
    is drawn is seen paler, and so is what an edge beside its place and another tone make of it."""
    lit_spread = (seen.faces.max(axis=0) - seen.faces.min(axis=0)).max(axis=1)
    paler = lit_spread / where.spread.ravel()[where.at]
    slope2 = (_OFF_PX * paler * view.slopes[these[:, None], view.among(where.at)]) ** 2
    return np.asarray(_NOISE**2 + seen.doubt2 + (_TONE * lit_spread) ** 2 + slope2)


def _said(off2: Array) -> Array:
    """What squared residuals (K, N), in units of their assumed variance, say (K,) a point: the log-likelihood of
    Student's t under the scale that suits each face best. How well a card's light and print are known differs from
    table to table more than any constant allows for; the points themselves tell, by how well the best face fits."""
    scale = np.ones((len(off2), 1))
    for _ in range(_SCALE_STEPS):
        weight = (_TAIL + 1.0) / (_TAIL + off2 / scale)
        scale = np.maximum((weight * off2).mean(axis=1, keepdims=True), _LEAST_SCALE)
    said = -0.5 * (_TAIL + 1.0) * np.log1p(off2 / (_TAIL * scale))
    return np.asarray(said.mean(axis=1) - 0.5 * np.log(scale[:, 0]))


def _off(shown: Array, ink: Array, sd2: Array) -> Array:
    """What is left (M, N, 3) of each contrast `shown` (M, N, 3) once that of the `ink` (N, 3) is taken out, in the
    strength of light and of colour that suits both best: a sheen weakens both, and pictures keep colour at half their
    scale, so that small print looks grey."""
    light = np.broadcast_to((ink @ LUMA)[:, None], ink.shape)
    basis = np.stack([light, ink - light]).reshape(2, -1)
    by_weight = basis * np.repeat(_INDEPENDENT / sd2, 3)
    normal = by_weight @ basis.T + np.diag(_STRENGTH_SD**-2)
    contrasts = shown.reshape(len(shown), -1)
    strength = np.linalg.solve(normal, by_weight @ contrasts.T + (_STRENGTH / _STRENGTH_SD**2)[:, None])
    return np.asarray(contrasts - strength.T.clip(*_STRENGTHS) @ basis).reshape(shown.shape)


@dataclass(frozen=True, eq=False)
class _Lit:
    """Faces (J, N, 3) at some points in the light that the picture shows, what is printed `round_about` each (N, 3),
    and the variance (N,) of that light, `doubt2`: it is known by what lies near. All in grey levels."""

    faces: Array
    round_about: Array
    doubt2: Array


def _lit(view: Softly, these: Numbers, where: _Where, white: Array) -> _Lit:
    """The faces with the numbers `these` (J,) at the points at which they are told apart, in the light that the picture
    shows where they look alike. Where they nowhere look alike each has its own light, of the colour that white has in
    the picture."""
    at, alike = where.at, where.alike
    if alike.sum() < _FEWEST:
        inks = as_light(view.faces.reshape(len(view.faces), -1, 3)[these[:, None], at])
        gain, haze = _in_white(view.faces[these], view.seen, view.weight > 0, white).at(at)
        lit = _as_levels(inks * (white / white[1]) * gain.T[:, :, None] + haze.T[:, :, None])
        return _Lit(lit, lit.mean(axis=0), np.zeros(len(at)))
    shape = alike.shape[0], alike.shape[1]
    points, here = (view.faces, these, at), (where.common, view.seen, alike)
    compiled = lit_apart(points, here, _across(shape), white, _LIT_RULES, (_ROUNDS, _ENOUGH, _LOCAL_PX))
    return _Lit(*compiled) if compiled is not None else _lit_in_numpy(view, these, where, white)


def _lit_in_numpy(view: Softly, these: Numbers, where: _Where, white: Array) -> _Lit:
    at, alike = where.at, where.alike
    some = _enough(alike)
    drawn, shown = (as_light(part.reshape(-1, 3)[some].T).astype(np.float64) for part in (where.common, view.seen))
    light = _light(drawn, shown, some, (alike.shape[0], alike.shape[1]), white)
    even, left, uneven2 = _parted(where.common, view.seen, alike, light)
    share, left, even = (_locally(part).reshape(alike.size, -1)[at] for part in (alike.astype(np.float32), left, even))
    left, about = left / (share + _HARDLY), even / (share + _LITTLE)
    gain, haze = light.at(at)
    inks = as_light(view.faces.reshape(len(view.faces), -1, 3)[these[:, None], at])
    lit, about = _as_levels(inks * gain + (haze + left)), _as_levels(about + left)
    steep2 = levels_of_light(as_light(about).mean(axis=1)) ** 2
    return _Lit(lit, about, np.asarray(uneven2 * steep2 * (1.0 - share[:, 0]), np.float64))


_HARDLY = 0.02  # of the points near by: of so few that look alike nothing is known about the light


def as_light(levels: Levels) -> Array:
    """Grey levels as light: about their square, 255 is full."""
    return np.asarray(levels * (levels * (1.0 / _FULL)))


def levels_of_light(light: Levels) -> Array:
    """How many grey levels a little more light makes, of a unit of it, where there is so much."""
    return np.asarray(0.5 * np.sqrt(_FULL / np.maximum(light, _LEAST_LIGHT)))


def _as_levels(light: Array) -> Array:
    """Light as grey levels. None is less than none, and what is brighter than a camera's full scale is seen as that:
    under a lamp's reflection a yellow figure would have been 330 in red and 297 in green, was 253 in both, a fourth of
    the contrast that its ink asked for, and surely a red one."""
    return np.asarray(np.sqrt(np.clip(light, 0.0, _FULL) * _FULL), np.float64)


def _parted(common: Faces, seen: Array, alike: NDArray[np.bool_], light: _Light) -> tuple[Faces, Faces, float]:
    """Where faces look `alike` (H, W): their `common` print in an even light, what is left of what is `seen`, and the
    mean square of that. Both are given in grey levels (H, W, 3), and taken as light; 0 elsewhere."""
    even = np.where(alike[:, :, None], light.lit(np.asarray(as_light(common), np.float32)), 0.0)
    left = np.where(alike[:, :, None], as_light(seen) - even, 0.0)
    return even.astype(np.float32), left.astype(np.float32), float((left[alike] ** 2).mean())


def _locally(values: Faces) -> Faces:
    """Means round about each point. Two running means are nearly a Gaussian, and cost a tenth."""
    size = (_LOCAL_PX, _LOCAL_PX)
    return np.asarray(cv2.blur(cv2.blur(values, size), size))


@dataclass(frozen=True, eq=False)
class _Light:
    """The light over a card of some `shape` (H, W): for each of C channels a gain and a haze, each with its slopes
    rightwards and downwards: both vary evenly (`of`, (C, 6)). What is drawn and seen is light, too."""

    of: Array
    shape: tuple[int, int]

    def lit(self, face: Levels) -> Array:
        """A face (H, W, C) in this light."""
        x, y = _across(self.shape)
        plane = np.stack([np.ones(self.shape), x, y], axis=2)
        return np.asarray(face * (plane @ self.of[:, :3].T) + plane @ self.of[:, 3:].T)

    def at(self, at: NDArray[np.intp]) -> tuple[Array, Array]:
        """The gain and the haze (N, C) at the points numbered `at` (N,)."""
        plane = np.stack([np.ones(len(at)), *(part.ravel()[at] for part in _across(self.shape))], axis=1)
        return plane @ self.of[:, :3].T, plane @ self.of[:, 3:].T


@lru_cache(maxsize=4)
def _across(shape: tuple[int, int]) -> tuple[Array, Array]:
    """Where the points (H, W) of a card lie, from -1 to 1: rightwards and downwards."""
    y, x = np.meshgrid(np.linspace(-1, 1, shape[0]), np.linspace(-1, 1, shape[1]), indexing="ij")
    return x, y


def _in_white(faces: Faces, seen: Array, where: NDArray[np.bool_], white: Array) -> _Light:
    """Lights of the colour of `white`, a channel each, in which faces (K, H, W, 3) are as bright as `seen` (H, W, 3)
    `where` (H, W) says."""
    at, ratio = _enough(where), white / white[1]
    grey = (as_light(faces.reshape(len(faces), -1, 3)[:, at]) * ratio) @ LUMA
    bright = np.broadcast_to(as_light(seen.reshape(-1, 3)[at]) @ LUMA, grey.shape)
    return _light(grey, bright, at, (where.shape[0], where.shape[1]), np.full(len(faces), white[1]))


def _enough(where: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The numbers of enough of the points `where` (H, W) says, evenly spread."""
    at = np.flatnonzero(where)
    return at[:: max(1, len(at) // _ENOUGH)]


def _light(shown: Array, seen: Array, at: NDArray[np.intp], shape: tuple[int, int], white: Array) -> _Light:
    """The light by which a face `shown` (C, N) looks as it is `seen` (C, N) at the points `at` (N,) of a `shape`, if
    paper that is `white` sends so much of it (C,). Points that disagree are left out."""
    x, y = (part.ravel()[at] for part in _across(shape))
    # in a shade there is less; more than that is haze
    usual = np.minimum(AGAINST_PAPER * white, seen.mean(axis=1) / np.maximum(shown.mean(axis=1), _LITTLE))
    held = np.tile(_HELD, (len(shown), 1))
    held[:, :3] /= np.maximum(usual, _LEAST_GAIN)[:, None] ** 2
    compiled = light_of(shown, seen, (x, y), usual, held, (_LEAST_LIGHT, _NOISE, _LEAST_OFF, _OFF_BY, _ROUNDS))
    if compiled is not None:
        return _Light(compiled, shape)
    places = np.stack([np.ones(len(at)), x, y])
    return _Light(np.stack([_reweighted(*of, places) for of in zip(shown, seen, usual, held, strict=True)]), shape)


_LEAST_GAIN = 1e-2  # of a channel in which the light is none


def _reweighted(value: Array, target: Array, usual: float, held: Array, places: Array) -> Array:
    """The light (6,) of one channel: see `_light`. Noise is of grey levels, and of light the greater the brighter."""
    basis = np.concatenate([value * places, places])
    sharp = levels_of_light(target)
    agree, light, scale = sharp**2, np.zeros(6), _NOISE
    towards = np.array([usual, 0.0, 0.0, 0.0, 0.0, 0.0])
    for _ in range(_ROUNDS):
        ridge = _LITTLE + held * scale**2
        right = (basis * agree) @ target + ridge * towards
        light = np.asarray(np.linalg.solve((basis * agree) @ basis.T + np.diag(ridge), right))
        off = np.abs(target - light @ basis) * sharp
        scale = max(_LEAST_OFF, _OFF_BY * median(off))
        agree = sharp**2 / (1.0 + (off / scale) ** 2) ** 2
    return light


_ENOUGH = 1000  # points, evenly spread, tell the four numbers of a light as well as ten times as many
_LEAST_OFF, _OFF_BY, _ROUNDS = 4.0, 1.5 * 1.4826, 3  # grey levels; robust standard deviations
_LIT_RULES = np.array([AGAINST_PAPER, _LITTLE, _LEAST_GAIN, *_HELD])
_LIT_RULES = np.append(
    _LIT_RULES, (_LEAST_LIGHT, _NOISE, _LEAST_OFF, _OFF_BY, _HARDLY)
)  # as the compiled twin has them
