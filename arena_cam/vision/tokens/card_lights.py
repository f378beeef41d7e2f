"""The light on a table as its cards tell it: what tokens and discs beside them lie in."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_search import LaidCard
from arena_cam.vision.tokens.discs.token_search import Light

Floats = NDArray[np.float64]


def light_of(cards: list[LaidCard]) -> Light:
    """The light of the nearest card; one that is seen half as well counts as twice as far.

    What little is seen of a card tells its light badly, and it may be none.
    """
    return _nearest(cards, *_gains_and_offsets(cards))


def _gains_and_offsets(cards: list[LaidCard]) -> tuple[Floats, Floats]:
    """Gain and offset of each channel on each of N cards, (N, 3) each."""
    gains = np.array([np.maximum(card.light.gain[:, 0], 0.1) for card in cards])
    return gains, np.array([card.light.offset[:, 0] for card in cards])


def _nearest(cards: list[LaidCard], gains: Floats, offsets: Floats) -> Light:
    """Of the cards' gains and offsets (N, 3) those of the nearest one, as `light_of` counts."""
    middles = np.array([card.middle for card in cards])
    seen = np.array([max(card.score, 0.01) for card in cards])
    cards_at = [(*middle, score) for middle, score in zip(middles.tolist(), seen.tolist(), strict=True)]

    def at(mm: Floats) -> tuple[Floats, Floats]:
        if len(mm) == 1:  # most are asked for one place, of a handful of cards
            x, y = mm[0].tolist()
            away = [math.sqrt((x - u) * (x - u) + (y - v) * (y - v)) / score for u, v, score in cards_at]
            of = away.index(min(away))
            return gains[of : of + 1], offsets[of : of + 1]
        across, down = mm[:, :1] - middles[:, 0], mm[:, 1:] - middles[:, 1]
        nearest = (np.sqrt(across * across + down * down) / seen).argmin(axis=1)
        return gains[nearest], offsets[nearest]

    return at


def lights_of(cards: list[LaidCard]) -> list[Light]:
    """The lights that tokens on the cards may lie in."""
    return [white_of(cards), light_of(cards)]


def white_of(cards: list[LaidCard]) -> Light:
    """The light that white paper lies in on the nearest card: a reflection may have made its colours paler."""
    gains, offsets = _gains_and_offsets(cards)
    return _nearest(cards, np.maximum(gains + offsets / 255.0, 0.05), np.zeros_like(offsets))


def white_in_one_tint(cards: list[LaidCard]) -> Light:
    """The light that white paper lies in on the nearest card, of one colour all over the table: what a dark card in a
    reflection says of its channels is a guess each."""
    white = white_of(cards)
    shown = white(np.array([card.middle for card in cards]))[0]
    tint = np.median(shown / shown.mean(axis=1, keepdims=True), axis=0)

    def at(mm: Floats) -> tuple[Floats, Floats]:
        gain, offset = white(mm)
        return gain.mean(axis=1, keepdims=True) * tint, offset

    return at
