"""The eye's observations as the lines of a game record: challenge, throw, moved.

What an observation is, the game itself says (rules/games/arena/interpret.py), as it does for the referee. But nobody
tells this record who plays, when nobody throws any more, or what duellists choose, and nobody answers a question. It
takes everybody to play whose colour is in the deck, and a round to end when the arena has been emptied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from arena_cam.domain.cards import Deck
from arena_cam.domain.colours import COLOURS
from arena_cam.domain.errors import BadInput, BadRecord
from arena_cam.domain.lies import Lie
from arena_cam.domain.messages import Message
from arena_cam.domain.observations import CardMoved, CardRested, Observation
from arena_cam.formats.game_record import play_record, read_record, write_line
from arena_cam.formats.judgement import judgement_to_json
from arena_cam.formats.messages import Judgement, WatchedLine
from arena_cam.formats.wording import LANDINGS, Translate, card_name, on_terminal, say
from arena_cam.referee.games.arena.messages import ArenaOption, Watched
from arena_cam.referee.games.arena.readings.judging import judge_reading
from arena_cam.rules.games.arena import GAME
from arena_cam.rules.games.arena.awaiting import Awaiting
from arena_cam.rules.games.arena.interpret import Observed, OnTable, Round, interpret, seen_again
from arena_cam.rules.games.arena.pile import Lying
from arena_cam.rules.interpreting import Event, Question

Json = dict[str, Any]

# The header is the first line of a record.
HEADER_LINE = 1
BETWEEN_ROUNDS = Round(Awaiting.CHALLENGE)


def players_of(deck: Deck) -> list[dict[str, str]]:
    """Players for a game of which nobody said who plays: one for each of the game's colours that the deck has."""
    colours = {card.colour for card in deck.cards}
    return [{"name": colour.capitalize(), "colour": colour} for colour in COLOURS if colour in colours]


def named_players(words: Sequence[str]) -> list[tuple[str, str]]:
    """Players and their colours from NAME=COLOUR words. Raises BadInput where these cannot play together."""
    players = []
    for word in words:
        name, _, colour = word.partition("=")
        if not name or colour not in COLOURS:
            raise BadInput(ArenaOption.PLAYER(text=word, names=", ".join(COLOURS)))
        players.append((name, colour))
    if players:
        _check_game_of(players)
    return players


def _check_game_of(players: Sequence[tuple[str, str]]) -> None:
    """Raises BadInput where these cannot play together: a record that nobody could score helps nobody."""
    named = [{"name": name, "colour": colour} for name, colour in players]
    try:
        play_record(read_record(write_line({"game": GAME.name, "version": 1, "players": named}).encode()))
    except BadRecord as error:
        raise BadInput(ArenaOption.PLAYERS(why=error.said)) from None


