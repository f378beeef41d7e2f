"""`arena-cam token`: tokens of programs, also while the referee runs."""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from pathlib import Path

from arena_cam.commands.messages import CommandRefusal, Said
from arena_cam.commands.options.data_folder import add_data_option
from arena_cam.commands.options.language import add_lang_option
from arena_cam.domain.errors import CannotDo
from arena_cam.formats.wording import told
from arena_cam.store.backup import DATABASE
from arena_cam.store.database import Database
from arena_cam.store.tokens import SCOPES, Tokens

EXAMPLE = "arena-cam token make lamp --for watch"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    make = actions.add_parser("make", help="make one; it is shown this once")
    make.add_argument("name", metavar="NAME", help="whose token it is")
    make.add_argument(
        "--for",
        dest="scopes",
        action="append",
        choices=SCOPES,
        help="what it opens, once for each: watch (read what a referee may read), referee (rule, correct, begin and "
        "end games), setup (set the table up); watch if nothing is said",
    )
    listed = actions.add_parser("list", help="those in force")
    revoke = actions.add_parser("revoke", help="it opens nothing from now on")
    revoke.add_argument("id", metavar="ID", help="as the list shows it, or a name: all that are called so")
    for each in (make, listed, revoke):
        add_data_option(each)
        add_lang_option(each)


def run(args: argparse.Namespace) -> int:
    file: Path = args.data / DATABASE
    if not file.is_file():
        raise CannotDo(CommandRefusal.NOTHING_RECORDED(), about=args.data)
    with closing(Database(file)) as database:
        tokens = Tokens(database)
        if args.action == "make":
            token, secret = tokens.make(args.name, tuple(args.scopes or ("watch",)))
            said = Said.TOKEN_MADE(name=token.name, scopes=", ".join(token.scopes))
            print(f"{secret}\n{told(said, args.lang)}")
        elif args.action == "revoke":
            for id in [each.id for each in tokens.all() if args.id in (each.id, each.name)] or [args.id]:
                tokens.revoke(id)
            print(told(Said.TOKEN_REVOKED(name=args.id), args.lang))
        else:
            _show(tokens, args.lang)
    return 0


def _show(tokens: Tokens, language: str) -> None:
    found = tokens.all()
    for token in found:
        made, used = Said.MADE(day=_day(token.made)), Said.NEVER_USED()
        if token.used is not None:
            used = Said.USED(day=_day(token.used))
        scopes = ",".join(token.scopes)
        print(f"{token.id}  {token.name:20}  {scopes:22}  {told(made, language)}  {told(used, language)}")
    if not found:
        print(told(Said.NO_TOKENS(), language))


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
