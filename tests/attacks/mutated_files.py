"""Files of every kind that the program reads, damaged: each is read, or refused in one line, within seconds.

What is damaged is made here; a damage is a few flipped bytes, a cut, a doubled part, an extreme number, another key.
Most files go through the reader that all commands use; another error than `ArenaCamError` would be a traceback.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import random
import re
import signal
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import cv2
import numpy as np
from PIL import Image

from arena_cam.camera.decoding import decode_picture
from arena_cam.commands.main import main
from arena_cam.domain.errors import ArenaCamError, BadInput
from arena_cam.domain.messages import AsRecorded
from arena_cam.formats.board_json import Charuco, board_to_json, read_board
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.dilemmas.dilemma_set_toml import read_dilemma_set
from arena_cam.formats.table_json import read_camera, read_table, table_to_json
from arena_cam.printing.hexes.set_folder import set_toml
from arena_cam.printing.hexes.style import Style
from arena_cam.referee.keeping.opened import OpenedThrows
from arena_cam.referee.keeping.people import People
from arena_cam.referee.keeping.reports import Reports
from arena_cam.referee.keeping.seen_with import TABLE as TABLE_FILE
from arena_cam.referee.keeping.seen_with import deck_seen_with, table_seen_with, unpack_setup
from arena_cam.referee.pictures.evidence import read_throw
from arena_cam.referee.session.session import Session
from arena_cam.store.backup import backup, restore
from arena_cam.store.data_folder import DataFolder
from arena_cam.vision.printed.pictures import read_image
from attacks.api_calls import evening
from attacks.evenings import evening_of
from referee.builders import TABLE

RECORDS = sorted((Path(__file__).parents[1] / "fixtures" / "records").glob("*.jsonl"))
HANGS_AFTER_S = 10
EXTREMES = ("0", "-1", "1e308", "9" * 40, "-0.0", "1e-320", "null", "NaN", "[]", "{}", '"x"', "true", "4294967296")
PICTURES = (
    ("RGB", "PNG"), ("RGBA", "PNG"), ("LA", "PNG"), ("P", "PNG"), ("1", "PNG"), ("I;16", "PNG"), ("P", "GIF"),
    ("RGB", "TIFF"), ("F", "TIFF"), ("I;16", "TIFF"), ("CMYK", "TIFF"), ("RGB", "BMP"), ("RGB", "WEBP"),
    ("RGB", "JPEG"), ("CMYK", "JPEG"), ("L", "JPEG"), ("RGB", "PPM"), ("L", "PPM"),
)  # fmt: skip

DECODED = (".png", ".jpg", ".bin")  # pictures in archives: damaged ones of their own are decoded, these would be most

Original = tuple[str, bytes]
Use = Callable[[Path, bytes, random.Random], None]
Damage = Callable[[bytes, random.Random], bytes]


@dataclass
class Outcome:
    """How many files of each kind were tried, how many of them could be read, and the faults found."""

    tried: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    slowest_s: float = 0.0


@dataclass(frozen=True)
class Kind:
    """Files of one kind: whole ones, and what reads one out of a folder of its own."""

    name: str
    originals: list[Original]
    use: Use
    damage: Damage


class Hangs(Exception):
    """It took longer than anybody waits."""


def damage(data: bytes, chance: random.Random) -> bytes:
    """`data` with one to six damages, most of them small."""
    if data and chance.random() < 0.02:  # nested deeper than any reader may follow
        return data[: chance.randrange(len(data))] + chance.choice((b"[", b'{"a":')) * 60_000
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        if not out:
            break
        at, length = chance.randrange(len(out)), 1 << chance.randrange(10)
        match chance.randrange(7):
            case 0 | 1:
                out[at] ^= 1 << chance.randrange(8)
            case 2:
                out[at] = chance.choice((0, 255, 127, 128, 34, 44, 91, 123, 10))
            case 3 if chance.random() < 0.3:
                del out[at:]
            case 4:
                out[at:at] = out[at : at + length]
            case 5:
                del out[at : at + length]
            case _:
                out = _number_changed(out, chance)
    return bytes(out)


def damage_inside(archive: bytes, chance: random.Random) -> bytes:
    """A whole archive, one member of which is damaged: past the checksums that find most other damage."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        members = old.infolist()
        hurt = chance.choice([each for each in members if each.file_size and not each.filename.endswith(DECODED)])
        for member in members:
            content = old.read(member)
            new.writestr(member, damage(content, chance) if member is hurt else content)
    return out.getvalue()


