"""The colours in which a photograph's own whole tokens are seen: they tell of what kind a half-covered one is.

A correlation knows neither a green face from a grey one where both have a white ring, nor shade that falls on half of
what is seen. Here each sample may lie in a shade of its own, and its colour must be as whole tokens of that kind have
it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.colour_calls import token_light
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints, Likeness
from arena_cam.vision.tokens.discs.lit_discs import GRAIN_SD, SAMPLES
from arena_cam.vision.tokens.discs.shades import off_shaded, off_veiled
from arena_cam.vision.tokens.discs.sides import LightAbout, levels
from arena_cam.vision.tokens.discs.stack_order import PLAINLY, StackOrder
from arena_cam.vision.tokens.discs.stack_order import REACH as SHARING
from arena_cam.vision.tokens.discs.token_search import HALO, Light, SeenDisc
from arena_cam.vision.tokens.discs.token_trust import kind_margin, kind_odds, nats_of_print, odds_behind
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# A token that shows its colours: share seen, log odds of its kind, correlation. As odds, not as a margin, for the same
# sign in two colours correlates nearly as well: of two kinds that share theirs no token seen as printed had a margin
# of 0.15, which at that correlation is as many nats.
WHOLE, OF_ITS_KIND, WELL_ALIKE = 0.8, 10.0, 0.8
# A token of the same kind says so many times as much of a kind's light; one so far away (mm) half as much.
SAME_KIND, NEAR_MM = 10.0, 30.0
USUAL_GAIN, PRIOR, HUBER = 0.7, 300.0, 12.0  # of a light; its weight in squared grey levels; grey levels
FITS = 6
SHADES = np.geomspace(0.35, 1.15, 14)  # as dark as a shadow may be, as bright as a slant may make it
MORE_SEEN, LEAST_ABOVE = 0.02, 0.3  # of a face: so much more, and so much at least, is seen of a token that lies above
REACH = 2.3  # of the radius: tokens farther apart do not touch
# Nats by which rims that plainly tell an order are right: of 155 such pairs two were told wrongly (`stack_order`).
OF_RIMS = math.log(153.0 / 2.0)
LEAST_SAMPLES = 8
# Kinds that correlate so nearly as well are compared by colour. By how many grey levels of cost a kind gets e times
# less likely where others are not compared: of 701 tokens in 54 photographs of 13 styles.
AS_ALIKE, COLOUR_SD = 0.15, 3.0
# Log odds of a kind by its correlation alone, over which colours are not asked.
WELL_TOLD = 5.0
# Where they are, what the true kind leaves is noise, blur and light not told rightly, and all of these grow with the
# light: as of a spread that nobody knows, the likelihood goes with a power of what is left. In nats a logarithm of it,
# and the grey levels that are always left. Of 625 tokens in 42 photographs of 12 sets 87 had another kind that
# correlates as well: with this power, which was chosen on them, the true ones cost 0.054 nats each (0.097 with 4, 0.041
# with 20, 0.088 by three grey levels a nat), and two were told wrongly (by grey levels five), neither surely.
POWER, ALWAYS_LEFT = 10.0, 2.0
# In what light a token lies is told in two ways, and a kind's likelihood is the sum over both: by whole tokens, or by
# the nearest card's paper, beneath a veil of the token's own, as a lamp's reflection is. With what probability it is
# the latter: for a kind that whole tokens show, and for one that is known from the deck alone. Of 97 tokens with two
# kinds alike, in 64 photographs of 16 sets, the right kind cost 0.19 nats each (0.27 without a veil, 0.21 with halves),
# two were surely of a wrong one (five), and seven that were right were asked about (three).
VEILED, VEILED_UNSHOWN = 0.2, 0.8
# Grey levels by which the light of one token is off that which the others tell, in the channel that is farthest off: of
# 68 whole tokens in seven photographs of four sets, each left out in turn, half were off by 9 and more, a tenth by 20.
# As of a normal error, colours that lie so far apart tell at most half a nat, those that lie 31 apart six. A ratio of
# what two kinds leave said three nats of two browns 8 levels apart, of which one left 6 and the other 9, and a count
# was surely wrong. Of 296 tokens in 17 photographs of five sets this bounds nine; four were of another kind.
LIGHT_OFF = 9.0
IN_SHADE = 20.0  # grey levels within which a sample, in a shade of its own, has a colour


@dataclass(frozen=True, eq=False)
class SeenFace:
    """What is seen of a token: `seen` (RINGS, ANGLES, 3), where it is `free` (RINGS, ANGLES) of those above it, and how
    the prints fit."""

    seen: Floats
    free: Mask
    likeness: Likeness


class Looks:
    """What is looked at once in one view, in one light of its cards: how its rims lie, its `faces` by place and what
    covers them, the `orders` that prints tell of pairs beneath others, what a set of whole faces tells of the light, by
    place and kind, and the light about lone tokens (`shadows`), once that is asked for."""

    def __init__(self, view: TopView, radius_mm: float) -> None:
        self.order = StackOrder(view, radius_mm)
        self.faces: dict[tuple[float, ...], SeenFace] = {}
        self.orders: dict[tuple[float, ...], float] = {}
        self.shadows: LightAbout | None = None
        self.lights: dict[tuple[tuple[int, SeenFace], ...], dict[tuple[float, float, int], tuple[Floats, Floats]]] = {}


class TokenColours:
    """The colours of the `tokens` of one photograph; `white`: the light of its cards. What is among the `looks` of that
    view and light is not looked at again."""

    def __init__(
        self,
        prints: DiscPrints,
        view: TopView,
        white: Light,
        tokens: Sequence[SeenDisc],
        looks: Looks | None = None,
    ) -> None:
        self.prints, self.view, self.tokens = prints, view, tokens
        self.white = white
        self._showing = [t for t in tokens if t.visible > WHOLE and kind_odds(t) > OF_ITS_KIND and t.alike > WELL_ALIKE]
        self.looks = looks or Looks(view, prints.radius_mm)
        self._faces: dict[tuple[float, float, float], SeenFace] = {}

    @cached_property
    def _places(self) -> list[list[float]]:
        """Where the tokens lie, in mm."""
        return [token.middle.tolist() for token in self.tokens]

    @cached_property
    def _whole(self) -> list[tuple[SeenDisc, SeenFace]]:
        return [(token, self.face(token)) for token in self._showing]

    @cached_property
    def levels(self) -> list[int]:
        """On how many others each of the tokens lies."""
        return levels(self.tokens, self.lies_over)

    @property
    def kinds(self) -> set[int]:
        """The kinds of which a whole token is seen."""
        return {token.kind for token in self._showing}

    def but_for(self, doubtful: Sequence[SeenDisc]) -> TokenColours:
        """The colours as the other tokens alone show them; the `doubtful` ones lie where they do."""
        told = TokenColours(self.prints, self.view, self.white, self.tokens, self.looks)
        told._showing = [token for token in self._showing if token not in doubtful]
        return told

    def face(self, token: SeenDisc) -> SeenFace:
        """What is seen of a token beneath those of which more is seen; kept for the next time."""
        place = (float(token.middle[0]), float(token.middle[1]), token.visible)
        if place not in self._faces:
            self._faces[place] = self._seen(token)
        return self._faces[place]

    def _seen(self, token: SeenDisc) -> SeenFace:
        at, looks = token.middle[None], self.looks
        place, reach = token.middle.tolist(), REACH * token.radius_mm
        above = [
            (other.middle, HALO * other.radius_mm)
            for other, there in zip(self.tokens, self._places, strict=True)
            if other is not token and math.dist(there, place) < reach and self.lies_over(other, token)
        ]
        key = *token.middle.tolist(), *(float(each) for middle, _ in above for each in middle)
        if key not in looks.faces:
            lit, free = self.prints.lit_samples(self.view, self.white(at), at, above)
            seen, _ = self.prints.samples(self.view, at)
            looks.faces[key] = SeenFace(seen[0].astype(np.float64), free[0], self.prints.likeness(lit, free))
        return looks.faces[key]

    def lies_over(self, other: SeenDisc, token: SeenDisc) -> bool:
        """Whether another token lies on one, as their rims say; where these do not, as their prints do, and where these
        hardly tell, the one of which more is seen."""
        if not token.visible or other.visible <= LEAST_ABOVE:  # one that is tried lies beneath
            return other.visible > LEAST_ABOVE
        if math.dist(other.middle, token.middle) > SHARING * token.radius_mm:  # they have nothing to tell it by
            return other.visible > token.visible + MORE_SEEN
        lead = self.looks.order.lead(other.middle, token.middle)
        as_found = other.visible > token.visible  # the top one first
        if abs(lead) > PLAINLY and (lead > 0.0) == as_found:
            return as_found
        told = OF_RIMS * min(max(lead / PLAINLY, -1.0), 1.0) + self._prints_tell(other, token)
        if abs(lead) > PLAINLY or abs(told) > OF_RIMS:
            return told > 0.0
        return other.visible > token.visible + MORE_SEEN

    def _prints_tell(self, one: SeenDisc, other: SeenDisc) -> float:
        """By how many nats what is seen of two tokens, but for what others cover, is likelier if `one` lies on the
        `other` than the other way round: what covers a face spoils its print. Kept for the next time.

        Each sample is one of either face in both orders, so that the two explain the same. A grey back beneath three
        green tokens, of which the rims said by 0.63 that it lay on one of them, had a correlation of 0.40 so, and of
        0.96 beneath it."""
        third = [
            (each.middle, HALO * each.radius_mm)
            for each in self.tokens
            if each is not one and each is not other and self._touch(each, one, other)
        ]
        pair = [number for each in (one, other) for number in (*each.middle.tolist(), float(each.kind))]
        key = *pair, *(float(number) for middle, _ in third for number in middle)
        if key not in self.looks.orders:
            on, beneath = (
                self._told_of(upper, third) + self._told_of(lower, [*third, (upper.middle, HALO * upper.radius_mm)])
                for upper, lower in ((one, other), (other, one))
            )
            self.looks.orders[key] = on - beneath
        return self.looks.orders[key]

    def _told_of(self, token: SeenDisc, above: Sequence[tuple[Floats, float]]) -> float:
        """Nats by which what is seen of a token is as printed if these circles, middle (2,) and radius in mm, lie above
        it."""
        at = token.middle[None]
        lit, free = self.prints.lit_samples(self.view, self.white(at), at, above)
        alike = float(self.prints.likeness(lit, free).alike[0, token.kind])
        return nats_of_print(alike, float((free[0] * self.prints.area).sum()))

    @staticmethod
    def _touch(token: SeenDisc, *others: SeenDisc) -> bool:
        return any(math.dist(token.middle, each.middle) < REACH * each.radius_mm for each in others)

    def printed(self, face: SeenFace, kind: int) -> Floats:
        """(RINGS, ANGLES, 3): that kind's print in the turn in which it is most like a face."""
        return np.asarray(self.prints.turned(kind, int(face.likeness.turn[0, kind])), np.float64)

    def light(self, middle: Floats, kind: int) -> tuple[Floats, Floats]:
        """Gain (3,) and offset (3,) about a place (2,), as whole tokens tell them, those of that kind above all,
        and the cards where none does; kept for the next time."""
        if not self._showing:
            return self.white(middle[None])[0][0], np.zeros(3)
        place = (float(middle[0]), float(middle[1]), kind)
        if place not in self._lights:
            self._lights[place] = self._told_light(middle, kind)
        return self._lights[place]

    @cached_property
    def _lights(self) -> dict[tuple[float, float, int], tuple[Floats, Floats]]:
        """The lights by place and kind that these whole tokens have told so far."""
        return self.looks.lights.setdefault(tuple((token.kind, face) for token, face in self._whole), {})

    @cached_property
    def _shown(self) -> tuple[Floats, Floats, Floats, NDArray[np.intp]]:
        """Of all free samples of the whole tokens the print (3, N), what is seen (3, N), the share of a face for which
        each stands (N,), and of which token each is (N,): a light is asked for about every place and kind."""
        prints = [self.printed(face, token.kind)[face.free] for token, face in self._whole]
        seen = [face.seen[face.free] for _, face in self._whole]
        area = [self.prints.area[face.free] for _, face in self._whole]
        which = np.repeat(np.arange(len(area)), [len(each) for each in area])
        print_of, seen_of = (np.ascontiguousarray(np.concatenate(each).T) for each in (prints, seen))
        return print_of, seen_of, np.concatenate(area), which

    @cached_property
    def _shown_at(self) -> tuple[Floats, NDArray[np.intp]]:
        """Where the whole tokens lie (T, 2), and their kinds (T,)."""
        return np.array([token.middle for token in self._showing]), np.array([token.kind for token in self._showing])

    def _told_light(self, middle: Floats, kind: int) -> tuple[Floats, Floats]:
        places, kinds = self._shown_at
        away, same = places - middle, kinds == kind
        worth = np.where(same, SAME_KIND, 1.0) / (1.0 + np.square(np.square(away).sum(axis=1) / NEAR_MM**2))
        prints, seen, area, which = self._shown
        return _light(prints, seen, area * worth[which], self.tint(middle))

    def tint(self, middle: Floats) -> Floats:
        """(3,): the lamp's colour about a place (2,), of mean 1."""
        white = self.white(middle[None])[0][0]
        return np.asarray(white / white.mean(), np.float64)

    def off(self, token: SeenDisc, face: SeenFace, kind: int) -> Floats:
        """(N,): grey levels by which each free sample is off that kind's colours, in the shade that suits it best."""
        gain, offset = self.light(token.middle, kind)
        printed = self.printed(face, kind)[face.free] * gain
        return off_shaded(face.seen[face.free] - offset, printed, SHADES)

    def cost(self, token: SeenDisc, face: SeenFace, kind: int) -> float:
        """The mean of the same over what is seen of a token."""
        weight = self.weights(face)
        return float((weight * self.off(token, face, kind)).sum())

    def veiled_cost(self, token: SeenDisc, face: SeenFace, kind: int) -> float:
        """The same of that kind as it is printed, in the cards' light beneath the veil that suits it best: whole tokens
        tell nothing of a reflection that lies on this one alone."""
        white = self.white(token.middle[None])[0][0]
        off = off_veiled(face.seen[face.free], self.printed(face, kind)[face.free], white)
        return float((off @ self.weights(face)).min())

    def ahead(self, token: SeenDisc) -> float:
        """By how many grey levels the colours of a token's kind are less off what is seen of it than those of each
        other kind; 0 where no whole token shows its colours, or next to nothing is seen."""
        if not self._showing:
            return 0.0
        face = self.face(token)
        if np.count_nonzero(face.free) < LEAST_SAMPLES:
            return 0.0
        costs = [self.cost(token, face, kind) for kind in range(len(self.prints.polar))]
        own = costs.pop(token.kind)
        return min(costs, default=own) - own

    def in_shade(self, token: SeenDisc) -> float:
        """How much of what is seen of a token has its kind's colours, each sample in some shade, as where shadows of
        other tokens lie on it; 0 where another kind's colours are nearer."""
        face = self.face(token)
        if np.count_nonzero(face.free) < LEAST_SAMPLES:
            return 0.0
        weight = self.weights(face)
        off = [self.off(token, face, kind) for kind in range(len(self.prints.polar))]
        least = int(np.argmin([weight @ each for each in off]))
        return float(weight @ (off[least] < IN_SHADE)) if least == token.kind else 0.0

    def weights(self, face: SeenFace) -> Floats:
        """(N,): how much of a face's free area each free sample stands for."""
        weight = self.prints.area[face.free]
        return np.asarray(weight / max(float(weight.sum()), 1e-9), np.float64)

    def told(self, token: SeenDisc) -> SeenDisc:
        """The token, its kind as colours and correlation together tell it, where another correlates nearly as well, or
        where none does well enough to tell."""
        if not self._showing or (token.margin >= AS_ALIKE and kind_odds(token) > WELL_TOLD):
            return token
        face = self.face(token)
        alike = face.likeness.alike[0]
        odds = odds_behind(token, alike, float(alike.max()))
        near = np.flatnonzero((alike > alike.max() - AS_ALIKE) | (odds > -WELL_TOLD))
        if np.count_nonzero(face.free) < LEAST_SAMPLES or len(near) < 2:
            return token
        costs = np.array([self.cost(token, face, int(kind)) for kind in near])
        shown = np.array([int(kind) in self.kinds for kind in near])
        # A kind that no whole token shows does not win by its colour over another that correlates better; but of kinds
        # that are all known from the deck alone each is known as well as the others.
        shown |= not shown.any()
        shown[alike[near].argmax()] = True
        costs[~shown] = np.maximum(costs[~shown], costs[shown].min())
        of_colours = self._of_colours(token, face, near, costs)
        best = int(np.argmax(odds[near] + of_colours))
        kind = int(near[best])
        most = np.array([self._most_told(token, face, kind, int(other)) for other in near])
        leads = odds[kind] - odds[near] + np.minimum(of_colours[best] - of_colours, most)
        ahead = max(float(np.delete(leads, best).min()), 0.0)
        margin = min(ahead * kind_margin(token), AS_ALIKE)
        if kind == token.kind and token.margin >= AS_ALIKE:
            margin = token.margin
        return replace(token, kind=kind, margin=margin, of_kind=min(ahead, AS_ALIKE / kind_margin(token)))

    def _of_colours(self, token: SeenDisc, face: SeenFace, kinds: NDArray[np.intp], costs: Floats) -> Floats:
        """(N,): log likelihoods of kinds (N,) that cost so much in the light of whole tokens (N,), beneath a veil or
        not."""
        veiled_costs = np.array([self.veiled_cost(token, face, int(kind)) for kind in kinds])
        veiled = np.where([int(kind) in self.kinds for kind in kinds], VEILED, VEILED_UNSHOWN)
        told, own = (-POWER * np.log(each + ALWAYS_LEFT) for each in (costs, veiled_costs))
        return np.asarray(np.logaddexp(np.log(1.0 - veiled) + told, np.log(veiled) + own), np.float64)

    def _most_told(self, token: SeenDisc, face: SeenFace, kind: int, other: int) -> float:
        """The most log odds that colours say for a kind against another: of two whose colours, each in the shade that
        suits it best, are hardly farther apart than the light is off, no colour tells. The light is off all over a face
        alike: that signs are white and not yellow, beside a ground in one colour, is a contrast, which only grain and
        blur hide."""
        gain, _ = self.light(token.middle, kind)
        shown, others = (self.printed(face, each)[face.free] * gain for each in (kind, other))
        apart, weight = off_shaded(shown, others, SHADES), self.weights(face)
        common = float(weight @ apart)
        varies = float(weight @ np.square(apart)) - common**2
        samples = SAMPLES * float(self.prints.area[face.free].sum())
        return 0.5 * (common / LIGHT_OFF) ** 2 + 0.5 * samples * varies / GRAIN_SD**2


