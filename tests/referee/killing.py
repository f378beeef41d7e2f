"""Kills a playing process at random moments and looks at what is left: a few times in a test, often in the bench."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena_cam.camera.decoding import decode_picture
from arena_cam.referee.keeping.photographs import is_photo
from arena_cam.referee.keeping.reports import Reports
from arena_cam.referee.pictures.evidence import from_files
from arena_cam.store.data_folder import DataFolder
from referee import hexes_table
from referee.player_process import main as play_until_killed

TESTS = Path(__file__).parents[1]


def kill_once(folder: Path, seed: int, longest_s: float = 1.2, game: str = "arena") -> list[dict[str, Any]]:
    """Lets a process play in `folder`, kills it after a random time, and returns what it had told."""
    chance = random.Random(seed)
    process = subprocess.Popen(
        [sys.executable, "-m", "referee.player_process", str(folder), str(seed), game],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    )
    assert process.stdout is not None
    first = process.stdout.readline()  # it plays
    time.sleep(chance.uniform(0.0, longest_s))
    process.send_signal(signal.SIGKILL)
    rest, errors = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL, f"it ended by itself: {errors.decode()[-2000:]}"
    return _told(first + rest)


def kill_forked(folder: Path, seed: int, longest_s: float = 0.5, game: str = "arena") -> list[dict[str, Any]]:
    """As `kill_once`, in a copy of this process: nothing is imported anew, so that far more is killed in a minute.

    The time runs from the copy's first breath, so that many a kill falls into the opening of the data folder.
    """
    chance = random.Random(seed)
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        _play_in_copy(folder, seed, game, writes)
    os.close(writes)
    time.sleep(chance.uniform(0.0, longest_s))
    os.kill(child, signal.SIGKILL)
    with os.fdopen(reads, "rb") as stream:
        told = stream.read()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"it ended by itself: {told.decode()[-2000:]}"
    return _told(told)


def kill_forked_starting(folder: Path, seed: int, longest_s: float = 0.06, game: str = "arena") -> None:
    """Kills two copies one after another while they open the data folder."""
    for each in range(2):
        kill_forked(folder, 2 * seed + each, longest_s, game)


def _play_in_copy(folder: Path, seed: int, game: str, told_to: int) -> None:
    """Plays in the forked process and never comes back."""
    try:
        os.dup2(told_to, 1)
        play_until_killed(str(folder), seed, game)
    except BaseException as error:
        os.write(1, repr(error).encode())
    os._exit(1)


def _told(output: bytes) -> list[dict[str, Any]]:
    lines = output.split(b"\n")[:-1]  # the last may be torn by the kill
    return [json.loads(line) for line in lines if line]


def kill_starting(folder: Path, seed: int, longest_s: float = 0.7) -> None:
    """Kills a process while it starts, before it has said anything, and then another one."""
    chance = random.Random(seed)
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-m", "referee.player_process", str(folder), str(seed)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(TESTS)},
        )
        time.sleep(chance.uniform(0.0, longest_s))
        process.kill()
        process.wait(timeout=30)


def faults(folder: Path, told: list[dict[str, Any]]) -> Iterator[str]:
    """What is not as it was told, or torn, in the data folder after a kill."""
    data = DataFolder(folder, keep_free_bytes=0)  # a start-up that fails raises
    try:
        reports = Reports(data.matches, data.pictures)
        newest = {each["game"]: each for each in told}
        for game, last in newest.items():
            ledger, lines = reports.ledger(game), data.matches.lines(game)
            if len(lines) + 1 < last["lines"]:
                yield f"{game}: {last['lines']} lines were told, {len(lines) + 1} are there"
            if [line.line for line in lines] != list(range(2, len(lines) + 2)):
                yield f"{game}: lines are missing in between"
            now = {(r["line"], r["code"], r.get("card")) for r in ledger.result["rulings"]}
            corrected = any(line.event["type"] == "amend" for line in lines[last["lines"] - 1 :])
            if not corrected and not {tuple(r) for r in last["rulings"]} <= now:
                yield f"{game}: a ruling that was told is gone"
            known = {throw.id for throw in data.matches.throws(game)}
            if not {throw for throw in last["throws"] if throw} <= known:
                yield f"{game}: a throw that was shown is gone"
            chosen = set(data.matches.choices(game))
            duel_since = any(line.event["type"] in ("duel", "reveal") for line in lines[last["lines"] - 1 :])
            if last["choices_made"] and not duel_since and not set(last["choices_made"]) <= chosen:
                yield f"{game}: a choice that was accepted is gone"
        yield from _torn_evidence(data)
    finally:
        data.close()
    yield from _tiles_gone(folder, told)


def _tiles_gone(folder: Path, told: list[dict[str, Any]]) -> Iterator[str]:
    """Tiles that were drawn in the last game, are in no line of its record, and must be known after a start."""
    if told and told[-1].get("drawn"):
        table = hexes_table.Table(folder)
        game = table.game
        table.session.stop()
        last = told[-1]
        same = game is not None and (game["id"], game["lines"]) == (last["game"], last["lines"])
        if same and game["drawn"][: len(last["drawn"])] != last["drawn"]:
            yield f"{game['id']}: a tile that was announced is gone"


def _torn_evidence(data: DataFolder) -> Iterator[str]:
    for throw in data.matches.throws():
        if throw.removed is None and is_photo(throw):
            files = data.pictures.files(throw.game, throw.id)
            for name, content in files.items():
                if name.endswith((".jpg", ".png")):
                    decode_picture(content, f"{throw.id}/{name}")
        elif throw.removed is None:
            saved = from_files(data.pictures.files(throw.game, throw.id), {})
            decode_picture(saved.judged, throw.id)
            for name, _, jpeg in saved.frames:
                if jpeg[:2] != b"\xff\xd8" or jpeg[-2:] != b"\xff\xd9":
                    yield f"{throw.id}/{name} is torn"
    for part in data.pictures.folder.rglob("*.part"):
        yield f"{part} is left over"
