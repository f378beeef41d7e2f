"""The program's own sources as syntax trees, parsed once for the tests that look at how they are laid out."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "arena_cam"
TRIES = 5
MODULES = sorted(PACKAGE.rglob("*.py"))


@cache
def parsed(file: Path) -> ast.Module:
    """The syntax tree of a file.

    Python 3.11 keeps one depth for all threads that make trees (cpython issue 106905): where another test's server is
    just compiling its routes, parsing fails with a SystemError, and succeeds when it is asked again.
    """
    source = file.read_text(encoding="utf-8")
    for _ in range(TRIES - 1):
        try:
            return ast.parse(source)
        except SystemError:
            continue
    return ast.parse(source)


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Everything in a file, wherever in it."""
    return tuple(ast.walk(parsed(file)))