@dataclass
class WatchedRecord:
    """Turns observations into lines, in order."""

    deck: Deck
    players: Sequence[tuple[str, str]] = ()
    language: str = "en"
    _table: OnTable = field(default_factory=OnTable)
    _round: Round = BETWEEN_ROUNDS
    _line: int = 0

    @property
    def challenge(self) -> str | None:
        """The challenge card of the round that is seen now."""
        return self._round.lying[0].name if self._round.lying else None

    def take(self, said: Sequence[Observation], now_s: float) -> list[Json]:
        """The lines that follow from what was `said` at `now_s`; the header comes before the first event."""
        lines: list[Json] = []
        came: list[CardRested | CardMoved] = []
        for each in said:
            is_new = isinstance(each, CardRested) and each.lie.key not in self._table.lies
            self._table = self._table.after(each)
            if isinstance(each, CardRested) and is_new:
                came.append(each)
            elif isinstance(each, CardRested | CardMoved):
                came += [each] if self.challenge is None else []
                lines += self._moved(each, now_s)
        if self.challenge is None:
            lines += self._opened(came, now_s)
        if self.challenge is not None:
            for new in came:
                lines += self._came(new, now_s)
        return lines + self._swept(now_s)

    def header(self) -> list[Json]:
        """The header, if it has not been said; the player of the challenge's colour begins."""
        if self._line:
            return []
        self._line = HEADER_LINE
        players = [{"name": name, "colour": colour} for name, colour in self.players] or players_of(self.deck)
        card = self.deck.by_id.get(self.challenge or "")
        first = next((p["name"] for p in players if card is not None and p["colour"] == card.colour), None)
        return [{"game": GAME.name, "version": 1, "players": players} | ({"first": first} if first else {})]

    def in_words(self, line: Json) -> str:
        """A line for people."""
        if "game" in line:
            return f"{line['game']}: {', '.join(player['name'] for player in line['players'])}"
        return f"{line['at']:7.2f} s  {self._said(line, on_terminal(self.language))}"

    def _said(self, line: Json, _: Translate) -> str:
        if line["type"] == "note":
            return _(line["text"])
        if line["type"] == "amend":
            return say(WatchedLine.OF_LINE(line=line["line"], card=line["set"]["card"]), _)
        parts = [_(line["type"]), card_name(line["card"], _) if line["card"] else say(WatchedLine.A_CARD(), _)]
        if line.get("face") == "down":
            parts.append(_("face down"))
        if line.get("landing"):
            parts.append(_(LANDINGS[line["landing"]]))
        if line.get("rests_on"):
            parts.append(say(Judgement.ON(cards=tuple(line["rests_on"])), _))
        text = " ".join(parts)
        return text if line["sure"] else say(WatchedLine.UNSURE(text=text), _)

    def _opened(self, came: Sequence[CardRested | CardMoved], now_s: float) -> list[Json]:
        for each in interpret(self._round, Observed(self._table)):
            if isinstance(each, Question) and each.code == "turn_up" and came:
                return self._note(Watched.BACK_FIRST(), now_s)
            for new in came:
                if isinstance(each, Event) and new.lie.card == each.data["card"]:
                    return self._event(dict(each.data), new, now_s)
        return []

    def _came(self, new: CardRested | CardMoved, now_s: float) -> list[Json]:
        again = seen_again(self._round, self._table, new.lie)
        if again is not None:
            self._table = replace(self._table, lines={**self._table.lines, new.lie.key: again})
        return self._understood(CardRested(new.at_s, new.lie, new.reading), now_s)

    def _moved(self, seen: CardRested | CardMoved, now_s: float) -> list[Json]:
        return self._understood(CardMoved(seen.at_s, seen.lie, seen.lie, seen.reading), now_s)

    def _understood(self, seen: CardRested | CardMoved, now_s: float) -> list[Json]:
        """The lines of what was seen. What the referee would ask is written as it was seen: nobody is there to ask."""
        lines: list[Json] = []
        for each in interpret(self._round, Observed(self._table, seen)):
            event = each.data if isinstance(each, Event) else each.event if isinstance(each, Question) else None
            lines += self._event(dict(event), seen, now_s) if event is not None else []
        return lines

    def _swept(self, now_s: float) -> list[Json]:
        """Once none of the round's cards lies there, the round has ended; taking a card away is no event."""
        if self._round.awaiting != Awaiting.THROWS or not interpret(self._round, Observed(self._table)):
            return []
        self._round, self._table = BETWEEN_ROUNDS, replace(self._table, lines={})
        return self._note(Watched.EMPTIED(), now_s)

    def _event(self, event: Json, seen: CardRested | CardMoved, now_s: float) -> list[Json]:
        if self.challenge is None:
            self._round = Round(
                Awaiting.THROWS, (_lying(str(event["card"]), event, (), 0),)
            )  # its line follows the header's
        before = self.header()
        self._line += 1
        self._lies(event, seen.lie)
        at = {"at": round(now_s, 4), "rested_at": round(seen.at_s, 4), "sure": seen.lie.sure}
        return [*before, event | at | {"seen": self._seen(seen)}]

    def _lies(self, event: Json, lie: Lie) -> None:
        """Puts what `event` says into the round, so that later ones are compared with it."""
        names = [card.name for card in self._round.lying]
        lying = list(self._round.lying)
        beneath = tuple(names.index(name) for name in event.get("rests_on") or () if name in names)
        if event["type"] == "challenge":
            lying = [replace(lying[0], line=self._line)]
        elif event["type"] == "throw":
            lying.append(_lying(event["card"] or f"?{self._line}", event, beneath, self._line))
        elif event["type"] == "amend":
            lying = [replace(c, name=event["set"]["card"]) if c.line == event["line"] else c for c in lying]
        else:
            place = next(i for i, card in enumerate(lying) if card.line == self._table.lines[lie.key])
            changes = {key: event[key] for key in ("landing", "face") if key in event}
            lying[place] = replace(lying[place], **changes | ({"rests_on": beneath} if "rests_on" in event else {}))
        if event["type"] in ("challenge", "throw"):
            self._table = replace(self._table, lines={**self._table.lines, lie.key: self._line})
        self._round = replace(self._round, lying=tuple(lying))

    def _note(self, said: Message, now_s: float) -> list[Json]:
        before = self.header()
        self._line += 1
        return [*before, {"type": "note", "text": str(said), "at": round(now_s, 4)}]

    def _seen(self, seen: CardRested | CardMoved) -> Json:
        judged = judge_reading(seen.reading, self.deck, self.challenge) if seen.reading.lies else None
        return judgement_to_json(seen.reading, judged)


def _lying(name: str, event: Json, beneath: tuple[int, ...], line: int) -> Lying:
    return Lying(name, None, None, event.get("landing", "flat"), event.get("face", "up"), beneath, line)
