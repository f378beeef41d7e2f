"""What the eye saw, as the lines of a game record: challenge, throw, moved.

Nobody tells this record who plays, when nobody throws any more, or what duellists choose. It takes everybody to play
whose colour is in the deck, and a round to end when the arena has been emptied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Landing, Lie, Reading
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, Observation
from arena_cam.formats.judgement import judgement_to_json
from arena_cam.referee.games.arena.judging import judge_reading

Json = dict[str, Any]

COLOURS = ("red", "blue", "green", "yellow", "violet")
# The header is the first line of a record.
HEADER_LINE = 1


def players_of(deck: Deck) -> list[dict[str, str]]:
    """Players for a game of which nobody said who plays: one for each of the game's colours that the deck has."""
    colours = {card.colour for card in deck.cards}
    return [{"name": colour.capitalize(), "colour": colour} for colour in COLOURS if colour in colours]


@dataclass
class WatchedRecord:
    """Turns observations into lines, in order. `names` maps the eye's keys to the record's names of this round."""

    deck: Deck
    game: str = "arena"
    players: Sequence[tuple[str, str]] = ()
    names: dict[str, str] = field(default_factory=dict)
    challenge: str | None = None
    _line: int = 0

    def take(self, said: Sequence[Observation], now_s: float) -> list[Json]:
        """The lines that follow from what was `said` at `now_s`; the header comes before the first event."""
        lines: list[Json] = []
        for each in self._challenge_first(said):
            match each:
                case CardRested():
                    lines += self._rested(each, now_s)
                case CardMoved():
                    lines += self._moved(each, now_s)
                case CardGone():
                    lines += self._gone(each, now_s)
        return lines

    def _challenge_first(self, said: Sequence[Observation]) -> list[Observation]:
        """Of cards that were seen at rest together in an empty arena, the challenge was laid before the others."""
        if self.challenge is not None:
            return list(said)
        able = [each for each in said if isinstance(each, CardRested) and _can_open(each.lie)]
        keys = {each.lie.key for each in able}
        able.sort(key=lambda each: (not keys.isdisjoint(each.lie.rests_on), each.lie.landing is not Landing.FLAT))
        return [*able[:1], *(each for each in said if each not in able[:1])]

    def header(self) -> list[Json]:
        """The header, if it has not been said; the player of the challenge's colour begins."""
        if self._line:
            return []
        self._line = HEADER_LINE
        players = [{"name": name, "colour": colour} for name, colour in self.players] or players_of(self.deck)
        first = next((p["name"] for p in players if self.challenge and p["colour"] == self._colour_of_challenge), None)
        return [{"game": self.game, "version": 1, "players": players} | ({"first": first} if first else {})]

    @property
    def _colour_of_challenge(self) -> str | None:
        card = self.deck.by_id.get(self.challenge or "")
        return card.colour if card else None

    def _rested(self, rested: CardRested, now_s: float) -> list[Json]:
        lie = rested.lie
        if lie.key in self.names:
            # Picked up and laid down again in the same round: it was thrown once.
            return self._event("moved", lie, rested.at_s, rested.reading, now_s)
        if self.challenge is None:
            return self._opened(rested, now_s)
        return self._event("throw", lie, rested.at_s, rested.reading, now_s)

    def _opened(self, rested: CardRested, now_s: float) -> list[Json]:
        lie = rested.lie
        if lie.landing is Landing.BESIDE:
            return []  # what lies about on the table opens no round
        if not _can_open(lie):
            return self._note("a card came to rest face down in the empty arena; it cannot be a challenge", now_s)
        self.challenge = lie.card
        return self._event("challenge", lie, rested.at_s, rested.reading, now_s)

    def _moved(self, moved: CardMoved, now_s: float) -> list[Json]:
        if moved.lie.key not in self.names:
            return []
        return self._event("moved", moved.lie, moved.at_s, moved.reading, now_s)

    def _gone(self, gone: CardGone, now_s: float) -> list[Json]:
        """Taking cards away is no event; once none of the round's cards lies there, the round has ended."""
        left = [lie for lie in gone.reading.lies if lie.key in self.names]
        if self.challenge is None or left:
            return []
        self.challenge = None
        self.names.clear()
        return self._note("the arena has been emptied; the next card is a challenge", now_s)

    def _event(self, kind: str, lie: Lie, rested_s: float, reading: Reading, now_s: float) -> list[Json]:
        before = self.header()
        self._line += 1
        card = self.names.setdefault(lie.key, lie.card if lie.card is not None else f"?{self._line}")
        event: Json = {"type": kind, "card": None if kind == "throw" and lie.card is None else card}
        if kind != "challenge":
            event |= {"landing": lie.landing.value if lie.landing is not None else None, "face": lie.face.value}
            event["rests_on"] = [self.names[key] for key in lie.rests_on if key in self.names]
        event |= {"at": round(now_s, 4), "rested_at": round(rested_s, 4), "sure": lie.sure, "seen": self._seen(reading)}
        return [*before, event]

    def _note(self, text: str, now_s: float) -> list[Json]:
        before = self.header()
        self._line += 1
        return [*before, {"type": "note", "text": text, "at": round(now_s, 4)}]

    def _seen(self, reading: Reading) -> Json:
        judged = judge_reading(reading, self.deck, self.challenge) if reading.lies else None
        return judgement_to_json(reading, judged)


def _can_open(lie: Lie) -> bool:
    """Whether this card may be a challenge: its face is known, and it does not lie out on the table."""
    return lie.card is not None and lie.landing is not Landing.BESIDE
