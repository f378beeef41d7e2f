"""How far a token, a name and a count are to be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.token_search import SeenDisc

Floats = NDArray[np.float64]

LIMITS = 0.02, 0.9995  # no probability of a token is said to be smaller or greater

# Log odds that what looks like a token is one: 1, correlation, margin, rim, share seen. Fitted to 563 candidates in
# photographs of five sets, 49 of which were none. Fitted to one set alone they had a cross-entropy of 0.10 on the other
# four (0.34 with weights set by hand), fitted to the four 0.06 on the one.
WEIGHTS = np.array([-11.63, 9.07, 6.49, 8.58, -0.68])
# Where it is known how well the cards' print explains the same pixels: 1, correlation, margin, rim, share seen, lead.
# Print has no lead: of 478 candidates in 30 photographs of eight styles 29 were none, one of those had more than 0.1,
# and no token had less than 0.15. Fitted to one style's 20 photographs alone the weights had a cross-entropy of 0.043
# on the other ten (0.070 with a lead that weighs half as much), fitted to the ten 0.005 on the 20 (0.009).
WITH_LEAD = np.array([-12.71, 7.83, 5.84, 9.99, -0.26, 9.67])
MOST_LEAD = 0.5  # more proves no more
# Margin at which the next kind is e times less likely, beside what colours say of both: of 701 tokens in 54 photographs
# of 13 styles two were of the wrong kind, with margins of 0.03 and 0.07, half covered in shadow; of the right ones six
# had less than 0.06.
KIND_MARGIN = 0.03
# That holds for such a correlation as half-covered tokens have, on which shade may lie. A better one leaves less that
# could make a margin, shade or noise: the spread of a correlation goes with what it lacks. Of 427 tokens that nothing
# covers, in 46 photographs of seven sets, none was of a wrong kind, and eight had margins of 0.05 to 0.06; nor was any
# of 260 half-covered ones with more than 0.9, in 69 photographs of 14 sets, of which four had margins of 0.04 to 0.07.
USUAL_ALIKE, MOST_ALIKE = 0.85, 0.98
# A margin says less where no kind is like what is seen. Each sample is off its print by noise of a size that nobody
# knows, and that is what a print leaves of what is seen, 1 - correlation ** 2: two kinds' likelihoods are as that of
# one to that of the other, to half the number of samples that speak for themselves. So many, for a whole face, as make
# of USUAL_ALIKE what KIND_MARGIN says; and what is left of a print where all of it is as printed, for some blur always
# is. In shade a token with 0.56 led by 0.23 over its true kind, and was surely of the wrong one.
SPEAKING, ALWAYS_LEFT = 14.8, 0.1
HALF = 0.5  # of a face: samples speak for themselves, so that a whole token's say twice as much as half of one's
# Grey levels by which a half-seen token leads over the cards and the other tokens in shade: where it is as likely a
# shadow or a side, and over which the odds change e times, as between the colours of two kinds. So it is asked about
# (SURE) as soon as these explain what is seen as well as the token does, which is a lead of 0: of 78 half-seen tokens
# in 20 photographs of five tables none had less than 1.7, and four less than 4.2.
SHADOW_LEAD, SHADOW_SD = -3.0, 1.5
# What no card and no other token explains in any shade is something: nats of log odds a grey level of that lead, on
# cards, and the most that counts. Of 404 half-seen candidates on cards in 74 photographs of 14 styles 56 were none, one
# of which had more than 0; of the 348 tokens three had less. The weights above alone have a cross-entropy of 0.051
# there, with this 0.024, fitted to them 0.016: it is a half of what was fitted, as other sets have other shadows.
SCENE, MOST_SCENE = 0.5, 6.0
# Log odds a nat by which what is seen of a stack is likelier with a token, and the most that counts. Of 21 places in 87
# photographs of six sets where these were 1 and more, or nearly so, seven were tokens: with the log odds of how they
# look they had 2.1 to 8.1, and what was none -4.3 to 1.9. That is what a log likelihood should count: 1.
STACK, MOST_STACK = 1.0, 8.0
# Of these nats how many say that what is half seen is no shadow, beside its lead over samples in shades of their own:
# in any shade white paper is as grey as a token's back. Of 30 half-seen ones that might have been none, in 87
# photographs of six sets, 27 tokens had 0.0 to 14, all but two more than 2, and three that were none -0.4, 2.0 and 4.2:
# the last was a shadow by the other lead. Where that says so nothing is added.
NO_SHADOW = 0.5
# A token that nothing covers is seen as printed, unless it is another: of 1126 wholly seen ones in 121 photographs of
# 35 sets four had less than these shares of samples explained and of correlation, one of them of another kind.
WHOLE, EXPLAINED, ALIKE, UNLIKE = 0.8, 0.66, 0.8, 0.8
# Of a token that others cover the rim counts as well: of a back no more than that and its colour is seen. Of 211 that
# were half seen and said surely, in 66 photographs of 20 drawn sets, 15 had neither that correlation nor this share of
# the rim: two of these were none (the corner of a black card, a shadow). Of the other 196 one was none.
COVERED, RIM, MAY_BE_NONE = 0.6, 0.4, 0.87
# Of less than this share of a face the rim is another's: a token's thick side, and the lower edge of it, were taken
# for a token beneath of which a fifth is seen, with 0.996.
LITTLE = 0.3
# Nor does its correlation say much where most of what is seen may be the sides of those above it, or what lies beneath
# one that lies on others: the green sides of a stack on a green card were surely a token of its colour beneath it, with
# a correlation of 0.86. 0.87 of what was seen lay there; of eight such tokens in 20 photographs of six sets seven had
# 0.14 and less, one 0.50, which was asked about for its correlation, too.
ON_SIDES = 0.5
# Unless it explains what is seen by so many grey levels better than the cards and the other tokens in any shade, as
# they must to explain it away, and most of its samples are as printed: in 26 more photographs of six styles three such
# were right, and two that lacked one of both were none or of another kind.
PLAINLY_OVER, MOSTLY = 10.0, 0.5
# What is seen whole and as printed is a token, whatever its rim: all of 427 such candidates in 46 photographs of seven
# sets were, and of their kind, two without a rim to speak of. So were 153 in 18 photographs that nothing was fitted to.
# Unless the card's own print explains it better: a face of next to no print is as printed in many a place of a card,
# and five of 15 dilemmas of one such set were surely counted wrongly. The two leads looked at were -0.13.
AS_PRINTED, SURELY = 0.85, 0.995
# So is what is more than half seen and as printed, if the cards' print is so many nats less likely there: a red token
# half on a card's red band has hardly a rim, and the band correlated with 0.87 where the token did with 0.99. Of 1243
# candidates on cards that were so as printed, in 100 photographs of nine sets, one was none: print was likelier by 6.5.
OVER_PRINT = 8.0
# Of 703 tokens that were counted there three were wrong, with at most 0.95; of the right ones one in thirty had less.
SURE = 0.95


def confidence(disc: SeenDisc) -> float:
    """Probability that a token lies there and is of that kind: its lead over print says nothing of the kind."""
    chance = chance_there(disc) * _of_kind(disc)
    if disc.visible > WHOLE and disc.explained < EXPLAINED and disc.alike < ALIKE:
        chance *= UNLIKE
    poor = disc.visible < COVERED and disc.rim < RIM and disc.alike < ALIKE
    if (poor or _says_little(disc)) and not _is_plainly_something(disc):
        chance *= MAY_BE_NONE
    return float(min(max(chance, LIMITS[0]), LIMITS[1]))


def chance_there(disc: SeenDisc) -> float:
    """Probability that a token lies there, of whatever kind, and no shadow or side."""
    return _there(disc) * (1.0 if disc.over_scene is None else no_shadow(disc.over_scene, disc.over_stack or 0.0))


def log_odds(chance: float) -> float:
    """The log odds of a probability."""
    return math.log(chance / (1.0 - chance))


def _says_little(disc: SeenDisc) -> bool:
    """Whether so little is seen that a rim about it is another's, and its correlation says less than ALIKE of LITTLE of
    a face does, or it may be that of others' sides."""
    if disc.on_sides is not None and disc.on_sides > ON_SIDES:
        return True
    return disc.visible < LITTLE and told_by_likeness(disc.alike, disc.visible) < told_by_likeness(ALIKE, LITTLE)


