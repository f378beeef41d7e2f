"""`arena-cam token`: made, listed, and revoked by number or by name."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from arena_cam.commands.main import main
from arena_cam.store.backup import DATABASE
from arena_cam.store.database import Database
from arena_cam.store.tokens import Tokens


@pytest.fixture
def data(tmp_path: Path) -> str:
    Database(tmp_path / DATABASE).close()
    return str(tmp_path)


def in_force(data: str) -> list[str]:
    with closing(Database(Path(data) / DATABASE)) as database:
        return [token.name for token in Tokens(database).all()]


def test_a_token_is_revoked_by_the_name_that_it_was_made_with(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("lamp", "lamp", "script"):
        assert main(["token", "make", name, "--for", "watch", "--data", data]) == 0
    assert main(["token", "revoke", "lamp", "--data", data]) == 0
    assert in_force(data) == ["script"], "whoever names a lost token means each that is called so"
    assert main(["token", "list", "--data", data]) == 0
    shown = capsys.readouterr().out.splitlines()[-1]
    assert main(["token", "revoke", shown.split()[0], "--data", data]) == 0
    assert in_force(data) == []
    assert main(["token", "revoke", "lamp", "--data", data]) == 1
