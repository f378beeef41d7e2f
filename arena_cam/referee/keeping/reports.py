"""The content of the pages on games and replays, from the games and throws kept. Everything here only reads."""

from __future__ import annotations

from typing import Any, cast

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import Refused
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.legal import may_come
from arena_cam.referee.game.part import Part, find_part
from arena_cam.referee.game.snapshots import points_by_round, preview_of, ruling_snapshot
from arena_cam.referee.interface import (
    GameDetail,
    GameSummary,
    LineDetail,
    ThrowDetail,
    ThrowSummary,
    VerdictPreview,
)
from arena_cam.referee.keeping.replay import Judge
from arena_cam.referee.messages import Refusal
from arena_cam.referee.pictures.evidence import MANIFEST, THUMBNAIL, read_manifest
from arena_cam.rules.entries import corrected_line, enters, is_correction
from arena_cam.store.matches import KeptGame, KeptThrow, LoggedLine, Matches
from arena_cam.store.pictures import Pictures

Json = dict[str, Any]
# What the landings mean in degrees and millimetres (vision contract): drawn beside what was measured.
LIMITS = {"flat_below_deg": 3.0, "diagonal_from_deg": 4.0, "overhang_mm": 4.0}


class Reports:
    """Reads the log of one game at a time and folds it."""

    def __init__(self, matches: Matches, pictures: Pictures) -> None:
        self._matches = matches
        self._pictures = pictures

    def ledger(self, game: str) -> Ledger:
        """The whole record of `game`, played. Raises Refused `unknown`."""
        kept = self._matches.game(game)
        return Ledger.open(kept.header, [line.event for line in self._matches.lines(game)])

    def record(self, game: str) -> str:
        return self.ledger(game).text(self._matches.game(game).header)

    def throws(self, game: str) -> list[ThrowSummary]:
        ledger, lines = self.ledger(game), self._matches.lines(game)
        return [_throw_summary(throw, ledger, lines) for throw in self._matches.throws(game)]

    def throw(self, throw: str) -> ThrowDetail:
        kept = self._matches.throw(throw)
        detail = throw_detail(kept, self.ledger(kept.game), self._matches.lines(kept.game))
        if detail["kept"] and "photo" not in kept.about:
            detail |= measured_of(read_manifest(self._pictures.read(kept.game, kept.id, MANIFEST)))
        return detail

    def line(self, game: str, line: int, current: str | None) -> LineDetail:
        """One line of `game`'s record and what can be corrected in it. Raises Refused `unknown`."""
        ledger, lines = self.ledger(game), self._matches.lines(game)
        logged = next((each for each in lines if each.line == line), None)
        event = ledger.event(line)
        written = _written(logged.event) if logged is not None else None
        if logged is None or written is None:
            raise Refused("unknown", Refusal.NO_EVENT_IN_LINE(line=line))
        detail: Json = {
            "game": game,
            "line": line,
            "at": logged.at,
            "who": logged.who,
            "throw": logged.throw,
            "event": event,
            "written": written,
            "rulings": [ruling_snapshot(r) for r in ledger.result["rulings"] if line in (r["line"], r.get("thrown"))],
            "amendments": _amendments(lines, line),
            "current": game == current and self._matches.game(game).ended is None,
            "may_come": may_come(ledger, line),
        }
        return cast(LineDetail, detail | _part(ledger).line(ledger, line))

    def games(self, current: str | None, most: int = -1, after: int = 0, words: str = "") -> list[GameSummary]:
        games = self._matches.games(most, after, words)
        kept = self._matches.evidence_of([game.id for game in games])
        return [self._summary(game, current, kept.get(game.id, (0, 0))) for game in games]

    def _summary(self, game: KeptGame, current: str | None, evidence: tuple[int, int]) -> GameSummary:
        throws, kept_bytes = evidence
        summary = game.summary
        return {
            "id": game.id,
            "name": game.name,
            "game": game.game,
            "started": game.started,
            "ended": game.ended,
            "over": bool(summary.get("over")),
            "current": game.id == current,
            "players": [player["name"] for player in game.header["players"]],
            "scores": summary.get("scores", {}),
            "winners": summary.get("winners", []),
            "rounds": int(summary.get("rounds", 0)),
            "throws": throws,
            "evidence_bytes": kept_bytes,
        }

    def game(self, game: str, current: str | None) -> GameDetail:
        kept, ledger = self._matches.game(game), self.ledger(game)
        rounds, evidence = points_by_round(ledger), self._matches.evidence_of([game]).get(game, (0, 0))
        detail: Json = {
            "options": ledger.result["options"],
            "colours": {each["name"]: each["colour"] for each in kept.header["players"] if each.get("colour")},
            "state": ledger.state,
            "points_by_round": [points for _, points in rounds],
            "round_ends": [line for line, _ in rounds],
            "statistics": _part(ledger).statistics(ledger),
            "rulings": [ruling_snapshot(r) for r in ledger.result["rulings"]],
            "log": [
                {
                    "line": line.line,
                    "at": line.at,
                    "who": line.who,
                    "event": line.event,
                    "rulings": [ruling_snapshot(r) for r in line.rulings],
                    "throw": line.throw,
                }
                for line in self._matches.lines(game)
            ],
        }
        return cast(GameDetail, {**self._summary(kept, current, evidence), **detail})


