"""Which cards of a set lie where on the table: places are tried, aligned, and kept where their print is seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.card_calls import faces_alike
from arena_cam.vision.printed.print_light import PrintLight
from arena_cam.vision.tokens.cards.card_rims import rim_points, rim_share
from arena_cam.vision.tokens.cards.face_alignment import AFFINE, RIGID, Plan, Slopes, aligned, seen_patch, slopes
from arena_cam.vision.tokens.cards.lit_faces import explained, face_light, kind_costs
from arena_cam.vision.tokens.cards.print_votes import Place
from arena_cam.vision.tokens.cards.rim_places import rim_places
from arena_cam.vision.tokens.cards.table_claims import Claims, Round
from arena_cam.vision.tokens.view.card_sides import Sides, bare_sides
from arena_cam.vision.tokens.view.set_prints import CardGrid, SetPrints
from arena_cam.vision.tokens.view.table_view import NOTHING_SEEN
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

COARSE, MIDDLE = 0.5, 1.0  # px/mm
LEAST_GAIN, LEAST_OF_USUAL = 0.22, 0.5
MOST_NAMES = 12  # faces that are compared pixel by pixel, the best correlated
ROUGH_LIGHT = 13  # one pixel in so many tells the light in which faces are compared: some 400 of a card
HALF_SEEN = 0.25  # ink times share, from which a card is nearly where it was looked for
# Correlation with some face, from which a place is looked at closely; and one that keypoints speak for. Where these
# erred it was 0.15 at most, on cards that tokens half cover 0.29 and more.
LEAST_ALIKE, LEAST_TRUSTED = 0.25, 0.2
MOST_TRIED, MOST_CLAIMED, LEAST_OWN_INK = 60, 0.75, 0.15
TRUSTED_VOTES, LEAST_INK_TRUSTED = 5, 0.25
CLOSE = (Plan(RIGID, 5, wide=False), Plan(RIGID, 4, wide=False))
WIDE = (Plan(RIGID, 6, wide=True), Plan(RIGID, 4, wide=False))
# A view that is not yet true shows cards a little stretched: taken up where that explains more.
STRETCHED, STRETCHED_SCORE, MOST_STRETCH = Plan(AFFINE, 4, wide=False), 0.35, 0.06
MOST_ASKEW = 0.35  # how far from its true size a card that tells the view may be seen
ASKEW = Plan(AFFINE, 6, wide=True)
FREELY = Plan(AFFINE, 6, wide=False, pull=0.003)
AFAR = Plan(RIGID, 6, wide=True)
LEAST_INK, LEAST_SHARE = 0.42, 0.30  # of a card's print, of all of it, that must be seen: tokens may cover half
SAME_PLACE_MM = 2.5  # keypoints that put a card so near to where others do speak for the same one
SAME_MM, SAME_RAD = 17.0, 0.35  # two cards' middles lie farther apart, but for fans, which are turned
WHOLE_RIM = 0.7  # share of the free rim from which it is taken for whole: a table may be as bright as a card
FULLY_OPEN = 0.5  # share of a card in view from which more does not prove more
LEAST_GUESSED = 0.45  # score of a card that keypoints do not speak for
# A card wrongly named lay 2 mm astray with 0.71; those with tokens left out that lay right had 0.75 and more, mostly.
WELL_ALIGNED = 0.8
# A card without a partner that is worth a question: keypoints speak for it, or nearly all of its print is seen.
LONE_VOTES, LONE_SCORE, WELL_SEEN = 5, 0.3, 0.6
# With 11 keypoints and all of its free rim a card had a score of 0.26: its dilemma was lost.
MANY_AGREE = 8
PRINT_NOISE = 10.0  # grey levels: a unit, in which uncertainties of print are compared
_CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
DONE = 0.7  # ink times share, from which no other place is tried for a card
# By how much a close look moves a card that lies at a best place of its print already, at most: a wide one ends there,
# too. In 20 photographs 145 of 154 cards were so; it took them 0.3 mm farther at most.
STAYED_MM = 0.3


@dataclass(frozen=True, eq=False)
class LaidCard:
    """A card on the table: `motion` (2, 3) from its mm to the table's, `face` of the set, its light.

    `explained` (h, w) at 1 px/mm: where it is seen as the face has it; `ink` and `share` of what is `open`, a share of
    the card, that is; `rim`: the share of its free rim that is an edge; `by_sides`: hardly more than its sides told it.
    """

    motion: Floats
    face: int
    light: PrintLight
    explained: Mask
    ink: float
    share: float
    votes: int
    open: float = 1.0
    rim: float = 1.0
    by_sides: bool = False

    @property
    def score(self) -> float:
        """How well it is seen. A card of which little is open proves little; one that ends nowhere is a part of one."""
        proof = min(1.0, self.open / FULLY_OPEN) ** 0.5
        return float(self.ink * self.share * proof * (0.5 + 0.5 * min(1.0, self.rim / WHOLE_RIM)))

    @property
    def lies_surely(self) -> bool:
        """Whether so much of it is seen, or so many keypoints speak for it, that it lies there even if no other card
        lies with it."""
        return self.score > WELL_SEEN or (self.votes >= LONE_VOTES and self.score > LONE_SCORE) or self.is_outlined

    @property
    def is_outlined(self) -> bool:
        """Whether many keypoints agree about it and its outline is whole: two proofs that do not know of each other,
        however much of its print a card that nobody knows hides."""
        return self.votes >= MANY_AGREE and self.rim > WHOLE_RIM and self.ink > LEAST_INK_TRUSTED

    @property
    def middle(self) -> Floats:
        return np.asarray(self.motion[:, 2])

    @property
    def turn(self) -> float:
        return math.atan2(self.motion[1, 0], self.motion[0, 0])


class CardSearch:
    """Finds the cards of one set in top views."""

    def __init__(self, prints: SetPrints) -> None:
        self.prints = prints
        self._coarse = prints.cards(COARSE)
        self._middle = prints.cards(MIDDLE)
        self._rim = rim_points(prints.size_mm, prints.set.corner_radius_mm)
        self._kept: dict[tuple[float, int], Slopes] = {}
        self._sides: dict[int, Sides] = {}
        self._normal = _normalised(self._coarse.faces[:, self._coarse.mask])
        self._compared = np.flatnonzero(self._coarse.mask)

    def search(
        self,
        view: TopView,
        places: Sequence[Place],
        known: Sequence[LaidCard] = (),
        covered: Sequence[Round] = (),
        most: int = MOST_TRIED,
    ) -> list[LaidCard]:
        """Cards at some of the places, the best seen first; each explains print that no better one does.

        `known` are cards found before `covered`, the round pieces that lie on cards, were: they are aligned anew.
        """
        return self.further(view, places, self._aligned_anew(view, known, covered), covered, most)

    def further(
        self,
        view: TopView,
        places: Sequence[Place],
        known: Sequence[LaidCard],
        covered: Sequence[Round] = (),
        most: int = MOST_TRIED,
    ) -> list[LaidCard]:
        """The cards `known` as they lie, or better ones where the places tell such, and those at other places."""
        found = list(known)
        claims = Claims(view, self.prints.size_mm, found, covered)
        for place in places[:most]:
            motion = rigid_motion(place.at)
            there = next((card for card in found if _near(motion, card)), None)
            if there is not None and _told_enough(there, place, covered):
                continue
            if there is None and claims.share(motion) > MOST_CLAIMED:
                continue
            others = [card for card in found if card is not there]
            if there is not None:
                claims = Claims(view, self.prints.size_mm, others, covered)
            best = self._better(view, place, there, others, claims)
            if best is not None:
                found = [*others, best]
                claims.add(best)
        return _in_one_light(sorted(found, key=lambda card: -card.score))

    def fits(
        self, view: TopView, places: Sequence[Place], known: Sequence[LaidCard], covered: Sequence[Round]
    ) -> list[LaidCard]:
        """The cards at some of the places that nothing but a guess speaks for, beside those `known`."""
        claims = Claims(view, self.prints.size_mm, known, covered)
        free = (place for place in places if claims.share(rigid_motion(place.at)) < MOST_CLAIMED)
        return [card for card in (self.fit(view, place, claims) for place in free) if card is not None]

    def guessed(
        self, view: TopView, tried: Sequence[LaidCard], known: Sequence[LaidCard], covered: Sequence[Round]
    ) -> list[LaidCard]:
        """The cards `known`, and those of the ones `tried` beside them that explain print which no better one does: the
        best seen first."""
        found = list(known)
        claims = Claims(view, self.prints.size_mm, found, covered)
        for card in sorted(tried, key=lambda each: -each.score):
            if any(_near(card.motion, other) for other in found):
                continue
            again = self.looked_at(view, card.motion, card.face, 0, claims)
            if self.is_seen(again):
                found.append(again)
                claims.add(again)
        return _in_one_light(sorted(found, key=lambda card: -card.score))

    def _better(
        self, view: TopView, place: Place, there: LaidCard | None, others: Sequence[LaidCard], claims: Claims
    ) -> LaidCard | None:
        """The better of the card found `there` before, if any, and that which lies at the place, if any."""
        if there is not None and place.votes < TRUSTED_VOTES:  # worth a look only if it is no worse a beginning
            begin = self.likeliest(view, rigid_motion(place.at), claims)[1]
            if begin < self.likeliest(view, there.motion, claims)[1]:
                return there
        card = self.fit(view, place, claims)
        if card is None or any(_near(card.motion, other) for other in others):
            return there
        best = max((each for each in (there, card) if each), key=lambda each: each.score)
        if there is not None and np.linalg.norm(card.middle - there.middle) < SAME_PLACE_MM:
            return replace(best, votes=max(there.votes, card.votes))
        return best

    def _aligned_anew(self, view: TopView, known: Sequence[LaidCard], covered: Sequence[Round]) -> list[LaidCard]:
        """Cards found before it was known what covers them; those of which hardly any print is seen now are none."""
        found: list[LaidCard] = []
        claims = Claims(view, self.prints.size_mm, (), covered)
        for card in sorted(known, key=lambda each: -each.score):
            place = Place(np.array([*card.middle, card.turn]), card.votes, (card.face,), NOTHING_SEEN)
            tries = [self.looked_at(view, card.motion, card.face, card.votes, claims)]
            for plans in (CLOSE, WIDE) if tries[0].score < WELL_ALIGNED else ():
                stayed = len(tries) > 1 and np.linalg.norm(tries[1].middle - card.middle) < STAYED_MM
                if max(each.score for each in tries) < WELL_ALIGNED and not stayed:
                    tries.append(self._settled(view, card.motion, place, claims, plans))
            if covered and max(each.score for each in tries) < DONE:  # else tokens may hide it, which are not known yet
                tries += self._at_rims(view, place, claims)
            best = max(tries, key=lambda each: each.score)
            if self.is_seen(best) and not any(_near(best.motion, other) for other in found):
                found.append(best)
                claims.add(best)
        return found

    def _at_rims(self, view: TopView, place: Place, claims: Claims) -> list[LaidCard]:
        """The card aligned where its outline is seen near that place."""
        tries: list[LaidCard] = []
        for at in rim_places(view, place.at, self._rim, claims.free, view.origin_mm):
            face = self._named(view, rigid_motion(at), claims)
            tries.append(self._settled(view, rigid_motion(at), replace(place, faces=(face,)), claims, CLOSE))
        return tries

    def fit(self, view: TopView, place: Place, claims: Claims) -> LaidCard | None:
        """The card about there, None if no print of a card is seen."""
        motion = rigid_motion(place.at)
        trusted = place.votes >= TRUSTED_VOTES
        face, alike = self.likeliest(view, motion, claims)
        if alike < LEAST_ALIKE and not trusted:
            return None
        tries = self._as_told(view, place, claims) if alike > LEAST_TRUSTED else []
        if not tries or tries[-1].score < HALF_SEEN:
            steep = self._slopes(self._coarse, face)
            far = aligned(view, self._coarse, steep, self.prints.size_mm, motion, AFAR, claims)
            alike_far = self.likeliest(view, far, claims)[1]
            if max(alike, alike_far) > LEAST_TRUSTED:
                tries.append(self._settled(view, far if alike_far > alike else motion, place, claims, WIDE))
        if max((each.score for each in tries), default=0.0) < HALF_SEEN and place.askew is not None:
            tries += self._askew(view, place, place.askew, claims)
        good = [card for card in tries if self.is_seen(card)]
        return max(good, key=lambda card: card.score, default=None)

    def _as_told(self, view: TopView, place: Place, claims: Claims) -> list[LaidCard]:
        """The card as the keypoints' faces have it, one after the other until one is seen; none if few speak for it."""
        tries: list[LaidCard] = []
        for face in place.faces if place.votes >= TRUSTED_VOTES else ():
            tries.append(self._settled(view, rigid_motion(place.at), replace(place, faces=(face,)), claims, CLOSE))
            if tries[-1].score > HALF_SEEN:
                break
        return tries

    def _askew(self, view: TopView, place: Place, motion: Floats, claims: Claims) -> list[LaidCard]:
        """The card as askew as its many keypoints have it in a view that is wrong there, if much of it is seen so."""
        tries: list[LaidCard] = []
        for face in place.faces:
            steep = self._slopes(self._middle, face)
            there = aligned(view, self._middle, steep, self.prints.size_mm, motion, FREELY, claims)
            tries.append(self.looked_at(view, there, face, place.votes, claims))
        return [card for card in tries if card.score > STRETCHED_SCORE and stretch(card.motion) < MOST_ASKEW]

    @staticmethod
    def is_seen(card: LaidCard) -> bool:
        """Whether so much of a card is seen as it is printed that it is one."""
        least = LEAST_INK_TRUSTED if card.votes >= TRUSTED_VOTES else LEAST_INK
        trusted = card.votes >= TRUSTED_VOTES or card.score > LEAST_GUESSED
        return card.ink > least and card.share > LEAST_SHARE and trusted

    def _settled(self, view: TopView, motion: Floats, place: Place, claims: Claims, plans: Sequence[Plan]) -> LaidCard:
        """The card aligned from a place that is nearly right."""
        for step, plan in enumerate(plans):
            face = place.faces[0] if step == 0 and not plan.wide else self._named(view, motion, claims)
            steep = self._slopes(self._middle, face)
            motion = aligned(view, self._middle, steep, self.prints.size_mm, motion, plan, claims)
        card = self._named_there(view, motion, place.votes, claims)
        if not STRETCHED_SCORE < card.score < WELL_ALIGNED:
            return card
        steep = self._slopes(self._middle, card.face)
        motion = aligned(view, self._middle, steep, self.prints.size_mm, motion, STRETCHED, claims)
        other = self._named_there(view, motion, place.votes, claims)
        return other if other.score > card.score and stretch(motion) < MOST_STRETCH else card

    def stretched(self, view: TopView, motion: Floats) -> LaidCard:
        """The card about there in a view that may show it too large, too small or askew."""
        nothing = Claims(view, self.prints.size_mm)
        for grid in (self._coarse, self._middle):
            face, _ = self.likeliest(view, motion, nothing)
            steep = self._slopes(grid, face)
            motion = aligned(view, grid, steep, self.prints.size_mm, motion, ASKEW, nothing)
        return self.looked_at(view, motion, self._named(view, motion, nothing), TRUSTED_VOTES, nothing)

    def as_seen(self, view: TopView, card: LaidCard, covered: Sequence[Round] = ()) -> LaidCard:
        """The card aligned as large and as askew as it looks: nothing draws it to its true shape."""
        claims = Claims(view, self.prints.size_mm, (), covered)
        steep = self._slopes(self._middle, card.face)
        motion = aligned(view, self._middle, steep, self.prints.size_mm, card.motion, FREELY, claims)
        return self.looked_at(view, motion, card.face, card.votes, claims)

    def roughly(self, view: TopView, motion: Floats, plan: Plan) -> tuple[float, Floats]:
        """How well the likeliest face correlates after it was aligned coarsely from there, and where it came to lie."""
        nothing = Claims(view, self.prints.size_mm)
        face, alike = self.likeliest(view, motion, nothing)
        steep = self._slopes(self._coarse, face)
        moved = aligned(view, self._coarse, steep, self.prints.size_mm, motion, plan, nothing)
        after = self.likeliest(view, moved, nothing)[1]
        return (after, moved) if after > alike else (alike, motion)

    def looked_at(self, view: TopView, motion: Floats, face: int, votes: int, claims: Claims) -> LaidCard:
        """The card with that face there: its light, and how much of it is seen where no better card lies."""
        return self._as_seen(view, motion, face, votes, claims, self._seen(view, motion, claims))

    def _named_there(self, view: TopView, motion: Floats, votes: int, claims: Claims) -> LaidCard:
        """The same with the face that all pixels tell."""
        seen = self._seen(view, motion, claims)
        return self._as_seen(view, motion, self._named(view, motion, claims, 1, seen), votes, claims, seen)

    def _seen(self, view: TopView, motion: Floats, claims: Claims) -> tuple[Grey, Mask]:
        return seen_patch(view, self._middle, self.prints.size_mm, motion, claims)

    def _as_seen(
        self, view: TopView, motion: Floats, face: int, votes: int, claims: Claims, seen: tuple[Grey, Mask]
    ) -> LaidCard:
        grid, (patch, mask) = self._middle, seen
        light = face_light(grid, face, patch, mask, self.prints.size_mm)
        is_so, counts = explained(grid, face, light, patch, mask, self.prints.size_mm)
        told, told_ink, open_, ink = counts.tolist()
        share_ink, share = told_ink / max(ink, 1), told / max(open_, 1)
        dark = np.add.reduce(light.gain[:, 0]) / 3.0 < LEAST_GAIN  # so dark a print would explain any even surface
        if dark or ink < LEAST_OWN_INK * grid.inked[face]:
            share_ink = 0.0
        rim = rim_share(view, motion, self._rim, claims.free, view.origin_mm)
        seen_open = open_ / grid.pixels
        return LaidCard(motion, face, light, is_so, share_ink, share, votes, seen_open, rim)

    def closely(self, view: TopView, motion: Floats, face: int, votes: int, claims: Claims) -> LaidCard:
        """The card with that face about there: as it is, or aligned, whichever is seen better."""
        steep = self._slopes(self._middle, face)
        moved = aligned(view, self._middle, steep, self.prints.size_mm, motion, CLOSE[0], claims)
        both = [self.looked_at(view, each, face, votes, claims) for each in (motion, moved)]
        return max(both, key=lambda card: card.score)

    def print_sd(self, card: LaidCard) -> float:
        """How uncertain (mm) the print that is seen of a card leaves where its corners are, at most, for noise of
        PRINT_NOISE in each of its pixels."""
        steep = self._slopes(self._middle, card.face)
        jacobian = steep.jacobian[:, card.explained.ravel()[steep.which]]
        spread = np.linalg.inv(jacobian @ jacobian.T + np.eye(AFFINE)) * PRINT_NOISE**2
        x, y = np.asarray(self.prints.size_mm) / 2
        moves = [
            np.array([[1, 0, -t * y, s * x, s * x, t * y], [0, 1, s * x, t * y, -t * y, s * x]]) for s, t in _CORNERS
        ]
        return float(np.sqrt(max(np.trace(each @ spread @ each.T) for each in moves)))

    def sides(self, face: int) -> Sides:
        """The sides of a card with that face; kept for the next time."""
        if face not in self._sides:
            bare = bare_sides(self._middle.faces[face], MIDDLE)
            self._sides[face] = Sides(self.prints.size_mm, self.prints.set.corner_radius_mm, bare)
        return self._sides[face]

    def _slopes(self, grid: CardGrid, face: int) -> Slopes:
        key = (grid.px_per_mm, face)
        if key not in self._kept:
            self._kept[key] = slopes(grid, face, self.prints.size_mm)
        return self._kept[key]

    def likeliest(self, view: TopView, motion: Floats, claims: Claims) -> tuple[int, float]:
        """The face that correlates best, and how well."""
        alike = self._alike(view, motion, claims)
        return int(alike.argmax()), float(alike.max())

    def _alike(self, view: TopView, motion: Floats, claims: Claims) -> Grey:
        """(F,): correlation of each face with what is seen there and not claimed."""
        patch, is_open = seen_patch(view, self._coarse, self.prints.size_mm, motion, claims)
        compiled = faces_alike(patch, is_open, self._compared, self._normal)
        if compiled is not None:
            return compiled
        mask = self._coarse.mask
        free, seen = is_open[mask], patch[mask]
        if not free.any():
            return np.zeros(len(self._normal), np.float32)
        seen = np.where(free[:, None], seen - seen[free].mean(axis=0), 0.0).ravel()
        return np.asarray(self._normal @ seen.astype(np.float32) / max(float(np.linalg.norm(seen)), 1e-6))

    def _named(
        self,
        view: TopView,
        motion: Floats,
        claims: Claims,
        thinned: int = 3,
        seen: tuple[Grey, Mask] | None = None,
    ) -> int:
        """Of the faces that correlate best the one of least robust cost, in the light that the first one finds; `seen`:
        what is seen there, where it is known."""
        likeliest = np.argsort(-self._alike(view, motion, claims))[:MOST_NAMES]
        grid, (patch, mask) = self._middle, seen or self._seen(view, motion, claims)
        rough, kinds = (ROUGH_LIGHT, thinned), self.prints.kinds
        return int(likeliest[kind_costs(grid, likeliest, kinds, patch, mask, self.prints.size_mm, rough).argmin()])


