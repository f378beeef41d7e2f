"""Which of the cards lay there first, by who covers whom: it lies beneath the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.lies import FittedCard
from arena_cam.vision.reading.cards.measuring import measure
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.stacking import LEAST_TOLD_NATS, Overlap, overlaps

# How likely a card that lay there first is seen over another one all the same, which slipped beneath it: of 474 cards
# that overlap the challenge of 272 drawn pictures none lay beneath it, so no more than one in 158 does (of 95 %).
_SEEN_OVER = 1 / 150


def nats_of_lying_lowest(pairs: Sequence[Overlap], first: Collection[int], cards: int) -> Array:
    """By how many nats (cards,), 0 or less, the order of the overlapping `pairs` speaks against each card being the one
    that was laid before all others: it is not seen over any. The cards numbered `first` were taken for it when the
    order was told. That others cover a card says nothing for it: names are in doubt where others cover the figure."""
    nats = np.zeros(cards)
    for pair in (pair for pair in pairs if not pair.is_open):
        over = pair.seen_over(first)
        for number, upper in ((pair.a, over), (pair.b, 1.0 - over)):
            nats[number] += min(0.0, np.log(2.0 * (1.0 - upper) + upper * _SEEN_OVER))
    return nats


def named_by_order(cards: Sequence[FittedCard], above: Sequence[Known], face: int) -> list[FittedCard]:
    """The cards, where one has the name of a `face` that was laid first and another is likelier to be it: that one
    under this name, and the other under the likeliest of its own. `above` is what is known to lie over each. Which had
    the name says where it was looked for first: of two cards whose figures are hidden the upper one had it. The one was
    `expected` to be there; the other must show by itself that it is."""
    named = next((number for number, card in enumerate(cards) if card.fit.face == face), None)
    if named is None:
        return list(cards)
    likely = [float(card.identity.probabilities()[face]) for card in cards]
    likeliest = int(np.argmax(likely))
    own = np.where(np.arange(len(cards[named].identity.log_likelihood)) == face, -np.inf, 0.0)
    own[[card.fit.face for number, card in enumerate(cards) if number != named]] = -np.inf
    other = int(np.argmax(cards[named].identity.log_likelihood + own))
    if likeliest == named or likely[likeliest] < 0.5 or not np.isfinite(own[other]):
        return list(cards)
    told = list(cards)
    told[named] = replace(_under_the_name(cards[named], above[named], other), expected=False)
    told[likeliest] = _under_the_name(cards[likeliest], above[likeliest], face)
    return told


def _under_the_name(card: FittedCard, over: Known, face: int) -> FittedCard:
    """A settled card as another face, where it lies: what is in view of the two says the same."""
    fit = replace(measure(over, face, card.fit.alignment), outline=card.fit.outline)
    return replace(card, fit=fit, placed=replace(card.placed, face=face))


def ordered_anew(
    scene: Scene, cards: Sequence[FittedCard], pairs: Sequence[Overlap], first: Collection[int]
) -> tuple[list[Overlap], list[int]]:
    """The order of cards once others of them, numbered `first`, are known to have lain there before all: the pairs, and
    the cards from bottom to top. What the picture had left open stays open."""
    before = {(pair.a, pair.b): pair for pair in pairs}
    anew, order = overlaps(scene, [card.placed for card in cards], [card.fit.uncovered for card in cards], first)
    turned_back = {numbers for numbers, pair in before.items() if pair.is_open and abs(pair.nats) > LEAST_TOLD_NATS}
    told = [replace(p, a_over_b=before[p.a, p.b].a_over_b) if (p.a, p.b) in turned_back else p for p in anew]
    return told, order
