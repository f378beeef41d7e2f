"""Reads photographs of tables with cards and tokens: what lies together, whose it is, and what lies on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.dilemma_sets import DilemmaSet
from arena_cam.domain.dilemmas.doubts import DilemmaDoubt
from arena_cam.domain.dilemmas.readings import DilemmaReading, DilemmasReading, TokenReading
from arena_cam.domain.lies import Point2
from arena_cam.domain.messages import Message
from arena_cam.vision.tokens.cards.card_groups import (
    MOST_GAP_MM,
    CardGroup,
    distance_mm,
    grouped,
    outline_mm,
    share_on,
)
from arena_cam.vision.tokens.cards.card_reader import CardReader, SeenTable
from arena_cam.vision.tokens.cards.card_search import SAME_MM, LaidCard
from arena_cam.vision.tokens.discs import token_trust
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.lit_discs import LitDiscs
from arena_cam.vision.tokens.discs.missed_tokens import Patch, SecondLook, with_rims
from arena_cam.vision.tokens.discs.owner_search import OwnerSearch, RoundThing, beside
from arena_cam.vision.tokens.discs.rims import Edges
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import SAME, DiscSearch, Light, SeenDisc
from arena_cam.vision.tokens.final_names import NamedCard, Namer
from arena_cam.vision.tokens.left_over import Ground, Leftovers
from arena_cam.vision.tokens.odd_rounds import odd_rounds
from arena_cam.vision.tokens.owners import REACH_MM, but_for_tokens, told, with_whole_rims
from arena_cam.vision.tokens.plain_faces import plain_rounds
from arena_cam.vision.tokens.print_or_token import AS_ALIKE, NOISE, is_print, print_there
from arena_cam.vision.tokens.shaded_scene import (
    LIKELY,
    LIKELY_LEAD,
    MAY_BE,
    but_for_shades,
    colours_speak,
    compared_with_scene,
    is_shadow,
    may_hide_a_token,
    over_scene,
    token_lead,
    uncovered,
    without_shadows,
)
from arena_cam.vision.tokens.strange_paper import unlike_cloth
from arena_cam.vision.tokens.view.set_prints import SetPrints

Floats = NDArray[np.float64]

ON_CARD, EDGE = 0.5, 0.09  # share of a token that lies on cards, and how near to a half is unclear
ELSEWHERE_VISIBLE = 0.5
# Tokens are thrown aside one by one, and laid on a card in heaps: two that overlap so much (nearer than that share of
# both radii) beside a dilemma that may lack a card lie on that card, and so do four where one card has room for them.
# Three that were thrown aside lay side by side, at 0.87 and more.
CROWD = 4
HEAPED = 0.8
# Of a token on the cloth: its face; its rim, beyond what the cloth has of edges. In one photograph of a check cloth two
# tokens had 0.94 and 0.96, of 18 squares the most 0.75.
WHOLLY_SEEN, CLOSED = 0.8, 0.8
# Probability that a token lies there, below which none is counted. Of 666 that were counted in 46 photographs of seven
# sets five had less, of 264 in 18 photographs that nothing was fitted to two: all seven were none.
LIKELY_THERE = 0.5
SETTLED = 2  # how often at most a table is looked at with its tokens
# By what factor print that explains a thing takes the odds that it is a token. Of 13 such things in 24 photographs of
# eight styles one was, of the likeliest two.
PRINT_SPEAKS = 0.05
UNLIKELY = 0.001  # a chance that something is a token after all, below which it is not looked at again
# Doubts by each of which a further token, or one less, is as likely as not: a partner that is not seen may bear some.
# Of a token that is unclear itself its own probability says how likely it is.
MAYBE_MORE = (
    DilemmaDoubt.SOMETHING_UNKNOWN,
    DilemmaDoubt.TOKENS_ELSEWHERE,
    DilemmaDoubt.PARTNER_UNSEEN,
)


class TokenTableReader:
    """Reads photographs with the cards, tokens and discs of one set."""

    def __init__(self, dilemma_set: DilemmaSet) -> None:
        self.prints = SetPrints(dilemma_set)
        self._cards = CardReader(self.prints)
        self._namer = Namer(self.prints)
        tokens, owners = dilemma_set.tokens, dilemma_set.owners
        images = self.prints.disc_images
        self._tokens = DiscSearch(DiscPrints(images[: len(tokens)], tokens[0].diameter_mm / 2))
        self._lit_tokens = LitDiscs(self._tokens.prints)
        self._second_look = SecondLook(self._tokens.prints)
        self._leftovers = Leftovers(self.prints, self._tokens.prints)
        # Of the photograph that is read: the light of which cards, and the colours in it that were told last.
        self._last: tuple[list[LaidCard], Light, TokenColours] | None = None
        self._owners = OwnerSearch(DiscPrints(images[len(tokens) :], owners[0].diameter_mm / 2)) if owners else None

    def read(self, image_bgr: NDArray[np.uint8], frame: str) -> DilemmasReading:
        """All dilemmas seen in a photograph (h, w, 3)."""
        reading = self._read(image_bgr, frame)
        self._last = None
        return reading

    def _read(self, image_bgr: NDArray[np.uint8], frame: str) -> DilemmasReading:
        """The same; what was told of colours is kept."""
        table = self._cards.read(image_bgr)
        if table is None or not table.cards:
            return DilemmasReading(frame, (), (), (DilemmaDoubt.NO_DILEMMA(),))
        table, edges, seen = self._settled(image_bgr, table)
        if not table.cards:  # what looked like cards was tokens' print
            return DilemmasReading(frame, (), (), (DilemmaDoubt.NO_DILEMMA(),))
        seen = self._compared(table, seen, self._counted(table, edges, seen))
        tokens = self._without_print(table, self._counted(table, edges, seen))
        doubtful = self._doubtful(seen, tokens)
        tokens = self._coloured(table, tokens)
        groups = [group for group in self._groups(table) if _worth(group)]
        owners, tokens = self._round_things(table, tokens)
        tokens = self._coloured(table, self._plain_over_scene(table, seen, tokens, owners))
        grounds = [self._leftovers.ground(table.view, group.cards) for group in groups]
        tokens += self._compared(table, self._crescents(table, edges, groups, grounds, tokens, owners), tokens)
        tokens = self._coloured(table, tokens)
        if any(self._patches(grounds, tokens, owners)):
            missed = self._missed(edges, groups, grounds, tokens, owners)
            tokens = self._coloured(table, [*tokens, *self._compared(table, missed, tokens)])
        tokens, left = self._asked_about(table, edges, groups, grounds, tokens, owners)
        stray = unlike_cloth(self._cards, table, tokens, self._cards.on_paper(table.view, table.cards, tokens))
        tokens = self._compared(table, tokens, tokens)  # what else was taken for tokens no longer covers them
        colours = self._colours(table, tokens)
        tokens = compared_with_scene(self._cards.search, table, colours, with_rims(edges, colours, tokens))
        tokens, none = self._likely(table, tokens)
        left = [n + _on(group, none, self.prints.size_mm) for n, group in zip(left, groups, strict=True)]
        unseen = [_beside(group, stray, self.prints.size_mm) for group in groups]
        doubtful = but_for_shades(self._cards.search, table, colours, _apart(doubtful, tokens))
        return _Writer(self.prints, self._namer, table, tokens, owners, doubtful).reading(
            frame, groups, left, unseen, len(stray)
        )

    def candidates(self, image_bgr: NDArray[np.uint8]) -> list[tuple[SeenDisc, Floats, float]]:
        """Whatever looks like a token in a photograph (h, w, 3), counted or not, where its middle (2,) is seen, and its
        radius there, in px: what `token_trust` is fitted to."""
        table = self._cards.read(image_bgr)
        if table is None or not table.cards:
            return []
        table, edges, seen = self._settled(image_bgr, table)
        if not table.cards:
            return []
        seen = self._compared(table, seen, self._counted(table, edges, seen))
        return [(disc, table.camera.to_px(disc.middle[None])[0], _radius_px(table, disc)) for disc in seen]

    def _settled(self, image_bgr: NDArray[np.uint8], table: SeenTable) -> tuple[SeenTable, Edges, list[SeenDisc]]:
        """The table with all its cards, its edges, and what looks like tokens on it.

        Where the tokens lie tells what of the cards is print, and the cards then tell the view more truly.
        """
        for left in reversed(range(SETTLED)):
            edges = Edges(table.view)
            seen = self._looked_for(table, edges)
            known = table.cards
            tokens = self._counted(table, edges, seen)
            table = self._cards.seen_again(table, tokens)
            truer = self._cards.truer(image_bgr, table, tokens) if left else None
            if truer is None or not truer.cards:  # a view in which no card is seen is no truer
                break
            table = truer
        table = self._cards.with_partners(table, tokens)
        further = [card for card in table.cards if not any(_same_place(card, other) for other in known)]
        if further:  # what lies on them
            outlines = _outlines(further, self.prints.size_mm)
            shaded = partial(self._in_shade, table)
            seen = self._tokens.further(table.view, edges, _white(table.cards), outlines, seen, shaded)
        return table, edges, seen

    def _looked_for(self, table: SeenTable, edges: Edges) -> list[SeenDisc]:
        """What looks like tokens, on the cards of the table first."""
        outlines = _outlines(table.cards, self.prints.size_mm)
        return self._tokens.search(table.view, edges, _white(table.cards), outlines, partial(self._in_shade, table))

    def _in_shade(self, table: SeenTable, disc: SeenDisc, known: Sequence[SeenDisc]) -> float:
        """How much of what is seen of a disc has the colours of its kind but for shadows."""
        return self._colours(table, known).in_shade(disc)

    def _counted(self, table: SeenTable, edges: Edges, seen: Sequence[SeenDisc]) -> list[SeenDisc]:
        """What is taken for tokens. A check cloth shows dozens of things like some token in squares: what lies on no
        card and is wholly seen has a rim all round."""
        outlines = _outlines(table.cards, self.prints.size_mm)
        return [
            disc
            for disc in seen
            if token_trust.is_token(disc)
            and (
                disc.visible < WHOLLY_SEEN
                or share_on(disc.middle, disc.radius_mm, outlines) > ON_CARD
                or edges.closed(disc.middle, disc.radius_mm) > CLOSED
            )
        ]

    def _compared(self, table: SeenTable, discs: Sequence[SeenDisc], tokens: Sequence[SeenDisc]) -> list[SeenDisc]:
        """The discs with their lead over the print of the cards they lie on, where none of the other `tokens` lies."""
        outlines = _outlines(table.cards, self.prints.size_mm)
        found: list[SeenDisc] = []
        for disc in discs:
            on = share_on(disc.middle, disc.radius_mm, outlines) > ON_CARD
            apart = [each for each in tokens if math.dist(each.middle, disc.middle) > SAME * disc.radius_mm]
            there = print_there(self._cards.search, table, disc, apart) if on else None
            found.append(disc if there is None else replace(disc, lead=disc.alike - there.alike))
        return found

    def _without_print(self, table: SeenTable, tokens: list[SeenDisc]) -> list[SeenDisc]:
        """The tokens but for doubtful ones that the cards, now that they are known, explain."""
        kept = list(tokens)
        for token in tokens:
            others = [other for other in kept if other is not token]
            if token_trust.is_doubtful(token) and is_print(self._cards.search, table, token, others):
                kept = others
        return kept

    def _coloured(self, table: SeenTable, tokens: Sequence[SeenDisc]) -> list[SeenDisc]:
        """The tokens, their kinds as colours tell them, but for shadows and sides."""
        colours = self._colours(table, tokens)
        told = [colours.told(token) for token in tokens]
        kept = without_shadows(self._cards.search, table, colours, told)
        taken = [token for token in told if token not in kept]
        return uncovered(self._tokens, table.view, _white(table.cards), kept, taken)

    def _colours(self, table: SeenTable, tokens: Sequence[SeenDisc]) -> TokenColours:
        lit, white, before = self._last or (None, None, None)
        if lit is not table.cards or white is None:
            white = _white(table.cards)
        colours = TokenColours(self._tokens.prints, table.view, white, tokens, before)
        self._last = table.cards, white, colours
        return colours

    def _likely(self, table: SeenTable, tokens: list[SeenDisc]) -> tuple[list[SeenDisc], list[SeenDisc]]:
        """The tokens that likely lie there, as they are seen without the others; and those others, on cards, for which
        something that is left over spoke: it is asked about, and not counted."""
        outlines = _outlines(table.cards, self.prints.size_mm)
        poor = [token for token in tokens if token_trust.chance_there(token) < LIKELY_THERE]
        none = [token for token in poor if share_on(token.middle, token.radius_mm, outlines) > ON_CARD]
        kept = [token for token in tokens if token not in none]
        if not none:
            return kept, none
        return uncovered(self._tokens, table.view, _white(table.cards), kept, none), none

    @staticmethod
    def _doubtful(seen: Sequence[SeenDisc], tokens: Sequence[SeenDisc]) -> list[tuple[SeenDisc, float]]:
        """What was `seen` like a token and is none of the `tokens`, with the probability that it is one: print that
        explains it speaks against it, and not always rightly where cards are as dark as tokens."""
        found: list[tuple[SeenDisc, float]] = []
        for disc in (each for each in seen if each not in tokens):
            chance = token_trust.chance_missed(disc)
            if token_trust.is_token(disc):  # print explained it
                chance = token_trust.confidence(disc)
                chance *= PRINT_SPEAKS / (1.0 - chance + PRINT_SPEAKS * chance)
            found.append((disc, chance))
        return found

    def _plain_over_scene(
        self, table: SeenTable, seen: Sequence[SeenDisc], tokens: list[SeenDisc], owners: Sequence[RoundThing]
    ) -> list[SeenDisc]:
        """The tokens, with those on cards that too little spoke for, which their print and the other tokens in shade
        explain so much worse that this makes them tokens."""
        outlines, found = _outlines(table.cards, self.prints.size_mm), list(tokens)
        poor = [disc for disc in seen if not token_trust.is_token(disc) and token_trust.chance_missed(disc) > UNLIKELY]
        colours = self._colours(table, found)
        for disc in sorted(poor, key=token_trust.chance_missed, reverse=True):
            known = [each.middle for each in found] + [each.middle for each in owners]
            near = any(math.dist(disc.middle, each) < SAME * disc.radius_mm for each in known)
            if near or share_on(disc.middle, disc.radius_mm, outlines) <= ON_CARD:
                continue
            told = over_scene(self._cards.search, table, colours, disc)
            if told.over_scene is not None and told.over_scene > LIKELY_LEAD and token_trust.is_token(told):
                found.append(told)
                colours = self._colours(table, found)
        return found

    def _patches(
        self, grounds: Sequence[Ground], tokens: Sequence[SeenDisc], owners: Sequence[RoundThing]
    ) -> list[list[Patch]]:
        return [self._leftovers.patches(ground, [*tokens, *owners]) for ground in grounds]

    def _crescents(
        self,
        table: SeenTable,
        edges: Edges,
        groups: Sequence[CardGroup],
        grounds: Sequence[Ground],
        tokens: Sequence[SeenDisc],
        owners: Sequence[RoundThing],
    ) -> list[SeenDisc]:
        """Tokens that explain what of the cards is no print, of which others leave too little to make a circle."""
        found: list[SeenDisc] = []
        for group, ground in zip(groups, grounds, strict=True):
            known = [*tokens, *found]
            patches = self._leftovers.unprinted(ground, [*known, *owners])
            lights = _lights(group.cards)
            speaks = partial(self._colours_speak, table, self._colours(table, known))
            found += self._second_look.within(edges, lights, known, patches, speaks)
            outlines = _outlines(group.cards, self.prints.size_mm)
            known = [*tokens, *found]
            on = [disc for disc in known if share_on(disc.middle, disc.radius_mm, outlines) > ON_CARD]
            found += self._unlike_print(table, known, self._second_look.beneath(edges, lights[0], known, on))
            known = [*tokens, *found]
            anywhere = self._second_look.all_over(ground.view, edges, lights[0], known, outlines)
            found += self._unlike_print(table, known, anywhere)
        return found

    def _unlike_print(self, table: SeenTable, known: Sequence[SeenDisc], discs: Sequence[SeenDisc]) -> list[SeenDisc]:
        """Of the discs those that are like no print of the cards where none of the others and of the `known` lies."""
        found: list[SeenDisc] = []
        for disc in discs:
            there = print_there(self._cards.search, table, disc, [*known, *found])
            if there is not None and there.off > NOISE and there.alike < disc.alike - AS_ALIKE:
                found.append(disc)
        return found

    def _colours_speak(self, table: SeenTable, colours: TokenColours, disc: SeenDisc) -> bool:
        """Whether what is seen has the colours of a token's kind, and is like no print of the cards."""
        if not colours_speak(self._cards.search, table, colours, disc):
            return False
        there = print_there(self._cards.search, table, disc, colours.tokens)
        return there is not None and there.alike < disc.alike - AS_ALIKE

    def _missed(
        self,
        edges: Edges,
        groups: Sequence[CardGroup],
        grounds: Sequence[Ground],
        tokens: Sequence[SeenDisc],
        owners: Sequence[RoundThing],
    ) -> list[SeenDisc]:
        """Tokens that explain what is left over on the cards."""
        found: list[SeenDisc] = []
        for group, ground in zip(groups, grounds, strict=True):
            known = [*tokens, *found]
            patches = self._leftovers.patches(ground, [*known, *owners])
            lights = _lights(group.cards)
            found += self._second_look.search(ground.view, edges, lights, known, patches)
        return found

    def _asked_about(
        self,
        table: SeenTable,
        edges: Edges,
        groups: Sequence[CardGroup],
        grounds: Sequence[Ground],
        tokens: list[SeenDisc],
        owners: list[RoundThing],
    ) -> tuple[list[SeenDisc], list[int]]:
        """The tokens, with those in round things and strips that nothing found so far explains; and how many such
        things, strips and patches are left on each group."""
        colours = self._colours(table, tokens)
        odd = [self._odd(table, edges, group, colours, owners) for group in groups]
        strips = [self._strip(table, ground, colours, owners) for ground in grounds]
        likely = [at for each in odd for at in each] + [at for lead, at in strips if lead > LIKELY]
        if likely:
            lights = _lights(table.cards)
            more = self._second_look.at_rims(table.view, lights, tokens, likely, colours.told)
            known = [*tokens, *more]
            more += self._unlike_print(table, known, self._second_look.beneath(edges, lights[0], known, more))
            tokens = self._coloured(table, [*tokens, *self._compared(table, more, tokens)])
            colours = self._colours(table, tokens)
            odd = [self._odd(table, edges, group, colours, owners) for group in groups]
            strips = [self._strip(table, ground, colours, owners) for ground in grounds]
        patches = self._unexplained(table, groups, self._patches(grounds, tokens, owners), colours)
        circles = edges.circles(self._tokens.prints.radius_mm)[0]
        outlined = [_outlines(group.cards, self.prints.size_mm) for group in groups]
        plain = [plain_rounds(self._cards.search, table, colours, circles, each, owners) for each in outlined]
        found = zip(patches, odd, strips, plain, strict=True)
        left = [count + len(rounds) + (lead > MAY_BE) + len(faces) for count, rounds, (lead, _), faces in found]
        return tokens, left

    def _unexplained(
        self, table: SeenTable, groups: Sequence[CardGroup], patches: Sequence[list[Patch]], colours: TokenColours
    ) -> list[int]:
        """How many of each group's patches may be part of a token beneath those of `colours`."""
        search, size = self._cards.search, self.prints.size_mm
        return [
            sum(may_hide_a_token(search, table, colours, patch.middle, _outlines(group.cards, size)) for patch in each)
            for group, each in zip(groups, patches, strict=True)
        ]

    def _odd(
        self, table: SeenTable, edges: Edges, group: CardGroup, colours: TokenColours, owners: list[RoundThing]
    ) -> list[Floats]:
        """Middles of round things on the cards of a group that nothing found so far explains, no token of `colours`."""
        radius, size = self._tokens.prints.radius_mm, self.prints.size_mm
        outlines = _outlines(group.cards, size)
        odd = odd_rounds(self._cards.search, table, edges.circles(radius), radius, outlines, colours.tokens, owners)
        return [middle for middle in odd if not is_shadow(self._cards.search, table, colours, middle)]

    def _strip(
        self, table: SeenTable, ground: Ground, colours: TokenColours, owners: list[RoundThing]
    ) -> tuple[float, Floats]:
        """How much more than shadows and sides a strip between the tokens of `colours` is like a token beneath them
        (`token_lead`), and where that token's middle (2,) is likeliest; minus infinity without such a strip."""
        places = self._leftovers.between(ground, colours.tokens, owners)
        if not places:
            return -math.inf, np.zeros(2)
        leads = [token_lead(self._cards.search, table, colours, at) for at in places]
        best = int(np.argmax(leads))
        return leads[best], places[best]

    def _groups(self, table: SeenTable) -> list[CardGroup]:
        return grouped(table.cards, self.prints.kinds, self.prints.size_mm)

    def _round_things(self, table: SeenTable, tokens: list[SeenDisc]) -> tuple[list[RoundThing], list[SeenDisc]]:
        """What is round and of a disc's size in reach of the cards, but for tokens; and the tokens that are no disc."""
        if self._owners is None:
            return [], tokens
        outlines = _outlines(table.cards, self.prints.size_mm)
        radius = self._owners.prints.radius_mm
        usable = beside(table.view, outlines, REACH_MM + radius)
        light = light_of(table.cards)

        def as_token(token: SeenDisc) -> float:
            return float(self._lit_tokens.fits(table.view, light, token.middle).details.min())

        found = self._owners.search(table.view, [light, white_in_one_tint(table.cards)], usable)
        found = with_whole_rims(found, outlines, tokens)
        told_apart = [but_for_tokens(thing, tokens, outlines, as_token) for thing in found]
        discs = [disc for _, disc in told_apart if disc is not None]
        return [thing for thing, _ in told_apart if thing is not None], [t for t in tokens if t not in discs]


