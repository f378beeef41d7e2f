"""Whether what looks like a half-covered token is a shadow or a side: cards and other tokens in shade explain it.

A token's shadow on a card ends in an arc of the token's own radius, so that its rim does not tell. What lies within it
does: the card's print, or another token's, only darker.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.channels import greatest, summed
from arena_cam.vision.tokens.cards.card_groups import outline_mm, share_on
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch
from arena_cam.vision.tokens.discs.covered_rims import STEP
from arena_cam.vision.tokens.discs.disc_prints import ANGLES, INNER, OUTER, RINGS
from arena_cam.vision.tokens.discs.shades import MISTAKE, off_shaded
from arena_cam.vision.tokens.discs.sides import CastShadows, LightAbout, Sides
from arena_cam.vision.tokens.discs.token_colours import (
    COLOUR_SD,
    LEAST_SAMPLES,
    MORE_SEEN,
    REACH,
    WHOLE,
    SeenFace,
    TokenColours,
)
from arena_cam.vision.tokens.discs.token_search import LEAST_VISIBLE, SAME, DiscSearch, Light, SeenDisc
from arena_cam.vision.tokens.discs.token_trust import (
    HALF,
    LIMITS,
    LITTLE,
    SPEAKING,
    chance_there,
    log_odds,
    no_shadow,
)
from arena_cam.vision.tokens.print_or_token import light_on_cards, prints_at
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]

HALF_SEEN = 0.6  # of a face: more of it is no crescent
SHADES = np.geomspace(0.35, 1.05, 14)
# Grey levels by which the scene must explain more. In 13 photographs of nine styles three shadows and sides that were
# counted as tokens had 19 and more, two others less than 1 (one on a token, one as grey as a token's back); of 49
# half-seen tokens one had 5, in a stack, one 1, and all others less than 0.
MUCH_BETTER = 10.0
# Correlations are blind to how strong a colour is: of a plain face that is one colour alone, pale paper of its hue
# correlates nearly as well. The lead over print that print may have (`token_trust.WITH_LEAD`): the bare pink
# corner of a card had 0.01 as a plain crimson token, true ones of that kind on that card 0.06. In the colours that the
# others showed the corner was 36 grey levels worse than the card's print, and those were 20 and more better.
OF_PRINT = 0.15
LIKELY_LEAD = 3.0  # grey levels
# A shadow changes smoothly: over so many millimetres its shade is one. From umbra under a shade to a slant's shine.
SMOOTH_MM, SHADE_RANGE = 1.5, (0.12, 1.15)
# What a lamp's shadow leaves of the light varies so much where it is known: a room has other light, and blur mixes. 112
# half-seen candidates, in 52 photographs of 13 sets, lay in plain shadows. 84 were tokens: they explained 1.9 levels
# and more beyond what paper in the shadows did, but for one with -2.6. Of 28 that were none 21 had less than -3: so
# much is LIKELY_LEAD.
CAST_SHADES = np.linspace(0.8, 1.25, 7)
# What is left unexplained is a picture's noise, and print that lies a little aside. Both grow with the light, so that
# explanations are compared by the ratio of what they leave: the likelihood where the noise's size is not known.
# Grey levels below which nothing is told.
FLOOR = 2.0
# Logarithms of that ratio. In 76 photographs of 21 sets a token had been missed beneath others in 12 dilemmas: one of
# them had less than 0.2, and was asked about for a patch of the token, too. Strips in 27 others were shadows and sides:
# 22 had less than 0.1, four up to 0.17, one 0.42. Leaving out one of 27 half-covered tokens had 0.34 and more.
# So 0.1 would part them, were a strip's place the token's: half a radius beside one in the middle of a stack it was
# 0.01, and the count was surely one too low. Of 84 dilemmas two more are asked about for that.
MAY_BE = 0.0
# Of these 27 one had more than this, of the 12 nine: there a token is looked for, and counted though asked about.
LIKELY = 0.3
UNTOLD = 0.2
# About whole rims: four missed tokens had -0.08 to 0.57, of 17 others 13 had less than this. Two more, a token's own
# shadow on a card each, as round as it is, had -0.16 and -0.17: too near to those that were missed. In 35
# photographs of three sets a bound of -0.12 changed no answer.
IS_NONE = -0.2
# About rims that go on beneath tokens (`left_over.covered`): in 48 photographs of 11 sets eight missed tokens had -0.16
# to 0.21, seven of them more than this; of 65 others, shadows and print that lies aside, four had.
IS_COVERED = -0.1
# Of one token that lies in a reflection of its own, or in less of it than the others: so many grey levels more or less
# shine (SHINES), and the logarithm from which, as printed as ALIKE, it is no shadow. Of 17 tokens whose lead over the
# scene was a doubt, in 45 photographs of 15 sets, six right ones had 0.48 and more and a correlation of 0.84 and more;
# of four that were none or of another kind three had 0.17 and less, the fourth a correlation of 0.80.
SHINES, IS_PLAIN, ALIKE = np.arange(-30.0, 61.0, 10.0), 0.4, 0.83
# Log odds from which the print of a token is seen where its colours do not tell it from shade: white paper in shade is
# any grey. Of such candidates in 13 photographs of ten sets six that were tokens of their kind had 6.5 and more, three
# less than 2; five that were none or of another kind had less than -2.
PRINT_TOLD = 5.0
NEXT_TO_NONE = 0.001  # a probability that is no doubt
# Where the middle of a token may be of which a patch is seen, in radii: the steps are such that one of them is near
# enough. With less of its face on cards it lies beside them. Of 22 patches in 16 photographs the four of a token,
# all in one stack, had leads of -0.02 and more, six others less than IS_NONE.
_ALONG = np.arange(-0.8, 0.81, 0.4)
_ABOUT = np.array(sorted(((x, y) for x in _ALONG for y in _ALONG), key=lambda at: math.hypot(*at)))
# In radii: a rim so near to where a token throws its shadow is that shadow's. Of 12 rims and strips that were asked
# about beside tokens, in ten photographs of four sets whose shadows were known, ten had 0.02 to 0.19 and were nothing.
OF_SHADOW = 0.25
# A rim beneath tokens is met within a step of where it was tried: there, and about it.
_ASIDE = STEP * np.array(sorted(product((-1, 0, 1), repeat=2), key=lambda at: math.hypot(*at))[1:])
LEAST_ON_CARDS = 0.4
ON_CARDS = 0.5  # of a token: of what lies on the cloth nothing is known that would explain it


def without_shadows(
    search: CardSearch, table: SeenTable, colours: TokenColours, tokens: Sequence[SeenDisc]
) -> list[SeenDisc]:
    """The tokens but for those of which what is seen is explained much better by the cards and the other tokens in some
    shade: half-seen ones, and those that lead over the cards' print by no more than print does. Nor are half-seen ones
    among them that are paper where the others plainly throw their shadows. What plainly varies as its print does is no
    shadow, however grey it is."""
    if not colours.kinds:
        return list(tokens)
    kept, like_print = list(tokens), [token for token in tokens if _may_be_print(token)]
    # What looks whole shows its own colours: whether they are a token's, those tell that are no print.
    surely = colours.but_for(like_print) if like_print else colours
    for token in sorted(tokens, key=lambda each: each.visible):
        is_like_print = token in like_print
        told = surely if is_like_print else colours
        if not told.kinds or not (is_like_print or token.visible < HALF_SEEN):
            continue
        is_shade = lead_over_scene(search, table, told, token, kept) < -MUCH_BETTER
        if is_like_print:
            is_shade = is_shade and not is_plain_in_a_shine(search, table, told, token, kept)
        else:
            is_shade = is_shade or _is_cast(search, table, told, token, kept)
            is_shade = is_shade and print_odds(search, table, told, token, kept) <= PRINT_TOLD
        if is_shade:
            kept.remove(token)
    return kept


def _is_cast(
    search: CardSearch, table: SeenTable, colours: TokenColours, token: SeenDisc, tokens: Sequence[SeenDisc]
) -> bool:
    """Whether what is seen of a half-seen token is paper in a shadow that the tokens throw there, plainly."""
    lead = lead_in_cast_shadows(search, table, colours, token, tokens)
    return lead is not None and lead < -LIKELY_LEAD


def _may_be_print(token: SeenDisc) -> bool:
    """Whether what looks more than half seen leads over the cards' print by no more than print may."""
    return token.visible >= HALF_SEEN and token.lead is not None and token.lead <= OF_PRINT


