"""A deal that is watched from the command line: lines of a record as cards are laid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_cam.camera.frame import Frame
from arena_cam.camera.open_source import open_source
from arena_cam.domain.cards import Deck
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.errors import BadInput, BadRecord
from arena_cam.domain.messages import Message, message_from_json, message_to_json
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.game_record import play_record, read_record, write_line
from arena_cam.formats.judgement import lie_to_json
from arena_cam.formats.messages import WatchedLine
from arena_cam.formats.wording import Translate, card_name, on_terminal, say
from arena_cam.referee.game.card_judge import ORDINARY
from arena_cam.referee.game.outfit import WatchOptions, WatchOutput
from arena_cam.referee.games.tricks.messages import PackWarning, TricksOption
from arena_cam.referee.games.tricks.pack import lacked_by
from arena_cam.rules.games.tricks.engine import GAME
from arena_cam.rules.games.tricks.interpret import is_play
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.laid_cards import LaidCard, LaidCards
from arena_cam.vision.photographs.ordinary_sequence import OrdinarySequence
from arena_cam.vision.photographs.reader import PhotographReader

Json = dict[str, Any]
LIVE_SIZE = (1280, 720)


class TricksWatch:
    """referee.game.outfit.Watch: a play for each card that comes to lie face up."""

    def __init__(self, options: WatchOptions) -> None:
        if options.deck is None:
            raise BadInput(TricksOption.PACK())
        if options.source == "sim":
            raise BadInput(TricksOption.SIMULATED_TABLE())
        self._header = _header(options.players)
        self._translate = on_terminal(options.language)
        self._any_pack = str(options.deck) == ORDINARY
        deck = None if self._any_pack else read_deck(options.deck)
        self._cards = _laid_cards(deck)
        lacked = () if deck is None else lacked_by(deck)
        self._warnings = (PackWarning.LACKS(deck=deck.name, cards=lacked),) if deck is not None and lacked else ()
        self._played: set[str] = set()
        self._strangers: tuple[Message, ...] = ()
        self.source = open_source(options.source, options.fps, LIVE_SIZE)

    def begin(self) -> WatchOutput:
        return WatchOutput([self._header, {"type": "deal", "at": 0.0}], self._warnings)

    def feed(self, frame: Frame) -> WatchOutput:
        lines = []
        for laid in self._cards.feed(frame):
            card = laid.lie.card
            is_second = card in self._played and laid.lie.key != card  # of two packs mixed
            if card is None or not (is_second or is_play(card, self._played)):
                continue
            if is_second or (self._any_pack and not laid.lie.sure):
                lines.append(_guess(card, laid))
                continue
            self._played.add(card)
            lines.append(_play(card, laid))
        return WatchOutput([*lines, *self._stranger_lines(frame.time_s)])

    def _stranger_lines(self, at_s: float) -> list[Json]:
        """A note when something lies there that is no card to be named; one for each place, until it is cleared."""
        if self._cards.at_rest:
            before, self._strangers = self._strangers, self._cards.strangers
            new = [each for each in self._strangers if not any(_is_same(each, other) for other in before)]
            return [_unknown(new, at_s)] if new else []
        return []

    def finish(self) -> WatchOutput:
        return WatchOutput()

    def in_words(self, line: Json) -> str:
        if "game" in line:
            return f"{line['game']}: {', '.join(player['name'] for player in line['players'])}"
        if line["type"] == "deal":
            return self._translate("deal")
        return f"{line['at']:7.2f} s  {self._said(line, self._translate)}"

    def _said(self, line: Json, _: Translate) -> str:
        if "doubts" in line:
            return say(WatchedLine.NOT_COUNTED(why=tuple(map(message_from_json, line["doubts"]))), _)
        if line["type"] == "note":
            return say(WatchedLine.PERHAPS(card=line["perhaps"]), _)
        text = f"{_('play')} {card_name(line['card'], _)}"
        return text if line["seen"]["sure"] else say(WatchedLine.UNSURE(text=text), _)


def _laid_cards(deck: Deck | None) -> LaidCards[Any]:
    """What tells the cards that are laid, of any pack where no deck is given. There a doubtful name may be a mark of
    the cloth: it is looked at until it is sure."""
    if deck is None:
        return LaidCards(OrdinarySequence(), until_sure=True, came_to_rest=True)
    return LaidCards(PhotographReader(DeckFaces(deck)), came_to_rest=True)


def _header(players: Sequence[str]) -> Json:
    """Two players, the non-dealer first, who leads. Raises BadInput for names that a record may not hold."""
    names = players or ["1", "2"]
    header = {"game": GAME.name, "version": 1, "players": [{"name": name} for name in names], "dealer": names[-1]}
    try:
        play_record(read_record(write_line(header).encode()))
    except BadRecord as error:
        raise BadInput(TricksOption.PLAYERS(why=error.said)) from None
    return header


def _guess(card: str, laid: LaidCard) -> Json:
    """A note, which changes nothing: what may lie there."""
    return {"type": "note", "perhaps": card, "at": round(laid.at_s, 3), "seen": lie_to_json(laid.lie)}


def _is_same(stranger: Message, other: Message) -> bool:
    """Whether two readings mean one thing: it lies on the same side, and one's area is less than twice the other's."""
    if Doubt.OTHER_DECK in (stranger.sentence, other.sentence):
        return stranger.sentence is other.sentence
    areas = sorted(float(str(each.param("area_cm2"))) for each in (stranger, other))
    return stranger.param("side") == other.param("side") and areas[1] < 2 * areas[0]


def _unknown(strangers: Sequence[Message], at_s: float) -> Json:
    """A note, which changes nothing: something lies there that is no card of the pack, or cannot be named."""
    return {"type": "note", "doubts": [message_to_json(each) for each in strangers], "at": round(at_s, 3)}


def _play(card: str, laid: LaidCard) -> Json:
    return {"type": "play", "card": card, "at": round(laid.at_s, 3), "seen": lie_to_json(laid.lie)}
