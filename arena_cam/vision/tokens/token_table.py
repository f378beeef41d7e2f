"""Reads photographs of tables with cards and tokens: what lies together, whose it is, and what lies on it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.dilemma_sets import DilemmaSet
from arena_cam.domain.dilemmas.doubts import DilemmaDoubt
from arena_cam.domain.dilemmas.readings import DilemmasReading
from arena_cam.vision.tokens.card_lights import light_of, lights_of, white_in_one_tint
from arena_cam.vision.tokens.cards.card_groups import CardGroup, grouped, outlines_mm, share_on
from arena_cam.vision.tokens.cards.card_reader import CardReader, SeenTable
from arena_cam.vision.tokens.cards.card_search import SAME_MM, LaidCard
from arena_cam.vision.tokens.cards.table_claims import Round
from arena_cam.vision.tokens.dilemma_writer import ON_CARD, DilemmaWriter, beside_group, radius_px
from arena_cam.vision.tokens.discs import token_trust
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.faint_rims import SHADOW_MM, bare_cloth
from arena_cam.vision.tokens.discs.lit_discs import LitDiscs
from arena_cam.vision.tokens.discs.missed_tokens import Patch, SecondLook, joined, with_rims
from arena_cam.vision.tokens.discs.owner_search import OwnerSearch, RoundThing, beside, but_for_soft_rims
from arena_cam.vision.tokens.discs.rims import Edges
from arena_cam.vision.tokens.discs.sides import Sides
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.discs.token_search import SAME, DiscSearch, Light, SeenDisc
from arena_cam.vision.tokens.final_names import Namer
from arena_cam.vision.tokens.hard_shadows import REACH, ShadowedTokens
from arena_cam.vision.tokens.left_over import Ground, Leftovers
from arena_cam.vision.tokens.odd_rounds import odd_rounds
from arena_cam.vision.tokens.owners import REACH_MM, but_for_cloth, but_for_tokens, is_owned
from arena_cam.vision.tokens.plain_faces import plain_kinds, plain_rounds
from arena_cam.vision.tokens.print_or_token import AS_ALIKE, NOISE
from arena_cam.vision.tokens.read_table import ReadTable
from arena_cam.vision.tokens.shaded_scene import (
    LEAST_ON_CARDS,
    LIKELY,
    LIKELY_LEAD,
    MAY_BE,
    but_for_shades,
    colours_speak,
    compared_with_scene,
    is_shadow,
    may_be_covered,
    may_hide_a_token,
    over_scene,
    smooth_lead,
    token_lead,
    uncovered,
    with_smooth_lead,
    without_shadows,
)
from arena_cam.vision.tokens.stack_picture import StackSearch, compared_with_stack
from arena_cam.vision.tokens.strange_paper import unlike_cloth
from arena_cam.vision.tokens.view.set_prints import SetPrints

Floats = NDArray[np.float64]

# Of a token on the cloth: its face; its rim, beyond what the cloth has of edges. In one photograph of a check cloth two
# tokens had 0.94 and 0.96, of 18 squares the most 0.75.
WHOLLY_SEEN, CLOSED = 0.8, 0.8
# Probability that a token lies there, below which none is counted. Of 666 that were counted in 46 photographs of seven
# sets five had less, of 264 in 18 photographs that nothing was fitted to two: all seven were none.
LIKELY_THERE = 0.5
COUNTED = 0.75  # the same of what a stack left unclear: three tokens had 0.81 to 0.85
SETTLED = 2  # how often at most a table is looked at with its tokens
# By what factor print that explains a thing takes the odds that it is a token. Of 13 such things in 24 photographs of
# eight styles one was, of the likeliest two.
PRINT_SPEAKS = 0.05
ASIDE_MM = 0.5  # by which a card's print may lie aside: half the width of what is left over at all
UNTOLD_NATS = 1.0  # by which print must explain more than a token does: less tells nothing
WORTH = 0.003  # a chance from which it is looked at in two lights
UNLIKELY = 0.001  # a chance that something is a token after all, below which it is not looked at again


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
        self._shadowed = ShadowedTokens(self._tokens.rough)
        self._second_look = SecondLook(self._tokens.prints)
        self._leftovers = Leftovers(self.prints, self._tokens.prints)
        self._plain = plain_kinds(self._tokens.prints)
        self._owners = OwnerSearch(DiscPrints(images[len(tokens) :], owners[0].diameter_mm / 2)) if owners else None

    def read(self, image_bgr: NDArray[np.uint8], frame: str) -> DilemmasReading:
        """All dilemmas seen in a photograph (h, w, 3)."""
        found = self._cards.read(image_bgr)
        if found is None or not found.cards:
            return DilemmasReading(frame, (), (), (DilemmaDoubt.NO_DILEMMA(),))
        table, edges, seen = self._settled(image_bgr, found)
        if not table.cards:  # what looked like cards was tokens' print
            return DilemmasReading(frame, (), (), (DilemmaDoubt.NO_DILEMMA(),))
        seen = self._compared(table, seen, self._counted(table, edges, seen))
        tokens = self._without_print(table, self._counted(table, edges, seen))
        doubtful = self._doubtful(seen, tokens)
        tokens = self._coloured(table, tokens)
        groups = [group for group in self._groups(table) if _worth(group)]
        owners, tokens = self._round_things(table, groups, tokens)
        tokens = self._coloured(table, self._plain_over_scene(table, seen, tokens, owners))
        grounds = [self._leftovers.ground(table.view, group.cards) for group in groups]
        tokens += self._compared(table, self._crescents(table, edges, groups, grounds, tokens, owners), tokens)
        tokens = self._coloured(table, tokens)
        if any(self._patches(grounds, tokens, owners)):
            missed = self._missed(edges, groups, grounds, tokens, owners)
            tokens = self._coloured(table, [*tokens, *self._compared(table, missed, tokens)])
        tokens, doubtful = self._but_for_hard_shadows(table, tokens, doubtful)
        tokens, unclear = self._in_stacks(table, edges, tokens, owners)
        tokens, unclear = self._but_for_hard_shadows(table, tokens, unclear)
        tokens, left = self._asked_about(table, edges, groups, grounds, tokens, owners)
        tokens, left = self._asked_as_named(table, edges, groups, (tokens, left), owners)
        left = self._with_hidden(table, edges, groups, (tokens, left), owners)
        stray = unlike_cloth(self._cards, table.seen, tokens, self._cards.on_paper(table.view, table.cards, tokens))
        tokens = joined(self._tokens, table.view, table.white, tokens)
        tokens = self._compared(table, tokens, tokens)  # what else was taken for tokens no longer covers them
        tokens = self._relit(table, tokens)
        colours = table.colours(tokens)
        tokens = compared_with_scene(self._cards.search, table.seen, colours, with_rims(edges, colours, tokens))
        in_shade = partial(smooth_lead, self._cards.search, table.seen, colours, tokens=tokens)
        tokens = self._shadowed.but_for_scene(colours, tokens, in_shade)
        tokens = compared_with_stack((self._cards.search, table.seen, colours), self._tokens, tokens)
        tokens, none = self._likely(table, tokens)
        left = [n + _touching(group, none, self.prints.size_mm) for n, group in zip(left, groups, strict=True)]
        doubtful = but_for_shades(self._cards.search, table.seen, colours, _apart(doubtful, tokens))
        doubtful += _apart(unclear, tokens)
        writer = DilemmaWriter(self.prints, self._namer, table.seen, tokens, owners, doubtful)
        groups, left = writer.as_named(groups, left)
        unseen = [beside_group(group, stray, self.prints.size_mm) for group in groups]
        return writer.reading(frame, groups, left, unseen, len(stray))

    def candidates(self, image_bgr: NDArray[np.uint8]) -> list[tuple[SeenDisc, Floats, float]]:
        """Whatever looks like a token in a photograph (h, w, 3), counted or not, where its middle (2,) is seen, and its
        radius there, in px: what `token_trust` is fitted to."""
        found = self._cards.read(image_bgr)
        if found is None or not found.cards:
            return []
        table, edges, seen = self._settled(image_bgr, found)
        if not table.cards:
            return []
        seen = self._compared(table, seen, self._counted(table, edges, seen))
        return [(disc, table.camera.to_px(disc.middle[None])[0], radius_px(table.seen, disc)) for disc in seen]

    def _settled(self, image_bgr: NDArray[np.uint8], found: SeenTable) -> tuple[ReadTable, Edges, list[SeenDisc]]:
        """The table with all its cards, its edges, and what looks like tokens on it.

        Where the tokens lie tells what of the cards is print, and the cards then tell the view more truly.
        """
        for left in reversed(range(SETTLED)):
            table, edges = self._read_table(found), Edges(found.view)
            seen = self._looked_for(table, edges)
            tokens = self._counted(table, edges, seen)
            found = self._cards.seen_again(found, tokens)
            truer = self._cards.truer(image_bgr, found, tokens) if left else None
            if truer is None or not truer.cards:  # a view in which no card is seen is no truer
                break
            found = truer
        known, found = table.cards, self._namer.in_view(self._cards.with_partners(found, tokens))
        table = self._read_table(found)
        further = [card for card in table.cards if not any(_same_place(card, other) for other in known)]
        if further:  # what lies on them
            outlines = outlines_mm(further, self.prints.size_mm)
            shaded = partial(self._in_shade, table)
            seen = self._tokens.further(table.view, edges, table.white, outlines, seen, shaded)
        return table, edges, seen

    def _read_table(self, seen: SeenTable) -> ReadTable:
        return ReadTable(self._cards.search, self._tokens.prints, seen)

    def _looked_for(self, table: ReadTable, edges: Edges) -> list[SeenDisc]:
        """What looks like tokens, on the cards of the table first."""
        outlines = outlines_mm(table.cards, self.prints.size_mm)
        return self._tokens.search(table.view, edges, table.white, outlines, partial(self._in_shade, table))

    def _in_shade(self, table: ReadTable, disc: SeenDisc, known: Sequence[SeenDisc]) -> float:
        """How much of what is seen of a disc has the colours of its kind but for shadows."""
        return table.colours(known).in_shade(disc)

    def _counted(self, table: ReadTable, edges: Edges, seen: Sequence[SeenDisc]) -> list[SeenDisc]:
        """What is taken for tokens. A check cloth shows dozens of things like some token in squares: what lies on no
        card and is wholly seen has a rim all round."""
        outlines = outlines_mm(table.cards, self.prints.size_mm)
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

    def _compared(self, table: ReadTable, discs: Sequence[SeenDisc], tokens: Sequence[SeenDisc]) -> list[SeenDisc]:
        """The discs with their lead over the print of the cards they lie on, where none of the other `tokens` lies."""
        outlines = outlines_mm(table.cards, self.prints.size_mm)
        found: list[SeenDisc] = []
        for disc in discs:
            on = share_on(disc.middle, disc.radius_mm, outlines) > ON_CARD
            apart = [each for each in tokens if math.dist(each.middle, disc.middle) > SAME * disc.radius_mm]
            there = table.print.there(disc, apart) if on else None
            found.append(disc if there is None else replace(disc, lead=disc.alike - there.alike))
        return found

    def _without_print(self, table: ReadTable, tokens: list[SeenDisc]) -> list[SeenDisc]:
        """The tokens but for doubtful ones that the cards, now that they are known, explain."""
        kept = list(tokens)
        for token in tokens:
            others = [other for other in kept if other is not token]
            if token_trust.is_doubtful(token) and table.print.explains(token, others):
                kept = others
        return kept

    def _coloured(self, table: ReadTable, tokens: Sequence[SeenDisc]) -> list[SeenDisc]:
        """The tokens, their kinds as colours tell them, but for shadows and sides; kept for the next time."""
        asked = tuple(tokens)
        if asked not in table.coloured:
            colours = table.colours(tokens)
            told = [colours.told(token) for token in tokens]
            kept = without_shadows(self._cards.search, table.seen, colours, told)
            taken = [token for token in told if token not in kept]
            table.coloured[asked] = uncovered(self._tokens, table.view, table.white, kept, taken)
        return list(table.coloured[asked])

    def _in_hard_shadows(self, table: ReadTable, tokens: list[SeenDisc], places: Sequence[Floats]) -> list[SeenDisc]:
        """The tokens, and those about the places (2,) on cards of which a hard shadow leaves nothing as printed."""
        outlines, radius = outlines_mm(table.cards, self.prints.size_mm), self._tokens.prints.radius_mm
        on = [at for at in places if share_on(at, radius, outlines) > ON_CARD]
        if not on:
            return tokens
        found = self._unlike_print(table, tokens, self._shadowed.about(table.colours(tokens), on))
        return [*self._beneath(table, tokens, found), *self._compared(table, found, tokens)]

    def _but_for_hard_shadows(
        self, table: ReadTable, tokens: list[SeenDisc], doubtful: Sequence[tuple[SeenDisc, float]]
    ) -> tuple[list[SeenDisc], list[tuple[SeenDisc, float]]]:
        """The tokens, with those of the doubtful things that are plain in two lights; and the rest of these."""
        likely = [disc.middle for disc, chance in doubtful if chance > WORTH]
        shadowed = self._in_hard_shadows(table, tokens, likely)
        if len(shadowed) == len(tokens):
            return tokens, list(doubtful)
        return self._coloured(table, shadowed), _apart(doubtful, shadowed[len(tokens) :], REACH)

    def _beneath(self, table: ReadTable, tokens: list[SeenDisc], found: Sequence[SeenDisc]) -> list[SeenDisc]:
        """The tokens; doubtful ones as they are seen beneath those that were `found` since, if they are better so."""
        kept: list[SeenDisc] = []
        for token in tokens:
            near = [each for each in found if math.dist(each.middle, token.middle) < 2.0 * token.radius_mm]
            if near and token_trust.is_doubtful(token):
                above = [*(each for each in tokens if each.visible > token.visible), *near]
                again = self._tokens.tried(table.view, table.white, token.middle, token.rim, above)
                if again is not None and again.kind == token.kind and again.alike > token.alike:
                    token = replace(again, lead=token.lead, over_stack=token.over_stack)
            kept.append(token)
        return kept

    def _relit(self, table: ReadTable, tokens: list[SeenDisc]) -> list[SeenDisc]:
        """The tokens, doubtful ones as they are seen in two lights where a hard shadow lies on them."""
        colours = table.colours(tokens)
        return [self._shadowed.relit(colours, each) if token_trust.is_doubtful(each) else each for each in tokens]

    def _likely(self, table: ReadTable, tokens: list[SeenDisc]) -> tuple[list[SeenDisc], list[SeenDisc]]:
        """The tokens that likely lie there, as they are seen without the others; and those others for which something
        on the cards spoke: it is asked about, and not counted. That lies on the cards, wherever most of a token would
        be that explains it poorly: one laid a radius aside, half on the cloth, was said to lie elsewhere, and the cards
        surely had one too few."""
        outlines = outlines_mm(table.cards, self.prints.size_mm)
        poor = [token for token in tokens if token_trust.chance_there(token) < LIKELY_THERE]
        none = [token for token in poor if share_on(token.middle, token.radius_mm, outlines) > 0.0]
        kept = [token for token in tokens if token not in none]
        if not none:
            return kept, none
        return uncovered(self._tokens, table.view, table.white, kept, none), none

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
        self, table: ReadTable, seen: Sequence[SeenDisc], tokens: list[SeenDisc], owners: Sequence[RoundThing]
    ) -> list[SeenDisc]:
        """The tokens, with those on cards that too little spoke for, which their print and the other tokens in shade
        explain so much worse that this makes them tokens."""
        outlines, found = outlines_mm(table.cards, self.prints.size_mm), list(tokens)
        poor = [disc for disc in seen if not token_trust.is_token(disc) and token_trust.chance_missed(disc) > UNLIKELY]
        colours = table.colours(found)
        for disc in sorted(poor, key=token_trust.chance_missed, reverse=True):
            known = [each.middle for each in found] + [each.middle for each in owners]
            near = any(math.dist(disc.middle, each) < SAME * disc.radius_mm for each in known)
            if near or share_on(disc.middle, disc.radius_mm, outlines) <= ON_CARD:
                continue
            told = over_scene(self._cards.search, table.seen, colours, disc)
            if told.over_scene is not None and told.over_scene > LIKELY_LEAD and token_trust.is_token(told):
                found.append(told)
                colours = table.colours(found)
        return found

    def _patches(
        self,
        grounds: Sequence[Ground],
        tokens: Sequence[SeenDisc],
        owners: Sequence[RoundThing],
        sides: Sides | None = None,
    ) -> list[list[Patch]]:
        return [self._leftovers.patches(ground, [*tokens, *owners], sides) for ground in grounds]

    def _crescents(
        self,
        table: ReadTable,
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
            lights = lights_of(group.cards)
            speaks = partial(self._colours_speak, table, table.colours(known))
            found += self._second_look.within(edges, lights, known, patches, speaks)
            outlines = outlines_mm(group.cards, self.prints.size_mm)
            known = [*tokens, *found]
            on = [disc for disc in known if share_on(disc.middle, disc.radius_mm, outlines) > ON_CARD]
            speaks = partial(self._colours_speak, table, table.colours(known))
            is_print = self._leftovers.printed(ground, known)
            beneath = self._second_look.beneath(edges, lights[0], known, on, speaks, is_print)
            found += self._unlike_print(table, known, beneath)
            known = [*tokens, *found]
            anywhere = self._second_look.all_over(ground.view, edges, lights[0], known, outlines, is_print)
            found += self._unlike_print(table, known, anywhere)
        return found

    def _unlike_print(self, table: ReadTable, known: Sequence[SeenDisc], discs: Sequence[SeenDisc]) -> list[SeenDisc]:
        """Of the discs those that are like no print of the cards where none of the others and of the `known` lies."""
        found: list[SeenDisc] = []
        for disc in discs:
            there = table.print.there(disc, [*known, *found])
            if there is not None and there.off > NOISE and there.alike < disc.alike - AS_ALIKE:
                found.append(disc)
        return found

    def _colours_speak(self, table: ReadTable, colours: TokenColours, disc: SeenDisc) -> bool:
        """Whether what is seen has the colours of a token's kind, and is like no print of the cards."""
        if not colours_speak(self._cards.search, table.seen, colours, disc):
            return False
        there = table.print.there(disc, colours.tokens)
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
            lights = lights_of(group.cards)
            found += self._second_look.search(ground.view, edges, lights, known, patches)
        return found

    def _in_stacks(
        self, table: ReadTable, edges: Edges, tokens: list[SeenDisc], owners: Sequence[RoundThing]
    ) -> tuple[list[SeenDisc], list[tuple[SeenDisc, float]]]:
        """The tokens, with those that explain much more of their stacks as a whole, or of what they show, than cards
        and the others do; and what may be one that does, with the probability that it is."""
        found, unclear = self._stacks(table, edges, tokens).further(tokens, [each.middle for each in owners])
        unclear = self._told_in_smooth_shade(table, found, unclear)
        for disc, chance in sorted(unclear, key=lambda each: -each[1]):
            if chance > COUNTED and all(math.dist(disc.middle, each.middle) > SAME * disc.radius_mm for each in found):
                found.append(disc)
        if len(found) == len(tokens):
            return tokens, unclear
        return self._coloured(table, self._compared(table, found, found)), unclear

    def _stacks(self, table: ReadTable, edges: Edges, tokens: Sequence[SeenDisc]) -> StackSearch:
        """The stacks of these tokens; those that were asked for last are kept."""
        asked = tuple(tokens)
        if table.stacks is None or table.stacks[0] != asked:
            scene = self._cards.search, table.seen, table.colours(tokens)
            circles = edges.circles(self._tokens.prints.radius_mm)
            outlines = outlines_mm(table.cards, self.prints.size_mm)
            table.stacks = asked, StackSearch(scene, self._tokens, circles, outlines)
        return table.stacks[1]

    def _with_hidden(
        self,
        table: ReadTable,
        edges: Edges,
        groups: Sequence[CardGroup],
        asked: tuple[list[SeenDisc], list[int]],
        owners: Sequence[RoundThing],
    ) -> list[int]:
        """How much is left on each group, beside what was `asked` about: where nothing is, one thing if what the print
        of its cards explains worst is like a further token, and like no print."""
        tokens, left = asked
        stacks, others = self._stacks(table, edges, tokens), [each.middle for each in owners]
        outlined = [outlines_mm(group.cards, self.prints.size_mm) for group in groups]
        hidden = [None if n else stacks.hidden(tokens, others, each) for n, each in zip(left, outlined, strict=True)]
        found = [[] if disc is None else self._unlike_print(table, tokens, [disc]) for disc in hidden]
        return [n + len(each) for n, each in zip(left, found, strict=True)]

    def _told_in_smooth_shade(
        self, table: ReadTable, tokens: Sequence[SeenDisc], unclear: Sequence[tuple[SeenDisc, float]]
    ) -> list[tuple[SeenDisc, float]]:
        """What may be a token beneath the `tokens`, but for what the cards' print explains better, with the
        probability that it is one where it is compared with cards and tokens in a smooth shade: in a known photograph
        the red band of a card between three green tokens was a red one. Where neither correlates the print explains
        nothing: half a back in a hard shadow had 0.38, and white paper 0.40 there."""
        if not unclear:
            return []
        colours, compared = table.colours(tokens), self._compared(table, [disc for disc, _ in unclear], tokens)
        return [
            with_smooth_lead(self._cards.search, table.seen, colours, disc, chance)
            for disc, (_, chance) in zip(compared, unclear, strict=True)
            if token_trust.over_print(disc) > -UNTOLD_NATS
        ]

    def _asked_about(
        self,
        table: ReadTable,
        edges: Edges,
        groups: Sequence[CardGroup],
        grounds: Sequence[Ground],
        tokens: list[SeenDisc],
        owners: list[RoundThing],
    ) -> tuple[list[SeenDisc], list[int]]:
        """The tokens, with those in round things and strips that nothing found so far explains; and how many such
        things, strips and patches are left on each group."""
        colours = table.colours(tokens)
        told = [self._odd(table, edges, *each, colours, owners) for each in zip(groups, grounds, strict=True)]
        odd, shaded = [each for each, _ in told], [at for _, each in told for at in each]
        shadowed = self._in_hard_shadows(table, tokens, shaded)
        if len(shadowed) > len(tokens):
            tokens = self._coloured(table, shadowed)
            colours = table.colours(tokens)
        strips = [self._strip(table, *each, colours, owners) for each in zip(groups, grounds, strict=True)]
        likely = [at for each in odd for at in each] + [at for lead, at in strips if lead > LIKELY]
        if likely:
            lights = lights_of(table.cards)
            more = self._second_look.at_rims(table.view, lights, tokens, likely, colours.told)
            known = [*tokens, *more]
            more += self._unlike_print(table, known, self._second_look.beneath(edges, lights[0], known, more))
            more = self._in_hard_shadows(table, [*tokens, *more], likely)[len(tokens) :]
            tokens = self._coloured(table, [*tokens, *self._compared(table, more, tokens)])
            colours = table.colours(tokens)
            odd = [self._odd(table, edges, *each, colours, owners)[0] for each in zip(groups, grounds, strict=True)]
            strips = [self._strip(table, *each, colours, owners) for each in zip(groups, grounds, strict=True)]
        left_over = self._patches(grounds, tokens, owners, Sides.of(table.camera))
        patches = self._unexplained(table, groups, left_over, colours)
        circles = edges.circles(self._tokens.prints.radius_mm)[0]
        outlined = [outlines_mm(group.cards, self.prints.size_mm) for group in groups]
        plain = [
            plain_rounds(self._cards.search, table.seen, colours, self._plain, circles, each, owners)
            for each in outlined
        ]
        found = zip(patches, odd, strips, plain, strict=True)
        left = [count + len(rounds) + (lead > MAY_BE) + len(faces) for count, rounds, (lead, _), faces in found]
        return tokens, left

    def _asked_as_named(
        self,
        table: ReadTable,
        edges: Edges,
        groups: Sequence[CardGroup],
        asked: tuple[list[SeenDisc], list[int]],
        owners: list[RoundThing],
    ) -> tuple[list[SeenDisc], list[int]]:
        """The tokens, and how much is left on each group, as `asked` about: where something is, once more with the
        cards' clear names. What another face's picture leaves over, or a card laid a millimetre aside, is print."""
        tokens, left = asked
        doubtful = [card for count, group in zip(left, groups, strict=True) if count for card in group.cards]
        anew = {id(card): self._namer.laid_as_named(table.seen, card, tokens) for card in doubtful}
        if not any(_is_another(card, anew[id(card)]) for card in doubtful):
            return asked
        cards = [anew.get(id(card), card) for card in table.cards]
        table = self._read_table(replace(table.seen, cards=cards))
        groups = [_with_cards(group, anew) for group in groups]
        grounds = [self._leftovers.ground(table.view, group.cards) for group in groups]
        return self._asked_about(table, edges, groups, grounds, tokens, owners)

    def _unexplained(
        self, table: ReadTable, groups: Sequence[CardGroup], patches: Sequence[list[Patch]], colours: TokenColours
    ) -> list[int]:
        """How many of each group's patches may be part of a token beneath those of `colours`."""
        search, outlined = self._cards.search, [outlines_mm(group.cards, self.prints.size_mm) for group in groups]
        return [
            sum(may_hide_a_token(search, table.seen, colours, patch.middle, outlines) for patch in each)
            for each, outlines in zip(patches, outlined, strict=True)
        ]

    def _odd(
        self,
        table: ReadTable,
        edges: Edges,
        group: CardGroup,
        ground: Ground,
        colours: TokenColours,
        owners: list[RoundThing],
    ) -> tuple[list[Floats], list[Floats]]:
        """Middles of round things on the cards of a group that nothing found so far explains, no token of `colours`;
        and of those that a shadow may explain."""
        radius, size = self._tokens.prints.radius_mm, self.prints.size_mm
        outlines = outlines_mm(group.cards, size)
        odd = odd_rounds(table.print, edges.circles(radius), radius, outlines, colours.tokens, owners)
        in_shade = [is_shadow(self._cards.search, table.seen, colours, middle) for middle in odd]
        shaded = [middle for middle, shadow in zip(odd, in_shade, strict=True) if shadow]
        odd = [middle for middle, shadow in zip(odd, in_shade, strict=True) if not shadow]
        on = [token for token in colours.tokens if share_on(token.middle, radius, outlines) > 0]
        covered = self._leftovers.covered(ground, Sides.of(table.camera), on, owners)
        covered = [at for at in covered if may_be_covered(self._cards.search, table.seen, colours, at)]
        return odd + [at for at in covered if all(math.dist(at, other) > SAME * radius for other in odd)], shaded

    def _strip(
        self, table: ReadTable, group: CardGroup, ground: Ground, colours: TokenColours, owners: list[RoundThing]
    ) -> tuple[float, Floats]:
        """How much more than shadows and sides a strip between the tokens of `colours` is like a token beneath them
        (`token_lead`), and where that token's middle (2,) is likeliest; minus infinity without such a strip."""
        outlines, radius = outlines_mm(group.cards, self.prints.size_mm), self._tokens.prints.radius_mm
        places = self._leftovers.between(ground, Sides.of(table.camera), colours.tokens, owners)
        places = [at for at in places if share_on(at, radius, outlines) >= LEAST_ON_CARDS]
        if not places:
            return -math.inf, np.zeros(2)
        leads = [token_lead(self._cards.search, table.seen, colours, at) for at in places]
        best = int(np.argmax(leads))
        return leads[best], places[best]

    def _groups(self, table: ReadTable) -> list[CardGroup]:
        return grouped(table.cards, self.prints.kinds, self.prints.size_mm)

    def _round_things(
        self, table: ReadTable, groups: Sequence[CardGroup], tokens: list[SeenDisc]
    ) -> tuple[list[RoundThing], list[SeenDisc]]:
        """What is round and of a disc's size in reach of the cards, but for tokens; and the tokens that are no disc."""
        if self._owners is None:
            return [], tokens
        outlines = outlines_mm(table.cards, self.prints.size_mm)
        usable = beside(table.view, outlines, REACH_MM + self._owners.prints.radius_mm)
        light = light_of(table.cards)
        lights = [light, white_in_one_tint(table.cards)]

        def as_token(token: SeenDisc) -> float:
            return float(self._lit_tokens.fits(table.view, light, token.middle).details.min())

        found = self._owners.search(table.view, lights, usable)
        found = but_for_cloth(table.view, found, outlines, tokens)
        told_apart = [but_for_tokens(thing, tokens, outlines, as_token) for thing in found]
        discs = [disc for _, disc in told_apart if disc is not None]
        things = [thing for thing, _ in told_apart if thing is not None]
        tokens = [token for token in tokens if token not in discs]
        things = but_for_soft_rims(table.view, things, tokens)
        things = self._with_rimless(table, self._owners, lights, groups, things, tokens)
        return things, tokens

    def _nobodys(self, groups: Sequence[CardGroup], things: Sequence[RoundThing]) -> list[Floats]:
        """The outlines (M, 2) of the dilemmas beside which none of the things lies."""
        each = [outlines_mm(group.cards, self.prints.size_mm) for group in groups]
        return [outline for outlines in each if not is_owned(outlines, things) for outline in outlines]

    def _with_rimless(
        self,
        table: ReadTable,
        search: OwnerSearch,
        lights: Sequence[Light],
        groups: Sequence[CardGroup],
        things: list[RoundThing],
        tokens: Sequence[SeenDisc],
    ) -> list[RoundThing]:
        """The things, and discs whose rims do not show, in reach of dilemmas beside which none lies: by their printed
        rings, and else by the shadow at a foot."""
        cards, radius = outlines_mm(table.cards, self.prints.size_mm), search.prints.radius_mm
        for look, shadow_mm in ((search.ringed, radius / 2), (search.faint, SHADOW_MM)):
            nobodys = self._nobodys(groups, things)
            if not nobodys:
                break
            usable = beside(table.view, nobodys, REACH_MM + radius)
            known: list[Round] = [*tokens, *things]
            taken = [(piece.middle, piece.radius_mm) for piece in known]
            things = things + look(table.view, lights, usable, bare_cloth(table.view, cards, taken, shadow_mm))
        return things


