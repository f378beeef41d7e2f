"""Files of exported throws however odd: refused in words, or shown; never a page that fails."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.builders import Evening
from web.test_api import odd_json
from web.test_security import headers, log_in

JSON_MEMBERS = ("manifest.json", "ruling.json")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Evening, dict[str, bytes]]]:
    """A running evening, and the members of one of its throws as it is exported."""
    evening = Evening(tmp_path_factory.mktemp("fuzz") / "data")
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", "diagonal", on=["red-8"], sure=False)
    content = evening.session.export_throw(evening.session.throws()[1]["id"])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    yield evening, members
    evening.session.stop()


@pytest.fixture
def client(exported: tuple[Evening, dict[str, bytes]], serve: Any) -> Any:
    client = serve(exported[0].session).app.test_client()
    log_in(client)
    return client


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value within `value`."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def put(value: Any, path: tuple[Any, ...], new: Any) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


def opened_or_refused(client: Any, content: bytes) -> None:
    answer = client.post("/api/opened", data=content, content_type="application/zip", headers=headers(client))
    assert answer.status_code in (200, 400), answer.text
    if answer.status_code == 200:
        shown = client.get(answer.json["address"])
        assert shown.status_code == 200, shown.text
        assert client.get(f"/api/opened/{answer.json['id']}").status_code == 200
        assert client.get("/throws").status_code == 200
        client.delete(f"/api/opened/{answer.json['id']}", headers=headers(client))


def test_the_file_as_it_was_exported_is_shown(client: Any, exported: tuple[Evening, dict[str, bytes]]) -> None:
    content = zipped(exported[1])
    sent = client.post("/api/opened", data=content, content_type="application/zip", headers=headers(client))
    page = client.get(sent.json["address"])
    assert page.status_code == 200
    assert "Blue 3 leans" in page.text
    opened_or_refused(client, content)


@settings(max_examples=30)
@given(data=st.data())
def test_odd_measurements_make_no_page_fail(
    client: Any, exported: tuple[Evening, dict[str, bytes]], data: st.DataObject
) -> None:
    members = dict(exported[1])
    name = data.draw(st.sampled_from(JSON_MEMBERS))
    value = json.loads(members[name])
    ways = list(places(value))
    for _ in range(data.draw(st.integers(1, 2))):
        way = data.draw(st.sampled_from(ways))
        new = data.draw(odd_json | st.sampled_from([0, -1, 1e300, 10**30, "flat", "red-8", [], {}]))
        try:
            put(value, way, new)
        except (KeyError, IndexError, TypeError):
            continue  # the first change took the second's place away
    members[name] = json.dumps(value).encode()
    opened_or_refused(client, zipped(members))


@settings(max_examples=20)
@given(at=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_file_makes_no_page_fail(
    client: Any, exported: tuple[Evening, dict[str, bytes]], at: float, byte: int, cut: bool
) -> None:
    content = bytearray(zipped(exported[1]))
    place = int(at * len(content))
    if cut:
        del content[place:]
    else:
        content[place] = byte
    opened_or_refused(client, bytes(content))


@settings(max_examples=30)
@given(line=st.integers(0, 8), new=odd_json)
def test_an_odd_record_makes_no_page_fail(
    client: Any, exported: tuple[Evening, dict[str, bytes]], line: int, new: Any
) -> None:
    members = dict(exported[1])
    lines = members["game.jsonl"].decode().splitlines()
    lines[line % len(lines)] = json.dumps(new)
    members["game.jsonl"] = "\n".join(lines).encode()
    opened_or_refused(client, zipped(members))


def test_a_damaged_picture_is_refused_or_shown_broken(client: Any, exported: tuple[Evening, dict[str, bytes]]) -> None:
    members = dict(exported[1])
    name = next(name for name in members if name.startswith("frames/"))
    members[name] = members[name][:40]
    opened_or_refused(client, zipped(members))
