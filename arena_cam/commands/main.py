"""The command line: finds the command by name, imports only that one, and turns errors into one line on stderr."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
from pathlib import Path

from arena_cam import __version__
from arena_cam.commands.process.terminal import coloured
from arena_cam.domain.errors import ArenaCamError, BadInput, CannotDo

# name -> one line of help; the module of the same name (with - as _) in this folder has add_arguments(parser) and
# run(args) -> exit status, and EXAMPLE, a line that works.
COMMANDS = {
    "judge": "judge pictures one by one: which cards lie how, and which one duels",
    "watch": "watch frames in time and print a game record as it happens",
    "score": "score game records",
    "random-game": "make up a random legal game record",
    "referee": "watch, rule, keep, and serve the pages",
    "replay": "judge a saved throw again",
    "calibrate": "find a camera's intrinsics from pictures of a board, and the table",
    "check": "look at the table before a game and say what to change",
    "deck": "print a deck, or learn the one you own",
    "token": "make, list and revoke tokens of programs",
    "backup": "write everything recorded into one file",
    "restore": "bring a backup back",
}


HAVE_ACTIONS = (["deck"], ["token"])
_TAKES_NO_MORE = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO))
GAMES = "ARENA_CAM_GAMES"  # folders with games of somebody else, separated as in PATH


def main(argv: list[str] | None = None) -> int:
    """Runs one command; returns the exit status: 0 done, 1 could not, 2 asked wrongly or bad input."""
    argv = sys.argv[1:] if argv is None else argv
    if sys.stdout is None:  # closed by who started us: nobody wants what we write
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    # Products of matrices of a few columns: threads that wait for each other burn more than they save. Must be said
    # before numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What these libraries think of a torn picture or an absent camera is said by us, in one line; and a header that
    # promises more pixels than this is refused before memory is asked for.
    for variable, value in (
        ("OPENCV_LOG_LEVEL", "OFF"),
        ("OPENCV_FFMPEG_LOGLEVEL", "-8"),
        ("OPENCV_IO_MAX_IMAGE_PIXELS", "100000000"),
    ):
        os.environ.setdefault(variable, value)
    if os.environ.get(GAMES):
        try:
            importlib.import_module("arena_cam.commands.options.games_folder").add_games_of(os.environ[GAMES])
        except BadInput as error:
            print(f"arena-cam: {GAMES}: {error}", file=sys.stderr)
            return 2
    return _run(command_parser(argv).parse_args(_or_help(argv)))


def _or_help(argv: list[str]) -> list[str]:
    """What was typed; where nothing is said of what is to be done, the help that says what there is."""
    return [*argv, "--help"] if not argv or argv in HAVE_ACTIONS else argv


def command_parser(argv: list[str]) -> argparse.ArgumentParser:
    """The parser of all commands; only the one that is asked for is imported."""
    parser = argparse.ArgumentParser(prog="arena-cam", description="A camera referee for card games that are thrown.")
    parser.add_argument("--version", action="version", version=f"arena-cam {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".", add_help=True)
        if argv and argv[0] == name:
            module = importlib.import_module(f"arena_cam.commands.{name.replace('-', '_')}")
            command.epilog = f"example: {module.EXAMPLE}"
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def _run(args: argparse.Namespace) -> int:
    """Runs a command; its errors become one line each."""
    try:
        status = int(args.run(args))
        sys.stdout.flush()  # what is not taken is said below, and not by the interpreter as it ends
        return status
    except BadInput as error:
        return _complain(args, error, 2)
    except ArenaCamError as error:
        return _complain(args, error, 1)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output went away: nothing is wrong
        _write_no_more()
        return 0
    except OSError as error:  # the system's refusal of a file or a folder that was named
        if error.filename is None:
            if error.errno not in _TAKES_NO_MORE:
                raise
            return _not_taken(args, error)
        what = f"{error.filename}: cannot be used ({error.strerror}); check the name, its permissions and the disk"
        print(f"{_signed(args)}: {what}", file=sys.stderr)
        return 2


def _not_taken(args: argparse.Namespace, error: OSError) -> int:
    """Says that what is written, as a rule our output, is not taken: the disk is full, or fails."""
    from arena_cam.commands.messages import CommandRefusal

    _write_no_more()
    return _complain(args, CannotDo(CommandRefusal.OUTPUT_NOT_TAKEN(text=error.strerror)), 1)


def _write_no_more() -> None:
    """What is left of our output goes nowhere, so that the interpreter does not stumble over it as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(args: argparse.Namespace, error: ArenaCamError, status: int) -> int:
    """Says the error in one line, in the language that was asked for; the exit status."""
    text = str(error)
    if getattr(args, "lang", "en") != "en":
        text = importlib.import_module("arena_cam.commands.options.language").error_told(error, args.lang)
    print(f"{_signed(args)}: {text}", file=sys.stderr)
    return status


def _signed(args: argparse.Namespace) -> str:
    """What an error is signed with: the command as it was typed, in red on a terminal."""
    words = ("arena-cam", args.command, getattr(args, "action", None))
    return coloured(" ".join(word for word in words if word), "bad", sys.stderr)