def _outlines(cards: Sequence[LaidCard], size_mm: tuple[float, float]) -> list[Floats]:
    return [outline_mm(card, size_mm) for card in cards]


def _same_place(card: LaidCard, other: LaidCard) -> bool:
    return bool(np.linalg.norm(card.middle - other.middle) < SAME_MM)


def _worth(group: CardGroup) -> bool:
    """Whether a group is a dilemma, or so good a half of one that it is asked about."""
    if group.positive is not None and group.negative is not None:
        return True
    return group.cards[0].lies_surely


def _on(group: CardGroup, discs: Sequence[SeenDisc], size_mm: tuple[float, float]) -> int:
    """How many of the discs lie on the cards of a group."""
    outlines = _outlines(group.cards, size_mm)
    return sum(share_on(disc.middle, disc.radius_mm, outlines) > ON_CARD for disc in discs)


def _beside(group: CardGroup, stray: Sequence[Floats], size_mm: tuple[float, float]) -> int:
    """How many of the tokens that some unknown card seems to bear, with middles `stray` (2,), may lie on a card of the
    group that was not recognised."""
    if all(card is not None for card in (group.positive, group.negative, group.neutral)):
        return 0
    outlines = _outlines(group.cards, size_mm)
    reach = MOST_GAP_MM + float(np.hypot(*size_mm))
    return sum(any(distance_mm(middle[None], each)[0] < reach for each in outlines) for middle in stray)