def _light(prints: Floats, seen: Floats, weights: Floats, tint: Floats) -> tuple[Floats, Floats]:
    """Gain (3,) and offset (3,) that make prints (3, N) what is seen (3, N); robust to what lies in shadow.

    A shine or haze adds the lamp's own colour `tint` (3,), of mean 1: the offset is one unknown, not one a channel. Red
    tokens hardly tell of the offset in red, and green ones of that in green, so that each channel's own would differ by
    tens of grey levels, as no light does."""
    compiled = token_light(prints, seen, weights, tint, np.array([USUAL_GAIN, PRIOR, HUBER, FITS]))
    if compiled is not None:
        return compiled[:3], 255.0 * compiled[3] * tint
    prints, seen = prints.T, seen.T
    trusted, gain, offset = weights, np.full(3, USUAL_GAIN), np.zeros(3)
    usual = np.array([USUAL_GAIN, USUAL_GAIN, USUAL_GAIN, 0.0])
    prior = PRIOR * np.array([1.0, 1.0, 1.0, 3.0])
    for _ in range(FITS):
        total = float(trusted.sum())
        normal, right = np.diag(prior), prior * usual
        normal[range(3), range(3)] += (trusted[:, None] * prints * prints).sum(axis=0) / total
        normal[3, 3] += float(np.square(255.0 * tint).sum())
        normal[:3, 3] = normal[3, :3] = 255.0 * tint * (trusted[:, None] * prints).sum(axis=0) / total
        right[:3] += (trusted[:, None] * prints * seen).sum(axis=0) / total
        right[3] += float((trusted[:, None] * seen * (255.0 * tint)).sum()) / total
        fit = np.linalg.solve(normal, right)
        gain, offset = fit[:3], 255.0 * fit[3] * tint
        trusted = weights / (1.0 + np.square(greatest(np.abs(prints * gain + offset - seen)) / HUBER))
    return gain, offset