def compared_with_scene(
    search: CardSearch, table: SeenTable, colours: TokenColours, tokens: Sequence[SeenDisc]
) -> list[SeenDisc]:
    """The tokens; those on cards that are not wholly seen with their lead over the cards and the other tokens in some
    shade, but for those that a reflection of their own has paled: their lead says nothing."""
    if not colours.kinds:
        return list(tokens)
    outlines = [outline_mm(card, search.prints.size_mm) for card in table.cards]
    found = []
    for token in tokens:
        if token.visible < WHOLE and share_on(token.middle, token.radius_mm, outlines) > ON_CARDS:
            lead: float | None = lead_over_scene(search, table, colours, token, tokens)
            if lead is not None and lead < LIKELY_LEAD:
                lead = _but_for_greys(lead, search, table, colours, token, tokens)
            little = token.visible < LITTLE
            token = replace(token, over_scene=lead, on_sides=_on_sides(table, colours, token) if little else None)
        found.append(token)
    return found


def _on_sides(table: SeenTable, colours: TokenColours, token: SeenDisc) -> float:
    """How much (0..1) of what is seen of a token may be the sides of the others, and what lies beneath those that lie
    on others."""
    face, sides = colours.face(token), Sides.of(table.camera)
    points = token.middle + colours.prints.xy_mm[face.free]
    on = np.zeros(len(points), bool)
    for other, level in zip(colours.tokens, colours.levels, strict=True):
        if 0.0 < math.dist(other.middle, token.middle) < REACH * token.radius_mm:
            on |= sides.on(other, points, level)
    return float(colours.weights(face) @ on)