def light_of(cards: list[LaidCard]) -> Light:
    """The light of the nearest card; one that is seen half as well counts as twice as far.

    What little is seen of a card tells its light badly, and it may be none.
    """
    middles = np.array([card.middle for card in cards])
    seen = np.array([max(card.score, 0.01) for card in cards])
    gains = np.array([np.maximum(card.light.gain[:, 0], 0.1) for card in cards])
    offsets = np.array([card.light.offset[:, 0] for card in cards])

    def at(mm: Floats) -> tuple[Floats, Floats]:
        x, y = mm[:, :1] - middles[:, 0], mm[:, 1:] - middles[:, 1]
        nearest = (np.sqrt(x * x + y * y) / seen).argmin(axis=1)
        return gains[nearest], offsets[nearest]

    return at


def _lights(cards: list[LaidCard]) -> list[Light]:
    """The lights that tokens on the cards may lie in."""
    return [_white(cards), light_of(cards)]


def _white(cards: list[LaidCard]) -> Light:
    """The light that white paper lies in on the nearest card: a reflection may have made its colours paler."""
    lit = light_of(cards)

    def at(mm: Floats) -> tuple[Floats, Floats]:
        gain, offset = lit(mm)
        return np.maximum(gain + offset / 255.0, 0.05), np.zeros_like(offset)

    return at


