"""From a photograph to its table and cards: keypoints tell a first view, cards aligned in it a better one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed import keypoints
from arena_cam.vision.printed.standing_out import LONGEST_PX, StandingOut, keypoints_standing_out
from arena_cam.vision.tokens.cards import first_view
from arena_cam.vision.tokens.cards.card_groups import (
    NEGATIVE,
    NEUTRAL,
    POSITIVE,
    CardGroup,
    distance_mm,
    gap_mm,
    grouped,
    outline_mm,
    outlines_mm,
    share_on,
)
from arena_cam.vision.tokens.cards.card_search import (
    MOST_ASKEW,
    SAME_MM,
    TRUSTED_VOTES,
    WELL_ALIGNED,
    WELL_SEEN,
    CardSearch,
    LaidCard,
    stretch,
)
from arena_cam.vision.tokens.cards.cards_by_sides import SidedCards
from arena_cam.vision.tokens.cards.lit_faces import tolerance
from arena_cam.vision.tokens.cards.outline_search import outlined_places
from arena_cam.vision.tokens.cards.partner_search import PartnerSearch
from arena_cam.vision.tokens.cards.print_votes import Place, places_on_table, seen_prints
from arena_cam.vision.tokens.cards.table_claims import Claims, Round
from arena_cam.vision.tokens.cards.view_settling import (
    all_over,
    as_print,
    card_grid,
    carried,
    moved_mm,
    settled_view,
)
from arena_cam.vision.tokens.discs.rims import ROUND
from arena_cam.vision.tokens.view.keypoints_above import CROWD_ABOVE, FEW_ABOVE, MANY_ABOVE, keypoints_above
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.slid_faces import TOLD, FaceSlider
from arena_cam.vision.tokens.view.table_view import SeenPrint, TableView, best_fit, fit_table, off_px
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion, seen_box, squared, top_view

Floats = NDArray[np.float64]

# Longest side (px) of the picture in which keypoints are looked for, how many, and the least contrast. The first, where
# the picture stands out from the table, tell a clear view of most tables: in 16 photographs of three styles it was
# right within 1.2 mm in all, of a picture of 768 px within 9. The few of all the picture tell some others. Where so
# many strong ones are found that more must be left out, a pattern took them.
FIRST, FEW, MANY = (LONGEST_PX, 2000, 0.02), (1152, 2000, 0.02), (1540, 12000, 0.01)
FIRST_PLACES, FIRST_VOTES, REFITS, LEADING = 16, 6, 3, 4
SETTLED_MM = 0.3  # by which a view that is fitted once more moves, so that it will move no more
PX_PER_MM = 2.0
STRAIGHTENED, COARSE_PX_PER_MM, MOST_BEGINNINGS = 2, 1.25, 2
# Where the first view is not clear, the keypoints that are most alike tell another: a pattern all over the cards makes
# crowds of false ones.
MUCH_ALIKE = 0.9
# So many keypoints that have one face's print by one affinity, and lie no farther off in the view than keypoints are
# found askew (px of the largest picture they are looked for in), are no chance. About one card on grainy cloth, half of
# it under tokens, 56 agreed within 0.4 px and told the view within 1 mm; with outlines and faces it was bent by 6.
CROWD, KEYPOINT_PX = 20, 1.0
UNTROUBLED, WHOLE_FACE = 0.6, 0.4  # ink times share of a face that tells the view
# By how much the view moves that cards tell before tokens are known, so that with these it will not move by
# SAME_VIEW_MM: of 30 photographs the two differed by 1.5 mm at most.
HARDLY_MOVED_MM = 1.5
# A card is found some millimetres from where it was looked for. A truer view shows the cards as well. A first look in
# the view that the cards' sides tell is worth while for less: tokens, too, are then seen where they are, and of 79
# dilemmas in 32 photographs two more were counted rightly.
TRUER_MM = 1.0
LOOKS, SAME_VIEW_MM, LOOK_AGAIN_VOTES, AS_WELL = 3, 3.0, 12, 0.98
# Where tokens are known. In 14 photographs of five styles 82 of 83 cards had a score of 0.47 and more, one lay astray
# with 0.38; of 12 that were none 11 had 0.26 and less, one that no keypoint spoke for had 0.27 of its rim.
# A weak one is kept where nothing better is found to explain what is seen there.
WEAK, MOSTLY = 0.5, 0.3
LEAST_VOTES, LEAST_SCORE, LEAST_RIM = 2, 0.32, 0.5
# Cards are laid together roughly in line, the right way up or not; what lies under a token may be turned any way.
TURNS, ALL_ROUND = tuple(np.radians((0.0, -8.0, 8.0, -16.0, 16.0, -25.0, 25.0, 90.0))), math.radians(10.0)
DARK_PAPER = 110.0  # grey levels of a photograph
RING_ABOUT, PAPER_ABOUT = 1.4, 0.3  # radius of the ring about a token, in its own; of that ring
APART_MM, APART_RAD = 1.5, 0.02  # guesses nearer to each other are one: a face is slid about it
# Nats by which a face leads whose share of print seen is told by its correlation alone. One lost card had 15.
PLAINLY_TOLD = 6.0
# Of a token's radius: its side. And cells (`StandingOut`) of which a third card shows so many beside all that is known:
# a third of its outline is open, of which nearly half is an edge, and a cell is some 3 mm of one.
SIDE, LEAST_REST = 1.2, 17
MOST_STRAY = 8  # tokens on no card about which cards are looked for: a check cloth may seem to have dozens


@dataclass(frozen=True, eq=False)
class SeenTable:
    """Where the table is, how it looks from above, which cards lie on it, where else keypoints say they
    may, and which keypoints those are; what of the photograph stands `out` from the table, the cards among it; and by
    how much (mm) the view that the cards tell, taken for uncovered, differs from this one, where it is known."""

    camera: TableView
    view: TopView
    cards: list[LaidCard]
    places: Sequence[Place] = ()
    matches: keypoints.Matches | None = None
    out: StandingOut | None = None
    moved_mm: float = math.inf


class CardReader:
    """Reads the cards of one set in photographs."""

    def __init__(self, prints: SetPrints) -> None:
        self.prints = prints
        self.search = CardSearch(prints)
        self._keypoints = prints.keypoints()
        self._partner = PartnerSearch(prints)
        self._slider = FaceSlider(prints)
        self._sided = SidedCards(self.search, self._slider)
        grid = prints.cards(1.0)
        self._paper = np.median(grid.faces[:, grid.mask], axis=(0, 1))

    def read(self, image_bgr: NDArray[np.uint8]) -> SeenTable | None:
        """The table and its cards; None where no card is recognised."""
        table = self._first_seen(image_bgr, StandingOut.of(image_bgr))
        if table is None:
            return None
        for looks in range(LOOKS):
            camera, moved = self._settled(image_bgr, table)
            least = SAME_VIEW_MM if looks else TRUER_MM
            again = self._seen_in(image_bgr, table, camera) if moved >= least else None
            if again is None:
                return replace(table, moved_mm=moved)
            table = again
        return table

    def _first_seen(self, image_bgr: NDArray[np.uint8], out: StandingOut) -> SeenTable | None:
        """The table in the first view in which a card surely lies, from what stands `out` from it to all keypoints and
        outlines; or in the one that shows most of cards.

        A view that keypoints told and in which no card is seen is none: on a chequered cloth 180 keypoints agreed in
        one along the table, which all places lie near to."""
        tables: list[SeenTable] = []
        for effort, among in ((FIRST, out), (FEW, None), (MANY, None)):
            seen, matches = self.matches(image_bgr, effort, among)
            if effort == MANY:
                above, camera = MANY_ABOVE, self.begun(image_bgr, matches, seen_prints(matches))
            else:
                above, camera = FEW_ABOVE if len(seen.xy) < FEW[1] else CROWD_ABOVE, self._clear(image_bgr, matches)
            table = None if camera is None else self._looked(image_bgr, camera, matches, above, out)
            if table is not None:
                tables.append(table)
                if any(card.lies_surely for card in table.cards):
                    return table
        return max(tables, key=_seen_well, default=None)

    def truer(self, image_bgr: NDArray[np.uint8], table: SeenTable, covered: Sequence[Round] = ()) -> SeenTable | None:
        """The table in the view that its cards tell where nothing is known to cover them.

        None where that view has what stands out at nearly the same places, or shows them worse; nor is it asked for
        where the cards, taken for uncovered, hardly moved the view."""
        if table.moved_mm < HARDLY_MOVED_MM:
            return None
        camera, moved = self._settled(image_bgr, table, covered)
        return self._seen_in(image_bgr, table, camera, covered) if moved >= SAME_VIEW_MM else None

    def _settled(
        self, image_bgr: NDArray[np.uint8], table: SeenTable, covered: Sequence[Round] = ()
    ) -> tuple[TableView, float]:
        """The camera that the cards tell, and how far (mm) it has what stands out from where it was seen."""
        size = (image_bgr.shape[1], image_bgr.shape[0])
        camera = settled_view(self.search, table.camera, table.view, table.cards, size, covered)
        where = table.out.px if table.out is not None else all_over(size)
        where = where if len(where) else all_over(size)
        return camera, moved_mm(table.camera, camera, where) if table.matches is not None else 0.0

    def _seen_in(
        self, image_bgr: NDArray[np.uint8], table: SeenTable, camera: TableView, covered: Sequence[Round] = ()
    ) -> SeenTable | None:
        """The table in that view, None where it shows the cards worse."""
        camera, box = squared(camera, (image_bgr.shape[1], image_bgr.shape[0]))
        # A view in which nothing can be read is wrong.
        if table.matches is None or not (box[1] > box[0]).all():
            return None
        places = places_on_table(table.matches, camera, least=LEAST_VOTES)
        strong = [place for place in places if place.votes >= LOOK_AGAIN_VOTES]
        view = top_view(image_bgr, camera, box, PX_PER_MM)
        cards = self.search.search(view, strong, carried(table.cards, table.camera, camera, self.prints.size_mm))
        again = SeenTable(camera, view, cards, places, table.matches, table.out)
        return again if covered or _seen_well(again) > AS_WELL * _seen_well(table) else None

    def matches(
        self, image_bgr: NDArray[np.uint8], effort: tuple[int, int, float], out: StandingOut | None = None
    ) -> tuple[keypoints.Keypoints, keypoints.Matches]:
        """The keypoints of a photograph, looked for with that effort, and the prints that they may show; where that is
        given, only of what stands `out` from the table."""
        longest_px, most, contrast = effort
        if out is None:
            seen = keypoints.of_photograph(image_bgr, longest_px, most, contrast=contrast)
        else:
            seen = keypoints_standing_out(out, most, contrast)
        return seen, self._keypoints.matches(seen)

    def _clear(self, image_bgr: NDArray[np.uint8], matches: keypoints.Matches) -> TableView | None:
        """The camera as keypoints tell it, if faces are seen clearly in its view, or many keypoints of two agree:
        whole faces would tell it worse where tokens cover them."""
        size = (image_bgr.shape[1], image_bgr.shape[0])
        camera = self._refitted(matches, fit_table(seen_prints(matches), size), size)
        if camera is None or not first_view.shows_cards(image_bgr, camera, matches, self.search):
            return None
        return camera

    def begun(
        self, image_bgr: NDArray[np.uint8], matches: keypoints.Matches, prints: Sequence[SeenPrint]
    ) -> TableView | None:
        """The camera as keypoints tell it, or outlines of cards, where more of the print agrees with those."""
        size = (image_bgr.shape[1], image_bgr.shape[0])
        tried: list[tuple[TableView, Sequence[SeenPrint], float]] = []
        for begun in (prints, seen_prints(matches.only(matches.alike > MUCH_ALIKE))):
            camera = self._refitted(matches, fit_table(begun, size), size)
            if camera is None:
                continue
            first = first_view.looked_at(image_bgr, camera, matches, self.search)
            if first.is_clear:
                return self._straightened(image_bgr, camera, begun)[0]
            if first.is_told and _is_held(camera, begun, image_bgr.shape):
                return camera
            tried.append((camera, begun, first.proof))
        grid = card_grid(self.prints.size_mm)
        outlined = first_view.by_outlines(image_bgr, matches, self.search)
        for each in sorted(outlined, key=lambda view: -view.proof)[:MOST_BEGINNINGS]:
            tried.append((each.camera, [as_print(each.camera, grid, motion) for motion in each.motions], each.proof))
        straight = [(self._straightened(image_bgr, view, begun), proof) for view, begun, proof in tried]
        return max(straight, key=lambda each: each[0][1] + each[1])[0][0] if straight else None

    @staticmethod
    def _refitted(matches: keypoints.Matches, camera: TableView | None, size_px: tuple[int, int]) -> TableView | None:
        """The camera as all matches tell it that agree about a card in it; None where there is none to begin with."""
        for _ in range(REFITS if camera is not None else 0):
            assert camera is not None
            places = places_on_table(matches, camera, FIRST_PLACES, FIRST_VOTES)
            good = [place.seen for place in places if place.votes >= FIRST_VOTES]
            before, camera = camera, fit_table(good, size_px, camera) or camera
            if moved_mm(before, camera, all_over(size_px)) < SETTLED_MM:
                break
        return camera

    def _looked(
        self,
        image_bgr: NDArray[np.uint8],
        camera: TableView,
        matches: keypoints.Matches,
        effort: tuple[int, float, float],
        out: StandingOut,
    ) -> SeenTable | None:
        """The table in that view with the cards that keypoints speak for, seen from above with that effort, where
        something stands `out` from the table unless all of it is worth while."""
        size = (image_bgr.shape[1], image_bgr.shape[0])
        if effort == MANY_ABOVE and not any(place.votes > 1 for place in places_on_table(matches, camera, LEADING)):
            return None
        camera, box = squared(camera, size)
        if not (box[1] > box[0]).all():
            return None
        if effort == MANY_ABOVE:
            matches = self._keypoints.matches_of_size(*keypoints_above(image_bgr, camera, box, effort))
        places = places_on_table(matches, camera, least=LEAST_VOTES)
        strong = [place for place in places if place.votes >= TRUSTED_VOTES]
        view = top_view(image_bgr, camera, box, PX_PER_MM)
        table = SeenTable(camera, view, self.search.search(view, strong), places, matches, out)
        if effort != MANY_ABOVE:
            table = self._with_words(image_bgr, table, box, effort)
        return table if any(place.votes >= TRUSTED_VOTES for place in table.places) else None

    def _with_words(
        self, image_bgr: NDArray[np.uint8], table: SeenTable, box: Floats, effort: tuple[int, float, float]
    ) -> SeenTable:
        """The table with the cards that keypoints tell which the photograph askew hides: looked for beside the cards
        that were found, where something stands out."""
        outlines = [outline_mm(card, self.prints.size_mm) for card in table.cards if _is_known(card)]
        assert table.out is not None
        assert table.matches is not None
        rest = table.out.beside([table.camera.to_px(each) for each in outlines]) if outlines else table.out
        if not rest.mask.any():
            return table
        mm = table.camera.to_mm(rest.corners)
        box = np.stack([np.maximum(box[0], mm.min(axis=0)), np.minimum(box[1], mm.max(axis=0))])
        if not (box[1] > box[0]).all():
            return table
        more = self._keypoints.matches_of_size(*keypoints_above(image_bgr, table.camera, box, effort, rest))
        places = places_on_table(more, table.camera, least=LEAST_VOTES)
        strong = [place for place in places if place.votes >= TRUSTED_VOTES]
        at = np.array([place.at[:2] for place in table.places]).reshape(-1, 2)
        again = rest.at(table.camera.to_px(at))
        elsewhere = [place for place, is_told in zip(table.places, again, strict=True) if not is_told]
        return replace(
            table,
            cards=self.search.further(table.view, strong, table.cards),
            places=sorted([*elsewhere, *places], key=lambda place: -place.votes),
            matches=table.matches.only(~rest.at(table.matches.px)).joined(more),
        )

    def _straightened(
        self, image_bgr: NDArray[np.uint8], camera: TableView, prints: Sequence[SeenPrint]
    ) -> tuple[TableView, float]:
        """The camera as whole faces tell it, and how well those are seen.

        Keypoints in a corner of a card leave its size open. In the view so far each card may look too large or askew;
        it is aligned as it looks.
        """
        size = (image_bgr.shape[1], image_bgr.shape[0])
        seen_well = 0.0
        for _ in range(STRAIGHTENED if prints else 0):
            flat = [each.seen_at(camera) for each in prints]
            around = [motion[:, 2] for motion in flat]
            view = top_view(image_bgr, camera, _box(camera, size, around), COARSE_PX_PER_MM)
            cards = [self._as_it_looks(view, motion, each.mm) for motion, each in zip(flat, prints, strict=True)]
            grid = card_grid(self.prints.size_mm)
            good = [
                as_print(camera, grid, card.motion)
                for card in sorted(cards, key=lambda each: -each.score)
                if card.score > WHOLE_FACE and stretch(card.motion) < MOST_ASKEW
            ]
            seen_well = max(seen_well, sum(card.score for card in cards if stretch(card.motion) < MOST_ASKEW))
            if not good:
                break
            prints, before = good, camera
            camera = best_fit([fit_table(good, size, camera), fit_table(good, size)], good) or camera
            if np.abs(camera.to_px(grid) - before.to_px(grid)).max() < 0.5:
                break
        return camera, seen_well

    def _as_it_looks(self, view: TopView, motion: Floats, seen_mm: Floats) -> LaidCard:
        """A card aligned as it looks. Where few of its keypoints are seen its length is open: both sizes are tried."""
        card = self.search.stretched(view, motion)
        if card.score > UNTROUBLED:
            return card
        u, size, v = np.linalg.svd(motion[:, :2])
        others = [card]
        for scale in size:
            linear = scale * (u @ v)
            middle = seen_mm.mean(axis=0)
            shift = motion[:, :2] @ middle + motion[:, 2] - linear @ middle
            others.append(self.search.stretched(view, np.column_stack([linear, shift])))
        return max(others, key=lambda each: each.score)

    def read_again(self, table: SeenTable, tokens: Sequence[Round]) -> SeenTable:
        """The table with its cards looked for where no token lies, in the end beside those that miss a partner."""
        return self.with_partners(self.seen_again(table, tokens), tokens)

    def seen_again(self, table: SeenTable, tokens: Sequence[Round]) -> SeenTable:
        """The table with its cards looked for where no token lies: enough to tell its view."""
        places = [place for place in table.places if place.votes >= LEAST_VOTES]
        seen = self.search.search(table.view, places, table.cards, tokens)
        return replace(table, cards=self.told_again(table.view, seen, tokens))

    def with_partners(self, table: SeenTable, tokens: Sequence[Round]) -> SeenTable:
        """The table with the cards that were seen again, and such as lie beside those that miss a partner: where the
        view is not yet true that search would be done twice."""
        seen = table.cards
        cards = [card for card in seen if card.score > WEAK or card.votes >= LOOK_AGAIN_VOTES]
        guesses, cards = self._with_guessed(table.view, cards, tokens)
        claims = Claims(table.view, self.prints.size_mm, cards, tokens)
        weak = [card for card in seen if card not in cards]
        cards += [card for card in weak if claims.share(card.motion) < MOSTLY]
        cards = [card for card in cards if _stands(card)]
        cards += self._by_sides(table.view, guesses, cards, tokens)
        return replace(table, cards=[*cards, *self._thirds(table, cards, tokens)])

    def _with_guessed(
        self, view: TopView, cards: list[LaidCard], tokens: Sequence[Round]
    ) -> tuple[list[Place], list[LaidCard]]:
        """Places where cards may lie that nothing told of so far, and the cards, with those that do. About a token that
        lies on none they are looked for in all turns, unless a card that surely lies right was found beneath it
        meanwhile: a partner's tokens are on no card until it is known."""
        guesses = self._partners(view, cards, tokens)
        tried = self.search.fits(view, guesses, cards, tokens)
        found = self.search.guessed(view, tried, cards, tokens) if guesses else cards
        for middle in self.on_paper(view, cards, tokens)[:MOST_STRAY]:
            plain = [card for card in found if card not in cards and card.score > WELL_ALIGNED]
            if any(distance_mm(middle[None], outline)[0] == 0.0 for outline in outlines_mm(plain, self.prints.size_mm)):
                continue
            stray = self._about_stray(view, cards, tokens, middle)
            more = self.search.fits(view, stray, cards, tokens)
            guesses, tried = guesses + stray, tried + more
            found = self.search.guessed(view, tried, cards, tokens) if more else found
        return guesses, self.told_partners(view, guesses, found, tokens) if guesses else found

    def _rest(self, table: SeenTable, cards: Sequence[LaidCard], tokens: Sequence[Round]) -> Floats | None:
        """Places (N, 2) in mm of what else stands out from the table than these cards and tokens; None where it is not
        known what stands out."""
        if table.out is None:
            return None
        outlines = [outline_mm(card, self.prints.size_mm) for card in cards]
        outlines += [token.middle + SIDE * token.radius_mm * ROUND for token in tokens]
        rest = table.out.beside([table.camera.to_px(each) for each in outlines])
        rest = rest.but_for_short(min(self.prints.size_mm), table.camera.to_mm)
        return table.camera.to_mm(rest.lively_px)

    def _thirds(self, table: SeenTable, cards: Sequence[LaidCard], tokens: Sequence[Round]) -> list[LaidCard]:
        """Cards beside pairs that no keypoint told of: a neutral one would go unseen, and its dilemma be sure."""
        found, view = list[LaidCard](), table.view
        diagonal = float(np.hypot(*self.prints.size_mm))
        rest = self._rest(table, cards, tokens)
        for group in self._grouped(cards) if NEUTRAL in self.prints.kinds else ():
            if group.positive is None or group.negative is None or group.neutral is not None:
                continue
            known = [*cards, *found]
            claims = Claims(view, self.prints.size_mm, known, tokens)
            middle = (group.positive.middle + group.negative.middle) / 2
            reach = diagonal + float(np.linalg.norm(group.positive.middle - middle))
            if rest is not None and _within(rest, middle, reach + diagonal / 2) < LEAST_REST:
                continue
            places = outlined_places(view, claims, self.prints.size_mm, (middle, reach))
            one_way = [place for place in places if place.at[2] < math.pi]
            found += self._sided.thirds(view, group.positive, one_way, known, claims)
        return found

    def _by_sides(
        self, view: TopView, places: Sequence[Place], cards: Sequence[LaidCard], tokens: Sequence[Round]
    ) -> list[LaidCard]:
        """Partners that are still missed, of cards that surely lie there, as hardly more than their sides tell them."""
        found: list[LaidCard] = []
        reach = float(np.hypot(*self.prints.size_mm))
        for group in self._grouped(cards) if places else ():
            card = group.cards[0]
            if (group.positive is not None and group.negative is not None) or not card.lies_surely:
                continue
            near = [place for place in places if np.linalg.norm(place.at[:2] - card.middle) < reach]
            claims = Claims(view, self.prints.size_mm, [*cards, *found], tokens)
            kind = NEGATIVE if group.negative is None else POSITIVE
            neutral = group.neutral or self._across(card, cards)
            amid = None
            if neutral is not None:
                amid = self._sided.amid(view, (card, neutral), kind, [*cards, *found], tokens)
            partner = self._sided.partner(view, card, kind, near, claims, amid)
            found += [partner] if partner is not None else []
        return found

    def _across(self, card: LaidCard, cards: Sequence[LaidCard]) -> LaidCard | None:
        """The nearest neutral one of the `cards` that lies with no other, so near that one card reaches both it and
        this one."""
        size = self.prints.size_mm
        taken = [group.neutral for group in self._grouped(cards)]
        lone = [each for each in cards if self.prints.kinds[each.face] == NEUTRAL and each not in taken]
        near = [each for each in lone if gap_mm(card, each, size) < max(size)]
        return min(near, key=lambda each: gap_mm(card, each, size), default=None)

    def told_again(self, view: TopView, cards: Sequence[LaidCard], tokens: Sequence[Round]) -> list[LaidCard]:
        """The cards, the best seen first. Those that are not well seen have the faces most alike where no better card
        and no token lies, in their own place or where their sides are seen, if those explain more. A card beneath
        another may be found before it: its face is then told by the other's print."""
        found: list[LaidCard] = []
        claims = Claims(view, self.prints.size_mm, (), tokens)
        for card in cards:
            found.append(self._sided.told_again(view, card, claims))
            claims.add(found[-1])
        return sorted(found, key=lambda card: -card.score)

    def told_partners(
        self, view: TopView, places: Sequence[Place], cards: Sequence[LaidCard], tokens: Sequence[Round]
    ) -> list[LaidCard]:
        """The cards, and partners at some of the places that are still missed: where tokens leave half a card open, its
        few words tell its face in one place only, some millimetres aside of the guess."""
        found = list(cards)
        if not any(group.positive is None or group.negative is None for group in self._grouped(found)):
            return found
        claims = Claims(view, self.prints.size_mm, found, tokens)
        told: list[tuple[float, LaidCard]] = []
        for motion in (rigid_motion(place.at) for place in _apart(places)):
            if claims.share(motion) > MOSTLY:
                continue
            slid = self._slider.slid(view, motion, ~claims.on(motion))
            if slid.lead(slid.best) > TOLD:
                card = self.search.looked_at(view, slid.motions[slid.best], slid.best, 0, claims)
                if slid.lead(slid.best) > PLAINLY_TOLD:  # its words may all lie under tokens: its picture is print, too
                    card = replace(card, ink=max(card.ink, float(slid.alike[slid.best]) ** 2))
                told += [(slid.lead(slid.best), card)] if self.search.is_seen(card) else []
        for _, card in sorted(told, key=lambda each: -each[0]):
            if all(np.linalg.norm(card.middle - each.middle) > SAME_MM for each in found):
                found.append(card)
        return sorted(found, key=lambda card: -card.score)

    def _grouped(self, cards: Sequence[LaidCard]) -> list[CardGroup]:
        return grouped(cards, self.prints.kinds, self.prints.size_mm)

    def _partners(self, view: TopView, cards: Sequence[LaidCard], tokens: Sequence[Round]) -> list[Place]:
        """Places beside lone cards where partners may lie that nothing told of so far."""
        claims = Claims(view, self.prints.size_mm, cards, tokens)
        reach = float(np.hypot(*self.prints.size_mm))
        places: list[Place] = []
        for group in self._grouped(cards):
            if group.positive is None or group.negative is None:
                card = group.cards[0]
                kind = NEGATIVE if group.negative is None else POSITIVE
                turns = [card.turn + half + step for half in (0.0, math.pi) for step in TURNS]
                places += self._partner.places(view, claims, card.light, (card.middle, reach), turns, (kind,))
                places += outlined_places(view, claims, self.prints.size_mm, (card.middle, reach))
        return places

    def _about_stray(
        self, view: TopView, cards: Sequence[LaidCard], tokens: Sequence[Round], middle: Floats
    ) -> list[Place]:
        """The same about a token on paper whose `middle` (2,) lies on no card."""
        claims = Claims(view, self.prints.size_mm, cards, tokens)
        about = (middle, float(np.hypot(*self.prints.size_mm)) / 2)
        light = min(cards, key=lambda each: float(np.linalg.norm(each.middle - middle))).light
        turns = [float(turn) for turn in np.arange(0.0, 2 * math.pi, ALL_ROUND)]
        places = self._partner.places(view, claims, light, about, turns, (POSITIVE, NEGATIVE, NEUTRAL))
        return places + outlined_places(view, claims, self.prints.size_mm, about)

    def on_paper(self, view: TopView, cards: Sequence[LaidCard], tokens: Sequence[Round]) -> list[Floats]:
        """Middles of tokens that lie on none of the cards, but on something as bright as their paper."""
        if not cards:
            return []
        outlines = [outline_mm(card, self.prints.size_mm) for card in cards]
        beside = [token for token in tokens if share_on(token.middle, token.radius_mm, outlines) < 0.5]
        if not beside:
            return []
        middles = np.array([token.middle for token in beside])
        shares, _ = self.paper_shares(view, cards, middles, beside[0].radius_mm)
        return [token.middle for token, share in zip(beside, shares, strict=True) if share > PAPER_ABOUT]

    def paper_shares(
        self, view: TopView, cards: Sequence[LaidCard], middles: Floats, radius_mm: float
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """Of the rings about discs of that radius with `middles` (N, 2) the shares (N,) that are as bright as the
        nearest card's paper, and whether all of a ring is in the picture (N,)."""
        known = np.array([card.middle for card in cards])
        near = np.linalg.norm(middles[:, None] - known, axis=2).argmin(axis=1)
        lights = [card.light for card in cards]
        paper = np.array([self._paper * light.gain[:, 0] + light.offset[:, 0] for light in lights])[near]
        within = np.array([tolerance(light) for light in lights])[near]
        angle = np.arange(0, 2 * np.pi, 0.1)
        ring = RING_ABOUT * radius_mm * np.column_stack([np.cos(angle), np.sin(angle)])
        last = np.array(view.inside.shape[::-1]) - 1
        at = np.round(view.at((middles[:, None] + ring).reshape(-1, 2))).astype(int)
        held = np.clip(at, 0, last)
        seen = view.pixels[held[:, 1], held[:, 0]].reshape(len(middles), len(angle), 3)
        there = (at == held).all(axis=1) & view.inside[held[:, 1], held[:, 0]]
        off = paper[:, None] - seen
        # A reflection may make white paper brighter; than dark paper most things are.
        off = np.where((paper > DARK_PAPER).all(axis=1)[:, None, None], off, np.abs(off)).max(axis=2)
        return (off < within[:, None]).mean(axis=1), there.reshape(len(middles), -1).all(axis=1)


def _apart(places: Sequence[Place]) -> list[Place]:
    """Of places the first of each that a slide reaches from one."""
    found: list[Place] = []
    for place in places:
        x, y, turn = (float(each) for each in place.at)
        if all(
            math.hypot(x - other.at[0], y - other.at[1]) > APART_MM or abs(turn - other.at[2]) > APART_RAD
            for other in found
        ):
            found.append(place)
    return found


def _within(places: Floats, middle: Floats, reach: float) -> int:
    """How many of some places (N, 2) lie within that reach."""
    return int(np.count_nonzero(np.linalg.norm(places - middle, axis=1) < reach))


def _is_known(card: LaidCard) -> bool:
    """Whether a card found by the photograph's own keypoints lies there so truly that no more are looked for on it: one
    of which little is seen, with few keypoints, lay a line of words aside."""
    return card.score > WELL_SEEN or (card.score > LEAST_SCORE and card.votes >= LOOK_AGAIN_VOTES)


def _stands(card: LaidCard) -> bool:
    """Whether so much of a card is seen, now that it is known what covers it, that it is one."""
    if card.is_outlined:
        return True
    return card.score > LEAST_SCORE and (card.votes >= LEAST_VOTES or card.rim > LEAST_RIM)


def _seen_well(table: SeenTable) -> float:
    return sum(card.score for card in table.cards)


def _is_held(camera: TableView, prints: Sequence[SeenPrint], shape: tuple[int, ...]) -> bool:
    """Whether a crowd of keypoints of one print lies as closely as keypoints are found where the view has them: whole
    faces that tokens half cover, or outlines, would tell it worse."""
    crowds = [each for each in prints if len(each.mm) >= CROWD]
    return bool(crowds) and max(off_px(camera, each) for each in crowds) < KEYPOINT_PX * max(shape[:2]) / MANY[0]


def _box(camera: TableView, size_px: tuple[int, int], around: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return seen_box(camera, size_px, np.array(around))
