"""A table while it is read: what is asked of it again and again, for each set of tokens, is looked at once."""

from __future__ import annotations

from collections.abc import Sequence

from arena_cam.vision.tokens.card_lights import white_of
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.token_colours import Looks, TokenColours
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.print_or_token import CardPrint
from arena_cam.vision.tokens.stack_picture import StackSearch
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import TopView


class ReadTable:
    """A `seen` table, its cards' `print`, and the light that `white` paper lies in on it; and what tokens were
    `coloured` before, by what they were, and whose `stacks` were looked at last."""

    def __init__(self, search: CardSearch, tokens: DiscPrints, seen: SeenTable) -> None:
        self.seen = seen
        self.print = CardPrint(search, seen)
        self.white = white_of(seen.cards)
        self.coloured: dict[tuple[SeenDisc, ...], list[SeenDisc]] = {}
        self.stacks: tuple[tuple[SeenDisc, ...], StackSearch] | None = None
        self._tokens, self._looks = tokens, Looks(seen.view, tokens.radius_mm)

    @property
    def cards(self) -> list[LaidCard]:
        return self.seen.cards

    @property
    def view(self) -> TopView:
        return self.seen.view

    @property
    def camera(self) -> TableView:
        return self.seen.camera

    def colours(self, tokens: Sequence[SeenDisc]) -> TokenColours:
        """The colours of these tokens; what another set of them told of the view and light is not looked at again."""
        return TokenColours(self._tokens, self.view, self.white, tokens, self._looks)
