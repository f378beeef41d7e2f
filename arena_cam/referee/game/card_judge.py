"""Judges single pictures of cards, for every game that is played with them; `--deck ordinary` is any pack of 52."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.lies import Reading, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.judgement import Judged, judgement_to_json
from arena_cam.formats.wording import quantity
from arena_cam.referee.game.outfit import Answer, JudgeOptions
from arena_cam.referee.messages import OutfitRefusal
from arena_cam.vision import open_eye

Json = dict[str, Any]
ORDINARY = "ordinary"


class CardJudge:
    """referee.game.outfit.PictureJudge. `read` finds the cards; `judged` adds what a game says of how they lie, `ruled`
    says the same in words."""

    def __init__(
        self,
        read: Callable[[Frame], Reading | Unreadable],
        judged: Callable[[Reading], Judged | None] = lambda _: None,
        ruled: Callable[[Json], str] = lambda _: "",
    ) -> None:
        self._read, self._judged, self._ruled = read, judged, ruled

    def judge(self, frame: Frame) -> Answer:
        reading = self._read(frame)
        if isinstance(reading, Unreadable):
            line = judgement_to_json(reading)
            return Answer(line, f"{line['frame']}: {line['error']}")
        line = judgement_to_json(reading, self._judged(reading))
        return Answer(line, _in_words(line, self._ruled(line)))


def judge_of_any_table(options: JudgeOptions) -> CardJudge:
    """Names and orders the cards of photographs of any table. Raises BadInput, BadDeck."""
    if str(options.deck) == ORDINARY:
        return judge_of_ordinary_packs(options)
    _refuse_table(options, OutfitRefusal.NO_TABLE_HERE())
    deck: Deck = read_deck(options.deck)
    return CardJudge(open_eye(None, deck, cache=options.cache).judge)


def judge_of_ordinary_packs(options: JudgeOptions) -> CardJudge:
    """Names and orders the cards of any pack with corner indices. Raises BadInput."""
    from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader

    _refuse_table(options, OutfitRefusal.ANY_TABLE(deck=ORDINARY))
    return CardJudge(OrdinaryReader().read)


def _refuse_table(options: JudgeOptions, why: Message) -> None:
    if options.table is not None or options.challenge is not None or options.challenge_file is not None:
        raise BadInput(why)


def _in_words(line: Json, ruled: str) -> str:
    """The answer as text: one line for the picture, then one for each card."""
    head = ruled or quantity(len(line["cards"]), "card")
    lines = [f"{line['frame']}: {head}" + ("" if line["sure"] else f" - not sure: {'; '.join(line['why_unsure'])}")]
    return "\n".join([*lines, *map(_card_in_words, line["cards"])])


def _card_in_words(card: Json) -> str:
    parts = [card["id"] or "a card face down"]
    if card["landing"]:
        parts.append(f": {card['landing']} ({card['confidence']:.0%}), tilted {card['tilt_deg']:.1f} deg,")
    if card["rests_on"]:
        parts.append(f" on {', '.join(str(c) for c in card['rests_on'])}")
    return f"  {''.join(parts).rstrip(',')}{'' if card['sure'] else ' ?'}"
