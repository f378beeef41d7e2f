"""Every stage of the eye has a test of its own that is quick: small arrays, no renderer, no browser.

`make quick` runs them all; that takes less than a minute on two cores. Whole pictures are read in the tests that lie
in tests/vision itself.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from sources import PACKAGE, nodes

TESTS = Path(__file__).parent

# Every module of these rooms has a test of its own, in the folder of the same name.
ROOMS = ("geometry", "vision")
# What makes a test slow: pictures are rendered, pages are opened in a browser.
SLOW = (*(f"arena_cam.simulation.{room}" for room in ("arena", "rendering", "photographs")), "playwright")


def modules(room: str) -> list[Path]:
    """The modules of a room, those of the rooms within it included, that must have a test of their own."""
    return sorted(file for file in (PACKAGE / room).rglob("*.py") if file.name != "__init__.py")


def own_test(module: Path) -> Path:
    """Where the test of a module lies."""
    return TESTS / module.relative_to(PACKAGE).with_name(f"test_{module.name}")


def imported(file: Path) -> set[str]:
    """The dotted names of all modules that a file imports."""
    names: set[str] = set()
    for node in nodes(file):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def name(file: Path) -> str:
    return str(file.relative_to(TESTS if TESTS in file.parents else PACKAGE))


STAGES = [each for room in ROOMS for each in modules(room)]


def test_every_stage_has_a_test_of_its_own() -> None:
    assert [f"write {name(own_test(module))}" for module in STAGES if not own_test(module).is_file()] == []


def test_the_test_of_a_stage_imports_it() -> None:
    dotted = {module: ".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts) for module in STAGES}
    assert [name(own_test(module)) for module in STAGES if dotted[module] not in imported(own_test(module))] == []


def test_no_test_of_a_stage_renders_or_opens_a_browser() -> None:
    slow = [(name(own_test(m)), each) for m in STAGES for each in imported(own_test(m)) if each.startswith(SLOW)]
    assert slow == []


@pytest.mark.parametrize("helper", ["small.py", "scenes.py"])
def test_nothing_that_stages_are_built_from_renders(helper: str) -> None:
    assert not [each for each in imported(TESTS / "vision" / helper) if each.startswith(SLOW)]
