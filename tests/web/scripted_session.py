"""A session whose states are written down by the test: what the pages are shown when no camera is wanted."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.errors import BadInput, Refused
from arena_cam.domain.messages import AsRecorded, message_to_json, messages_to_json
from arena_cam.rules.games.arena.messages import ArenaRuling
from arena_cam.store.messages import ArchiveRefusal

CARD_W, CARD_H = 63.0, 88.0
COLOURS = ("red", "blue", "green", "yellow", "violet")
NAMES = ("Anna", "Bernhard", "Christine", "Daniel", "Eyjólfur")


FLAT_INSTEAD = messages_to_json([Doubt.OTHER_LANDING(landing_other="flat", landing="diagonal")])


def corners_mm(x: float, y: float, angle_deg: float, tilt_deg: float = 0.0) -> list[list[float]]:
    """The corners of a card at (x, y), turned by `angle_deg`, its right half raised by `tilt_deg`."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    out = []
    for u, v in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
        a, b = u * CARD_W / 2 * math.cos(math.radians(tilt_deg)), v * CARD_H / 2
        lift = (u + 1) * CARD_W / 2 * math.sin(math.radians(tilt_deg))
        out.append([x + a * c - b * s, y + a * s + b * c, lift])
    return out


def card(name: str, x: float, y: float, angle: float, order: int, **more: Any) -> dict[str, Any]:
    mm = corners_mm(x, y, angle, more.get("tilt_deg", 0.0))
    out: dict[str, Any] = {
        "key": name, "name": name, "card": None if name.startswith("?") else name,
        "face": "down" if name.startswith("?") else "up", "landing": "flat", "confidence": 0.997,
        "landing_probabilities": [["flat", 0.997], ["diagonal", 0.003]], "tilt_deg": 0.4, "tilt_sd_deg": 0.5,
        "angle_deg": angle, "centre_mm": [x, y], "corners_mm": mm,
        "corners_px": [[640 + 2 * a, 360 - 2 * b] for a, b, _ in mm], "rests_on": [], "order": order,
        "visible_fraction": 1.0, "sure": True, "why_unsure": [], "other_names": [], "in_round": True,
        "is_challenge": False, "thrown_by": None, "line": None, "throw": None, "corrected": False, "verdict": None,
    }  # fmt: skip
    return out | more


def ruling(line: int, code: str, card: str | None, player: str | None, **details: Any) -> dict[str, Any]:
    return {
        "line": line, "code": code, "card": card, "player": player, "text": f"{card} {code}.",
        "rule": "EN, The Provocation", "said": said(code, card, player), "details": details,
    }  # fmt: skip


def said(code: str, card: str | None, player: str | None) -> dict[str, Any]:
    """A ruling's message, as the rules make it."""
    words: dict[str, Any] = {
        "winner": player,
        "provocateur": "Anna",
        "card": card,
        "player": player,
        "player_other": "Bernhard",
        "card_duelling": "blue-3",
    }
    return message_to_json(ArenaRuling.of(code)(**words))


def verdict(code: str, card: str, player: str | None) -> dict[str, Any]:
    return {"code": code, "text": f"{card} {code}.", "said": said(code, card, player)}


def raw(code: str) -> dict[str, Any]:
    """A ruling as a preview has it."""
    return {
        "line": 10,
        "code": code,
        "card": "green-10",
        "player": "Christine",
        "thrown": 9,
        "text": f"green-10 {code}.",
        "said": said(code, "green-10", "Christine"),
    }


def game(awaiting: str = "throws", players: int = 4, **more: Any) -> dict[str, Any]:
    people = [
        {
            "name": NAMES[i], "colour": COLOURS[i], "points": (17, 9, 24, 3, 11)[i], "lives": (2, 1, 0, 2, 1)[i],
            "hand": [f"{COLOURS[i]}-{v}" for v in range(1, 11 - (3, 2, 4, 3, 1)[i])], "won": ["violet-7"],
            "is_provocateur": i == 0, "is_opponent": False,
        }
        for i in range(players)
    ]  # fmt: skip
    out: dict[str, Any] = {
        "id": "20260101-193000-7c1e", "name": "Friday evening", "game": "arena", "options": {}, "lines": 9,
        "awaiting": awaiting, "round": 3, "provocateur": "Anna", "challenge": "red-8", "duelling": None,
        "opponent": None, "players": people, "removed": [], "unidentified": [], "rulings": [], "over": False,
        "ended": False, "winners": [], "choices_made": [], "may_choose": {}, "earned": {}, "why_over": None,
        "hint": {"code": "throw_now", "text": "Throw onto red-8.", "params": {"card": "red-8"}},
    }  # fmt: skip
    return out | more