def _but_for_greys(
    lead: float,
    search: CardSearch,
    table: SeenTable,
    colours: TokenColours,
    token: SeenDisc,
    tokens: Sequence[SeenDisc],
) -> float | None:
    """A token's lead over the scene; none where its print or a shine of its own plainly tells that it is no shadow, and
    not below 0 where its print rather tells so: then that shade has its colours says nothing. Its print apart, paper in
    shadows that are known tells most."""
    odds = print_odds(search, table, colours, token, tokens)
    if odds > PRINT_TOLD:
        return None
    cast = lead_in_cast_shadows(search, table, colours, token, tokens)
    if cast is not None and cast < 0.0:
        return cast
    if is_plain_in_a_shine(search, table, colours, token, tokens):
        return None
    return max(lead, 0.0) if odds > 0.0 else lead


def over_scene(search: CardSearch, table: SeenTable, colours: TokenColours, disc: SeenDisc) -> SeenDisc:
    """What looks like a token on cards, its kind as colours tell it, with its lead over the cards and the tokens of
    `colours` in some shade; without a lead where no whole token shows its colours."""
    if not colours.kinds:
        return disc
    told = colours.told(disc)
    return replace(told, over_scene=lead_over_scene(search, table, colours, told, colours.tokens))


def but_for_shades(
    search: CardSearch,
    table: SeenTable,
    colours: TokenColours,
    doubtful: Sequence[tuple[SeenDisc, float]],
) -> list[tuple[SeenDisc, float]]:
    """What may be a token and was not counted, with the probability that it is one: less where the cards and the tokens
    that were counted explain it in some shade better than a token of any kind does. A stack's shadows and sides are
    hidden in part, too, and print explains them no better than it does tokens. More where it explains what is seen
    better than they do in a shade that changes smoothly: a plain dark face has no print to correlate with."""
    if not colours.kinds:
        return list(doubtful)
    outlines = [outline_mm(card, search.prints.size_mm) for card in table.cards]
    found = []
    for disc, chance in doubtful:
        if share_on(disc.middle, disc.radius_mm, outlines) > ON_CARDS:
            there = _there_in_shade(search, table, colours, disc)
            if chance > NEXT_TO_NONE:
                tried = [replace(disc, kind=kind) for kind in range(len(colours.prints.polar))]
                leads = [lead_over_scene(search, table, colours, each, colours.tokens) for each in tried]
                chance *= no_shadow(max(leads))
            chance = max(chance, there)
        found.append((disc, chance))
    return found


