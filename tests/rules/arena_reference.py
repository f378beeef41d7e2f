"""A second engine for the arena game, written for clarity alone: everything is looked up anew, nothing is kept.

It plays a whole list of events at once, amendments and all, and shares no code with the engine that it checks. It
answers (over, scores, rulings, state) or the line of the first error.
"""

from __future__ import annotations

from typing import Any

COLOURS = ["red", "blue", "green", "yellow", "violet"]
DECK = [f"{c}-{v}" for c in COLOURS for v in range(1, 11)]
TYPES = {"challenge": ["card"], "throw": ["card", "landing", "face", "rests_on"], "close": [], "duel": ["choices"]}
TYPES["moved"] = TYPES["throw"]
KEYS = {"type", "card", "landing", "face", "rests_on", "choices"}


class Wrong(Exception):
    """A record that cannot be played; `line` is to blame."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def need(good: object, line: int) -> None:
    """Raises Wrong unless `good`."""
    if not good:
        raise Wrong(line)


class Script:
    """The record as lines of text would have it: what each line said at any time, and who wrote which value."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self.lines = dict(enumerate(lines, 2))
        self.amending = [(n, e) for n, e in self.lines.items() if e["type"] == "amend"]
        for number, event in self.lines.items():
            if event["type"] == "amend":
                self._check(number, event)

    def _check(self, number: int, event: dict[str, Any]) -> None:
        target: Any = event.get("line")
        need(type(target) is int and target in self.lines and target < number, number)
        need(self.lines[target]["type"] != "amend", number)
        need(event.get("set") is not None or event.get("before") is not None, number)
        if event.get("set") is not None:
            need(type(event["set"]) is dict and event["set"] and set(event["set"]) <= KEYS, number)
            if "type" in event["set"]:
                need(event["set"]["type"] in [*TYPES, "note"], number)
        if event.get("before") is not None:
            need(type(event["before"]) is list and event["before"], number)
            for missed in event["before"]:
                need(type(missed) is dict and missed.get("type") in [*TYPES, "note"], number)

    def amendments(self, number: int, until: int) -> list[tuple[int, dict[str, Any]]]:
        """The amendments of line `number` that stand on lines up to `until`."""
        return [(n, e) for n, e in self.amending if e.get("line") == number and n <= until]

    def said(self, number: int, until: int) -> dict[str, Any] | None:
        """What line `number` said when line `until` was written; None if it was not written yet."""
        if number > until:
            return None
        event = dict(self.lines[number])
        for _, amendment in self.amendments(number, until):
            event.update(amendment.get("set") or {})
        return {key: value for key, value in event.items() if value is not None}

    def writer(self, number: int, key: str) -> int:
        """The line that wrote the value which `key` of line `number` has now."""
        setters = [n for n, a in self.amendments(number, 10**9) if key in (a.get("set") or {})]
        return setters[-1] if setters else number

    def script(self) -> list[tuple[int, dict[str, Any], tuple[int, int] | None]]:
        """All events to be played: line to blame, event, and (amendment, place) for those that were missed."""
        out: list[tuple[int, dict[str, Any], tuple[int, int] | None]] = []
        for number, event in sorted(self.lines.items()):
            if event["type"] == "amend":
                out.append((number, event, None))
                continue
            for n, amendment in self.amendments(number, 10**9):
                for place, missed in enumerate(amendment.get("before") or []):
                    out.append((n, {k: v for k, v in missed.items() if v is not None}, (n, place)))
            now = self.said(number, 10**9)
            assert now is not None
            out.append((number, now, None))
        return out


class Thrown:
    """A card in the arena, told by its place in the record."""

    def __init__(self, number: int, missed: bool, event: dict[str, Any]) -> None:
        self.number, self.missed = number, missed
        self.now = event.get("card")
        self.landing, self.face = event.get("landing", "flat"), event.get("face", "up")
        self.on: list[Thrown] = []
        self.status = "in"

    @property
    def shown(self) -> str:
        return self.now or f"?{self.number}"

    @property
    def value(self) -> int | None:
        return int(self.now.split("-")[1]) if self.now else None