def white_in_one_tint(cards: list[LaidCard]) -> Light:
    """The light that white paper lies in on the nearest card, of one colour all over the table: what a dark card in a
    reflection says of its channels is a guess each."""
    white = _white(cards)
    shown = white(np.array([card.middle for card in cards]))[0]
    tint = np.median(shown / shown.mean(axis=1, keepdims=True), axis=0)

    def at(mm: Floats) -> tuple[Floats, Floats]:
        gain, offset = white(mm)
        return gain.mean(axis=1, keepdims=True) * tint, offset

    return at


def _apart(doubtful: Sequence[tuple[SeenDisc, float]], tokens: Sequence[SeenDisc]) -> list[tuple[SeenDisc, float]]:
    """Without what a token that was found since then explains."""
    return [
        (disc, chance)
        for disc, chance in doubtful
        if all(np.linalg.norm(disc.middle - token.middle) > SAME * token.radius_mm for token in tokens)
    ]


class _Writer:
    """Puts together what was found on one table; `doubtful`: what may be a token, too, and with what probability."""

    def __init__(
        self,
        prints: SetPrints,
        namer: Namer,
        table: SeenTable,
        tokens: list[SeenDisc],
        owners: list[RoundThing],
        doubtful: Sequence[tuple[SeenDisc, float]] = (),
    ) -> None:
        self.prints, self.namer, self.table, self.tokens, self.owners = prints, namer, table, tokens, owners
        self.doubtful = doubtful
        self.named: dict[int, NamedCard] = {}

    def reading(
        self, frame: str, groups: list[CardGroup], left: Sequence[int], unseen: Sequence[int], stray: int
    ) -> DilemmasReading:
        """`left`: how many patches in a token's colour on or between what lies on each group nothing explains;
        `unseen`: how many tokens may lie on a card of it that was not recognised; `stray`: how many of the table do."""
        outlines = [_outlines(group.cards, self.prints.size_mm) for group in groups]
        cards = [card for group in groups for card in group.cards]
        names = self.namer.names(self.table, cards, self.tokens)
        self.named = {id(card): name for card, name in zip(cards, names, strict=True)}
        shares = np.array([[share_on(t.middle, t.radius_mm, each) for each in outlines] for t in self.tokens]).reshape(
            len(self.tokens), len(groups)
        )
        halves = [k for k, group in enumerate(groups) if group.positive is None or group.negative is None]
        owned = told(self.owners, outlines, [owner.name for owner in self.prints.set.owners], halves)
        nowhere = [
            token
            for token, share in zip(self.tokens, shares, strict=True)
            if not (share > ON_CARD).any() and token.visible >= ELSEWHERE_VISIBLE
        ]
        heaped = [token.middle for token in nowhere if _is_laid(token, nowhere, min(self.prints.size_mm))]
        heaps = [_beside(group, heaped, self.prints.size_mm) for group in groups]
        dilemmas = tuple(
            self._dilemma(group, shares[:, k], outlines[k], owned.get(k), (left[k], max(unseen[k], heaps[k])))
            for k, group in enumerate(groups)
        )
        elsewhere = tuple(self._token(token) for token in nowhere)
        if not dilemmas:
            return DilemmasReading(frame, (), elsewhere, (DilemmaDoubt.NO_DILEMMA(),))
        doubts = [doubt for each in dilemmas for doubt in each.doubts]
        together = max(_touching(nowhere), stray)
        if together:  # as on a dilemma whose cards nobody recognised
            doubts.append(DilemmaDoubt.TOKENS_ELSEWHERE(count=together))
        return DilemmasReading(frame, dilemmas, elsewhere, tuple(dict.fromkeys(doubts)))

    def _dilemma(
        self,
        group: CardGroup,
        shares: Floats,
        outlines: list[Floats],
        owner: tuple[str | None, bool] | None,
        unexplained: tuple[int, int],
    ) -> DilemmaReading:
        left, unseen = unexplained
        named = [self.named[id(card)] for card in group.cards]
        told = [each for each in named if each.told]
        by_kind = {int(self.prints.kinds[each.face]): self.prints.names[each.face] for each in told}
        first = self.prints.names[(told or named)[0].face]
        mine = [token for token, share in zip(self.tokens, shares, strict=True) if share > ON_CARD]
        doubts = self._doubts(group, named, mine, shares, first)
        if owner is not None and not owner[1]:
            doubts.append(DilemmaDoubt.OWNER_UNCLEAR(card=first))
        if left and DilemmaDoubt.SOMETHING_UNKNOWN not in {d.sentence for d in doubts}:
            doubts.append(DilemmaDoubt.SOMETHING_UNKNOWN(card=first))
        if unseen:
            doubts.append(DilemmaDoubt.TOKENS_ELSEWHERE(count=unseen))
        maybe = sum(d.sentence in MAYBE_MORE for d in doubts)
        # A card laid by its sides may lie aside, and tokens that hide its words hide each other: it is hardly seen,
        # unless its name is clear all the same.
        aside = any(card.by_sides and not name.clear for card, name in zip(group.cards, named, strict=True))
        maybe += all(each.told for each in named) and aside
        not_counted = [p for disc, p in self.doubtful if share_on(disc.middle, disc.radius_mm, outlines) > ON_CARD]
        confidence = token_trust.of_all(mine, maybe, not_counted)
        asked = maybe or DilemmaDoubt.TOKEN_UNCLEAR in {d.sentence for d in doubts}
        if confidence < token_trust.SURE and not asked:
            doubts.append(DilemmaDoubt.TOKEN_UNCLEAR(card=first))
        px = [self.table.camera.to_px(outline) for outline in outlines]
        centre = self.table.camera.to_px(np.mean([outline.mean(axis=0) for outline in outlines], axis=0)[None])[0]
        return DilemmaReading(
            owner[0] if owner else None,
            by_kind.get(0),
            by_kind.get(1),
            by_kind.get(2),
            tuple(self._token(token) for token in mine),
            _point(centre),
            tuple(tuple(_point(corner) for corner in outline) for outline in px),
            confidence,
            tuple(doubts),
        )

    def _doubts(
        self, group: CardGroup, named: list[NamedCard], mine: list[SeenDisc], shares: Floats, first: str
    ) -> list[Message]:
        doubts: list[Message] = []
        if group.positive is None or group.negative is None or not all(each.told for each in named):
            doubts.append(DilemmaDoubt.PARTNER_UNSEEN(card=first))
        unclear = [each for each in named if each.told and not each.clear]
        doubts += [DilemmaDoubt.CARD_UNCLEAR(card=self.prints.names[each.face]) for each in unclear]
        if any(token_trust.is_doubtful(token) for token in mine):
            doubts.append(DilemmaDoubt.TOKEN_UNCLEAR(card=first))
        if any(each.strange for each in named):
            doubts.append(DilemmaDoubt.SOMETHING_UNKNOWN(card=first))
        if (np.abs(shares - ON_CARD) < EDGE).any():
            doubts.append(DilemmaDoubt.ON_THE_EDGE(card=first))
        if any(each.outside for each in named):
            doubts.append(DilemmaDoubt.OUTSIDE(card=first))
        return doubts

    def _token(self, disc: SeenDisc) -> TokenReading:
        names = [token.name for token in self.prints.set.tokens]
        at = self.table.camera.to_px(disc.middle[None])[0]
        radius = round(_radius_px(self.table, disc), 1)
        return TokenReading(names[disc.kind], _point(at), radius, round(token_trust.confidence(disc), 4))


def _radius_px(table: SeenTable, disc: SeenDisc) -> float:
    """How large a disc is seen."""
    return disc.radius_mm * float(np.sqrt(abs(np.linalg.det(table.camera.px_per_mm(disc.middle[None])[0]))))


def _is_laid(disc: SeenDisc, discs: Sequence[SeenDisc], card_mm: float) -> bool:
    """Whether a disc overlaps another of the `discs`, or so many lie about it as on a card so wide."""
    away = np.array([np.linalg.norm(each.middle - disc.middle) for each in discs])
    return bool(np.count_nonzero(away < 2.0 * HEAPED * disc.radius_mm) > 1 or np.count_nonzero(away < card_mm) >= CROWD)


def _touching(discs: Sequence[SeenDisc]) -> int:
    """How many of the discs lie on or under another."""
    return sum(
        any(np.linalg.norm(a.middle - b.middle) < 0.95 * (a.radius_mm + b.radius_mm) for b in discs if b is not a)
        for a in discs
    )


def _point(xy: Floats) -> Point2:
    return round(float(xy[0]), 2), round(float(xy[1]), 2)
