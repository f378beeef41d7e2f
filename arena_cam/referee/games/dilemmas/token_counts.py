"""Tokens counted on the table: what a photograph shows of them, corrected and confirmed by people, then counted.

Nothing of it is in the record before all are counted: then the counts and the reveal go into it together. The rules
say how many tokens lie on a dilemma; where a count differs from that it is asked about, never filled in. Who has voted
on a phone puts no token on the table: those votes are added when the tokens are turned, and known to nobody before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arena_cam.domain.dilemmas.doubts import DilemmaDoubt
from arena_cam.domain.errors import Refused
from arena_cam.domain.messages import Reason, message_to_json
from arena_cam.referee.game.appending import append
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Photo, Request
from arena_cam.referee.games.dilemmas import ballots
from arena_cam.referee.games.dilemmas.ballots import voters
from arena_cam.referee.games.dilemmas.messages import DilemmasTable
from arena_cam.rules.games.dilemmas.messages import DilemmasRefusal

Json = dict[str, Any]
# What a kept count may doubt: said after a restart without a set, too, when no eye is there to bring the words.
DOUBTS: type[Reason] = DilemmaDoubt
TOKENS = ("yes", "no", "super_yes", "super_no")
NO_TOKEN = "none"  # what a person says of a mark that is no token
EMPTY: Json = {"photo": None, "size_px": [0, 0], "doubts": [], "seen": [], "words": {}, "rows": {}}


def counts_of(match: Match) -> Json:
    """What is known of this round: {round, photo, size_px, doubts, seen, words, rows}, plain JSON as it is kept.

    `seen`: the dilemmas of the photograph, each with `player`, None while nobody said whose it is. `rows`: by player
    {tokens, confirmed}, only of dilemmas that a person counted. `words`: by a seen card's name what it says.
    """
    number = match.ledger.played.state.round
    return dict(match.own) if match.own.get("round") == number else {**EMPTY, "round": number}


def begun(match: Match) -> bool:
    """Whether the tokens of this round were photographed, or counted by hand."""
    counts = counts_of(match)
    return bool(counts["photo"] or counts["rows"])


def colours_of(match: Match) -> dict[str, str | None]:
    """By player, in seat order, the colour of the disc; None where none was said."""
    return {each["name"]: each.get("colour") for each in match.ledger.record.header.data["players"]}


def _with(match: Match, **changed: Any) -> Match:
    return replace(match, own={**counts_of(match), **changed})


def photographed(match: Match, photo: Photo) -> Match:
    """The round after a photograph of the table: it takes the place of what was counted before.

    A player's phone begins the count; once it is begun only the referee's photographs do that.
    """
    if not voters(match) or (photo.player is not None and begun(match)):
        return match
    reading = photo.reading
    if reading is None:
        doubts = [message_to_json(DilemmasTable.UNREAD())]
        return _with(match, photo=photo.id, size_px=[0, 0], doubts=doubts, seen=[], words={}, rows={})
    colours = Counter(each["owner"] for each in reading["dilemmas"] if each["owner"])
    given = Counter(colours_of(match).values())
    said = {colour: name for name, colour in colours_of(match).items() if given[colour] == 1}
    seen = [
        {**each, "player": said.get(each["owner"]) if colours[each["owner"]] == 1 else None}
        for each in reading["dilemmas"]
    ]
    read = {"size_px": reading["size_px"], "doubts": reading["table_doubts"], "words": reading.get("words", {})}
    return _with(match, photo=photo.id, seen=seen, rows={}, **read)


def rows(match: Match) -> list[Json]:
    """Each player's dilemma: {player, seen, tokens, total, due, hidden, doubts, confirmed, sure}; `seen`: its place in
    the photograph's list. `sure`: a person confirmed it, or the picture is clear and the rules' total is there."""
    counts = counts_of(match)
    return [_row(counts, player, due_on(match, player)) for player in match.ledger.players]


def all_sure(match: Match) -> bool:
    """Whether every count is sure, so that the tokens may be turned."""
    return all(row["sure"] for row in rows(match))


def _row(counts: Json, player: str, due: int) -> Json:
    place = next((n for n, each in enumerate(counts["seen"]) if each["player"] == player), None)
    seen = counts["seen"][place] if place is not None else None
    by_hand = counts["rows"].get(player)
    read = seen["tokens"] if seen is not None else {}
    tokens = by_hand["tokens"] if by_hand is not None else {token: read.get(token, 0) for token in TOKENS}
    total = sum(tokens.values())
    confirmed = by_hand is not None and by_hand["confirmed"]
    clear = (
        seen is not None
        and not seen.get("tapped")
        and not seen["doubts"]
        and not counts["doubts"]
        and not read.get("hidden")
    )
    return {
        "player": player,
        "seen": place,
        "tokens": dict(tokens),
        "total": total,
        "due": due,
        "hidden": read.get("hidden", 0),
        "doubts": list(seen["doubts"]) if seen is not None and by_hand is None else [],
        "confirmed": confirmed,
        "sure": total == due and (confirmed or (clear and by_hand is None)),
    }


def tokens_due(match: Match) -> int:
    """How many tokens the rules want on each dilemma."""
    return len(match.ledger.players) - (not match.ledger.record.header.options["own_vote"])


def due_on(match: Match, owner: str) -> int:
    """How many tokens lie on the dilemma of `owner` if everybody puts one there who has not voted on a phone."""
    own_vote = match.ledger.record.header.options["own_vote"]
    return sum(name not in match.chosen and (own_vote or name != owner) for name in match.ledger.players)


# --- what people do ---


def _open_round(match: Match) -> None:
    if not voters(match):
        raise Refused("not_now", DilemmasTable.NO_COUNT_NOW())


def _row_of(match: Match, request: Request) -> Json:
    _open_round(match)
    player = request.args.get("player")
    found = next((row for row in rows(match) if row["player"] == player), None)
    if found is None:
        raise Refused("unknown", DilemmasTable.NOT_A_VOTER(player=str(player)[:40]))
    return found


def _keep_row(match: Match, player: str, tokens: Mapping[str, int], *, confirmed: bool) -> Match:
    kept = {**counts_of(match)["rows"], player: {"tokens": dict(tokens), "confirmed": confirmed}}
    return _with(match, rows=kept)


def correct_count(match: Match, request: Request) -> Match:
    """So many tokens of a kind lie on the player's dilemma; it must be confirmed then."""
    row, token, count = _row_of(match, request), request.args.get("token"), request.args.get("count")
    if token not in TOKENS or type(count) is not int or not 0 <= count <= tokens_due(match):
        raise Refused("bad_argument", DilemmasTable.NO_SUCH_COUNT(most=tokens_due(match)))
    return _keep_row(match, row["player"], {**row["tokens"], token: count}, confirmed=False)


