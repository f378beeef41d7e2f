"""Which tokens lie where: round prints are tried at rims, taken from the top of stacks downwards."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.rims import ROUND, Edges
from arena_cam.vision.tokens.discs.stack_order import PLAINLY, StackOrder
from arena_cam.vision.tokens.view.top_view import TopView, away_mm

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]
# From places (N, 2) in mm to the light there: gain (N, 3) and offset (N, 3).
Light = Callable[[Floats], tuple[Floats, Floats]]

MOST_TRIED, MOST_ON_CLOTH = 90, 50
NEAR_CARDS = 0.5  # of the radius: a disc so far beside a card lies on it with some of its face
SHIFTS_MM = (-1.8, -0.9, 0.0, 0.9, 1.8)
# Of these shifts every other one along both ways is tried first, and then those next to the likeliest of them: a
# correlation rises over a millimetre or more. NEXT: within so many of the smaller steps.
FIRST_SHIFTS, NEXT = 9, 1.2
# Correlation with every other sample of a ring, in steps of 0.9 mm, below which no place is looked at closely. Of 1429
# looks in eight photographs 203 ended as a disc that is good, none of which had begun with less than 0.44.
LEAST_ROUGHLY = 0.4
# By how much a closer look may raise a correlation: of 938 looks in five photographs of four sets none did by 0.15, of
# those that ended with 0.75 and more none by 0.13.
MOST_GAINED = 0.15
EXPLAINED = 55.0  # grey levels in the print's light within which a sample is as printed
LEAST_EXPLAINED, LEAST_ALIKE, LEAST_VISIBLE = 0.66, 0.55, 0.2
SAME = 0.33  # of the radius: two tokens' middles lie farther apart, or the lower is not seen
# Of a token in other tokens' shadows no one light explains enough. So many of its samples, each in a shade of its own,
# have the colours of its kind as whole tokens show them, and so much of its rim, of its face and of a lead over the
# next kind is seen. Of 45 candidates in eight photographs of seven sets that no single light explains 18 of 22 tokens
# had all of that, and two of the 23 others: a token a little aside, and an owner's disc, which is told from tokens.
EXPLAINED_IN_SHADE, SHADED_RIM, SHADED_VISIBLE, SHADED_AHEAD = 0.6, 0.4, 0.4, 0.1
# One that lacks the lead over the next kind, or of which less is seen, has nearly all of its samples so.
LITTLE_SHADED, NEARLY_ALL_IN_SHADE = 0.3, 0.9
GAINS = (0.45, 1.6)  # by which a print may be seen paler, or stronger
# In the order of the compiled twin.
_RULES = np.array([EXPLAINED, *GAINS, LEAST_VISIBLE])
# Of what may lie on another: share of its rim that votes, and how far apart their middles are, in radii: where they
# share little, little is told wrongly.
LEAST_RIM_ABOVE, MOST_APART = 0.25, 1.7
# By how much better than a disc what may lie on it correlates, where the rims say that it does, and not plainly: what
# covers a face spoils its print. In dim light a whole purple token on another in its colour had rims that led by 0.42,
# and 0.93 against 0.81; taken second, too little of it was left over to be a token, and the count was surely wrong.
MORE_ALIKE = 0.05
HALO = 1.12  # of the radius: a token's side and its shadow are nobody's print


@dataclass(frozen=True, eq=False)
class SeenDisc:
    """A round piece: its `kind` among the prints, its middle in mm of the table (as it is seen, on top of the piece),
    and how far to trust it: `alike` correlation, `explained` share of what is visible, `visible` share of it all,
    `margin` to the next kind's correlation, `rim` share of its rim that is an edge, `lead` by how much it correlates
    better than the print of the cards it lies on (None where that is not known, or it lies on none), `over_scene` by
    how many grey levels less it is off than the cards and the other tokens in shade (None where that is not known),
    `on_sides` the share of what is visible that may be the sides of those above it (None where that was not asked),
    `of_kind` the log odds of its kind where colours tell it, too, `over_stack` by how many nats what is seen of its
    stack as a whole is likelier with it (None where that was not asked)."""

    kind: int
    middle: Floats
    radius_mm: float
    alike: float
    explained: float
    visible: float
    margin: float
    rim: float
    lead: float | None = None
    over_scene: float | None = None
    of_kind: float | None = None
    over_stack: float | None = None
    on_sides: float | None = None


# How much of what is seen of a disc beneath known ones is as printed but for shadows on it.
InShade = Callable[[SeenDisc, Sequence[SeenDisc]], float]


class DiscSearch:
    """Finds discs of one diameter in top views."""

    def __init__(self, prints: DiscPrints) -> None:
        self.prints = prints
        self.rough = prints.thinned()  # to find a place
        steps = sorted(((x, y) for x in SHIFTS_MM for y in SHIFTS_MM), key=lambda xy: not _is_first(*xy))
        self._coarse = np.array(steps) * (prints.radius_mm / 12.0)

    def search(
        self,
        view: TopView,
        edges: Edges,
        light: Light,
        cards: Sequence[Floats] = (),
        in_shade: InShade | None = None,
    ) -> list[SeenDisc]:
        """All discs seen, those on top first; `in_shade` tells how much of one is as printed but for shadows.

        Where outlines (M, 2) of `cards` are given, the circles on them are tried before those on the cloth, whose
        checks and veins make thousands.
        """
        near, far = _near_first(view, edges.circles(self.prints.radius_mm)[0], cards, self.prints.radius_mm)
        return self._found(view, edges, light, np.concatenate([near, far]), [], in_shade)

    def further(
        self,
        view: TopView,
        edges: Edges,
        light: Light,
        cards: Sequence[Floats],
        known: Sequence[SeenDisc],
        in_shade: InShade | None = None,
    ) -> list[SeenDisc]:
        """The discs `known`, and those seen beneath them on further `cards` with outlines (M, 2)."""
        near, _ = _near_first(view, edges.circles(self.prints.radius_mm)[0], cards, self.prints.radius_mm)
        return self._found(view, edges, light, near, known, in_shade)

    def _found(
        self,
        view: TopView,
        edges: Edges,
        light: Light,
        chosen: NDArray[np.intp],
        before: Sequence[SeenDisc],
        in_shade: InShade | None,
    ) -> list[SeenDisc]:
        """The discs known `before` and those about the chosen circles, those on top first."""
        middles, rims = (each[chosen] for each in edges.circles(self.prints.radius_mm))
        known = list(before)
        tried = self.tried_all(view, light, middles, rims.tolist(), known)
        order = StackOrder(view, self.prints.radius_mm)
        while True:
            best = _on_top(tried, known, order)
            if best is None and in_shade is not None:
                best = self.best_in_shade((view, light), tried, known, in_shade)
            if best is None:
                return known
            known.append(best)
            aside = np.linalg.norm(middles - best.middle, axis=1)
            for k in np.flatnonzero(aside < SAME * best.radius_mm).tolist():
                tried[k] = None
            near = [k for k in np.flatnonzero(aside < 2.3 * best.radius_mm).tolist() if tried[k]]
            for k, again in zip(
                near, self.tried_all(view, light, middles[near], rims[near].tolist(), known), strict=True
            ):
                tried[k] = again

    def best_in_shade(
        self,
        scene: tuple[TopView, Light],
        tried: Sequence[SeenDisc | None],
        known: Sequence[SeenDisc],
        in_shade: InShade,
    ) -> SeenDisc | None:
        """The best seen of the discs that are as printed but for shadows on them, explained in these; or one of its
        kind upon it, if both are then seen better than it alone is: its rim is that of what is open of it."""
        seen = [disc for disc in tried if disc is not None]
        for disc in sorted((disc for disc in seen if _may_be_shaded(disc)), key=_shown, reverse=True):
            explained = in_shade(disc, known)
            if explained <= _least_in_shade(disc):
                continue
            for upper in sorted((each for each in seen if _may_lie_on(each, disc)), key=_shown, reverse=True):
                explained_too = in_shade(upper, known)
                if explained_too > _least_in_shade(upper) and self._is_beneath(scene, disc, [*known, upper]):
                    rim = min(upper.rim / max(open_rim(upper, known), LEAST_VISIBLE), 1.0)
                    return replace(upper, explained=max(explained_too, upper.explained), rim=max(upper.rim, rim))
            return replace(disc, explained=max(explained, disc.explained))
        return None

    def _is_beneath(self, scene: tuple[TopView, Light], disc: SeenDisc, known: Sequence[SeenDisc]) -> bool:
        """Whether a disc is seen better as printed where the last of the `known` ones lies on it: what covers a face
        spoils its print."""
        below = self.tried(*scene, disc.middle, disc.rim, known)
        return below is not None and below.alike > disc.alike + MORE_ALIKE

    def tried(
        self,
        view: TopView,
        light: Light,
        middle: Floats,
        rim: float,
        known: Sequence[SeenDisc],
        least: float = 0.0,
    ) -> SeenDisc | None:
        """The likeliest disc about there; None where hardly anything of it would be seen. What cannot correlate by
        `least` is not looked at closely."""
        return self.tried_all(view, light, middle[None], [rim], known, least)[0]

    def tried_all(
        self,
        view: TopView,
        light: Light,
        middles: Floats,
        rims: Sequence[float],
        known: Sequence[SeenDisc],
        least: float = 0.0,
    ) -> list[SeenDisc | None]:
        """The same about each of the middles (N, 2)."""
        if not len(middles):
            return []
        found = self._best_of(self.rough, (view, light), middles[:, None] + self._coarse, rims, known)
        enough = max(LEAST_ROUGHLY, least - MOST_GAINED)
        worth = {k: disc.middle for k, disc in enumerate(found) if disc is not None and disc.alike >= enough}
        if worth:
            at = np.array(list(worth.values()))[:, None] + self._coarse * 0.25
            closely = self._best_of(self.prints, (view, light), at, [rims[k] for k in worth], known)
            others = [(other.middle.tolist(), SAME * other.radius_mm) for other in known]
            for k, disc in zip(worth, closely, strict=True):
                place = [] if disc is None else disc.middle.tolist()
                apart = disc is not None and all(math.dist(place, other) >= least for other, least in others)
                found[k] = disc if apart else None
        return found

    def likely(self, view: TopView, light: Light, at: Floats, known: Sequence[SeenDisc], most: int) -> list[Floats]:
        """At most `most` of the places (N, 2) at which what the `known` discs leave open is most like some disc."""
        prints = self.rough
        middle = at.mean(axis=0)
        spread, (x, y) = float(np.abs(at - middle).max()), middle.tolist()
        others = [
            (other.middle, HALO * other.radius_mm)
            for other in known
            if max(abs(x - float(other.middle[0])), abs(y - float(other.middle[1])))
            < other.radius_mm * HALO + prints.radius_mm + spread
        ]
        seen, free = prints.lit_samples(view, light(at), at, others)
        visible = (free * prints.area).sum(axis=(1, 2))
        score, shown = np.zeros(len(at)), visible >= LEAST_VISIBLE
        alike = prints.likeness(seen[shown], free[shown]).alike if shown.any() else np.zeros((0, 1))
        score[shown] = alike.max(axis=1) * (0.5 + 0.5 * visible[shown])
        found: list[int] = []
        places = at.tolist()
        for k in np.argsort(-score)[: 8 * most].tolist():
            if score[k] > 0 and all(math.dist(places[k], places[j]) > SAME * prints.radius_mm for j in found):
                found.append(k)
        return [at[k] for k in found[:most]]

    @staticmethod
    def _best_of(
        prints: DiscPrints,
        scene: tuple[TopView, Light],
        at: Floats,
        rims: Sequence[float],
        known: Sequence[SeenDisc],
    ) -> list[SeenDisc | None]:
        """The likeliest disc of each group of places (G, N, 2); None where hardly anything of it would be seen."""
        view, light = scene
        others = _above(at[:, 0], known, prints.radius_mm + 2.0 * SHIFTS_MM[-1])
        gain, offset = light(at.reshape(-1, 2))
        near_mm = NEXT * float(np.abs(at[0, FIRST_SHIFTS] - at[0, 0]).max()) if at.shape[1] > FIRST_SHIFTS else math.inf
        rules = np.array([*_RULES, FIRST_SHIFTS, near_mm * view.px_per_mm])
        best = prints.likeliest(view, (gain, offset), at, others, rules)
        if best is None:
            lit = gain.reshape(*at.shape[:2], 3), offset.reshape(*at.shape[:2], 3)
            circles, on = others
            return [
                _best_there(prints, view, (lit[0][g], lit[1][g]), each, (rim, near_mm), circles[on[g]])
                for g, (each, rim) in enumerate(zip(at, rims, strict=True))
            ]
        return [
            SeenDisc(b.kind, each[b.place], prints.radius_mm, b.alike, b.explained, b.visible, b.margin, rim)
            if b.visible
            else None
            for b, each, rim in zip(best, at, rims, strict=True)
        ]


def _best_there(
    prints: DiscPrints,
    view: TopView,
    lit: tuple[Floats, Floats],
    at: Floats,
    which: tuple[float, float],
    circles: Floats,
) -> SeenDisc | None:
    """The likeliest disc of some places (N, 2) in their light (N, 3); `which`: the share of its rim that is an edge,
    and how far (mm) along each way from the best of the first ones others are tried. `circles` (K, 3) lie on it."""
    rim, near_mm = which
    seen, free = prints.lit_samples(view, lit, at, [(each[:2], float(each[2])) for each in circles])
    visible = (free * prints.area).sum(axis=(1, 2))
    alike = prints.likeness(seen, free)
    score = alike.alike * (visible > LEAST_VISIBLE)[:, None]
    first = int(score[:FIRST_SHIFTS].max(axis=1).argmax())
    tried = np.abs(at - at[first]).max(axis=1) <= near_mm
    tried[:FIRST_SHIFTS] = True
    if visible[tried].max() < LEAST_VISIBLE:
        return None
    score[~tried] = -1.0
    n, kind = np.unravel_index(int(score.argmax()), score.shape)
    others = np.delete(alike.alike[n], kind)
    explained = _explained(prints, seen[n], free[n], int(kind), int(alike.turn[n, kind]))
    ahead = float(score[n, kind] - (others.max() if len(others) else 0.0))
    seen_so = float(score[n, kind]), explained, float(visible[n]), ahead
    return SeenDisc(int(kind), at[n], prints.radius_mm, *seen_so, rim)


def _is_first(x: float, y: float) -> bool:
    """Whether a shift (mm) is tried before its neighbours are."""
    return all(SHIFTS_MM.index(each) % 2 == 0 for each in (x, y))


def _above(middles: Floats, known: Sequence[SeenDisc], reach_mm: float) -> tuple[Floats, Mask]:
    """The circles (K, 3) of the known discs, middle and radius in mm, and which may lie on what reaches so far about
    each of the middles (N, 2), (N, K)."""
    if not known:
        return np.zeros((0, 3)), np.zeros((len(middles), 0), bool)
    at, radius = np.array([other.middle for other in known]), np.array([other.radius_mm for other in known])
    apart = np.abs(at - middles[:, None]).max(axis=2)
    return np.column_stack([at, HALO * radius]), apart < radius + reach_mm


def _may_be_shaded(disc: SeenDisc) -> bool:
    """Whether what is not as printed in one light may be in several."""
    return disc.alike > LEAST_ALIKE and disc.rim > SHADED_RIM and disc.visible > LITTLE_SHADED


def _least_in_shade(disc: SeenDisc) -> float:
    """How much of what is seen of a disc must be as printed but for shadows: the less, the more it says by itself."""
    says_much = disc.margin > SHADED_AHEAD and disc.visible > SHADED_VISIBLE
    return EXPLAINED_IN_SHADE if says_much else NEARLY_ALL_IN_SHADE


def _explained(prints: DiscPrints, seen: Grey, free: Mask, kind: int, turn: int) -> float:
    """The share of the free samples that are as printed, but for a common gain and offset."""
    printed = prints.turned(kind, turn)
    weight = (free * prints.area)[..., None]
    n = max(float(weight.sum()) * 3.0, 1e-9)
    mp, ms = float((weight * printed).sum()) / n, float((weight * seen).sum()) / n
    cross = float((weight * (printed - mp) * (seen - ms)).sum())
    power = float((weight * np.square(printed - mp)).sum())
    gain = float(np.clip(cross / max(power, 1e-6), *GAINS))
    off = greatest(np.abs(seen - ms - gain * (printed - mp)))
    return float((weight[..., 0] * (off < EXPLAINED * gain)).sum()) / max(float(weight.sum()), 1e-9)


def _may_lie_on(upper: SeenDisc, disc: SeenDisc) -> bool:
    """Whether another is seen better than a disc of its kind that it would cover in part."""
    if upper.kind != disc.kind or upper.alike < disc.alike + MORE_ALIKE or upper.visible < LITTLE_SHADED:
        return False
    return SAME * disc.radius_mm < math.dist(upper.middle, disc.middle) < MOST_APART * disc.radius_mm


def open_rim(disc: SeenDisc, known: Sequence[SeenDisc]) -> float:
    """The share of a disc's rim that none of the `known` ones covers."""
    points = disc.middle + disc.radius_mm * ROUND
    covered = [np.linalg.norm(points - other.middle, axis=1) < other.radius_mm for other in known]
    return 1.0 - float(np.any(covered, axis=0).mean()) if covered else 1.0