def snapshot(**more: Any) -> dict[str, Any]:
    now = time.time()
    out: dict[str, Any] = {
        "version": 1, "at": now, "mode": "confirm_unsure", "paused": False, "quiet_s": 10.0,
        "eye": {"state": "armed", "since": now - 4, "why": ""},
        "camera": {
            "source": "sim", "connected": True, "why": "", "width": 1280, "height": 720, "fps": 14.9,
            "nominal_fps": 15.0, "frames": 4312, "dropped": 0, "frozen": False, "live": True,
        },
        "arena": {
            "inner_mm": [280, 280], "wall_height_mm": 15, "wall_thickness_mm": 6, "deck": "printed",
            "card_width_mm": CARD_W, "card_height_mm": CARD_H, "card_corner_radius_mm": 3,
            "fiducials_mm": {"0": [-170, 170]}, "fiducial_size_mm": 28,
        },
        "cards": [], "game": None, "countdown": None, "question": None, "questions_waiting": 0,
        "announcement": None, "warnings": [], "legal": ["start_game", "resume_game"],
    }  # fmt: skip
    return out | more


def throws_scene() -> dict[str, Any]:
    """A challenge, a card on it, one that leans, one beside; the countdown runs."""
    return snapshot(
        eye={"state": "decided", "since": time.time() - 1, "why": ""},
        game=game(),
        cards=[
            card("red-8", -8, 12, 14, 0, is_challenge=True, thrown_by="Anna", line=6),
            card("violet-4", 205, -60, 100, 1, landing="beside", line=7, thrown_by="Daniel", throw="t0007",
                 verdict=verdict("beside", "violet-4", "Daniel")),
            card("blue-3", 22, -22, 71, 2, rests_on=["red-8"], line=8, thrown_by="Bernhard", throw="t0008",
                 verdict=verdict("duelling", "blue-3", "Bernhard")),
            card("green-10", -108, -70, -8, 3, landing="diagonal", tilt_deg=13.2, line=9, thrown_by="Christine",
                 throw="t0009", confidence=0.81, sure=False, **FLAT_INSTEAD,
                 verdict=verdict("diagonal", "green-10", "Christine"), other_names=[("green-1", 0.02)]),
        ],
        countdown={"seconds_left": 7.5, "total": 10.0, "running": True},
        legal=["close_challenge", "pause", "undo", "set_mode", "set_quiet_time", "correct_card", "throw_missed",
               "throw_never_happened", "amend", "end_game", "rename_game", "start_game"],
    )  # fmt: skip


def duel_scene() -> dict[str, Any]:
    out = throws_scene()
    out["countdown"] = None
    out["game"] = game(
        "duel", duelling="blue-3", opponent="Bernhard",
        rulings=[ruling(10, "beside", "violet-4", "Daniel", thrown=7),
                 ruling(10, "duelling", "blue-3", "Bernhard", thrown=8),
                 ruling(10, "diagonal", "green-10", "Christine", thrown=9)],
        may_choose={"Anna": ["peace", "conflict"], "Bernhard": ["peace", "conflict"]},
        hint={"code": "duel_blocks", "text": "Peace or conflict?", "params": {"players": ["Anna", "Bernhard"]}},
    )  # fmt: skip
    out["game"]["players"][1]["is_opponent"] = True
    out["legal"] = ["duel", "duel_choice", "undo", "pause", "amend", "end_game", "correct_card"]
    out["announcement"] = {
        "id": 31, "kind": "ruling", "lines": [10], "text": "blue-3 duels.", "at": time.time(),
        "ruling": ruling(10, "duelling", "blue-3", "Bernhard", thrown=8), "was": None, "winners": [],
    }  # fmt: skip
    return out


