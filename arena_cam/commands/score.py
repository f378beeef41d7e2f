"""`arena-cam score`: what the rules say of game records."""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import NamedTuple

import msgspec

from arena_cam.commands.options.language import add_lang_option
from arena_cam.domain.errors import BadRecord
from arena_cam.formats.game_record import read_record, score_content, score_record
from arena_cam.formats.wording import told
from arena_cam.rules.messages import RecordRefusal

EXAMPLE = "arena-cam score game.jsonl --explain"

_LONGEST_MESSAGE = 400  # characters; the record format promises fewer than 500
_FILES_AT_A_TIME = 64  # what one process is handed at once: some 20 ms of work
_WORTH_SHARING = 8 * _FILES_AT_A_TIME  # fewer files are scored before other processes have started


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam score`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="game records, one JSON object a line")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line for each record")
    parser.add_argument(
        "--explain", action="store_true", help="print the whole score sheet, every ruling with its line"
    )
    add_lang_option(parser)


def run(args: argparse.Namespace) -> int:
    """Scores each file in turn; 0 if all could be scored, else 2."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a file's name may hold what no terminal can show
    status = 0
    for scored in _scored(args):
        if isinstance(scored, Complaint):
            _complain(scored)
            status = 2
        else:
            print(scored)
    return status


class Complaint(NamedTuple):
    """What is wrong with a file, and on which line."""

    file: str
    line: int
    message: str


def _scored(args: argparse.Namespace) -> Iterator[str | Complaint]:
    """What is to be said of each file, in the order given; thousands of files are shared among all processors."""
    files = args.files
    parts = [files[i : i + _FILES_AT_A_TIME] for i in range(0, len(files), _FILES_AT_A_TIME)]
    with ExitStack() as stack:
        score: Callable[..., Iterable[list[str | Complaint]]] = map
        if len(files) >= _WORTH_SHARING and (os.cpu_count() or 1) > 1:
            # without it the work is done here: some systems cannot share work between processes
            with suppress(OSError, NotImplementedError, ImportError):
                from concurrent.futures import ProcessPoolExecutor  # takes as long to import as forty games to score

                score = stack.enter_context(ProcessPoolExecutor()).map
        for part in score(_score_part, parts, itertools.repeat(args)):
            yield from part


def _score_part(files: Sequence[str], args: argparse.Namespace) -> list[str | Complaint]:
    scored: list[str | Complaint] = []
    gc.disable()  # scoring makes many small objects and no cycles; looking for cycles costs a seventh of the time
    try:
        for file in files:
            try:
                scored.append(score_line(file, args.lang) if args.json else _for_people(file, args.explain, args.lang))
            except BadRecord as error:
                scored.append(Complaint(file, error.line, told(error.said, args.lang)[:_LONGEST_MESSAGE]))
    finally:
        gc.enable()
    return scored


def score_line(file: str, language: str = "en") -> str:
    """The result of the record in `file` as one line of JSON, plain ASCII. Raises BadRecord."""
    result = {"file": file, **score_content(_content(file), language)}
    try:
        line = msgspec.json.format(_QUICK.encode(result), indent=0)
        return line.decode("ascii")
    except UnicodeError:  # a name with other letters, or a file's with bytes that are no letters at all
        return json.dumps(result)


def _content(file: str) -> bytes:
    try:
        with open(file, "rb", buffering=0) as stream:  # noqa: PTH123  # a Path for each of thousands of files takes as long again
            return stream.read()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadRecord(1, RecordRefusal.NO_ACCESS(text=str(reason))) from None


def _for_people(file: str, explain: bool, language: str) -> str:
    import shutil  # what only people need is not waited for otherwise

    from arena_cam.formats.scores.score_sheet import score_sheet, summary

    record = read_record(_content(file))
    if not explain:
        return f"{file}: {summary(score_record(record, language), language)}"
    width = shutil.get_terminal_size().columns
    return f"{file}: {record.game.title}\n{score_sheet(record, language, width)}\n"


def _complain(complaint: Complaint) -> None:
    """One line on stderr, FILE as it was given, whatever bytes its name is made of."""
    sys.stdout.flush()
    message = f":{complaint.line}: {complaint.message}\n"
    sys.stderr.buffer.write(os.fsencode(complaint.file) + message.encode("utf-8", "backslashreplace"))
    sys.stderr.buffer.flush()


_QUICK = msgspec.json.Encoder()  # quicker than json.dumps by far, and says the same where all is ASCII
