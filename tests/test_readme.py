"""The README and the documents promise nothing that is not there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena_cam.commands.main import COMMANDS, command_parser

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
DOCUMENTS = [*sorted(ROOT.glob("*.md")), ROOT / "examples" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMED_FILE = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|c|sh|toml|html|md|npz))`")
KEPT = ("arena_cam", "bench", "docs", "examples", "setup", "systemd", "tests")
MADE_ELSEWHERE = {"deck.toml"}  # what users make
SCREEN_LINES = 25  # what a page shows before one scrolls


def named_commands() -> set[str]:
    return set(re.findall(r"`arena-cam ([a-z-]+)", README))


def test_the_first_screen_says_how_to_run_and_test() -> None:
    first_screen = README.splitlines()[:SCREEN_LINES]
    assert any(line.startswith("make run") for line in first_screen)
    assert any(line.startswith("make test") for line in first_screen)


def test_readme_and_command_line_name_the_same_commands() -> None:
    assert named_commands() == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(command: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "arena_cam", command, "--help"], capture_output=True, text=True, timeout=60, check=False
    )
    assert answer.returncode == 0, answer.stderr
    assert f"example: arena-cam {command}" in answer.stdout


def written_lines(document: Path) -> list[str]:
    """The lines of the program that a document tells to type; no mention of a command alone, or with NAME."""
    text = document.read_text(encoding="utf-8")
    lines = re.findall(r"`(arena-cam [^`\n]+)`|^(arena-cam [^\n#]+)", text, re.M)
    told = [(inline or block).strip() for inline, block in lines]
    return [line for line in told if len(line.split()) > 3 and "NAME" not in line and "--help" not in line]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_line_to_type_is_one_that_the_program_takes(document: Path) -> None:
    """`deck print --game dilemmas` stood in two documents and wanted --out as well."""
    for line in written_lines(document):
        words = shlex.split(line.replace("PHOTO...", "PHOTO"))[1:]
        try:
            command_parser(words).parse_args(words)
        except SystemExit:
            pytest.fail(f"{document.name}: {line}")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_make_target_named_is_there(document: Path) -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))
    assert set(re.findall(r"`make ([a-z0-9-]+)", document.read_text(encoding="utf-8"))) <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert not missing


def test_every_file_that_a_document_names_is_there() -> None:
    """A document names a module with some of its folders: some file's path ends so."""
    kept = [file for folder in KEPT for file in (ROOT / folder).rglob("*.*") if "__pycache__" not in file.parts]
    ends = {"/".join(file.parts[-count:]) for file in [*kept, *ROOT.iterdir()] for count in range(1, 7)}
    gone = {
        f"{document.name} names {file}"
        for document in DOCUMENTS
        for file in NAMED_FILE.findall(document.read_text(encoding="utf-8"))
        if "NAME" not in file and file not in MADE_ELSEWHERE | ends
    }
    assert sorted(gone) == []


def test_every_dependency_has_its_reason() -> None:
    """docs/dependencies.md has a row for each library that pyproject.toml asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        asked += extra
    rows = re.findall(r"^\| ([A-Za-z0-9_.-]+) \|", (ROOT / "docs/dependencies.md").read_text(encoding="utf-8"), re.M)
    assert {re.split(r"[\[<>=!~;]", name)[0].strip().lower() for name in asked} <= {row.lower() for row in rows}


@pytest.mark.parametrize("name", ["bug.yml", "change.yml"])
def test_a_form_for_reports_is_one_that_can_be_filled_in(name: str) -> None:
    """Every field has an id of its own and a label; a bug's form asks for an exported throw."""
    text = (ROOT / ".github" / "ISSUE_TEMPLATE" / name).read_text(encoding="utf-8")
    ids = re.findall(r"^    id: (\w+)$", text, re.M)
    assert len(ids) == len(set(ids)) == text.count("label: ") >= 3
    assert ("throw" in ids) is (name == "bug.yml")