def _same_place(card: LaidCard, other: LaidCard) -> bool:
    return bool(np.linalg.norm(card.middle - other.middle) < SAME_MM)


def _is_another(card: LaidCard, anew: LaidCard) -> bool:
    """Whether a card has another face, or lies elsewhere, by more than print may lie aside."""
    return anew.face != card.face or float(np.linalg.norm(anew.middle - card.middle)) > ASIDE_MM


def _with_cards(group: CardGroup, anew: Mapping[int, LaidCard]) -> CardGroup:
    """A group with some of its cards, by their ids, laid anew."""
    each = (
        None if card is None else anew.get(id(card), card) for card in (group.positive, group.negative, group.neutral)
    )
    return CardGroup(*each)


def _worth(group: CardGroup) -> bool:
    """Whether a group is a dilemma, or so good a half of one that it is asked about."""
    if group.positive is not None and group.negative is not None:
        return True
    return group.cards[0].lies_surely


def _touching(group: CardGroup, discs: Sequence[SeenDisc], size_mm: tuple[float, float]) -> int:
    """How many of the discs lie on the cards of a group, if only with a part."""
    outlines = outlines_mm(group.cards, size_mm)
    return sum(share_on(disc.middle, disc.radius_mm, outlines) > 0.0 for disc in discs)


def _apart(
    doubtful: Sequence[tuple[SeenDisc, float]], tokens: Sequence[SeenDisc], reach: float = SAME
) -> list[tuple[SeenDisc, float]]:
    """Without what a token that was found since then explains, no farther away than so many radii."""
    return [
        (disc, chance)
        for disc, chance in doubtful
        if all(np.linalg.norm(disc.middle - token.middle) > reach * token.radius_mm for token in tokens)
    ]