def _number_changed(data: bytearray, chance: random.Random) -> bytearray:
    """Of a text one number is made extreme; of anything else a few bytes in a row, as a header's field."""
    numbers = [found.span() for found in re.finditer(rb"-?\d+(?:\.\d+)?", data[:20_000])]
    if not numbers or b"\0" in data[:400]:
        at = chance.randrange(min(len(data), 200))
        data[at : at + 4] = chance.choice((b"\xff" * 4, bytes(4), b"\x7f" + b"\xff" * 3, b"\0\0\xff\xff"))
        return data
    start, end = chance.choice(numbers)
    return data[:start] + bytearray(chance.choice(EXTREMES), "ascii") + data[end:]


def try_out(kinds: list[Kind], files: int, number: int, scratch: Path) -> Outcome:
    """Damages and reads so many files, the kinds in turn."""
    outcome, chance = Outcome(), random.Random(number)
    for count in range(files):
        kind = kinds[count % len(kinds)]
        name, whole = chance.choice(kind.originals)
        data = kind.damage(whole, chance)
        folder = scratch / f"{kind.name}-{count % 50}"
        folder.mkdir(exist_ok=True)
        outcome.tried[kind.name] += 1
        began = time.monotonic()
        try:
            with _limit(HANGS_AFTER_S):
                kind.use(folder / name, data, chance)
            outcome.read[kind.name] += 1
        except ArenaCamError as error:
            if "\n" in str(error).strip() or not str(error):
                outcome.faults[f"{kind.name}: not said in one line: {str(error)[:200]!r}"] += 1
        except BaseException as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            told = (
                f"{kind.name}: {type(error).__name__} at {Path(where.filename).name}:{where.lineno}: {str(error)[:120]}"
            )
            outcome.faults[told] += 1
        outcome.slowest_s = max(outcome.slowest_s, time.monotonic() - began)
    return outcome