def _there_in_shade(search: CardSearch, table: SeenTable, colours: TokenColours, disc: SeenDisc) -> float:
    """Probability that a token lies there of which enough to count it did not speak, where it explains what is seen
    better than cards and tokens in a smooth shade do; 0 where it does not. Of 108 such things on cards, in 35
    photographs of seven sets, one was a token, surely missed: its lead was 0.46, all others' were less than 0."""
    chance = chance_there(disc)
    if chance <= LIMITS[0]:
        return 0.0
    lead = best_smooth_lead(search, table, colours, disc.middle, kinds=[disc.kind])
    if lead is None or lead <= MAY_BE:
        return 0.0
    return _with_nats(chance, SPEAKING * max(disc.visible, HALF) * lead)


def with_smooth_lead(
    search: CardSearch, table: SeenTable, colours: TokenColours, disc: SeenDisc, chance: float
) -> tuple[SeenDisc, float]:
    """What may be a token with that probability beneath those of `colours`, with the nats by which it makes likelier
    what is seen of it than cards and these in a smooth shade do, and the probability that it is one then. Of 19 things
    that stacks left unclear, in 40 photographs, three were tokens, with 0.81 and more; of the others, but for two on a
    card of a wrong name, none had more than 0.02."""
    lead = best_smooth_lead(search, table, colours, disc.middle, kinds=[disc.kind])
    if lead is None:
        return disc, chance
    nats = SPEAKING * max(disc.visible, HALF) * lead
    return replace(disc, over_stack=max(disc.over_stack or 0.0, nats)), _with_nats(max(chance, NEXT_TO_NONE), nats)


def _with_nats(chance: float, nats: float) -> float:
    """A probability where something is so many nats likelier."""
    return 1.0 / (1.0 + math.exp(-log_odds(chance) - nats))


def is_plain_in_a_shine(
    search: CardSearch, table: SeenTable, colours: TokenColours, token: SeenDisc, tokens: Sequence[SeenDisc]
) -> bool:
    """Whether a token that is seen as printed explains, in a shine of its own and a smooth shade, what is seen of it
    much better than the cards and the other tokens do, where these lie: a lamp's reflection ends where it ends."""
    face = colours.face(token)
    if token.alike < ALIKE or np.count_nonzero(face.free) < LEAST_SAMPLES:
        return False
    seen, near, scene = _scene_off(search, table, colours, token, face, _over(token, tokens))
    known, says = np.isfinite(scene), colours.weights(face)
    if np.count_nonzero(known) < LEAST_SAMPLES:
        return False
    weight = says * known
    weight /= weight.sum()
    gain, offset = colours.light(token.middle, token.kind)
    printed, tint = colours.printed(face, token.kind)[face.free] * gain, colours.tint(token.middle)
    left = min(float(weight @ off_smooth(seen - offset - more * tint, printed, near, says)) for more in SHINES)
    return float(np.log((float(weight[known] @ scene[known]) + FLOOR) / (left + FLOOR))) > IS_PLAIN


def print_odds(
    search: CardSearch, table: SeenTable, colours: TokenColours, token: SeenDisc, tokens: Sequence[SeenDisc]
) -> float:
    """The log odds that what is seen of a token varies as its print does, as strongly as may be, against that it does
    as the cards and the other tokens do in a shade that changes smoothly; minus infinity where these hardly lie.

    Each sample in a shade of its own white paper is any grey: the stripes of a grey face, too, which no shadow has."""
    face = colours.face(token)
    if np.count_nonzero(face.free) < LEAST_SAMPLES:
        return -math.inf
    others = [*_over(token, tokens), *_beneath(token, tokens)]
    seen, _, scene = _scene_off(search, table, colours, token, face, others)
    known = np.isfinite(scene)
    if np.count_nonzero(known) < LEAST_SAMPLES:
        return -math.inf
    weight = (colours.weights(face) * known)[:, None]
    weight /= weight.sum()
    printed = colours.printed(face, token.kind)[face.free] * colours.light(token.middle, token.kind)[0]
    varies, prints = seen - (weight * seen).sum(axis=0), printed - (weight * printed).sum(axis=0)
    gain = float((weight * varies * prints).sum() / max(float((weight * np.square(prints)).sum()), 1.0))
    own = np.minimum(greatest(np.abs(varies - max(gain, 0.0) * prints)), MISTAKE)
    left, of_scene = (float(weight[known, 0] @ np.square(each[known])) + FLOOR**2 for each in (own, scene))
    return SPEAKING * max(token.visible, HALF) * math.log(of_scene / left)


