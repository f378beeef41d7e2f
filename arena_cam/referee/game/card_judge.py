"""Judges single pictures of cards, for every game that is played with them; `--deck ordinary` is any pack of 52."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.lies import Reading, Unreadable
from arena_cam.domain.messages import Message, messages_from_json
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.judgement import Judged, judgement_to_json
from arena_cam.formats.messages import Judgement, Photographed
from arena_cam.formats.wording import Translate, capital, card_name, on_terminal, say, say_all
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
        ruled: Callable[[Json], Message | None] = lambda _: None,
        language: str = "en",
    ) -> None:
        self._read, self._judged, self._ruled = read, judged, ruled
        self._translate = on_terminal(language)

    def judge(self, frame: Frame) -> Answer:
        reading = self._read(frame)
        if isinstance(reading, Unreadable):
            line = judgement_to_json(reading)
            return Answer(line, f"{line['frame']}: {say_all(reading.why, self._translate)}")
        judged = self._judged(reading)
        line = judgement_to_json(reading, judged)
        doubts = (judged or reading).doubts
        return Answer(line, _in_words(line, self._ruled(line), doubts, self._translate))


def judge_of_any_table(options: JudgeOptions) -> CardJudge:
    """Names and orders the cards of photographs of any table. Raises BadInput, BadDeck."""
    if str(options.deck) == ORDINARY:
        return judge_of_ordinary_packs(options)
    _refuse_table(options, OutfitRefusal.NO_TABLE_HERE())
    deck: Deck = read_deck(options.deck)
    return CardJudge(open_eye(None, deck, cache=options.cache).judge, language=options.language)


def judge_of_ordinary_packs(options: JudgeOptions) -> CardJudge:
    """Names and orders the cards of any pack with corner indices. Raises BadInput."""
    from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader

    _refuse_table(options, OutfitRefusal.ANY_TABLE(deck=ORDINARY))
    return CardJudge(OrdinaryReader().read, language=options.language)


def _refuse_table(options: JudgeOptions, why: Message) -> None:
    if options.table is not None or options.challenge is not None or options.challenge_file is not None:
        raise BadInput(why)


def _in_words(line: Json, ruled: Message | None, doubts: Sequence[Message], _: Translate) -> str:
    """The answer as text: one line for the picture, then one for each card."""
    count = len(line["cards"])
    head = say(ruled or (Judgement.ONE_CARD() if count == 1 else Judgement.CARDS(count=count)), _)
    if not line["sure"]:
        head = say(Judgement.NOT_SURE(text=head, why=tuple(doubts)) if doubts else Photographed.UNSURE(text=head), _)
    return "\n".join([f"{line['frame']}: {head}", *(_card_in_words(card, doubts, _) for card in line["cards"])])


def _card_in_words(card: Json, told: Sequence[Message], _: Translate) -> str:
    """One card; of one that is unsure also why, as far as that is not `told` already."""
    parts = []
    if card["landing"]:
        percent, tilt_deg = f"{100.0 * card['confidence']:.0f}", f"{card['tilt_deg']:.1f}"
        parts.append(say(Judgement.LIES(landing=card["landing"], percent=percent, tilt_deg=tilt_deg), _))
    if card["rests_on"]:
        parts.append(say(Judgement.ON(cards=tuple(card["rests_on"])), _))
    name = capital(card_name(card["id"], _))
    said = f"  {name}{': ' if card['landing'] else ' '}{', '.join(parts)}".rstrip()
    if card["sure"]:
        return said
    return f"{said} ? {say_all((doubt for doubt in messages_from_json(card) if doubt not in told), _)}".rstrip()
