"""Bash completes what the commands' own help offers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena_cam.commands.main import COMMANDS

SCRIPT = Path(__file__).parents[2] / "setup" / "completion.bash"
ASK = """
arena-cam() { "$PYTHON" -m arena_cam "$@"; }
source "$SCRIPT"
while read -r -a words; do
    COMP_WORDS=("${words[@]//_/}") COMP_CWORD=$((${#words[@]} - 1)) COMPREPLY=()
    _arena_cam
    echo "${COMPREPLY[*]}"
done
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_completes_commands_actions_and_options(tmp_path: Path) -> None:
    typed = ["arena-cam _", "arena-cam re_", "arena-cam deck _", "arena-cam replay throw.zip --pi_"]
    answer = subprocess.run(
        ["bash", "-c", ASK],
        input="\n".join(typed) + "\n",
        env={
            "PYTHON": sys.executable,
            "SCRIPT": str(SCRIPT),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(SCRIPT.parents[1]),
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    everything, some, actions, option = [set(line.split()) for line in answer.stdout.split("\n")[:4]]
    assert everything == set(COMMANDS)
    assert some == {"referee", "replay", "restore"}
    assert actions == {"print", "learn", "check"}
    assert option == {"--picture"}