def is_shadow(search: CardSearch, table: SeenTable, colours: TokenColours, middle: Floats) -> bool:
    """Whether the cards and the tokens in some shade explain a circle about there (2,) better than any token, or the
    tokens leave next to nothing of it open: then its rim is theirs; or whether one of them throws its shadow there, and
    no token explains much more."""
    if not colours.kinds:
        return False
    lead = best_smooth_lead(search, table, colours, middle)
    return lead is None or lead < IS_NONE or _is_of_shadow(search, table, colours, middle, lead)


def _is_of_shadow(
    search: CardSearch, table: SeenTable, colours: TokenColours, middle: Floats, lead: float | None
) -> bool:
    """Whether a token throws its shadow about there (2,), and no token explains much more: `lead` (`best_smooth_lead`),
    None where next to nothing is seen."""
    return (lead is None or lead < LIKELY) and _is_thrown(search, table, colours, middle)


def _is_thrown(search: CardSearch, table: SeenTable, colours: TokenColours, middle: Floats) -> bool:
    """Whether a token throws its shadow about there (2,), as far as lone tokens elsewhere tell of the lamp: a shadow is
    as round as a token, and farther off the higher it lies."""
    shadows = _shadows(search, table, colours, middle)
    if shadows is None:
        return False
    ends = (
        token.middle + (level + 1) * shadows.thrown for token, level in zip(colours.tokens, colours.levels, strict=True)
    )
    return any(math.dist(middle, end) < OF_SHADOW * colours.prints.radius_mm for end in ends)


def may_be_covered(search: CardSearch, table: SeenTable, colours: TokenColours, middle: Floats) -> bool:
    """Whether a rim about there (2,) may be that of a token beneath the others: cards and tokens in shade explain what
    lies within it no better, and no token throws its shadow there. Where no whole token shows its colours, nothing
    tells shadows from tokens."""
    if not colours.kinds:
        return False
    lead = best_smooth_lead(search, table, colours, middle)
    if _is_of_shadow(search, table, colours, middle, lead):
        return False
    aside = middle + colours.prints.radius_mm * _ASIDE
    leads = (best_smooth_lead(search, table, colours, at) for at in aside)
    return any(each is not None and each > IS_COVERED for each in chain([lead], leads))


def may_hide_a_token(
    search: CardSearch, table: SeenTable, colours: TokenColours, middle: Floats, outlines: Sequence[Floats]
) -> bool:
    """Whether something about there (2,) may be part of a token on cards with `outlines` (M, 2), beneath all others: at
    no place of that token do cards and tokens in shade explain what would be seen of it better than it does."""
    if not colours.kinds:
        return True
    radius = colours.prints.radius_mm
    for place in middle + radius * _ABOUT:
        unseen = any(math.dist(place, token.middle) < SAME * radius for token in colours.tokens)
        if unseen or share_on(place, radius, outlines) < LEAST_ON_CARDS:
            continue
        lead = best_smooth_lead(search, table, colours, place, middle)
        if lead is not None and lead > IS_NONE:
            return True
    return False


def token_lead(search: CardSearch, table: SeenTable, colours: TokenColours, middle: Floats) -> float:
    """As `best_smooth_lead`, of a token beneath the others about there (2,), which is one if this is more than LIKELY,
    and may be one if it is more than MAY_BE: minus infinity where next to nothing is seen, and in between where no
    whole token shows its colours. Of so little as no token is looked for all lies in the others' blur and shadow."""
    if not colours.kinds:
        return UNTOLD
    face = colours.face(SeenDisc(0, middle, colours.prints.radius_mm, 0.0, 0.0, 0.0, 0.0, 0.0))
    if float((face.free * colours.prints.area).sum()) < LEAST_VISIBLE:
        return -math.inf
    lead = best_smooth_lead(search, table, colours, middle)
    return -math.inf if lead is None or _is_of_shadow(search, table, colours, middle, lead) else lead


