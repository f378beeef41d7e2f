"""setup/prepare.sh makes a virtual environment once, and anew where the checkout was copied or moved."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Stands for Python, in the system and in the environments that it makes: notes what it was asked for. Importing the
# package finds the checkout of the last `pip install`, as an editable install does, wherever the environment lies now.
PYTHON = """#!/usr/bin/env bash
echo "$*" >>"$LOG"
mine=$(dirname "$0")/..
case "$*" in
    "--version") echo "Python 3.11.2" ;;
    "-m venv"*)
        [[ $* == *--clear* ]] && rm -rf "${!#}"
        mkdir -p "${!#}/bin" && cp "$0" "${!#}/bin/python" ;;
    "-m pip install"*) pwd -P >"$mine/installed" ;;
    "-I -c"*) [[ $(cat "$mine/installed") == "${!#}" ]] ;;
esac
"""
LIBRARIES = "echo libzbar.so.0 libGL.so.1 libgthread-2.0.so.0\n"


class Machine:
    """A machine with a checkout on it, and a Python that only notes what it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"
        self.tools = folder / "tools"
        self.tools.mkdir()
        for name, text in (("python3", PYTHON), ("ldconfig", f"#!/bin/sh\n{LIBRARIES}")):
            (self.tools / name).write_text(text, encoding="utf-8")
            (self.tools / name).chmod(0o755)
        self.checkout = folder / "checkout"
        (self.checkout / "arena_cam").mkdir(parents=True)
        shutil.copytree(ROOT / "setup", self.checkout / "setup")
        for file in ("pyproject.toml", "setup.py"):
            shutil.copy(ROOT / file, self.checkout / file)
        kernels = Path("arena_cam") / "vision" / "kernels"
        shutil.copytree(
            ROOT / kernels, self.checkout / kernels, ignore=shutil.ignore_patterns("*.py", "*.so", "__pycache__")
        )

    def prepare(self, checkout: Path, purpose: str = "run") -> list[str]:
        """Prepares a checkout; says what Python was asked for that makes or fills an environment."""
        self.log.write_text("", encoding="utf-8")
        settings = {"PATH": f"{self.tools}:{os.environ['PATH']}", "LOG": str(self.log), "PYTHON": "python3"}
        program = [str(checkout / "setup" / "prepare.sh"), purpose, ".venv"]
        subprocess.run(program, env=settings, check=True, capture_output=True, timeout=60)
        asked = self.log.read_text(encoding="utf-8").splitlines()
        return [line for line in asked if line.startswith(("-m venv", "-m pip"))]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_second_time_nothing_is_made(machine: Machine) -> None:
    assert [line.split()[1] for line in machine.prepare(machine.checkout)] == ["venv", "pip"]
    assert machine.prepare(machine.checkout) == []


def test_an_environment_is_made_again_when_the_requirements_change(machine: Machine) -> None:
    machine.prepare(machine.checkout)
    with (machine.checkout / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("\n# one more library\n")
    made, _ = machine.prepare(machine.checkout)
    assert "--clear" not in made  # it lies where it lay: what is installed need not be loaded again


@pytest.mark.parametrize("carry", [shutil.copytree, shutil.move])
def test_a_checkout_that_was_carried_elsewhere_gets_an_environment_of_its_own(machine: Machine, carry: object) -> None:
    machine.prepare(machine.checkout)
    other = machine.checkout.parent / "other"
    assert callable(carry)
    carry(str(machine.checkout), str(other))
    made, filled = machine.prepare(other)
    assert made == "-m venv --clear .venv"
    assert filled.endswith("--editable .")
    assert (other / ".venv" / "installed").read_text(encoding="utf-8").strip() == str(other)
    assert machine.prepare(other) == []


def test_an_environment_into_which_another_checkout_was_installed_is_made_anew(machine: Machine) -> None:
    machine.prepare(machine.checkout)
    (machine.checkout / ".venv" / "installed").write_text("/somewhere/else\n", encoding="utf-8")
    assert machine.prepare(machine.checkout)[0] == "-m venv --clear .venv"


def test_what_was_made_for_tests_serves_to_run(machine: Machine) -> None:
    stamp = machine.checkout / ".venv" / "prepared"
    machine.prepare(machine.checkout)
    stamp.write_text(stamp.read_text(encoding="utf-8").replace(" run\n", " dev\n"), encoding="utf-8")
    assert machine.prepare(machine.checkout) == []
    stamp.write_text(stamp.read_text(encoding="utf-8").replace(" dev\n", " opencv-4\n"), encoding="utf-8")
    assert len(machine.prepare(machine.checkout)) == 2