def question_scene() -> dict[str, Any]:
    out = throws_scene()
    out["countdown"]["running"] = False
    out["question"] = {
        "id": "q7", "code": "landing", "text": "Does green-10 lie flat or does it lean?",
        "params": {"card": "green-10", **FLAT_INSTEAD},
        "card": "green-10", "line": 9, "picture": ["t0009", "judged.png"], "blocking": True, "asked_at": time.time(),
        "cards": [], "choices": [
            {"id": "diagonal", "text": "It leans", "code": "landing_diagonal", "params": {}, "recommended": True,
             "asks_card": False},
            {"id": "flat", "text": "It lies flat", "code": "landing_flat", "params": {}, "recommended": False,
             "asks_card": False},
            {"id": "other", "text": "It is another card", "code": "other_card", "params": {}, "recommended": False,
             "asks_card": True},
        ],
    }  # fmt: skip
    out["legal"].append("answer_question")
    return out


def over_scene() -> dict[str, Any]:
    best = {"player": "Christine", "card": "yellow-9", "points": 17, "round": 3}
    return snapshot(game=game("nothing", over=True, winners=["Christine"], best_throw=best, provocateur=None,
        challenge=None, hint={
        "code": "over", "text": "The game is over.", "params": {}}), legal=["start_game", "amend", "undo"])  # fmt: skip


class ScriptedSubscription:
    def __init__(self, session: ScriptedSession) -> None:
        self._session, self._seen = session, -1

    def next(self, timeout_s: float) -> dict[str, Any] | None:
        with self._session.changed:
            self._session.changed.wait_for(
                lambda: self._session.ended or self._session.state["version"] != self._seen, timeout_s
            )
            state = self._session.state
            if state["version"] == self._seen:
                return None
            self._seen = state["version"]
        return {"id": state["version"], "kind": "state", "data": json.dumps(state)}

    @property
    def closed(self) -> bool:
        return self._session.ended

    def close(self) -> None:
        pass