def colours_speak(search: CardSearch, table: SeenTable, colours: TokenColours, token: SeenDisc) -> bool:
    """Whether what is seen has the colours of a token's kind, and neither of another nor of the cards and the other
    tokens in any shade: of 52 candidates on cards in 74 photographs that were none one had so great a lead over these,
    of 348 tokens eight had less."""
    if not colours.kinds or colours.ahead(token) < COLOUR_SD:
        return False
    return lead_over_scene(search, table, colours, token, colours.tokens) > LIKELY_LEAD


def best_smooth_lead(
    search: CardSearch,
    table: SeenTable,
    colours: TokenColours,
    middle: Floats,
    lit_at: Floats | None = None,
    kinds: Sequence[int] | None = None,
) -> float | None:
    """How many times less a token of some kind about there (2,), beneath all others, leaves unexplained than the cards
    and the others do, each in a shade that changes smoothly: the natural logarithm, of the likeliest of the `kinds`.
    None where next to nothing is seen. The light is that about `lit_at` (2,), if that is given."""
    token = SeenDisc(0, middle, colours.prints.radius_mm, 0.0, 0.0, 0.0, 0.0, 0.0)
    each = range(len(colours.prints.polar)) if kinds is None else kinds
    return _smooth_lead(search, table, colours, token, colours.tokens, middle if lit_at is None else lit_at, each)


def smooth_lead(
    search: CardSearch, table: SeenTable, colours: TokenColours, token: SeenDisc, tokens: Sequence[SeenDisc]
) -> float | None:
    """The same of a token that was found, of its own kind, beneath those that lie over it: the cards and the others of
    the `tokens` explain what is seen of it in as smooth a shade."""
    others = [*_over(token, tokens), *_beneath(token, tokens)]
    return _smooth_lead(search, table, colours, token, others, token.middle, [token.kind])


def _smooth_lead(
    search: CardSearch,
    table: SeenTable,
    colours: TokenColours,
    token: SeenDisc,
    others: Sequence[SeenDisc],
    lit_at: Floats,
    kinds: Sequence[int],
) -> float | None:
    """How many times less one of the kinds leaves unexplained of what is seen of a token than the cards and the
    `others` do: the natural logarithm; None where next to nothing is seen."""
    face = colours.face(token)
    if np.count_nonzero(face.free) < LEAST_SAMPLES:
        return None
    seen, near, off = _scene_off(search, table, colours, token, face, others)
    lit = _lit_by_one_lamp(search, table, colours, token, token.middle + colours.prints.xy_mm[face.free])
    weight, left = colours.weights(face), []
    scene = float(weight @ np.minimum(off, MISTAKE))
    for kind in kinds:
        gain, offset = colours.light(lit_at, kind)
        printed = colours.printed(face, kind)[face.free] * gain
        own = off_smooth(seen - offset, printed, near, weight)
        if lit is not None:  # the others' shadows fall on it as they do on cards
            own = np.minimum(own, off_smooth(seen - offset, printed * lit[:, None], near, weight))
        left.append(float(weight @ own))
    return float(np.log((scene + FLOOR) / (min(left) + FLOOR)))


def _scene_off(
    search: CardSearch,
    table: SeenTable,
    colours: TokenColours,
    token: SeenDisc,
    face: SeenFace,
    tokens: Sequence[SeenDisc],
) -> tuple[Floats, Floats, Floats]:
    """The free samples of a token's face (N, 3), how near each is to each (N, N), and how many grey levels the cards
    and the `tokens` leave of each (N,) in a shade that changes smoothly: infinity where none of them lies."""
    points, seen = token.middle + colours.prints.xy_mm[face.free], face.seen[face.free]
    others = [other for other in tokens if math.dist(other.middle, token.middle) < 2.0 * token.radius_mm]
    free, near = np.flatnonzero(face.free), colours.prints.smoothness(SMOOTH_MM)
    if len(free) < len(near):
        near = near[np.ix_(free, free)]
    weights, left = colours.weights(face), np.full(len(seen), np.inf)
    lit = _lit_by_one_lamp(search, table, colours, token, points)
    cards = list(_cards(search, table, points))
    shaded = [] if lit is None else [(on, colour * lit[on, None]) for on, colour in cards]
    for on, colour in [*cards, *shaded, *_tokens(colours, Sides.of(table.camera), others, points)]:
        printed, weight = np.zeros(seen.shape), np.zeros(len(seen))
        printed[on], weight[on] = colour, weights[on]  # beside it nothing speaks
        left[on] = np.minimum(left[on], off_smooth(seen, printed, near, weight)[on])
    return seen, near, left