def _shown(disc: SeenDisc) -> float:
    """How much of a disc is seen, and how well."""
    return disc.alike * (0.5 + 0.5 * disc.visible)


def is_good(disc: SeenDisc) -> bool:
    """Whether what is seen of it is as printed."""
    return disc.explained > LEAST_EXPLAINED and disc.alike > LEAST_ALIKE


def strength(disc: SeenDisc) -> float:
    """Whole, well explained discs lie on top of others."""
    return disc.explained * disc.alike * (0.5 + 0.5 * disc.visible)


def _on_top(tried: Sequence[SeenDisc | None], known: Sequence[SeenDisc], order: StackOrder) -> SeenDisc | None:
    """The best seen of the good discs on which none but the `known` ones lies, as the rims say; the best seen of all if
    that is none.

    Of tokens in one colour the lower one seems whole: what covers it looks the same."""
    seen = [disc for disc in tried if disc is not None]
    good = sorted((disc for disc in seen if is_good(disc)), key=strength, reverse=True)
    for disc in good:
        above = [other.middle for other in known if math.dist(other.middle, disc.middle) < 3.0 * disc.radius_mm]
        if not any(_lies_over(other, disc, above, order) for other in seen if other is not disc):
            return disc
    return good[0] if good else None


def _lies_over(other: SeenDisc, disc: SeenDisc, above: Sequence[Floats], order: StackOrder) -> bool:
    """Whether something like a token lies plainly on a disc, beside those `above` both with middles (2,)."""
    if other.alike < LEAST_ROUGHLY or other.rim < LEAST_RIM_ABOVE:
        return False
    if not SAME * disc.radius_mm < math.dist(other.middle, disc.middle) < MOST_APART * disc.radius_mm:
        return False
    lead = order.lead(other.middle, disc.middle, above)
    return lead > PLAINLY or (lead > 0.0 and is_good(other) and other.alike > disc.alike + MORE_ALIKE)


def _near_first(
    view: TopView, middles: Floats, cards: Sequence[Floats], radius_mm: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which circles about `middles` (N, 2), the best first, are tried: those on cards with these outlines, and those on
    the cloth."""
    if not cards or not len(middles):
        return np.zeros(0, np.intp), np.arange(min(len(middles), MOST_TRIED))
    away = away_mm(view, cards, NEAR_CARDS * radius_mm)
    at = np.clip(np.round(view.at(middles)).astype(int), 0, np.array(away.shape[::-1]) - 1)
    near = away[at[:, 1], at[:, 0]] < NEAR_CARDS * radius_mm
    return np.flatnonzero(near)[:MOST_TRIED], np.flatnonzero(~near)[:MOST_ON_CLOTH]