def whose_dilemma(match: Match, request: Request) -> Match:
    """A dilemma of the photograph is the player's; what was corrected of either is as it was read again."""
    row, place = _row_of(match, request), request.args.get("seen")
    counts = counts_of(match)
    if type(place) is not int or not 0 <= place < len(counts["seen"]):
        raise Refused("bad_argument", DilemmasTable.NOT_IN_PICTURE())
    before = counts["seen"][place]["player"]
    seen = [
        {**each, "player": row["player"] if n == place else None if each["player"] == row["player"] else each["player"]}
        for n, each in enumerate(counts["seen"])
    ]
    kept = {name: by_hand for name, by_hand in counts["rows"].items() if name not in (before, row["player"])}
    return _with(match, seen=seen, rows=kept)


def confirm_count(match: Match, request: Request) -> Match:
    """A person says that the count of a dilemma is right. The rules may know better."""
    row = _row_of(match, request)
    if row["total"] != row["due"]:
        raise Refused("impossible", DilemmasRefusal.TOKENS_EXPECTED(count=row["due"], player=row["player"]))
    if not match.chosen:
        match.ledger.appended([_event(row, None)])  # refused by the rules, if there are more than all have
    return _keep_row(match, row["player"], row["tokens"], confirmed=True)


def tap_token(match: Match, request: Request) -> Match:
    """A tap on a token's mark in the photograph: it is of the next kind, and after the last one none at all."""
    _open_round(match)
    place, number = request.args.get("seen"), request.args.get("token")
    seen = list(counts_of(match)["seen"])
    if type(place) is not int or not 0 <= place < len(seen):
        raise Refused("bad_argument", DilemmasTable.NOT_IN_PICTURE())
    marks = [dict(mark) for mark in seen[place]["token_list"]]
    if type(number) is not int or not 0 <= number < len(marks):
        raise Refused("bad_argument", DilemmasTable.NOT_IN_PICTURE())
    kinds = [*(TOKENS if match.ledger.record.header.options["supervotes"] else TOKENS[:2]), NO_TOKEN]
    before = marks[number]["kind"]
    marks[number]["kind"] = kinds[(kinds.index(before) + 1) % len(kinds)] if before in kinds else kinds[0]
    counted = Counter(mark["kind"] for mark in marks)
    tokens = {token: counted[token] for token in (*TOKENS, "hidden")}
    seen[place] = {**seen[place], "token_list": marks, "tokens": tokens, "tapped": True}
    kept = {name: row for name, row in counts_of(match)["rows"].items() if name != seen[place]["player"]}
    return _with(match, seen=seen, rows=kept)


def turn_tokens(match: Match, request: Request, told: Mapping[str, Any]) -> Match:
    """All counts, with the votes made on phones, go into the record, and the round is told, with what else is `told`
    then. Refused while one is unsure."""
    _open_round(match)
    counted, photo = rows(match), counts_of(match)["photo"]
    unsure = [row["player"] for row in counted if not row["sure"]]
    if unsure:
        raise Refused("not_now", DilemmasTable.UNSURE_COUNTS(players=", ".join(unsure)))
    votes = {name: ballot for name, ballot in request.secret.items() if name in match.chosen}
    events = [*(_event(_with_votes(match, row, votes), photo) for row in counted), {"type": "reveal", **told}]
    throws = {name: throw for name, throw in match.throws.items() if name != photo}
    return replace(append(match, events, request.who, request.now_s, photo), throws=throws)


def _with_votes(match: Match, row: Json, votes: Mapping[str, str]) -> Json:
    put = ballots.put_on(match, votes, row["player"])
    return {**row, "tokens": {token: count + put[token] for token, count in row["tokens"].items()}}


def _event(row: Json, photo: str | None) -> Json:
    said: Json = {"type": "tokens", "on": row["player"], **row["tokens"]}
    return said | ({"throw": photo} if photo is not None else {})


def snapshot(match: Match) -> Json:
    """What of values.DilemmasGame speaks of tokens."""
    colours = colours_of(match)
    if not voters(match):
        return {"colours": colours, "counting": None}
    counts = counts_of(match)
    return {
        "colours": colours,
        "counting": {key: counts[key] for key in ("photo", "size_px", "doubts", "seen")}
        | {"begun": begun(match), "rows": rows(match), "due": tokens_due(match)},
    }