def _shadows(
    search: CardSearch, table: SeenTable, colours: TokenColours, beside: Floats | None = None
) -> CastShadows | None:
    """The shadows that the tokens of `colours` cast, if they are plain; as those alone tell that do not lie `beside` a
    place (2,), if that is given."""
    if colours.looks.shadows is None:
        colours.looks.shadows = LightAbout(partial(light_on_cards, search, table))
    return colours.looks.shadows.cast(colours.tokens, beside)


def _lit_by_one_lamp(
    search: CardSearch, table: SeenTable, colours: TokenColours, token: SeenDisc, points: Floats
) -> Floats | None:
    """(N,): how much light the shadows of the tokens but for one leave on cards at points (N, 2); None where no shadow
    is plain, or none lies there."""
    shadows = _shadows(search, table, colours)
    if shadows is None:
        return None
    higher = zip(colours.tokens, colours.levels, strict=True)
    lit = shadows.lit(points, [(each, level + 1) for each, level in higher if (each.middle != token.middle).any()])
    return lit if lit.min(initial=1.0) < 1.0 else None


def lead_in_cast_shadows(
    search: CardSearch, table: SeenTable, colours: TokenColours, token: SeenDisc, tokens: Sequence[SeenDisc]
) -> float | None:
    """As `lead_over_scene`, where the other tokens throw their shadows: there they fall on whatever lies beneath, and
    leave it as much light as they leave elsewhere. None where no shadow is plain, or none lies there.

    In a shade of its own white paper is any grey. In a shadow that is known it is one grey, and a grey token is
    another, for the shadow falls on the token, too."""
    face = colours.face(token)
    points, seen = token.middle + colours.prints.xy_mm[face.free], face.seen[face.free]
    lit = _lit_by_one_lamp(search, table, colours, token, points) if len(points) >= LEAST_SAMPLES else None
    if lit is None:
        return None
    scene, known = _off_lit_scene(search, table, colours, token, tokens, (CAST_SHADES, lit))
    if np.count_nonzero(known) < LEAST_SAMPLES:
        return None
    gain, offset = colours.light(token.middle, token.kind)
    printed = colours.printed(face, token.kind)[face.free] * gain + offset
    own = off_shaded(seen, printed * lit[:, None], CAST_SHADES)
    weight = colours.weights(face) * known
    return float((weight * (scene - own)).sum() / weight.sum())


def _over(token: SeenDisc, tokens: Sequence[SeenDisc]) -> list[SeenDisc]:
    """The tokens of which more is seen than of one: those that may cover it."""
    return [other for other in tokens if other is not token and other.visible > token.visible + MORE_SEEN]


def _beneath(token: SeenDisc, tokens: Sequence[SeenDisc]) -> list[SeenDisc]:
    """The tokens of its kind that touch one, are seen better and seem to be beneath it: without it all of theirs that
    it hides would be seen. Twice a token in a stack's shadow was counted twice, surely."""
    reach = 2.0 * token.radius_mm
    same = [other for other in tokens if other is not token and other.kind == token.kind and other.visible < WHOLE]
    return [other for other in same if math.dist(other.middle, token.middle) < reach and other.alike > token.alike]


