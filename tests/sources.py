"""The program's own sources as syntax trees, parsed once for the tests that look at how they are laid out."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "arena_cam"
MODULES = sorted(PACKAGE.rglob("*.py"))


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Everything in a file, wherever in it."""
    return tuple(ast.walk(parsed(file)))
