"""Whether a token that lies on no known card lies on the cloth, or on the paper of a card that nobody recognised.

On a dark cloth brightness tells. A white table is as bright as paper all over, a check cloth in places: there it tells
nothing, and one token on the cloth is no reason to ask.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_reader import RING_ABOUT, CardReader, SeenTable
from arena_cam.vision.tokens.cards.table_claims import Round

Floats = NDArray[np.float64]

# What lies on paper has more of it about it than most of the cloth's places have; so many of those must be seen.
USUAL_CLOTH, LEAST_PLACES = 0.9, 12


def unlike_cloth(
    reader: CardReader, table: SeenTable, tokens: Sequence[Round], middles: Sequence[Floats]
) -> list[Floats]:
    """Of the `middles` (2,) in mm of some of the tokens those about which more is as bright as paper than about most
    places of the cloth."""
    if not middles or not tokens:
        return list(middles)
    radius = tokens[0].radius_mm
    places = _on_cloth(reader, table, tokens, radius)
    cloth, whole = reader.paper_shares(table.view, table.cards, places, radius)
    if np.count_nonzero(whole) < LEAST_PLACES:
        return list(middles)
    usual = float(np.quantile(cloth[whole], USUAL_CLOTH))
    shares, _ = reader.paper_shares(table.view, table.cards, np.array(middles), radius)
    return [middle for middle, share in zip(middles, shares, strict=True) if share > usual]


def _on_cloth(reader: CardReader, table: SeenTable, tokens: Sequence[Round], radius_mm: float) -> Floats:
    """Middles (N, 2) of places for a disc, wide apart, that touch no card and no token."""
    view, step = table.view, 2.0 * radius_mm
    x, y = (np.arange(step, side / view.px_per_mm - step, step) for side in view.inside.shape[::-1])
    places = view.origin_mm + np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    cards = np.array([card.middle for card in table.cards])
    pieces = np.array([token.middle for token in tokens])
    away = float(np.hypot(*reader.prints.size_mm)) / 2 + RING_ABOUT * radius_mm
    free = (np.linalg.norm(places[:, None] - cards, axis=2) > away).all(axis=1)
    free &= (np.linalg.norm(places[:, None] - pieces, axis=2) > (1.0 + RING_ABOUT) * radius_mm).all(axis=1)
    return np.asarray(places[free])
