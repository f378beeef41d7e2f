"""What serves every game: by hand, from what its rules say is legal, and from what its own `interpret` makes of an eye.

A game's part is this with what the game wants otherwise. A game that has no part of its own is refereed by this alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena_cam.camera.frame import Frame
from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import Lie, Reading, TablePose
from arena_cam.domain.messages import Sentence, messages_to_json
from arena_cam.formats.judgement import Judged
from arena_cam.referee import messages
from arena_cam.referee.arguments import Play
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.ledger import Impossible, Ledger
from arena_cam.referee.game.legal import legal_to_json
from arena_cam.referee.game.match import CAMERA, Asked, Match, ask, withdraw
from arena_cam.referee.game.part import Action, Correction, Photo, Request, Seen
from arena_cam.referee.game.snapshots import phrase
from arena_cam.referee.interface import CardSnapshot, Countdown, Phrase
from arena_cam.referee.messages import Refusal
from arena_cam.rules.entries import LOG_KEYS
from arena_cam.rules.interpreting import Event, Question

Json = dict[str, Any]
IGNORE = "ignore"


def _found(table: type[Sentence], code: str) -> Sentence | None:
    return next((sentence for sentence in table if sentence.value == code), None)


class NoSense:
    """Nothing beside the eye."""

    reads = False

    def hides(self, _match: Match) -> bool:
        return False

    def see(
        self, _game: str, _match: Match, _secret: Mapping[str, str], _frame: Frame, _pose: TablePose | None, _rest: bool
    ) -> Match | None:
        return None

    def answer(self, _m: Match, _q: Asked, _choice: str, _secret: Mapping[str, str], _now_s: float) -> Match | None:
        return None


def play(match: Match, request: Request) -> Match:
    """An event that a person says happened."""
    event = request.args.get("event")
    if not isinstance(event, dict) or event.get("type") in (None, "amend"):
        raise Refused("bad_argument", ArgumentRefusal.EVENT(name="event"))
    said = {key: value for key, value in event.items() if key not in LOG_KEYS}
    return append(match, [said | {"who": request.who}], request.who, request.now_s)


class AnyGame:
    """referee.game.part.Part for any game."""

    actions: Mapping[str, Action] = {"play": Action(Play, play)}
    corrections: Mapping[str, Correction] = {}
    secret_action: str | None = None
    phone_actions: frozenset[str] = frozenset()
    takes_photos = False
    photo_shape: type | None = None
    keeps_throws = False
    # The game's own sentences: hints by what it awaits, questions and answers by their codes.
    hints: type[Sentence] = messages.Hint
    questions: type[Sentence] = messages.Question
    answers: type[Sentence] = messages.Answer

    # --- what happens ---

    def begun(self, match: Match) -> Match:
        """The match as it begins over what lies on the table."""
        return match

    def observe(self, match: Match, seen: Sequence[Seen]) -> Match:
        """Asks the game what was seen. Never raises for it: what the rules do not allow becomes a question."""
        interpret = match.ledger.record.game.interpret
        if interpret is None or match.paused:
            return match
        for each in seen:
            for understood in interpret(match.ledger.played.state, each.observation):
                match = self._understood(match, understood, each.throw)
        return match

    def _understood(self, match: Match, understood: object, throw: str | None) -> Match:
        if isinstance(understood, Event):
            event = dict(understood.data) | ({"throw": throw} if throw else {})
            try:
                return append(match, [event], CAMERA, match.quiet_since_s, throw)
            except Impossible as error:
                return ask(match, Asked("", "impossible", None, None, throw, doubts=(error.said,)))
        if isinstance(understood, Question):
            known = {question.id for question in match.questions}
            about = tuple(map(str, understood.words.values()))
            match = ask(match, Asked("", understood.code, None, None, throw, about=about))
            answers = tuple((code, dict(event), dict(words)) for code, event, words in understood.answers)
            new = [replace(q, answers=answers) if q.id not in known else q for q in match.questions]
            return replace(match, questions=tuple(new))
        return match

    def known_of_photo(self, match: Match, player: str | None) -> Json:
        """What is known of the things in a photograph that `player` takes now, None: the camera over the table."""
        del match, player
        return {}

    def photographed(self, match: Match, photo: Photo, now_s: float) -> Match:
        """The match after a photograph that somebody took. It is kept whatever follows from it."""
        del photo, now_s
        return match

    def tick(self, match: Match, now_s: float, moving: bool, unseen_s: float) -> Match:
        """What the passing of time does: nothing."""
        del now_s, moving, unseen_s
        return match

    def resumed(self, match: Match, now_s: float) -> Match:
        del now_s
        return match

    def relinked(self, match: Match, before: Ledger) -> Match:
        """What of the table and the questions still holds after the record has changed."""
        return match if match.ledger is before else replace(match, questions=())

    def corrected(self, match: Match, before: Match) -> Match:
        del before
        return match

    def open_sense(self, make_sight: Callable[[], Any] | None) -> NoSense:
        del make_sight
        return NoSense()

    # --- what is asked, and chosen in secret ---

    def question(self, match: Match, asked: Asked) -> Json:
        """The question as pages show it (interface.Question without `picture`'s file name and the time)."""
        del match
        params = {"code": asked.kind, "about": list(asked.about)} | messages_to_json(asked.doubts)
        sentence = _found(self.questions, asked.kind) or messages.Question.WHAT_COUNTS
        choices = [self._choice(f"{code}:{number}", words) for number, (code, _, words) in enumerate(asked.answers)]
        choices.append(self._choice(IGNORE, {}))
        return {
            "id": asked.id,
            "code": sentence.value,
            "text": str(sentence(**params)),
            "params": params,
            "card": "photo",
            "line": asked.line,
            "choices": choices,
            "cards": [],
            "blocking": asked.blocking,
        }

    def _choice(self, id: str, words: Json) -> Json:
        code = id.partition(":")[0]
        sentence = _found(self.answers, code) or _found(messages.Answer, code)
        text = str(sentence(**words)) if sentence is not None else code
        return {"id": id, "text": text, "code": code, "params": words, "recommended": False, "asks_card": False}

    def answered(self, match: Match, asked: Asked, choice: str, request: Request) -> Match:
        """The event that was chosen, or none."""
        after = withdraw(match, asked.id)
        if choice == IGNORE:
            note = {"type": "note", "ignored": asked.kind, "who": request.who}
            return append(after, [note], request.who, request.now_s)
        for number, (code, event, _) in enumerate(asked.answers):
            if choice == f"{code}:{number}":
                return append(after, [event | {"who": request.who}], request.who, request.now_s)
        raise Refused("bad_argument", Refusal.NO_ANSWER(name=repr(choice[:40])))

    def choosers(self, match: Match) -> tuple[str, ...]:
        """Who must choose in secret now."""
        del match
        return ()

    def may_choose(self, match: Match, made: Sequence[str]) -> dict[str, list[str]]:
        del match, made
        return {}

    def checked_choice(self, match: Match, player: Any, choice: Any) -> str:
        del match, player, choice
        raise Refused("not_now", Refusal.NO_SECRET())

    def revealed(self, match: Match, choices: Mapping[str, str], now_s: float) -> Match:
        del choices, now_s
        return match

    # --- what is shown ---

    def legal(self, match: Match) -> list[str]:
        """The game's own actions that would not be refused now."""
        return [] if match.ledger.awaiting == "nothing" else list(self.actions)

    def snapshot(self, match: Match, sense_reads: bool) -> Json:
        """What may be played next, for a page to offer."""
        del sense_reads
        may_play = match.ledger.record.game.legal(match.ledger.played.state)
        return {"may_play": [legal_to_json(each) for each in may_play]}

    def card(self, match: Match, lie: Lie) -> Json:
        return {"throw": match.throws.get(lie.key)}

    def told_cards(self, match: Match) -> list[CardSnapshot]:
        """The cards on the table as the record tells them, bottom to top, where no camera watches."""
        del match
        return []

    def hint(self, match: Match, sense_reads: bool) -> Phrase:
        del sense_reads
        awaiting = match.ledger.awaiting
        return phrase(_found(self.hints, awaiting) or messages.Hint.AWAITS, awaited=awaiting)

    def over(self, match: Match) -> Phrase:
        """Why the game is over."""
        rounds = match.ledger.record.header.options.get("rounds")
        return phrase(messages.Hint.OVER_LAST_ROUND, round=rounds) if rounds else phrase(messages.Hint.OVER)

    def countdown(self, match: Match, now_s: float, moving: bool) -> Countdown | None:
        del match, now_s, moving
        return None

    def latest_rulings(self, match: Match) -> list[Json]:
        """The rulings of the last event that was ruled on, and the corrections since."""
        rulings: list[Json] = match.ledger.result["rulings"]
        last = max((ruling["line"] for ruling in self.decisive(rulings)), default=0)
        return [ruling for ruling in rulings if ruling["line"] >= last]

    def decisive(self, rulings: Sequence[Json]) -> list[Json]:
        """Of rulings, those that are to be said aloud, the most telling last."""
        return [ruling for ruling in rulings if ruling["code"] != "amended"]

    # --- what was kept ---

    def rounds(self, ledger: Ledger) -> int:
        return int(ledger.state.get("round", 0))

    def owner(self, ledger: Ledger, card: str | None) -> str | None:
        """Whose a card is."""
        del ledger, card
        return None

    def opens(self, event: Mapping[str, Any]) -> bool:
        """Whether an event opens a round."""
        del event
        return False

    def ends_round(self, event: Mapping[str, Any], before: Json, after: Json) -> bool:
        """Whether an event ended a round, from the state before and after it."""
        del event
        ended = after.get("awaiting") == "nothing" != before.get("awaiting")
        return ended or before.get("round") != after.get("round")

    def line(self, ledger: Ledger, line: int) -> Json:
        """What a correction of `line` may name."""
        del ledger, line
        return {"named": [], "cards": [], "duellists": []}

    def statistics(self, ledger: Ledger) -> dict[str, dict[str, float]]:
        """Figures by player."""
        return {name: {} for name in ledger.players}

    def asked_of(self, ledger: Ledger, line: int) -> str | None:
        """What judging a picture of `line` must know of the game."""
        del ledger, line
        return None

    def photo_differences(self, before: Json | None, after: Json) -> list[Json]:
        """What a photograph that is read again shows otherwise, as replay.compare says it."""
        if before == after:
            return []
        what = messages.Difference.READING
        return [
            {
                "code": what.value,
                "card": "photo",
                "what": str(what(card="photo")),
                "before": before is not None,
                "after": True,
            }
        ]

    def judge(self, reading: Reading, deck: Deck, asked_of: str | None) -> Judged | None:
        """What the game says of one reading."""
        del reading, deck, asked_of
        return None


PART = AnyGame()
