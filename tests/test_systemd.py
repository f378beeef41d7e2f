"""The service's unit is accepted by systemd, hardened, and starts what the installer installs."""

from __future__ import annotations

import argparse
import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena_cam.commands import referee

SYSTEMD = Path(__file__).parent.parent / "systemd"
UNIT = SYSTEMD / "arena-cam.service"
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")


@pytest.fixture
def unit_here(tmp_path: Path) -> Path:
    """The unit with a program that is there: the real one is only where it was installed."""
    file = tmp_path / UNIT.name
    file.write_text(UNIT.read_text().replace("/opt/arena-cam/.venv/bin/arena-cam", "/bin/true"))
    return file


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False)


@needs_systemd
def test_systemd_accepts_the_unit(unit_here: Path) -> None:
    answer = analyze("verify", str(unit_here))
    assert answer.returncode == 0, answer.stderr
    assert unit_here.name not in answer.stderr


@needs_systemd
def test_the_unit_is_exposed_to_no_more_than_3(unit_here: Path) -> None:
    answer = analyze("security", "--offline=true", str(unit_here))
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", answer.stdout)
    assert level is not None, answer.stderr
    assert float(level[1]) <= 3.0


def settings() -> configparser.SectionProxy:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys have capitals
    unit.read(UNIT)
    return unit["Service"]


def test_the_unit_has_its_own_user_and_a_watchdog() -> None:
    service = settings()
    assert service["User"] == "arena-cam"
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) > 0
    assert service["Restart"] == "always"


def test_unit_and_installer_agree_on_places() -> None:
    service, installer = settings(), (SYSTEMD / "install.sh").read_text()
    assert "program=/opt/arena-cam" in installer
    assert service["ExecStart"].startswith("/opt/arena-cam/.venv/bin/arena-cam referee ")
    assert service["EnvironmentFile"] == "/etc/arena-cam/referee.conf"
    assert "settings=/etc/arena-cam" in installer


def test_the_service_starts_without_a_table_so_that_one_can_be_set_up() -> None:
    line = re.search(r"^ARENA_CAM_ARGUMENTS=(.+)$", (SYSTEMD / "referee.conf").read_text(), re.MULTILINE)
    assert line is not None
    parser = argparse.ArgumentParser()
    referee.add_arguments(parser)
    args = parser.parse_args(line[1].split())
    assert (args.source, args.table, args.deck) == ("picamera2", None, None)
    assert args.calibration is None, "it lies in the data folder, where the service may write"
    assert "ARENA_CAM_DATA=/var/lib/arena-cam" in settings()["Environment"].split()
    assert settings()["StateDirectory"] == "arena-cam"
    assert settings()["WorkingDirectory"] == "/var/lib/arena-cam"


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_scripts_change_nothing_without_the_right_to(script: str) -> None:
    """Run as nobody they say the line to type."""
    if shutil.which("setpriv") is None:
        pytest.skip("no setpriv here")
    as_nobody = ["setpriv", "--reuid=65534", "--clear-groups"] if os.getuid() == 0 else []
    copy = f"cat {SYSTEMD / script} | {' '.join(as_nobody)} bash -s"
    answer = subprocess.run(["bash", "-c", copy], capture_output=True, text=True, timeout=60, check=False, cwd="/")
    assert answer.returncode == 1
    assert "Type: sudo" in answer.stderr