def throw_detail(kept: KeptThrow, ledger: Ledger, lines: list[LoggedLine]) -> ThrowDetail:
    """One throw as the record has it; nothing measured yet, see `measured_of`."""
    summary = _throw_summary(kept, ledger, lines)
    line = summary["line"]
    rulings = [r for r in ledger.result["rulings"] if line is not None and line in (r.get("thrown"), r["line"])]
    if line is not None and not any(r.get("thrown") == line for r in rulings):
        rulings += [r for r in ledger.preview if r.get("thrown") == line]
    detail: Json = {
        "pictures": [],
        "judged": None,
        "before_judged": None,
        "reading": None,
        "lie": None,
        "limits": LIMITS,
        "rulings": [ruling_snapshot(r) for r in rulings],
        "amendments": _amendments(lines, line),
        "event": ledger.event(line) if line is not None else None,
        "frame_of_reference": {},
        "photo_reading": kept.about.get("reading"),
        "rules": ledger.record.game.name,
    }
    return cast(ThrowDetail, {**summary, **detail})


def measured_of(manifest: Json) -> ThrowDetail:
    """The part of a ThrowDetail that its manifest holds."""
    frames = [{"name": f["name"], "time_s": f["time_s"]} for f in manifest["frames"]]
    measured = {
        "pictures": frames,
        "judged": manifest["judged"],
        "before_judged": frames[0]["name"] if frames else None,
        "reading": manifest["reading"],
        "lie": manifest["lie"],
        "frame_of_reference": {"image_size": manifest.get("image_size")},
    }
    return cast(ThrowDetail, measured)


def _amendments(lines: list[LoggedLine], line: int | None) -> list[Json]:
    return [{"line": n.line, "at": n.at, "who": n.who, "event": n.event} for n in lines if _amends(n, line)]


def summary_of(ledger: Ledger) -> Json:
    """A game's row in lists; kept beside the game so that a list need not fold every game."""
    result = ledger.result
    return {
        "over": result["over"],
        "scores": result["scores"],
        "winners": result["winners"],
        "rounds": _part(ledger).rounds(ledger),
    }


def asked_of(ledger: Ledger, line: int) -> str | None:
    """The facts of the game that judging a picture of `line` needs."""
    return _part(ledger).asked_of(ledger, line)


def judge_of(ledger: Ledger, line: int, deck: Deck | None) -> Judge:
    """The game's judgement of a reading of the card that `line` is about; none where no deck is known."""
    part, about = _part(ledger), asked_of(ledger, line)
    return lambda reading: part.judge(reading, deck, about) if deck is not None else None


def _part(ledger: Ledger) -> Part:
    return find_part(ledger.record.game.name)


def _rests_on(line: LoggedLine, throw: str) -> bool:
    """Whether a line was written because of that evidence: one throw, or several photographs."""
    if line.event["type"] == "amend":
        return False
    photos = line.event.get("photos")
    return line.throw == throw or (isinstance(photos, dict) and throw in photos.values())


def _amends(line: LoggedLine, number: int | None) -> bool:
    return number is not None and corrected_line(line.event) == number


def _written(event: Json) -> Json | None:
    """The event of a line as it was written; of an amendment the last that it entered, None where it entered none."""
    if not is_correction(event):
        return event
    return dict(enters(event)[-1]) if event["type"] == "amend" and enters(event) else None


def _throw_summary(throw: KeptThrow, ledger: Ledger, lines: list[LoggedLine]) -> ThrowSummary:
    line = next((n.line for n in lines if _rests_on(n, throw.id)), None)
    event = ledger.event(line) if line is not None else {}
    about, part = throw.about, _part(ledger)
    card = event.get("card") or about.get("card")
    told = (*ledger.result["rulings"], *ledger.preview)
    about_it = "line" if "photo" in about else "thrown"
    rulings = [r for r in told if line is not None and r.get(about_it) == line]
    verdict: VerdictPreview | None = preview_of(rulings[-1]) if rulings else None
    return {
        "id": throw.id,
        "game": throw.game,
        "line": line,
        "opens": part.opens(event),
        "round": about.get("round"),
        "at": throw.at,
        "card": card,
        "player": about.get("player") or part.owner(ledger, card),
        "landing": event.get("landing") or about.get("landing"),
        "face": event.get("face") or about.get("face", "up"),
        "sure": bool(about.get("sure", True)),
        "confidence": float(about.get("confidence", 0.0)),
        "verdict": verdict,
        "rule": rulings[-1]["rule"] if rulings else "",
        "corrected": ledger.corrected(line),
        "pinned": throw.pinned,
        "kept": throw.removed is None and throw.bytes > 0,
        "thumbnail": THUMBNAIL if throw.removed is None and throw.bytes > 0 else None,
        "frames": int(about.get("frames", 0)),
        "photo": about.get("photo"),
        "centre_mm": about.get("centre_mm"),
    }