class Arena:
    """The game while it is played."""

    def __init__(self, header: dict[str, Any], lines: list[dict[str, Any]]) -> None:
        self.names = [p["name"] for p in header["players"]]
        self.owner = {p["colour"]: p["name"] for p in header["players"]}
        given = {k: v for k, v in (header.get("options") or {}).items() if v is not None}
        blocks = given.get("life_blocks", 3 if len(self.names) == 3 else 2)
        self.rethrow, self.pile = given.get("rethrow", "repeat"), given.get("pile", "same_value")
        self.missed, self.beside = given.get("missed", "winnings"), given.get("two_left_beside", "return")
        self.hand = {n: [c for c in DECK if self.who(c) == n] for n in self.names}
        self.won: dict[str, list[str]] = {n: [] for n in self.names}
        self.lives = dict.fromkeys(self.names, blocks)
        self.removed: list[str] = []
        self.rulings: list[dict[str, Any]] = []
        self.awaiting, self.round = "challenge", 1
        self.provocateur: str | None = header.get("first") or self.names[0]
        self.challenge: Thrown | None = None
        self.thrown: list[Thrown] = []
        self.since_offer: list[Thrown] = []
        self.offers = 0
        self.duelling: Thrown | None = None
        self.rival: str | None = None
        self.unknown: list[str] = []
        self.record = Script(lines)

    def who(self, card: str) -> str | None:
        return self.owner.get(card.split("-")[0])

    def play(self) -> tuple[Any, ...]:
        for number, event, missed in self.record.script():
            kind = event["type"]
            if kind == "amend":
                self.rulings.append({"line": number, "code": "amended", "amends": event["line"]})
            elif kind != "note":
                getattr(self, "do_" + kind)(number, event, missed)
        return self.answer()

    # names

    def called(self, card: Thrown, when: int) -> set[str]:
        """All names by which the record called `card` when line `when` was written."""
        if card.missed:
            return {card.shown} if card.number <= when else set()
        names = set()
        said = self.record.said(card.number, when)
        if said is not None and said["type"] in ("throw", "challenge") and type(said.get("card")) is str:
            names.add(said["card"])
        versions = [card.number, *(n for n, _ in self.record.amendments(card.number, when))]
        for n in versions if card.number <= when else []:
            said = self.record.said(card.number, n)
            if said is not None and said["type"] == "throw" and said.get("card") is None:
                names.add(f"?{card.number}")
        return names

    def find(self, name: str, when: int, line: int) -> Thrown:
        assert self.challenge is not None
        there = [t for t in [self.challenge, *self.thrown] if t.status != "back"]
        then = [t for t in there if name in self.called(t, when)]
        now = [t for t in there if name == t.shown or (name[0:1] == "?" and name in self.called(t, 10**4))]
        need(then or now, line)
        return (then or now)[-1]

    def when(self, number: int, key: str, missed: tuple[int, int] | None) -> int:
        return number if missed else self.record.writer(number, key)

    def resting(self, number: int, event: dict[str, Any], missed: tuple[int, int] | None) -> list[Thrown]:
        names = event.get("rests_on", [])
        need(type(names) is list, number)
        for name in names:
            need(name is None or type(name) is str, number)
        when = self.when(number, "rests_on", missed)
        return [self.find(name, when, number) for name in names if name is not None]

    # events

    def take(self, card: Any, number: int) -> str:
        need(type(card) is str and card in DECK, number)
        owner = self.who(card)
        need(owner is not None and card in self.hand[owner], number)
        assert owner is not None
        return owner

    def do_challenge(self, number: int, event: dict[str, Any], missed: Any) -> None:
        need(self.awaiting == "challenge", number)
        need(self.take(event.get("card"), number) == self.provocateur, number)
        rich = [n for n in self.names if self.hand[n]]
        self.rival = next(n for n in rich if n != self.provocateur) if len(rich) == 2 else None
        self.challenge = Thrown(number, bool(missed), {"card": event["card"]})
        self.hand[self.provocateur or ""].remove(event["card"])
        self.thrown, self.since_offer, self.offers, self.awaiting = [], [], 0, "throws"

    def do_throw(self, number: int, event: dict[str, Any], missed: Any) -> None:
        need(self.awaiting == "throws", number)
        need(event.get("landing") in ["flat", "diagonal", "edge", "beside"], number)
        need(event.get("face", "up") in ["up", "down"], number)
        card = Thrown(number, bool(missed), event)
        card.on = self.resting(number, event, missed)
        if card.now is None:
            need(card.face == "down" and not missed, number)
        else:
            owner = self.take(card.now, number)
            self.hand[owner].remove(card.now)
        self.thrown.append(card)
        self.since_offer.append(card)

    def do_moved(self, number: int, event: dict[str, Any], missed: Any) -> None:
        need(self.awaiting == "throws", number)
        need(type(event.get("card")) is str, number)
        need(any(k in event for k in ("landing", "face", "rests_on")), number)
        need(event.get("landing", "flat") in ["flat", "diagonal", "edge", "beside"], number)
        need(event.get("face", "up") in ["up", "down"], number)
        card = self.find(event["card"], self.when(number, "card", missed), number)
        beneath = self.resting(number, event, missed)
        need(card not in beneath, number)
        if "rests_on" in event:
            card.on = beneath
        card.landing = event.get("landing", card.landing)
        card.face = event.get("face", card.face)
        need(card.now is not None or card.face == "down", number)

    def below(self, card: Thrown, line: int, path: tuple[Thrown, ...] = ()) -> list[Thrown]:
        need(card not in path, line)
        out = []
        for under in card.on:
            if under.status != "back":
                out += [under, *self.below(under, line, (*path, card))]
        return out

    def on_challenge(self, card: Thrown) -> bool:
        for under in card.on:
            if under is self.challenge:
                return True
            if under.status != "back" and self.on_challenge(under) and self.passes(under):
                return True
        return False

    def passes(self, card: Thrown) -> bool:
        assert self.challenge is not None
        if self.pile == "any":
            return not self.candidate(card)
        return self.valid(card) and card.value == self.challenge.value

    def valid(self, card: Thrown) -> bool:
        return card.status == "in" and card.landing == "flat" and card.face == "up"

    def candidate(self, card: Thrown) -> bool:
        assert self.challenge is not None
        if not self.valid(card) or card.now is None or self.who(card.now) == self.provocateur:
            return False
        return card.value != self.challenge.value and self.on_challenge(card)

    def do_close(self, number: int, _event: dict[str, Any], _missed: Any) -> None:
        need(self.awaiting == "throws" and self.challenge is not None, number)
        assert self.challenge is not None
        for card in [self.challenge, *self.thrown]:
            if card.status != "back":
                self.below(card, number)
        candidates = [t for t in self.thrown if self.candidate(t)]
        bottom = [t for t in candidates if not any(c in self.below(t, number) for c in candidates)]
        duelling = bottom[0] if bottom else None
        verdicts = [(t, self.verdict(t, duelling, number)) for t in self.thrown if t.status == "in"]
        for card, code in verdicts:
            player = self.who(card.now) if card.now else None
            self.rule(number, code, card=card.shown, player=player, thrown=card.number)
        again = any(code == "same_value" and card in self.since_offer for card, code in verdicts)
        if duelling is None and again and not (self.rethrow == "once" and self.offers):
            self.dismiss(verdicts, "same_value")
            self.rule(number, "rethrow")
            self.since_offer, self.offers = [], self.offers + 1
            return
        self.dismiss(verdicts, "duelling")
        if duelling is not None:
            self.duelling, self.awaiting = duelling, "duel"
            return
        foreign = [t for t in self.thrown if t.status not in ("back", "forfeited")]
        foreign = [t for t in foreign if t.now is None or self.who(t.now) != self.provocateur]
        if self.missed == "lost" and foreign:
            self.rule(number, "wasted", card=self.challenge.shown, player=None)
            self.removed.append(self.challenge.shown)
        else:
            self.rule(number, "unanswered", card=self.challenge.shown, player=self.provocateur)
            self.won[self.provocateur or ""].append(self.challenge.shown)
        self.next_round()

    def verdict(self, card: Thrown, duelling: Thrown | None, line: int) -> str:
        assert self.challenge is not None
        if card.landing == "beside" and card.now and self.who(card.now) == self.rival and self.rival:
            return {"return": "returned", "remove": "beside", "forfeit": "forfeited"}[self.beside]
        if card.landing != "flat":
            return str(card.landing)
        if card.face == "down":
            return "face_down"
        if card.now and self.who(card.now) == self.provocateur:
            return "own_card"
        if self.on_challenge(card) and card.value == self.challenge.value:
            return "same_value"
        if card is duelling:
            return "duelling"
        return "not_first" if self.on_challenge(card) or duelling in self.below(card, line) else "not_on_challenge"

    def dismiss(self, verdicts: list[tuple[Thrown, str]], stays: str) -> None:
        for card, code in verdicts:
            if code == stays:
                continue
            card.status = "out"
            if card.now is None:
                continue
            owner = self.who(card.now) or ""
            if code == "returned":
                card.status = "back"
                self.hand[owner].append(card.now)
            elif code == "forfeited":
                card.status = "forfeited"
                self.won[self.provocateur or ""].append(card.now)
            else:
                self.removed.append(card.now)

    def do_duel(self, number: int, event: dict[str, Any], _missed: Any) -> None:
        need(self.awaiting == "duel", number)
        assert self.challenge is not None
        assert self.duelling is not None
        assert self.duelling.now is not None
        assert self.provocateur is not None
        rival = self.who(self.duelling.now)
        choices = event.get("choices")
        need(type(choices) is dict, number)
        assert type(choices) is dict
        choices = {k: v for k, v in choices.items() if v is not None}
        need(set(choices) == {self.provocateur, rival}, number)
        need(all(c in ("peace", "conflict") for c in choices.values()), number)
        fighters = [n for n in (self.provocateur, rival) if n and choices[n] == "conflict"]
        need(all(self.lives[n] > 0 for n in fighters), number)
        a, b = self.challenge.shown, self.duelling.shown
        goes: dict[str, str | None] = {a: None, b: None}
        if len(fighters) == 0:
            goes = {a: rival, b: self.provocateur}
        elif len(fighters) == 1:
            goes = {a: fighters[0], b: fighters[0]}
        for card, winner in goes.items():
            (self.won[winner] if winner else self.removed).append(card)
        for name in fighters:
            self.lives[name] -= 1
        code = ["both_peace", "one_conflict", "both_conflict"][len(fighters)]
        self.rule(number, code, cards=goes, lost_block=fighters)
        self.next_round()

    def next_round(self) -> None:
        self.unknown = [t.shown for t in self.thrown if t.now is None]
        rich = [n for n in self.names if self.hand[n]]
        if self.unknown:
            self.awaiting = "identify"
        elif len(rich) < 2:
            self.awaiting = "nothing"
        else:
            self.awaiting, self.round = "challenge", self.round + 1
            seat = self.names.index(self.provocateur or "")
            while True:
                seat = (seat + 1) % len(self.names)
                if self.hand[self.names[seat]]:
                    break
            self.provocateur = self.names[seat]
        self.challenge, self.thrown, self.duelling = None, [], None

    def rule(self, line: int, code: str, **facts: Any) -> None:
        self.rulings.append({"line": line, "code": code, **facts})

    def answer(self) -> tuple[Any, ...]:
        scores = {n: sum(int(c.split("-")[1]) for c in self.won[n]) for n in self.names}
        over = self.awaiting == "nothing"
        arena = [self.challenge, *[t for t in self.thrown if t.status == "in"]] if self.challenge else []
        state = {
            "awaiting": self.awaiting,
            "round": self.round,
            "provocateur": None if self.awaiting in ("nothing", "identify") else self.provocateur,
            "challenge": self.challenge.shown if self.challenge else None,
            "duelling": self.duelling.shown if self.duelling else None,
            "opponent": self.who(self.duelling.shown) if self.duelling else None,
            "arena": [t.shown for t in arena],
            "hands": {n: sorted(self.hand[n], key=DECK.index) for n in self.names},
            "won": {n: sorted(self.won[n], key=DECK.index) for n in self.names},
            "lives": self.lives,
            "removed": sorted(self.removed, key=DECK.index),
            "unidentified": [t.shown for t in self.thrown if t.now is None] or self.unknown,
        }
        return over, scores, self.rulings, state


def play(header: dict[str, Any], lines: list[dict[str, Any]]) -> tuple[Any, ...] | int:
    """(over, scores, rulings, state), or the line of the first error."""
    try:
        return Arena(header, lines).play()
    except Wrong as wrong:
        return wrong.line
