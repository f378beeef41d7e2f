"""Tokens with a plain face that others half cover: a correlation says nothing of them, and a grey one is like a shadow.

Both end in an arc of a token's radius. But a shadow lets the print beneath it be seen, and a token hides it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_groups import share_on
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch
from arena_cam.vision.tokens.cards.table_claims import Round
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.token_colours import TokenColours
from arena_cam.vision.tokens.shaded_scene import MAY_BE, best_smooth_lead

Floats = NDArray[np.float64]

# Grey levels by which a face's print is spread (root mean square). Of 65 faces of 13 sets one had 5, the next 12.
PLAIN = 8.0
# Radii: nearer to a known piece a circle is its lower rim; so far aside of a circle of faint edges its middle may lie.
APART, ASIDE = 0.5, 0.1
ON_CARDS = 0.4  # of a face
_ABOUT = ASIDE * np.array([[x, y] for x in (0.0, -1.0, 1.0) for y in (0.0, -1.0, 1.0)])


def plain_kinds(prints: DiscPrints) -> list[int]:
    """The prints that are of one colour."""
    area = prints.area[..., None]
    spreads = [np.square(polar - (area * polar).sum(axis=(0, 1))) * area for polar in prints.polar]
    return [kind for kind, each in enumerate(spreads) if each.sum() / each.shape[-1] < PLAIN**2]


def plain_rounds(
    search: CardSearch,
    table: SeenTable,
    colours: TokenColours,
    kinds: Sequence[int],
    circles: Floats,
    outlines: Sequence[Floats],
    others: Sequence[Round],
) -> list[Floats]:
    """Middles (2,) in mm of `circles` (N, 2) of a token's radius on cards with `outlines` (M, 2) where a token of
    one of the plain `kinds`, beneath those of `colours`, explains as much as the cards and these do in any smooth
    shade; none where one of these or of the `others` lies."""
    radius = colours.prints.radius_mm
    found: list[Floats] = []
    for middle in circles if kinds else ():
        known = [*(piece.middle for piece in (*colours.tokens, *others)), *found]
        if any(math.dist(middle, each) < APART * radius for each in known):
            continue
        if share_on(middle, radius, outlines) < ON_CARDS:
            continue
        about = (best_smooth_lead(search, table, colours, at, kinds=kinds) for at in middle + radius * _ABOUT)
        if any(lead is not None and lead > MAY_BE for lead in about):
            found.append(middle)
    return found
