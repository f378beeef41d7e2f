"""What people do: every action that pages offer, kept before it is answered. A session's part above standing.py."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.referee.game import memory, snapshots
from arena_cam.referee.game.corrections import difference
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match, in_arena
from arena_cam.referee.games.arena import block_duel, desk
from arena_cam.referee.games.arena.seeing import observe
from arena_cam.referee.keeping.reports import summary_of
from arena_cam.referee.session.standing import Standing
from arena_cam.store.matches import KeptGame

Json = dict[str, Any]
log = logging.getLogger(__name__)


class Acting(Standing):
    """The doing half of interface.SessionPort."""

    def act(self, action: str, args: Mapping[str, Any], who: str) -> Json:
        with self._step:
            answer = self._act(action, args, who[:60])
            self._changed()
        self._tell()
        return answer

    def _act(self, action: str, args: Mapping[str, Any], who: str) -> Json:
        _check_words(args)
        own: dict[str, Callable[[Mapping[str, Any]], Json]] = {
            "start_game": self._start_game,
            "resume_game": self._resume_game,
            "rename_game": self._rename_game,
            "end_game": self._end_game,
            "duel_choice": self._duel_choice,
            "pin_throw": self._pin_throw,
            "delete_game": lambda a: self._delete_game(str(a.get("game"))),
            "covered_cards_gone": self._covered_cards_gone,
        }
        if action in own:
            return own[action](args)
        if action in ("set_mode", "set_quiet_time"):
            return self._set(action, args)
        match = self._running_match()
        request = desk.Request(args, who, self._now_s)
        if action in desk.CORRECTIONS:
            return self._correct(match, action, request)
        if action not in desk.ACTIONS:
            raise Refused("unknown", f"there is no action {action[:40]!r}")
        after = self._answered(match, request) if action == "answer_question" else desk.ACTIONS[action](match, request)
        answers = {}
        if action == "answer_question":
            answers = {str(args.get("id")): {"choice": args.get("choice"), "card": args.get("card"), "who": who}}
        self._keep(after, {}, answers=answers)
        return {}

    def _forget_what_was_seen(self) -> None:
        """What was seen and not yet taken in belongs to no game any more."""

    def _running_match(self) -> Match:
        if self._match is None or self._game is None or self._game.ended is not None:
            raise Refused("not_now", "no game is on; start one first")
        return self._match

    def _correct(self, match: Match, action: str, request: desk.Request) -> Json:
        events = desk.CORRECTIONS[action](match, request.args, request.who)
        if request.args.get("preview"):
            return difference(match, events)
        after = desk.corrected(match, events, request)
        self._keep(after, {})
        return {"line": match.ledger.next_line, "scores": after.ledger.result["scores"]}

    def _answered(self, match: Match, request: desk.Request) -> Match:
        wanted = request.args.get("id")
        question = next((q for q in match.questions if q.id == wanted and q.kind in block_duel.KINDS), None)
        if question is None:
            return desk.answer_question(match, request)
        choice = str(request.args.get("choice"))
        if choice not in block_duel.offered(match, question):
            raise Refused("bad_argument", f"{choice[:40]!r} is no answer to this question")
        return self._block_duel.answer(match, question, choice, self._choices, request.now_s)

    def _duel_choice(self, args: Mapping[str, Any]) -> Json:
        match = self._running_match()
        player = args.get("player")
        choice = desk.checked_choice(match, player, args.get("choice"))
        choices = {name: made for name, made in self._choices.items() if name in snapshots.duellists(match)}
        choices[str(player)] = choice
        if set(choices) == set(snapshots.duellists(match)):
            self._keep(desk.duel_from(match, choices, self._now_s), {}, clear_choices=True)
            return {"accepted": True, "complete": True}
        self._keep(match, {}, choices=choices)
        self._choices = choices
        return {"accepted": True, "complete": False}

    def _set(self, action: str, args: Mapping[str, Any]) -> Json:
        """Mode and quiet time outlive a game, and can be set when none is on."""
        blank = self._match if self._match is not None else _BLANK
        after = desk.ACTIONS[action](blank, desk.Request(args, "", self._now_s))
        self._data.matches.set_settings({"mode": after.mode, "quiet_s": after.quiet_s})
        self._mode, self._quiet_s = after.mode, after.quiet_s
        if self._match is not None:
            self._match = after
        return {}

    def _start_game(self, args: Mapping[str, Any]) -> Json:
        header = {"game": "arena", "version": 1, "players": args.get("players")}
        header |= {key: args[key] for key in ("options", "first") if args.get(key) is not None}
        ledger = Ledger.open(header)
        self._keep_setup()
        lies = {lie.key: lie for lie in self._lies or ()}
        match = Match(ledger, self._mode, False, self._quiet_s, lies, quiet_since_s=self._now_s)
        if len(in_arena(match)) > 1:
            match = replace(match, stale=frozenset(lies))  # nobody can say which of them was laid first
        at = self._clock()
        game = KeptGame(
            id=f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(at))}-{secrets.token_hex(2)}",
            name=_title(args.get("name"), at),
            game="arena",
            header=header,
            started=at,
            ended=None,
            summary=summary_of(ledger),
            memory=memory.to_json(match) | {"setup": self._setup},
        )
        self._data.matches.begin(game, {"current_game": game.id}, self._game.id if self._game is not None else None)
        self._game, self._match, self._choices = game, match, {}
        self._forget_what_was_seen()
        self._catch_up_at_start()
        return {"game": game.id}

    def _keep_setup(self) -> None:
        """Keeps the table and the deck with the games. A game without them can be played, but not judged elsewhere."""
        if self._eye.setup:
            try:
                self._data.setups.keep_setup(self._setup, self._eye.setup)
            except (Refused, CannotDo) as error:
                log.warning("the table and the deck are not kept: %s", error)

    def _catch_up_at_start(self) -> None:
        assert self._match is not None
        opened = observe(self._match, [])
        if opened.unsaved or opened.questions:
            self._keep(opened, {})

    def _resume_game(self, args: Mapping[str, Any]) -> Json:
        game = self._data.matches.game(str(args.get("game")))
        if self._game is not None and self._game.ended is None and game.id != self._game.id:
            self._end_game({})
        self._data.matches.reopen(game.id, {"current_game": game.id})
        self._open_game(replace(game, ended=None))
        if self._match is not None and self._lies is not None:
            table = {lie.key: lie for lie in self._lies}
            self._match = replace(self._match, table=table, stale=frozenset(table) - set(self._match.lines))
        return {"game": game.id}

    def _rename_game(self, args: Mapping[str, Any]) -> Json:
        game, name = str(args.get("game")), _title(args.get("name"), self._clock())
        self._data.matches.rename(game, name)
        if self._game is not None and self._game.id == game:
            self._game = replace(self._game, name=name)
        return {"game": game}

    def _end_game(self, _args: Mapping[str, Any]) -> Json:
        match = self._running_match()
        assert self._game is not None
        at = self._clock()
        self._keeper.end(self._game.id, match, at)
        self._game = replace(self._game, ended=at)
        self._choices = {}
        return {"game": self._game.id}

    def _covered_cards_gone(self, _args: Mapping[str, Any]) -> Json:
        """The eye says so with its next picture, as of cards that it saw taken away."""
        covered = [lie.card for lie in self._watcher.covered]
        if not covered:
            raise Refused("not_now", "nothing covers a card: what lies on the table is seen")
        self._watcher.give_up_covered()
        return {"cards": covered}

    def _pin_throw(self, args: Mapping[str, Any]) -> Json:
        self._data.matches.pin(str(args.get("throw")), bool(args.get("pinned", True)))
        return {}

    def delete_game(self, game: str, who: str) -> None:
        log.info("%s deletes the game %s", who, game)
        self.act("delete_game", {"game": game}, who)

    def _delete_game(self, game: str) -> Json:
        current = self._game is not None and self._game.id == game
        if current and self._game is not None and self._game.ended is None:
            raise Refused("not_now", "this game is on; end it before deleting it")
        self._data.matches.delete(game)
        self._data.pictures.remove_game(game)
        if current:
            self._game, self._match = None, None
        return {}


# Arguments that are words wherever they stand; what they may say is for each action to check.
WORDS = ("card", "choice", "face", "first", "game", "id", "key", "landing", "mode", "name", "player", "reason", "throw")
LONGEST_WORD = 400


def _check_words(args: Mapping[str, Any]) -> None:
    for key in WORDS:
        if args.get(key) is not None and not _is_word(args[key]):
            raise Refused("bad_argument", f"{key} must be a text of at most {LONGEST_WORD} characters")


def _is_word(value: Any) -> bool:
    """A short text that can be written down: no lone half of a surrogate pair, which JSON lets through."""
    return isinstance(value, str) and len(value) <= LONGEST_WORD and not any("\ud800" <= c <= "\udfff" for c in value)


_BLANK = Match(
    Ledger.open(
        {
            "game": "arena",
            "version": 1,
            "players": [{"name": c, "colour": c} for c in ("red", "blue", "green")],
        }
    )
)


def _title(name: Any, at: float) -> str:
    title = " ".join(str(name or "").split())[:80]
    return title if title and title.isprintable() else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
