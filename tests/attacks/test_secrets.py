"""What one player chose is nowhere before all have chosen.

Pictures of a block that lies open alone: tests/referee/test_blocks_on_the_table.py, thousands in bench.secret_pictures.
"""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from attacks.secrets import differences


def test_nothing_that_can_be_looked_at_tells_a_choice(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    def logged() -> str:
        told = caplog.text
        caplog.clear()
        return told

    assert differences(tmp_path, logged) == []
