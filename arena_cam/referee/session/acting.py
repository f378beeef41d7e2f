"""What people do: every action that pages offer, kept before it is answered. A session's part above standing.py."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.referee.game import desk, memory
from arena_cam.referee.game.corrections import difference
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Correction, Request, find_part
from arena_cam.referee.keeping.keeper import Besides
from arena_cam.referee.keeping.reports import summary_of
from arena_cam.referee.messages import Refusal
from arena_cam.referee.session.standing import Standing
from arena_cam.rules import USUAL_GAME, all_games
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
            "pin_throw": self._pin_throw,
            "delete_game": lambda a: self._delete_game(str(a.get("game"))),
            "covered_cards_gone": self._covered_cards_gone,
        }
        if action in own:
            return own[action](args)
        if action in ("set_mode", "set_quiet_time"):
            return self._set(action, args)
        match = self._running_match()
        if action == self._part.secret_action:
            return self._choose(match, args)
        request = Request(args, who, self._now_s)
        corrections = {**desk.CORRECTIONS, **self._part.corrections}
        if action in corrections:
            return self._correct(match, corrections[action], request)
        after = self._after(match, action, request)
        answers = {}
        if action == "answer_question":
            answers = {str(args.get("id")): {"choice": args.get("choice"), "card": args.get("card"), "who": who}}
        self._keep(after, {}, Besides(answers=answers))
        return {}

    def _forget_what_was_seen(self) -> None:
        """What was seen and not yet taken in belongs to no game any more."""

    def _running_match(self) -> Match:
        if self._match is None or self._game is None or self._game.ended is not None:
            raise Refused("not_now", Refusal.NO_GAME_ON())
        return self._match

    def _correct(self, match: Match, correction: Correction, request: Request) -> Json:
        events = correction.events(match, request.args, request.who)
        if request.args.get("preview"):
            return difference(match, events)
        after = desk.corrected(match, events, request)
        self._keep(after, {})
        return {"line": match.ledger.next_line, "scores": after.ledger.result["scores"]}

    def _after(self, match: Match, action: str, request: Request) -> Match:
        if action == "answer_question":
            return self._answered(match, request)
        if action in desk.ACTIONS:
            return desk.ACTIONS[action](match, request)
        if action in self._part.actions:
            return self._part.actions[action].do(match, request)
        raise Refused("unknown", f"there is no action {action[:40]!r}")

    def _answered(self, match: Match, request: Request) -> Match:
        wanted = request.args.get("id")
        for question in match.questions:
            if question.id == wanted:
                choice = str(request.args.get("choice"))
                after = self._sense.answer(match, question, choice, self._choices, request.now_s)
                if after is not None:
                    return after
        return desk.answer_question(match, request)

    def _choose(self, match: Match, args: Mapping[str, Any]) -> Json:
        """A choice in secret; once all who must have chosen, it is told."""
        part, player = self._part, args.get("player")
        choice = part.checked_choice(match, player, args.get("choice"))
        choosers = set(part.choosers(match))
        choices = {name: made for name, made in self._choices.items() if name in choosers}
        choices[str(player)] = choice
        if set(choices) == choosers:
            self._keep(part.revealed(match, choices, self._now_s), {}, Besides(clear_choices=True))
            return {"accepted": True, "complete": True}
        self._keep(match, {}, Besides(choices=choices))
        self._choices = choices
        return {"accepted": True, "complete": False}

    def _set(self, action: str, args: Mapping[str, Any]) -> Json:
        """Mode and quiet time outlive a game, and can be set when none is on."""
        if action == "set_mode":
            self._mode = desk.checked_mode(args)
        else:
            self._quiet_s = desk.checked_quiet_s(args)
        self._data.matches.set_settings({"mode": self._mode, "quiet_s": self._quiet_s})
        if self._match is not None:
            self._match = replace(self._match, mode=self._mode, quiet_s=self._quiet_s)
        return {}

    def _start_game(self, args: Mapping[str, Any]) -> Json:
        name = str(args.get("game") or USUAL_GAME)
        header = {"game": name, "version": 1, "players": args.get("players")}
        starters = all_games()[name].starters if name in all_games() else ()
        header |= {key: args[key] for key in ("options", *starters) if args.get(key) is not None}
        ledger = Ledger.open(header)
        self._keep_setup()
        lies = {lie.key: lie for lie in self._lies or ()}
        part = find_part(name)
        match = part.begun(Match(ledger, self._mode, False, self._quiet_s, lies, quiet_since_s=self._now_s))
        at = self._clock()
        game = KeptGame(
            id=f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(at))}-{secrets.token_hex(2)}",
            name=_title(args.get("name"), at),
            game=name,
            header=header,
            started=at,
            ended=None,
            summary=summary_of(ledger),
            memory=memory.to_json(match) | {"setup": self._setup},
        )
        self._data.matches.begin(game, {"current_game": game.id}, self._game.id if self._game is not None else None)
        self._plays(ledger)
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
        opened = self._part.observe(self._match, [])
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
            raise Refused("not_now", Refusal.NOTHING_COVERED())
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
            raise Refused("not_now", Refusal.GAME_IS_ON())
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


def _title(name: Any, at: float) -> str:
    title = " ".join(str(name or "").split())[:80]
    return title if title and title.isprintable() else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