def told_by_likeness(alike: float, visible: float) -> float:
    """How much a correlation with print says where so much (0..1) of a face is seen: Fisher's z, whose spread goes with
    the root of that."""
    return math.atanh(min(alike, MOST_ALIKE)) * math.sqrt(visible)


def _is_plainly_something(disc: SeenDisc) -> bool:
    """Whether neither cards nor other tokens in any shade would explain what is seen of a disc, and it does."""
    return disc.over_scene is not None and disc.over_scene > PLAINLY_OVER and disc.explained > MOSTLY


def no_shadow(over_scene: float, over_stack: float = 0.0) -> float:
    """Probability that what is seen is no shadow or side, as its lead over them says, and by how many nats it is
    likelier than these in a shade that changes smoothly, as shadows do."""
    most = MOST_STACK if over_scene >= 0.0 else 0.0
    odds = (over_scene - SHADOW_LEAD) / SHADOW_SD + NO_SHADOW * min(max(over_stack, -MOST_STACK), most)
    return 1.0 / (1.0 + math.exp(-odds))


def _of_kind(disc: SeenDisc) -> float:
    """Probability that a token is of the kind that it correlates best with, and not of the next."""
    return 1.0 / (1.0 + math.exp(-kind_odds(disc)))


@lru_cache(maxsize=1024)
def kind_odds(disc: SeenDisc) -> float:
    """The log odds of the same; kept, for each token is asked many times."""
    if disc.of_kind is not None:
        return disc.of_kind
    return -float(odds_behind(disc, np.array([disc.alike - max(disc.margin, 0.0)]), disc.alike)[0])


