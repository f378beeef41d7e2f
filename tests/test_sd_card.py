"""The recipe for an SD card: its stage stands as pi-gen wants it, with this checkout in it."""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "setup" / "sd-card.sh"


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the recipe packs what is committed")
def test_the_stage_is_put_into_pi_gen_with_the_program_in_it(tmp_path: Path) -> None:
    pi_gen = tmp_path / "pi-gen"
    (pi_gen / "stage2").mkdir(parents=True)
    (pi_gen / "build.sh").touch(mode=0o755)
    subprocess.run([SCRIPT, pi_gen], check=True, capture_output=True)
    stage = pi_gen / "stage-arena-cam"
    assert "stage-arena-cam" in (pi_gen / "config").read_text()
    assert (stage / "EXPORT_IMAGE").is_file()
    for script in ("prerun.sh", "00-arena-cam/00-run.sh", "00-arena-cam/01-run-chroot.sh"):
        assert os.access(stage / script, os.X_OK), script
        subprocess.run(["bash", "-n", stage / script], check=True)
    with tarfile.open(stage / "00-arena-cam" / "files" / "arena-cam.tar") as packed:
        names = set(packed.getnames())
    assert {"setup/prepare.sh", "systemd/arena-cam.service", "systemd/referee.conf", "pyproject.toml"} <= names


def test_another_folder_is_refused_in_a_line(tmp_path: Path) -> None:
    done = subprocess.run([SCRIPT, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "no checkout of pi-gen" in done.stderr
