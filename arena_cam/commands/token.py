"""`arena-cam token`: tokens of programs, also while the referee runs."""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from pathlib import Path

from arena_cam.commands.options.data_folder import add_data_option
from arena_cam.domain.errors import CannotDo
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
    revoke.add_argument("id", metavar="ID", help="as the list shows it")
    for each in (make, listed, revoke):
        add_data_option(each)


def run(args: argparse.Namespace) -> int:
    file: Path = args.data / DATABASE
    if not file.is_file():
        raise CannotDo(f"{args.data}: there is nothing recorded here; start arena-cam referee once, or give --data")
    with closing(Database(file)) as database:
        tokens = Tokens(database)
        if args.action == "make":
            token, secret = tokens.make(args.name, tuple(args.scopes or ("watch",)))
            print(f"{secret}\n{token.name} may {', '.join(token.scopes)}; copy it now, it is kept nowhere")
        elif args.action == "revoke":
            tokens.revoke(args.id)
            print(f"{args.id}: opens nothing from now on")
        else:
            _show(tokens)
    return 0


def _show(tokens: Tokens) -> None:
    found = tokens.all()
    for token in found:
        used = _day(token.used) if token.used is not None else "never"
        print(f"{token.id}  {token.name:20}  {','.join(token.scopes):22}  made {_day(token.made)}  used {used}")
    if not found:
        print("there is no token; make one with arena-cam token make NAME")


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