def off_smooth(seen: Floats, printed: Floats, near: Floats, weights: Floats) -> Floats:
    """(N,): by how many grey levels colours (N, 3) differ from print (N, 3) in a shade that is the mean of its
    neighbours', as `near` (N, N) as they are, and with these weights (N,); MISTAKE at most."""
    bright = np.maximum(summed(printed * printed), 1.0)
    shades = np.clip(summed(seen * printed) / bright, *SHADE_RANGE)
    says = weights * bright
    both = near @ np.column_stack([says, says * shades])
    smooth = both[:, 1] / np.maximum(both[:, 0], 1e-9)
    return np.asarray(np.minimum(greatest(np.abs(seen - smooth[:, None] * printed)), MISTAKE))


def uncovered(
    search: DiscSearch, view: TopView, light: Light, tokens: Sequence[SeenDisc], taken: Sequence[SeenDisc]
) -> list[SeenDisc]:
    """The tokens, those on top first, as they are seen now that some above them were `taken` away."""
    found: list[SeenDisc] = []
    for token in tokens:
        if any(np.linalg.norm(token.middle - other.middle) < 2.0 * token.radius_mm for other in taken):
            again = search.tried(view, light, token.middle, token.rim, found)
            if again is not None and again.kind == token.kind and again.visible > token.visible:
                token = replace(again, lead=token.lead, over_stack=token.over_stack)
        found.append(token)
    return found


def lead_over_scene(
    search: CardSearch, table: SeenTable, colours: TokenColours, token: SeenDisc, tokens: Sequence[SeenDisc]
) -> float:
    """By how many grey levels a token explains what is seen of it better than the cards and the other tokens do, where
    these lie: what the cloth beside them looks like is not known, and it may have the colour of a token's back."""
    face = colours.face(token)
    scene, known = _off_lit_scene(search, table, colours, token, tokens, (SHADES, None))
    if np.count_nonzero(known) < LEAST_SAMPLES:
        return 0.0
    weight = colours.weights(face) * known
    return float((weight * (scene - colours.off(token, face, token.kind))).sum() / weight.sum())


def _off_lit_scene(
    search: CardSearch,
    table: SeenTable,
    colours: TokenColours,
    token: SeenDisc,
    tokens: Sequence[SeenDisc],
    light: tuple[Floats, Floats | None],
) -> tuple[Floats, NDArray[np.bool_]]:
    """By how many grey levels what is seen of a token is off the cards and the other tokens, each sample in one of some
    shades (S,) of how bright they are `lit` there (N,), evenly if that is None; and where these lie. `light`: both."""
    face, (shades, lit) = colours.face(token), light
    points, seen = token.middle + colours.prints.xy_mm[face.free], face.seen[face.free]
    near = [*_over(token, tokens), *_beneath(token, tokens)]
    others = [other for other in near if math.dist(other.middle, token.middle) < 2.0 * token.radius_mm]
    off, known = np.full(len(seen), MISTAKE), np.zeros(len(seen), bool)
    for on, printed in [*_cards(search, table, points), *_tokens(colours, Sides.of(table.camera), others, points)]:
        off[on] = np.minimum(off[on], off_shaded(seen[on], printed if lit is None else printed * lit[on, None], shades))
        known[on] = True
    return off, known


def _cards(search: CardSearch, table: SeenTable, points: Floats) -> Iterable[tuple[NDArray[np.intp], Floats]]:
    """For each card on which some of the points (N, 2) lie: which, and their colours (M, 3) in its light."""
    return ((on, colour) for _, on, colour in prints_at(search, table, points))


def _tokens(
    colours: TokenColours, sides: Sides, tokens: Sequence[SeenDisc], points: Floats
) -> Iterable[tuple[NDArray[np.intp], Floats]]:
    """The same of tokens; a side has the colour of the rim of the face."""
    for token in tokens:
        away = (points - token.middle) / token.radius_mm
        share = np.hypot(*away.T)
        on = np.flatnonzero((share < 1.0) | sides.on(token, points))
        if not len(on):
            continue
        gain, offset = colours.light(token.middle, token.kind)
        printed = colours.printed(colours.face(token), token.kind) * gain + offset
        ring = np.clip((share[on] - INNER) / (OUTER - INNER) * RINGS, 0, RINGS - 1).astype(int)
        turn = np.round(np.arctan2(away[on, 1], away[on, 0]) / (2.0 * np.pi) * ANGLES).astype(int) % ANGLES
        yield on, printed[ring, turn]
