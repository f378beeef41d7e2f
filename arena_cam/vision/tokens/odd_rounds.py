"""Round things on cards that nothing explains: a token in a light or a stack in which its print is not seen as it is.

A whole rim of a token's size that is neither a token found nor a card's print is asked about, whatever its colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_groups import share_on
from arena_cam.vision.tokens.cards.table_claims import Round
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.print_or_token import CardPrint

Floats = NDArray[np.float64]

# Share of a rim's edges. In 24 photographs of eight styles nine of 12 such circles about which no token was found
# nor print explained what is seen were tokens that had been missed, two more lay half on one. A token between two
# others of its colour had 0.43, and was surely not there; with 0.4 nothing else was asked about of 278 dilemmas.
WHOLE_RIM = 0.4
APART = 0.5  # of the radius: nearer to a known piece a circle is its lower rim, or its shadow's
ON_CARDS = 0.3  # of a disc


def odd_rounds(
    card_print: CardPrint,
    circles: tuple[Floats, Floats],
    radius_mm: float,
    outlines: Sequence[Floats],
    tokens: Sequence[SeenDisc],
    others: Sequence[Round],
) -> list[Floats]:
    """Middles (2,) in mm of `circles` of that radius (their middles (N, 2), and shares (N,) of their rims, the wholest
    first) on cards with `outlines` (M, 2) that neither print nor the `tokens` nor the `others` explain."""
    found: list[Floats] = []
    for middle, rim in zip(*circles, strict=True):
        if rim < WHOLE_RIM or share_on(middle, radius_mm, outlines) < ON_CARDS:
            continue
        known = [*(piece.middle for piece in (*tokens, *others)), *found]
        if any(math.dist(middle, each) < APART * radius_mm for each in known):
            continue
        if card_print.has_rim(middle, radius_mm):
            continue
        if not card_print.explains(SeenDisc(0, middle, radius_mm, 0.0, 0.0, 1.0, 0.0, float(rim)), tokens):
            found.append(middle)
    return found