class ScriptedSession:
    """Keeps the promise of SessionPort as far as a test needs it; `acts` is everything that was asked of it."""

    def __init__(self, state: dict[str, Any] | None = None) -> None:
        self.changed = threading.Condition()
        self.state = state or snapshot()
        self.acts: list[tuple[str, dict[str, Any], str]] = []
        self.choices: dict[str, str] = {}
        self.ended = False

    def show(self, state: dict[str, Any]) -> None:
        with self.changed:
            self.state = state | {"version": self.state["version"] + 1}
            self.changed.notify_all()

    def end(self) -> None:
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def snapshot(self) -> dict[str, Any]:
        return self.state

    def subscribe(self, last_id: int = -1) -> ScriptedSubscription:  # noqa: ARG002
        return ScriptedSubscription(self)

    def latest_jpeg(self, layers: tuple[str, ...] = ()) -> bytes:
        image = np.full((360, 640, 3), (60, 92, 120), np.uint8)
        cv2.rectangle(image, (180, 40), (460, 320), (40, 60, 70), -1)
        for lie in self.state["cards"]:
            points = np.array(lie["corners_px"], np.int32) // 2
            cv2.fillPoly(image, [points], (240, 245, 245))
            if "outlines" in layers:
                cv2.polylines(image, [points], True, (0, 180, 255), 2, cv2.LINE_AA)
        return cv2.imencode(".jpg", image)[1].tobytes()

    def card_picture(self, card: str) -> bytes | None:
        face = np.full((123, 88, 3), 250 if card == "back" else 200, np.uint8)
        return cv2.imencode(".jpg", face)[1].tobytes() if card != "pink-1" else None

    def wait_jpeg(self, after: int, timeout_s: float, layers: tuple[str, ...] = ()) -> tuple[int, bytes] | None:
        time.sleep(min(timeout_s, 1 / 15))  # a picture comes so often
        return after + 1, self.latest_jpeg(layers)

    def asked_for(self, wanted: tuple[str, dict[str, Any]], more_s: float = 0.3) -> list[tuple[str, dict[str, Any]]]:
        """What was asked once `wanted` was, and a moment after: a second tap would come by then."""
        until = time.monotonic() + 30
        while wanted not in [asked[:2] for asked in self.acts] and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(more_s)
        return [asked[:2] for asked in self.acts]

    def legal_actions(self) -> list[str]:
        return list(self.state["legal"])

    def act(self, action: str, args: Mapping[str, Any], who: str) -> dict[str, Any]:
        if action != "duel_choice" and action not in self.state["legal"]:
            raise Refused("not_now", AsRecorded.AS_RECORDED(text=f"{action} cannot be done now."))
        self.acts.append((action, dict(args), who))
        if action == "duel_choice":
            return self._choose(str(args["player"]), str(args["choice"]))
        if action == "amend" and args.get("preview"):
            return {
                "scores_before": {"Anna": 17}, "scores_after": {"Anna": 25}, "rulings_before": [],
                "rulings_after": [], "changed": [{"line": 9, "before": raw("diagonal"), "after": raw("duelling")}],
                "awaiting_after": "duel", "impossible": None,
            }  # fmt: skip
        return {}

    def _choose(self, player: str, choice: str) -> dict[str, Any]:
        self.choices[player] = choice
        state = json.loads(json.dumps(self.state))
        state["game"]["choices_made"] = list(self.choices)
        state["game"]["may_choose"].pop(player, None)
        complete = len(self.choices) == 2
        if complete:
            state["game"]["awaiting"] = "challenge"
            state["game"]["rulings"] = [ruling(11, "both_peace", None, None, cards={}, lost_block=[])]
        self.show(state)
        return {"accepted": True, "complete": complete}

    def take_photo(self, content: bytes, player: str | None, who: str) -> dict[str, Any]:
        self.acts.append(("take_photo", {"bytes": len(content), "player": player}, who))
        return {"photo": "p1", "read": True, "again": False}

    def photograph(self, who: str) -> dict[str, Any]:
        self.acts.append(("photograph", {}, who))
        return {"photo": "p1", "read": True, "again": False}

    def throws(self, game: str | None = None) -> list[dict[str, Any]]:  # noqa: ARG002
        return [self._summary(f"t{n:04d}") for n in (7, 8, 9)]

    def _summary(self, throw: str) -> dict[str, Any]:
        if throw not in ("t0007", "t0008", "t0009"):
            raise Refused("unknown", AsRecorded.AS_RECORDED(text=f"There is no throw {throw!r}."))
        line = int(throw[1:])
        name, who, landing, code = {
            7: ("violet-4", "Daniel", "beside", "beside"),
            8: ("blue-3", "Bernhard", "flat", "duelling"),
            9: ("green-10", "Christine", "diagonal", "diagonal"),
        }[line]
        return {
            "id": throw, "game": "20260101-193000-7c1e", "line": line, "round": 3, "at": time.time() - 60,
            "card": name, "player": who, "landing": landing, "face": "up", "sure": line != 9, "confidence": 0.97,
            "verdict": verdict(code, name, who), "rule": "EN, The Provocation a",
            "opens": False, "corrected": False, "pinned": False, "kept": True, "thumbnail": "thumb.jpg", "frames": 6,
            "photo": None, "centre_mm": None,
        }  # fmt: skip

    def throw(self, throw: str) -> dict[str, Any]:
        out = self._summary(throw)
        mm = corners_mm(-108, -70, -8, 13.2)
        lie = {
            "key": "green-10", "id": "green-10", "face": "up", "landing": "diagonal", "confidence": 0.97,
            "tilt_deg": 13.2, "tilt_sd_deg": 0.7, "corners_px": [[320 + a, 180 - b] for a, b, _ in mm],
            "corners_mm": [list(corner) for corner in mm],
            "rests_on": [], "visible_fraction": 1.0, "landing_probabilities": [["diagonal", 0.97], ["flat", 0.03]],
            "fits": [
                {"name": "leans on the west wall", "landing": "diagonal", "tilt_deg": 13.2, "rms": 4.1,
                 "log_likelihood": -120.0},
                {"name": "flat on the floor", "landing": "flat", "tilt_deg": 0.0, "rms": 9.8, "log_likelihood": -410.0},
            ],
            "other_names": [["green-1", 0.02]], "centre_mm": [-108, -70], "sure": False,
            **messages_to_json([Doubt.FLAT_OR_LEANING(tilt_deg=3.6)]),
        }  # fmt: skip
        under = lie | {"key": "red-8", "id": "red-8", "fits": [],
                       "corners_px": [[350 + a, 160 - b] for a, b, _ in corners_mm(-108, -70, 30)]}  # fmt: skip
        out |= {
            "pictures": [{"name": f"f{n}.jpg", "time_s": n / 15} for n in range(6)], "judged": "judged.png",
            "before_judged": "before.jpg",
            "reading": {"cards": [under, lie], "covers": [["green-10", "red-8"]], "pose": {
                "rvec": [math.pi, 0.0, 0.0], "tvec": [0.0, 0.0, 700.0]}},
            "lie": lie,
            "limits": {"flat_below_deg": 3.0, "diagonal_from_deg": 4.0}, "rules": "arena",
            "rulings": [ruling(10, "diagonal", "green-10", "Christine", thrown=9)], "amendments": [],
            "event": {"type": "throw", "card": out["card"], "landing": out["landing"], "rests_on": []},
            "frame_of_reference": {"image_size": [640, 360], "table": {
                "K": [[700, 0, 320], [0, 700, 180], [0, 0, 1]], "dist": [0, 0, 0, 0, 0],
                "arena": {"inner_mm": [280, 280], "wall_thickness_mm": 6, "wall_height_mm": 15}}},
        }  # fmt: skip
        return out

    def line(self, game: str, line: int) -> dict[str, Any]:
        events: dict[int, dict[str, Any]] = {
                 9: {"type": "throw", "card": "green-10", "landing": "diagonal", "rests_on": ["red-8"]},
                 10: {"type": "close"},
                 11: {"type": "duel", "choices": {"Anna": "peace", "Bernhard": "conflict"}}}  # fmt: skip
        event = events.get(line)
        if game not in {each["id"] for each in self.games()} or event is None:
            raise Refused(
                "unknown", AsRecorded.AS_RECORDED(text=f"line {line} is no event of this game that can be corrected")
            )
        return {
            "game": game, "line": line, "at": time.time(), "who": "camera", "throw": "t0009" if line == 9 else None,
            "event": event, "written": event, "named": ["red-8", "blue-3", "?7"],
            "cards": [f"{c}-{v}" for c in COLOURS[:4] for v in range(1, 11)],
            "duellists": list(event.get("choices", ())), "rulings": [], "amendments": [], "current": True,
        }  # fmt: skip

    def open_export(self, content: bytes) -> str:
        if not content.startswith(b"PK"):
            raise BadInput(ArchiveRefusal.NO_ZIP())
        self.acts.append(("open_export", {"bytes": len(content)}, ""))
        return "0123456789abcdef"

    def opened(self) -> list[dict[str, Any]]:
        return [self._summary("t0009") | {"id": "0123456789abcdef", "game": ""}]

    def opened_throw(self, opened: str) -> dict[str, Any]:
        if opened != "0123456789abcdef":
            raise Refused(
                "unknown", AsRecorded.AS_RECORDED(text=f"no throw is open under {opened[:60]!r}; open its file again")
            )
        return self.throw("t0009") | {"id": opened, "game": ""}

    def opened_picture(self, opened: str, name: str) -> tuple[str, bytes]:
        self.opened_throw(opened)
        return self.throw_picture("t0009", name)

    def judge_opened_again(self, opened: str) -> dict[str, Any]:
        self.opened_throw(opened)
        return self.judge_again("t0009")

    def close_opened(self, opened: str) -> None:
        self.opened_throw(opened)
        self.acts.append(("close_opened", {"opened": opened}, ""))

    def throw_picture(self, throw: str, name: str) -> tuple[str, bytes]:
        self._summary(throw)
        if name not in {"thumb.jpg", "judged.png", "before.jpg", *(f"f{n}.jpg" for n in range(6))}:
            raise Refused("unknown", AsRecorded.AS_RECORDED(text="There is no such picture."))
        return "image/jpeg", self.latest_jpeg()

    def judge_again(self, throw: str) -> dict[str, Any]:
        self._summary(throw)
        return {"reading": {}, "lie": {}, "judgement": {}, "same": False,
                "differences": [{"code": "landing", "card": "green-10", "what": "green-10: landing",
                                 "before": "diagonal", "after": "flat"}]}  # fmt: skip

    def export_throw(self, throw: str) -> bytes:
        self._summary(throw)
        return b"PK\x05\x06" + bytes(18)

    def games(self, most: int = -1, after: int = 0, words: str = "") -> list[dict[str, Any]]:
        games = [self._game("20260101-193000-7c1e", True), self._game("20251224-200000-1111", False)]
        games = [game for game in games if any(words in text for text in (game["name"], *game["players"]))]
        return games[after:] if most < 0 else games[after : after + most]

    def _game(self, game: str, current: bool) -> dict[str, Any]:
        return {
            "id": game, "name": "Friday evening" if current else "Christmas", "game": "arena",
            "started": time.time() - 3600, "ended": None if current else time.time(), "over": not current,
            "current": current, "players": list(NAMES[:4]),
            "scores": {"Anna": 17, "Bernhard": 9, "Christine": 24, "Daniel": 3},
            "winners": [] if current else ["Christine"], "rounds": 3, "throws": 9, "evidence_bytes": 12_000_000,
        }  # fmt: skip

    def kinds_played(self) -> list[str]:
        return ["arena"]

    def people(self, kind: str) -> list[dict[str, Any]]:
        assert kind == "arena"
        return [
            {"name": name, "games": 4, "wins": 4 - place, "points": 24.0 - 5 * place, "rating": 1100 - 40 * place,
             "rating_sd": 40, "last": time.time()}
            for place, name in enumerate(NAMES[:4])
        ]  # fmt: skip

    def person(self, kind: str, name: str) -> dict[str, Any]:
        known = {each["name"]: each for each in self.people(kind)}
        if name not in known:
            raise Refused("unknown", AsRecorded.AS_RECORDED(text="Nobody of that name has played."))
        game = {"game": "20251224-200000-1111", "started": time.time(), "points": 24, "place": 1, "players": 4}
        return known[name] | {
            "kind": kind, "played": [game | {"rating": 1090}, game | {"rating": 1050}],
            "against": [{"name": "Bernhard", "games": 2, "before": 1, "level": 0, "behind": 1}],
            "figures": {"throws": 30.0, "flat": 21.0, "duels": 8.0, "conflicts": 3.0},
            "landings": [{"x_mm": 12.0, "y_mm": -30.5, "landing": "flat", "throw": "t0009"}],
        }  # fmt: skip

    def game(self, game: str) -> dict[str, Any]:
        known = {g["id"]: g for g in self.games()}
        if game not in known:
            raise Refused("unknown", AsRecorded.AS_RECORDED(text="There is no such game."))
        return known[game] | {
            "options": {}, "state": {}, "rulings": [ruling(10, "diagonal", "green-10", "Christine", thrown=9)],
            "points_by_round": [
                {"Anna": 8, "Bernhard": 0, "Christine": 5, "Daniel": 0},
                {"Anna": 8, "Bernhard": 9, "Christine": 13, "Daniel": 3},
                {"Anna": 17, "Bernhard": 9, "Christine": 24, "Daniel": 3},
            ],
            "round_ends": [4, 7, 9],
            "colours": {},
            "statistics": {
                name: {"duels": 3, "conflicts": 1, "throws": 4, "flat": 3, "points_per_duel": 4.5}
                for name in NAMES[:4]
            },
            "log": [
                {"line": 9, "at": time.time(), "who": "camera", "throw": "t0009", "rulings": [],
                 "event": {"type": "throw", "card": "green-10", "landing": "diagonal"}},
            ],
        }  # fmt: skip

    def record(self, game: str) -> str:
        self.game(game)
        return '{"game": "arena", "version": 1, "players": [{"name": "Anna", "colour": "red"}]}\n'

    def delete_game(self, game: str, who: str) -> None:
        if self.game(game)["current"]:
            raise Refused("not_now", AsRecorded.AS_RECORDED(text="The game goes on; end it first."))
        self.acts.append(("delete_game", {"game": game}, who))

    def health(self) -> dict[str, Any]:
        now = time.time()
        return {
            "version": "0.1.0", "uptime_s": 754.0, "eye": self.state["eye"],
            "eye_log": [{"at": now - 9, "state": "settling", "why": ""}, {"at": now - 4, "state": "armed", "why": ""}],
            "camera": self.state["camera"], "focus": 184.2, "light": 121.0, "fiducials": [0, 1, 2, 3],
            "reprojection_px": 0.31, "rest_to_ruling_s": {"last": 0.41, "median": 0.44, "worst": 0.72},
            "frame_ms": {"median": 11.0, "worst": 180.0},
            "disk": {"free_bytes": 41e9, "evidence_bytes": 120e6, "budget_bytes": 4e9, "ok": True, "why": ""},
            "database": {"schema": 1, "bytes": 220000, "ok": True}, "threads": 9, "rss_bytes": 210e6, "viewers": 2,
            "frame_errors": 0, "ok": True,
        }  # fmt: skip
