"""People's actions: all that pages offer, each kept before it is answered."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import Refused
from arena_cam.referee.game import desk, memory
from arena_cam.referee.game.corrections import difference
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Correction, Request, find_part
from arena_cam.referee.keeping.keeper import Besides
from arena_cam.referee.keeping.reports import summary_of
from arena_cam.referee.messages import Refusal
from arena_cam.referee.session.player_names import refuse_names_alike
from arena_cam.referee.session.standing import Standing
from arena_cam.rules import USUAL_GAME, all_games
from arena_cam.store.matches import KeptGame

Json = dict[str, Any]
log = logging.getLogger(__name__)


class Actions:
    """Every action of pages. `forget` drops observations that wait to be handled when their game is over."""

    def __init__(self, standing: Standing, forget: Callable[[], None]) -> None:
        self._standing, self._forget_what_was_seen = standing, forget

    def act(self, action: str, args: Mapping[str, Any], who: str) -> Json:
        try:
            with self._standing.step:
                try:
                    answer = self._act(action, args, who[:60])
                except Refused as refusal:
                    if refusal.code == "disk_full":
                        self._standing.trouble("disk_full", refusal.said)
                    raise
                self._standing.changed()
        finally:
            self._standing.tell()
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
        if action == self._standing.part.secret_action:
            return self._choose(match, args)
        request = Request(args, who, self._standing.now_s, self._standing.choices)
        corrections = {**desk.CORRECTIONS, **self._standing.part.corrections}
        if action in corrections:
            return self._correct(match, corrections[action], request)
        after = self._after(match, action, request)
        answers = {}
        if action == "answer_question":
            answers = {str(args.get("id")): {"choice": args.get("choice"), "card": args.get("card"), "who": who}}
        self._standing.keep(after, {}, Besides(answers=answers))
        return {}

    def _running_match(self) -> Match:
        if self._standing.match is None or self._standing.game is None or self._standing.game.ended is not None:
            raise Refused("not_now", Refusal.NO_GAME_ON())
        return self._standing.match

    def _correct(self, match: Match, correction: Correction, request: Request) -> Json:
        events = correction.events(match, request.args, request.who)
        if request.args.get("preview"):
            return difference(match, events)
        after = desk.corrected(match, events, request)
        self._standing.keep(after, {})
        return {"line": match.ledger.next_line, "scores": after.ledger.result["scores"]}

    def _after(self, match: Match, action: str, request: Request) -> Match:
        if action == "answer_question":
            return self._answered(match, request)
        if action in desk.ACTIONS:
            return desk.ACTIONS[action](match, request)
        if action in self._standing.part.actions:
            return self._standing.part.actions[action].do(match, request)
        raise Refused("unknown", Refusal.NO_ACTION())

    def _answered(self, match: Match, request: Request) -> Match:
        wanted = request.args.get("id")
        for question in match.questions:
            if question.id == wanted:
                choice = str(request.args.get("choice"))
                after = self._standing.sense.answer(match, question, choice, self._standing.choices, request.now_s)
                if after is not None:
                    return after
        return desk.answer_question(match, request)

    def _choose(self, match: Match, args: Mapping[str, Any]) -> Json:
        """A choice in secret; once all who must have chosen, it is told."""
        part, player = self._standing.part, args.get("player")
        choice = part.checked_choice(match, player, args.get("choice"))
        choosers = set(part.choosers(match))
        choices = {name: made for name, made in self._standing.choices.items() if name in choosers}
        choices[str(player)] = choice
        if set(choices) == choosers:
            self._standing.keep(part.revealed(match, choices, self._standing.now_s), {}, Besides(clear_choices=True))
            return {"accepted": True, "complete": True}
        self._standing.keep(replace(match, chosen=tuple(sorted(choices))), {}, Besides(choices=choices))
        self._standing.choices = choices
        return {"accepted": True, "complete": False}

    def _set(self, action: str, args: Mapping[str, Any]) -> Json:
        """Mode and quiet time outlive a game, and can be set when none is on."""
        if action == "set_mode":
            self._standing.mode = desk.checked_mode(args)
        else:
            self._standing.quiet_s = desk.checked_quiet_s(args)
        self._standing.data.matches.set_settings({"mode": self._standing.mode, "quiet_s": self._standing.quiet_s})
        if self._standing.match is not None:
            self._standing.match = replace(
                self._standing.match, mode=self._standing.mode, quiet_s=self._standing.quiet_s
            )
        return {}

    def _start_game(self, args: Mapping[str, Any]) -> Json:
        name = str(args.get("game") or USUAL_GAME)
        refuse_names_alike(args.get("players"))
        header = {"game": name, "version": 1, "players": args.get("players")}
        starters = all_games()[name].starters if name in all_games() else ()
        header |= {key: args[key] for key in ("options", *starters) if args.get(key) is not None}
        header = {**self._standing.eye.headers.get(name, {}), **header}
        ledger = Ledger.open(header)
        self._standing.keep_setup()
        lies = {lie.key: lie for lie in self._standing.lies or ()}
        part = find_part(name)
        match = part.begun(
            Match(ledger, self._standing.mode, False, self._standing.quiet_s, lies, quiet_since_s=self._standing.now_s)
        )
        at = self._standing.clock()
        game = KeptGame(
            id=_free_name(self._standing.data.matches.is_free, at),
            name=_title(args.get("name"), at),
            game=name,
            header=header,
            started=at,
            ended=None,
            summary=summary_of(ledger),
            memory=memory.to_json(match) | {"setup": self._standing.setup},
        )
        self._standing.data.matches.begin(
            game, {"current_game": game.id}, self._standing.game.id if self._standing.game is not None else None
        )
        self._standing.plays(ledger)
        self._standing.game, self._standing.match, self._standing.choices = game, match, {}
        self._forget_what_was_seen()
        self._catch_up_at_start()
        return {"game": game.id}

    def _catch_up_at_start(self) -> None:
        assert self._standing.match is not None
        opened = self._standing.part.observe(self._standing.match, [])
        if opened.unsaved or opened.questions:
            self._standing.keep(opened, {})

    def _resume_game(self, args: Mapping[str, Any]) -> Json:
        game = self._standing.data.matches.game(str(args.get("game")))
        if self._standing.game is not None and self._standing.game.ended is None and game.id != self._standing.game.id:
            self._end_game({})
        self._standing.data.matches.reopen(game.id, {"current_game": game.id})
        self._standing.open_game(replace(game, ended=None))
        if self._standing.match is not None and self._standing.lies is not None:
            table = {lie.key: lie for lie in self._standing.lies}
            self._standing.match = replace(
                self._standing.match, table=table, stale=frozenset(table) - set(self._standing.match.lines)
            )
        return {"game": game.id}

    def _rename_game(self, args: Mapping[str, Any]) -> Json:
        game, name = str(args.get("game")), _title(args.get("name"), self._standing.clock())
        self._standing.data.matches.rename(game, name)
        if self._standing.game is not None and self._standing.game.id == game:
            self._standing.game = replace(self._standing.game, name=name)
        return {"game": game}

    def _end_game(self, _args: Mapping[str, Any]) -> Json:
        match = self._running_match()
        assert self._standing.game is not None
        at = self._standing.clock()
        self._standing.keeper.end(self._standing.game.id, match, at)
        self._standing.game = replace(self._standing.game, ended=at)
        self._standing.choices = {}
        return {"game": self._standing.game.id}

    def _covered_cards_gone(self, _args: Mapping[str, Any]) -> Json:
        """The eye reports covered cards as gone with its next picture, as it does cards that were taken away."""
        covered = [lie.card for lie in self._standing.watcher.covered]
        if not covered:
            raise Refused("not_now", Refusal.NOTHING_COVERED())
        self._standing.watcher.give_up_covered()
        return {"cards": covered}

    def _pin_throw(self, args: Mapping[str, Any]) -> Json:
        self._standing.data.matches.pin(str(args.get("throw")), bool(args.get("pinned", True)))
        return {}

    def delete_game(self, game: str, who: str) -> None:
        self.act("delete_game", {"game": game}, who)
        log.info("%s deleted the game %s", who, game)

    def _delete_game(self, game: str) -> Json:
        current = self._standing.game is not None and self._standing.game.id == game
        if current and self._standing.game is not None and self._standing.game.ended is None:
            raise Refused("not_now", Refusal.GAME_IS_ON())
        self._standing.data.matches.delete(game)
        self._standing.data.pictures.remove_game(game)
        if current:
            self._standing.game, self._standing.match = None, None
        return {}


# Arguments that are text in every action. Each action checks what the text may be.
WORDS = ("card", "choice", "face", "first", "game", "id", "key", "landing", "mode", "name", "player", "reason", "throw")
LONGEST_WORD = 400


def _check_words(args: Mapping[str, Any]) -> None:
    for key in WORDS:
        if args.get(key) is not None and not _is_word(args[key]):
            raise Refused("bad_argument", ArgumentRefusal.SHORT_TEXT(name=key, most=LONGEST_WORD))


def _is_word(value: Any) -> bool:
    """A short text that UTF-8 can hold: half of a surrogate pair, which JSON lets through, is refused."""
    return isinstance(value, str) and len(value) <= LONGEST_WORD and not any("\ud800" <= c <= "\udfff" for c in value)


def _free_name(is_free: Callable[[str], bool], at: float) -> str:
    """A game's id: the second in which it starts, in UTC, and digits by chance; drawn again where a game has it."""
    while True:
        name = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(at))}-{secrets.token_hex(2)}"
        if is_free(name):
            return name


def _title(name: Any, at: float) -> str:
    title = " ".join(str(name or "").split())[:80]
    return title if title and title.isprintable() else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
