"""Imports go downwards only, and some libraries live behind one door: docs/architecture.md says why."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from sources import MODULES, PACKAGE, nodes, parsed

DOCUMENT = PACKAGE.parent / "docs" / "architecture.md"
# The table of rooms: "| 5.3 | `vision/table` | ..." is floor 5, row 3.
FLOORS = {
    room: (int(floor), int(row or 0))
    for floor, row, room in re.findall(
        r"^\| (\d+)(?:\.(\d+))? \| `([\w/]+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.M
    )
}
MOST_MODULES = 14

# What may not be imported in which room.
FORBIDDEN = {
    "domain": {"cv2", "numpy", "flask", "sqlite3", "time", "random", "secrets", "os"},
    "rules": {"cv2", "numpy", "flask", "sqlite3", "time", "random", "secrets", "os"},
    "geometry": {"flask", "sqlite3", "time", "random", "secrets", "os"},
    "vision": {"flask", "sqlite3", "time", "random", "secrets", "os"},
    "store": {"cv2", "numpy", "flask"},
    "web": {"cv2", "numpy", "sqlite3"},
}
ONLY_ROOM = {"flask": "web", "sqlite3": "store"}
ONE_FILE = ("picamera2", "pyzbar")


@cache
def imports(module: Path) -> tuple[str, ...]:
    """Dotted names of everything that `module` imports, wherever in the file it does."""
    return tuple(_imports(module))


def _imports(module: Path) -> Iterator[str]:
    for node in nodes(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} line {node.lineno}: write the whole name, arena_cam..."
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def room_of(parts: tuple[str, ...]) -> str:
    """The room with the longest name that these folders (and file) lie in."""
    names = ("/".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((known for known in names if known in FLOORS), "")


def name(module: Path) -> str:
    return str(module.relative_to(PACKAGE))


def folders() -> list[Path]:
    return sorted({module.parent for module in MODULES} - {PACKAGE})


def test_every_folder_is_a_room_of_the_table() -> None:
    places = [folder.relative_to(PACKAGE).parts for folder in folders()]
    assert [p for p in places if room_of(p) != "/".join(p) and "games" not in p[:-1]] == []


@pytest.mark.parametrize("folder", folders(), ids=name)
def test_every_folder_says_what_belongs_there(folder: Path) -> None:
    assert ast.get_docstring(parsed(folder / "__init__.py"))


@pytest.mark.parametrize("folder", folders(), ids=name)
def test_no_folder_is_a_heap(folder: Path) -> None:
    modules = [module.name for module in folder.glob("*.py") if module.name != "__init__.py"]
    assert len(modules) <= MOST_MODULES


def test_the_table_names_only_folders_that_are_there() -> None:
    assert [room for room in FLOORS if not (PACKAGE / room).is_dir()] == []


def test_no_two_modules_of_vision_have_one_name() -> None:
    names = [module.name for module in MODULES if room(module) == "vision" and module.name != "__init__.py"]
    assert sorted(names) == sorted(set(names))


def lies_below(other: str, here: str) -> bool:
    (floor, row), (other_floor, other_row) = FLOORS[here], FLOORS[other]
    one_house = other.split("/")[0] == here.split("/")[0]
    return other_floor < floor or (one_house and other_floor == floor and other_row < row)


def upwards(module: Path) -> Iterator[str]:
    """What a module of a room imports that does not lie below it."""
    here = room_of(module.relative_to(PACKAGE).parts)
    for imported in imports(module) if here else ():
        package, _, rest = imported.partition(".")
        other = room_of(tuple(rest.split("."))) if package == "arena_cam" else ""
        if other and other != here and not lies_below(other, here):
            yield f"{name(module)} imports {imported}"


def test_imports_go_downwards() -> None:
    assert [each for module in MODULES for each in upwards(module)] == []


def astray(module: Path) -> Iterator[str]:
    """Libraries that a module imports outside their rooms."""
    for library in {imported.partition(".")[0] for imported in imports(module)}:
        forbidden = library in FORBIDDEN.get(room(module), set())
        if forbidden or ONLY_ROOM.get(library, room(module)) != room(module):
            yield f"{name(module)} imports {library}"


def test_libraries_stay_in_their_rooms() -> None:
    assert [each for module in MODULES for each in astray(module)] == []


@pytest.mark.parametrize("library", ONE_FILE)
def test_libraries_behind_one_door(library: str) -> None:
    users = [name(module) for module in MODULES if any(i.partition(".")[0] == library for i in imports(module))]
    assert len(users) <= 1, f"{library} is imported by {users}"


GAMES = sorted(folder.name for folder in (PACKAGE / "rules" / "games").iterdir() if (folder / "__init__.py").exists())
WITHOUT_GAMES = ("referee", "web", "store", "commands")  # but for their own folders `games/<game>`
# Words that are one game's alone; "arena" is also the tray, whatever is played in it.
GAMES_WORDS = {*GAMES, "peace", "conflict", "challenge", "duel", "provocateur"} - {"arena"}
COLOURS = {"red", "blue", "green", "yellow", "violet"}
# What shares its word with a game: options of a contract that all games share, and how a deck's cards are named.
ALLOWED = {
    ("commands/replay.py", "challenge"),  # the key of an exported throw's ruling
    ("referee/keeping/archive.py", "challenge"),  # the same
    ("commands/decks/print_sheets.py", "dilemmas"),  # whose printed set it is
}


def is_one_games(module: Path) -> bool:
    """Whether the module lies in the folder of one game."""
    parts = module.relative_to(PACKAGE).parts
    return "games" in parts[:-1] and len(parts) > parts.index("games") + 2


NAMELESS = [m for m in MODULES if room(m) in WITHOUT_GAMES and not is_one_games(m)]


ONE_GAMES = re.compile(rf"\.games\.({'|'.join(GAMES)})\b|\.simulation\.(arena)\b")


def words_of_a_game(module: Path) -> Iterator[str]:
    """Where a module says what only one game knows."""
    for node in nodes(module):
        said = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if said in GAMES_WORDS | COLOURS and (name(module), said) not in ALLOWED:
            yield f"{name(module)} says {said!r}"


def test_no_game_is_imported_outside_its_folders() -> None:
    assert [f"{name(module)} imports {i}" for module in NAMELESS for i in imports(module) if ONE_GAMES.search(i)] == []


def test_no_game_is_named_outside_its_folders() -> None:
    spoken = [m for m in NAMELESS if room_of(m.relative_to(PACKAGE).parts) != "web/words"]  # sentences for all rooms
    assert [each for module in spoken for each in words_of_a_game(module)] == []


SHARED_FILES = [
    file
    for kind in ("html", "css", "js")
    for file in sorted((PACKAGE / "web").rglob(f"*.{kind}"))
    if file.relative_to(PACKAGE / "web").parts[:2] not in {("games", game) for game in GAMES}
]
# "duel" names the pictures that are kept back; a game's own template has its other words.
SHOWN_WORDS = re.compile(rf"(?<![\w-])({'|'.join(sorted(GAMES_WORDS))})(?![\w-])")


@pytest.mark.parametrize("file", SHARED_FILES, ids=name)
def test_no_shared_page_names_a_game_or_its_words(file: Path) -> None:
    assert SHOWN_WORDS.findall(file.read_text(encoding="utf-8")) == []


def other_games(module: Path) -> Iterator[str]:
    """What a game's module imports of other games."""
    parts = module.relative_to(PACKAGE).parts
    own = parts[parts.index("games") + 1]
    others = "|".join(game for game in GAMES if game != own)
    return (f"{name(module)} imports {i}" for i in imports(module) if re.search(rf"\.games\.({others})\b", i))


@pytest.mark.parametrize("game", GAMES)
def test_no_game_knows_another(game: str) -> None:
    own = [m for m in MODULES if is_one_games(m) and f"/games/{game}/" in m.as_posix()]
    assert own
    assert [each for module in own for each in other_games(module)] == []
