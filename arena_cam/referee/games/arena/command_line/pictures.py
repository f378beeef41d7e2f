"""Single pictures of the arena: the cards, and which of them duels the challenge card of that picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.lies import Reading
from arena_cam.domain.messages import Message
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.judgement import Judged
from arena_cam.formats.messages import FileTrouble
from arena_cam.referee.game.card_judge import ORDINARY, CardJudge, judge_of_ordinary_packs
from arena_cam.referee.game.outfit import JudgeOptions
from arena_cam.referee.games.arena.messages import ArenaJudgement, ArenaOption
from arena_cam.referee.games.arena.readings.judging import judge_reading
from arena_cam.vision import open_eye

Challenges = Callable[[str], str | None]  # from a picture's file name to the challenge card's id, None where not given


def arena_judge(options: JudgeOptions) -> CardJudge:
    """The judge of `arena-cam judge --game arena`. Raises BadInput, BadDeck, BadTable."""
    if str(options.deck) == ORDINARY:
        return judge_of_ordinary_packs(options)
    deck = read_deck(options.deck)
    challenges = _challenges(options, deck)
    eye = open_eye(options.table, deck, cache=options.cache)

    def judged(reading: Reading) -> Judged | None:
        challenge = challenges(reading.frame)
        if any(lie.landing is None for lie in reading.lies):
            return None
        if not reading.lies and (options.table is None or challenge is None):  # else the challenge was not found
            return None
        return judge_reading(reading, deck, challenge)

    ruled = _ruled if options.table else _nothing
    return CardJudge(lambda frame: eye.judge(frame, challenge=challenges(frame.name)), judged, ruled, options.language)


def _nothing(_: dict[str, Any]) -> None:
    """How cards landed is not known without a table, so nobody duels."""


def _ruled(line: dict[str, Any]) -> Message:
    challenge, duelling = line["challenge"], line["duelling"]
    if challenge is None:
        return ArenaJudgement.NO_CHALLENGE()
    if duelling is None:
        return ArenaJudgement.NOBODY_DUELS(card=challenge)
    return ArenaJudgement.DUELS(card=challenge, card_duelling=duelling)


def _challenges(options: JudgeOptions, deck: Deck) -> Challenges:
    """The challenge card of each picture; where it is None, the lowest flat card is taken."""
    if options.challenge is not None:
        _known(options.challenge, deck)
    if options.challenge_file is None:
        return lambda _: options.challenge
    table = _read_challenges(options.challenge_file)
    for card in table.values():
        _known(card, deck)
    return lambda name: table.get(name)


def _read_challenges(file: Path) -> dict[str, Any]:
    try:
        table: Any = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(FileTrouble.NOT_READ(text=error.strerror), about=file) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(FileTrouble.IS_NOT_JSON(text=str(error)), about=file) from None
    if not isinstance(table, dict):
        raise BadInput(ArenaOption.CHALLENGES(), about=file)
    return table


def _known(card: Any, deck: Deck) -> None:
    if card is not None and card not in deck.by_id:
        raise BadInput(ArenaOption.NO_SUCH_CARD(deck=deck.name, text=repr(card), name=repr(deck.cards[0].id)))