def odds_behind(disc: SeenDisc, alike: Floats, best: float) -> Floats:
    """(N,): the log odds, 0 and less, of kinds that correlate so with what is seen of a disc, against the kind that
    correlates `best` with it."""
    left, least = (1.0 - np.square(np.clip(each, 0.0, 1.0)) + ALWAYS_LEFT for each in (alike, best))
    of_left = SPEAKING * max(disc.visible, HALF) * np.log(left / least)
    return np.asarray(-np.minimum((best - alike) / kind_margin(disc), of_left))


def nats_of_print(alike: float, visible: float) -> float:
    """By how many nats it is likelier that so much (0..1) of a face, which correlates so with a print, shows it than
    that it has nothing to do with it: as of noise of a size that nobody knows."""
    return -SPEAKING * visible * math.log(1.0 - min(max(alike, 0.0), 1.0) ** 2 + ALWAYS_LEFT)


def over_print(disc: SeenDisc) -> float:
    """By how many nats what is seen of a disc is likelier with it than with the cards' print, as its lead says: 0 where
    that is not known."""
    return nats_of_print(disc.alike, disc.visible) - nats_of_print(disc.alike - (disc.lead or 0.0), disc.visible)


def kind_margin(disc: SeenDisc) -> float:
    """The margin at which the next kind of a token is e times less likely: the less, the more is seen of it, and the
    better it correlates."""
    lacks = math.sqrt((1.0 - min(disc.alike, MOST_ALIKE) ** 2) / (1.0 - USUAL_ALIKE**2))
    return KIND_MARGIN * min(HALF / max(disc.visible, HALF), 1.0) * min(lacks, 1.0)


def _there(disc: SeenDisc) -> float:
    """Probability that a token lies there."""
    odds = float(features(disc) @ WEIGHTS if disc.lead is None else features_with_lead(disc) @ WITH_LEAD)
    # Both compare it with the scene: what one says the other has said.
    of_scene = 0.0 if disc.over_scene is None else SCENE * min(max(disc.over_scene, 0.0), MOST_SCENE)
    of_stack = 0.0 if disc.over_stack is None else STACK * min(max(disc.over_stack, 0.0), MOST_STACK)
    odds += max(of_scene, of_stack)
    chance = min(max(1.0 / (1.0 + math.exp(-odds)), LIMITS[0]), LIMITS[1])
    is_print = disc.lead is not None and disc.lead < 0.0
    whole = disc.visible > WHOLE and min(disc.explained, disc.alike) > AS_PRINTED and not is_print
    return max(chance, SURELY) if whole or _is_no_print(disc) else chance


def _is_no_print(disc: SeenDisc) -> bool:
    """Whether a disc more than half seen is as printed, and the cards' print explains the same pixels much worse."""
    as_printed = disc.visible > HALF and min(disc.explained, disc.alike) > AS_PRINTED
    return as_printed and disc.lead is not None and over_print(disc) > OVER_PRINT


def features(disc: SeenDisc) -> Floats:
    """What the log odds that a token lies there are a weighted sum of (5,)."""
    return np.array([1.0, disc.alike, min(disc.margin, 0.4), min(disc.rim, 1.0), disc.visible])


def features_with_lead(disc: SeenDisc) -> Floats:
    """The same of one whose lead over the cards' print is known (6,)."""
    return np.array([*features(disc), min(max(disc.lead or 0.0, -MOST_LEAD), MOST_LEAD)])


def chance_missed(disc: SeenDisc) -> float:
    """Probability that something which was not counted is a token after all.

    Circles that are tried are chosen by how well they look, so that the poor ones are worse than they seem: of 44 on
    cards with 0.15 to 0.42 three were tokens, of 12 with 0.42 to 0.5 three (72 photographs of 22 styles).
    """
    return min(2.0 * _there(disc) ** 3, 0.5)


def is_token(disc: SeenDisc) -> bool:
    """Whether enough speaks for it to be counted."""
    whole = disc.visible > 0.85 and disc.explained > 0.8 and disc.alike > 0.8
    # What is no print is not yet a token: a lead takes one away, and brings none to what is not as printed.
    return whole or _is_no_print(disc) or min(_there(disc), _there(replace(disc, lead=None))) > 0.5


def is_doubtful(disc: SeenDisc) -> bool:
    """Whether it may be none, or of another kind."""
    return confidence(disc) < SURE


def of_all(discs: Sequence[SeenDisc], all_seen: float = 1.0, not_counted: Sequence[float] = ()) -> float:
    """Probability that exactly these lie there; `all_seen`: with what probability no more are hidden. `not_counted`:
    with what probability each thing that was not counted is a token after all."""
    none_missed = np.prod([1.0 - each for each in not_counted])
    there = np.prod([confidence(disc) for disc in discs])
    return round(float(np.clip(there * none_missed * all_seen, 0.01, 0.9995)), 4)