@contextlib.contextmanager
def _limit(seconds: int) -> Iterator[None]:
    def late(*_: Any) -> None:
        raise Hangs(f"takes longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def all_kinds(folder: Path) -> list[Kind]:
    """Every kind of file that comes from outside."""
    deck = _deck(folder / "deck")
    table = json.dumps(table_to_json(TABLE)).encode()
    setup = {f"deck/{file.name}": file.read_bytes() for file in sorted(deck.iterdir())}
    exported, backed_up = _archives(folder, setup | {"table.json": table})
    database, photograph = _evenings(folder)
    board = json.dumps(board_to_json(Charuco((8, 6), 30.0, 22.0, "DICT_5X5_50"))).encode()
    tiles = set_toml(Style(colours=("red", "blue"))).encode()
    records = [("game.jsonl", file.read_bytes()) for file in RECORDS]
    pictures = [(f"{mode.replace(';', '')}.{kind}", _picture(mode, kind)) for mode, kind in PICTURES]
    archives = [("throw.zip", exported), ("photograph.zip", photograph)]
    opened, count = ((folder / "data" / name).read_bytes() for name in ("arena-cam.db", "arena-cam.acknowledged"))
    return [
        Kind("record", records, _score, damage),
        Kind("picture", pictures, _decode, damage),
        Kind("set's picture", [each for each in pictures if not each[0].startswith("F.")], _read_image, damage),
        Kind("export", [("throw.zip", exported)], _open_throw, damage),
        Kind("export inside", archives, _open_throw, damage_inside),
        Kind("backup", [("backup.zip", backed_up)], _restore, damage),
        Kind("backup inside", [("backup.zip", backed_up)], _restore, damage_inside),
        Kind("database", [("arena-cam.db", opened), ("arena-cam.db", database)], _look_back, damage),
        Kind("count", [("arena-cam.acknowledged", count)], _counted(opened), damage),
        Kind("table", [("table.json", table)], _written(read_table), damage),
        Kind("camera", [("camera.json", table)], _written(read_camera), damage),
        Kind("board", [("board.json", board)], _written(read_board), damage),
        Kind("deck", [("deck.toml", (deck / "deck.toml").read_bytes())], _in_folder(read_deck), damage),
        Kind("tiles", [("deck.toml", tiles)], _in_folder(read_tile_set), damage),
        Kind("dilemmas", [("deck.toml", _DILEMMAS)], _in_folder(read_dilemma_set), damage),
    ]


def whole_ones(kinds: list[Kind], scratch: Path) -> None:
    """Reads every original, but records of errors, floating-point pictures, and photographs, which are not brought in.

    Of one that cannot be read nothing but the first check would be tried.
    """
    for kind in kinds:
        for name, data in kind.originals:
            (scratch / kind.name).mkdir(exist_ok=True)
            with (
                contextlib.suppress(BadInput)
                if name.startswith(("F.", "game", "photograph"))
                else contextlib.nullcontext()
            ):
                kind.use(scratch / kind.name / name, data, random.Random(1))


def _score(file: Path, data: bytes, chance: random.Random) -> None:
    file.write_bytes(data)
    told, said = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    options = chance.choice(([], ["--explain"], ["--explain", "--lang", "fr"], ["--json"]))
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(said):
        try:
            status = main(["score", *options, str(file)])
        except SystemExit as stop:  # an option that there is not
            status = int(stop.code or 0)
    assert status in (0, 1, 2), f"exit {status}"
    said.seek(0)
    complaint = said.read()
    assert "Traceback" not in complaint
    if status:
        raise BadInput(AsRecorded.AS_RECORDED(text=complaint.strip().partition("\n")[0]))


def _decode(file: Path, data: bytes, chance: random.Random) -> None:
    flags = chance.choice((cv2.IMREAD_COLOR, cv2.IMREAD_GRAYSCALE))
    picture = decode_picture(data, file.name, flags)
    assert picture.dtype == np.uint8
    assert picture.ndim == 2 or picture.shape[2] == 3


def _read_image(file: Path, data: bytes, _chance: random.Random) -> None:
    file.write_bytes(data)
    picture = read_image(file)
    assert picture.dtype == np.uint8
    assert picture.shape[2] in (3, 4)


def _open_throw(file: Path, data: bytes, _chance: random.Random) -> None:
    """As the page that opens exported throws does, and as replay does before it looks at pictures."""
    kept = OpenedThrows(file.parent / "unpacked-opened")
    name = kept.add(data)
    try:
        kept.throw(name)
        kept.all()
        file.write_bytes(data)
        saved = read_throw(file)
        _nothing_beside(file, lambda: unpack_setup(saved.setup, file.parent / "unpacked"))
        if TABLE_FILE in saved.setup:  # a photograph has none
            table_seen_with(file.parent / "unpacked")
            deck_seen_with(file.parent / "unpacked")
    finally:
        kept.remove(name)


def _counted(database: bytes) -> Use:
    """The count of what was acknowledged, beside a whole database."""

    def use(file: Path, data: bytes, _chance: random.Random) -> None:
        (file.parent / "arena-cam.db").write_bytes(database)
        for beside in ("arena-cam.db-wal", "arena-cam.db-shm"):
            (file.parent / beside).unlink(missing_ok=True)
        file.write_bytes(data)
        DataFolder(file.parent, keep_free_bytes=0).close()

    return use


def _restore(file: Path, data: bytes, _chance: random.Random) -> None:
    file.write_bytes(data)
    _nothing_beside(file, lambda: restore(file, file.parent / "unpacked", replace=True))


def _look_back(file: Path, data: bytes, _chance: random.Random) -> None:
    """Opens a data folder with that database, and reads all that it holds. Where it is refused it stays as it was."""
    for beside in (f"{file.name}-wal", f"{file.name}-shm", f"{file.stem}.acknowledged"):
        file.with_name(beside).unlink(missing_ok=True)
    (file.parent / "games" / "some-game").mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    try:
        kept = DataFolder(file.parent, keep_free_bytes=0)
    except ArenaCamError:
        assert file.read_bytes() == data, "what is refused is not changed"
        raise
    try:
        reports = Reports(kept.matches, kept.pictures)
        for game in kept.matches.games():
            reports.record(game.id)
            reports.throws(game.id)
        people = People(kept, reports)
        for kind in people.kinds():
            for person in people.table(kind):
                people.person(kind, person["name"])
    finally:
        kept.close()


def _nothing_beside(file: Path, unpack: Callable[[], object]) -> None:
    """What unpacks an archive writes into its own folder alone."""
    before, siblings = ({each.name for each in folder.iterdir()} for folder in (file.parent.parent, file.parent))
    unpack()
    assert {each.name for each in file.parent.parent.iterdir()} == before
    beside = {each.name for each in file.parent.iterdir()} - siblings
    assert all(name.startswith("unpacked") for name in beside), beside


def _written(read: Callable[[Path], object]) -> Use:
    def use(file: Path, data: bytes, _chance: random.Random) -> None:
        file.write_bytes(data)
        read(file)

    return use


def _in_folder(read: Callable[[Path], object]) -> Use:
    def use(file: Path, data: bytes, _chance: random.Random) -> None:
        for name in re.findall(rb'(?:image|back) = "([\w.-]{1,40})"', data):
            (file.parent / name.decode()).touch()  # what the set says of its pictures is looked at, too
        file.write_bytes(data)
        read(file.parent)

    return use


def _picture(mode: str, kind: str) -> bytes:
    grey = np.add.outer(np.arange(40), np.arange(56))
    if mode == "I;16":
        made = Image.fromarray((600 * grey).astype(np.uint16))
    else:
        made = Image.fromarray((2 * grey).astype(np.uint8)).convert(mode)
    out = io.BytesIO()
    made.save(out, kind)
    return out.getvalue()


def _deck(folder: Path) -> Path:
    folder.mkdir()
    for name in ("red", "blue"):
        (folder / f"{name}.png").write_bytes(_picture("RGB", "PNG"))
    cards = "".join(f'[[card]]\nid = "{c}-8"\ncolour = "{c}"\nvalue = 8\nimage = "{c}.png"\n' for c in ("red", "blue"))
    text = f'name = "two"\nwidth_mm = 63.0\nheight_mm = 88.0\ncorner_radius_mm = 3.0\n{cards}'
    (folder / "deck.toml").write_text(text, encoding="utf-8")
    return folder


def _archives(folder: Path, setup: dict[str, bytes]) -> tuple[bytes, bytes]:
    """An exported throw and a backup, the same at every run: no clock and no chance is in them."""
    numbers = itertools.count()
    with (
        mock.patch("secrets.token_hex", lambda size: f"{next(numbers):0{2 * size}x}"),
        evening(folder / "data", setup=setup, clock=lambda: 1_700_000_000.0 + next(numbers)) as played,
    ):
        exported = played.session.export_throw(played.session.throws()[0]["id"])
    with mock.patch("time.time", return_value=1_700_000_000.0):
        backup(folder / "data", folder / "backup.zip")
    return _undated(exported), _undated((folder / "backup.zip").read_bytes())


def _evenings(folder: Path) -> tuple[bytes, bytes]:
    """A database with an evening of each game, and the export of a photograph of a board; the same at every run."""
    numbers = itertools.count()
    photograph = b""
    with (
        mock.patch("secrets.token_hex", lambda size: f"{next(numbers):0{2 * size}x}"),
        mock.patch.dict(Session.__init__.__kwdefaults__, clock=lambda: 1_700_000_000.0 + next(numbers)),
    ):
        for game in ("arena", "hexes", "tricks", "dilemmas"):
            with evening_of(game, folder / "evenings") as playing:
                if game == "hexes":
                    photograph = playing.session.export_throw(playing.session.throws()[-1]["id"])
                playing.session.act("end_game", {}, "referee")
    return (folder / "evenings" / "arena-cam.db").read_bytes(), _undated(photograph)


def _undated(archive: bytes) -> bytes:
    """The same members, all of one time."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for member in sorted(old.infolist(), key=lambda each: each.filename):
            new.writestr(zipfile.ZipInfo(member.filename), old.read(member), member.compress_type)
    return out.getvalue()


_DILEMMAS = b"""name = "drawn"
game = "dilemmas"
width_mm = 63
height_mm = 88
corner_radius_mm = 3
[[card]]
id = "p01"
kind = "positive"
text = "it rains"
image = "p01.png"
[[card]]
id = "n01"
kind = "negative"
image = "n01.png"
[[token]]
kind = "yes"
diameter_mm = 25
image = "yes.png"
[[token]]
kind = "no"
diameter_mm = 25
image = "no.png"
[[token]]
kind = "back"
diameter_mm = 25
image = "back.png"
"""
