"""Imports go downwards only, and some libraries live behind one door: docs/architecture.md says why."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "arena_cam"
MODULES = sorted(PACKAGE.rglob("*.py"))

# A room may import rooms of lower rows and itself; rooms of one row do not know each other.
ROWS = (
    {"domain"},
    {"camera", "geometry", "rules"},
    {"formats"},
    {"vision", "simulation", "store", "printing"},
    {"referee"},
    {"web"},
    {"commands"},
)
ROW_OF = {room: row for row, rooms in enumerate(ROWS) for room in rooms}

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


def imports(module: Path) -> Iterator[str]:
    """Dotted names of everything that `module` imports, wherever in the file it does."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} line {node.lineno}: write the whole name, arena_cam..."
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def name(module: Path) -> str:
    return str(module.relative_to(PACKAGE))


def test_every_folder_has_its_row() -> None:
    folders = {module.relative_to(PACKAGE).parts[0] for module in MODULES if len(module.relative_to(PACKAGE).parts) > 1}
    assert folders <= set(ROW_OF)


@pytest.mark.parametrize("module", [m for m in MODULES if room(m) in ROW_OF], ids=name)
def test_imports_go_downwards(module: Path) -> None:
    for imported in imports(module):
        package, _, rest = imported.partition(".")
        other = rest.partition(".")[0]
        if package == "arena_cam" and other in ROW_OF and other != room(module):
            assert ROW_OF[other] < ROW_OF[room(module)], f"{name(module)} imports {imported}"


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_libraries_stay_in_their_rooms(module: Path) -> None:
    for library in {imported.partition(".")[0] for imported in imports(module)}:
        assert library not in FORBIDDEN.get(room(module), set()), f"{name(module)} imports {library}"
        assert ONLY_ROOM.get(library, room(module)) == room(module), f"{name(module)} imports {library}"


@pytest.mark.parametrize("library", ONE_FILE)
def test_libraries_behind_one_door(library: str) -> None:
    users = [name(module) for module in MODULES if any(i.partition(".")[0] == library for i in imports(module))]
    assert len(users) <= 1, f"{library} is imported by {users}"
