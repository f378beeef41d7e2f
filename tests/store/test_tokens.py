"""Tokens of programs: told once, kept as a hash, gone when revoked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.store.data_folder import DataFolder


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    folder = DataFolder(tmp_path / "data")
    yield folder
    folder.close()


def test_a_token_opens_what_it_was_made_for_until_it_is_revoked(data: DataFolder) -> None:
    token, secret = data.tokens.make(" Lamp ", ("setup", "watch"))
    found = data.tokens.find(secret)
    assert found is not None
    assert (found.id, found.name, found.scopes) == (token.id, "Lamp", ("watch", "setup"))
    assert data.tokens.all()[0].used is not None
    assert data.tokens.find(secret + "x") is None
    data.tokens.revoke(token.id)
    assert data.tokens.find(secret) is None
    with pytest.raises(Refused, match="there is no token"):
        data.tokens.revoke(token.id)


def test_the_token_itself_is_nowhere_on_the_disk(data: DataFolder) -> None:
    secret = data.tokens.make("Lamp", ("watch",))[1]
    data.close()
    files = [file for file in data.folder.rglob("*") if file.is_file()]
    assert files
    assert not [file for file in files if secret.removeprefix("acam_").encode() in file.read_bytes()]


@pytest.mark.parametrize(("name", "scopes"), [("", ("watch",)), ("a" * 41, ("watch",)), ("a", ()), ("a", ("all",))])
def test_a_token_needs_a_name_and_something_that_it_may(data: DataFolder, name: str, scopes: tuple[str, ...]) -> None:
    with pytest.raises(Refused):
        data.tokens.make(name, scopes)
    assert data.tokens.all() == []