def _told_enough(card: LaidCard, place: Place, covered: Sequence[Round]) -> bool:
    """Whether a place tells nothing new of a card that was found there."""
    if card.score > DONE or (place.votes < TRUSTED_VOTES and not covered):
        return True
    return card.score > LEAST_GUESSED and place.votes <= card.votes


def stretch(motion: Floats) -> float:
    """By what share a motion makes a card larger or smaller in some direction."""
    return float(np.abs(np.linalg.svd(motion[:, :2], compute_uv=False) - 1.0).max())


def _near(motion: Floats, card: LaidCard) -> bool:
    """Whether a card so placed would be that card, a little off."""
    turn = math.atan2(motion[1, 0], motion[0, 0]) - card.turn
    apart = abs((turn + math.pi) % (2 * math.pi) - math.pi)
    return math.dist(motion[:, 2], card.motion[:, 2]) < SAME_MM and apart < SAME_RAD


def white_level(light: PrintLight) -> float:
    """How bright white paper is in that light, as a share of full white; a veil is a part of it."""
    return float((light.gain[:, 0] + light.offset[:, 0] / 255.0).mean())


def _in_one_light(cards: list[LaidCard]) -> list[LaidCard]:
    """Without those that a surface of nearly one colour made up: they would be printed far paler than the others."""
    if not cards:
        return cards
    usual = float(np.median([white_level(card.light) for card in cards[: max(3, len(cards) // 2)]]))
    return [card for card in cards if white_level(card.light) > LEAST_OF_USUAL * usual]


def _normalised(pixels: Grey) -> Grey:
    """(N, P, 3) without each channel's mean, flat, of length 1."""
    out = (pixels - pixels.mean(axis=1, keepdims=True)).reshape(len(pixels), -1)
    return np.asarray(out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6), np.float32)
