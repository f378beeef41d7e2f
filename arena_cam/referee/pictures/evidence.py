"""The pictures that a throw was judged by: packed into few files, exported as one zip, and looked at closely when
brought in.

    manifest.json   the measurements (the whole reading), the frames' times and places in frames.bin; `rules`: the game
    frames.bin      the frames from before the card came in until it rests, JPEG after JPEG
    judged.png      the frame judged, without loss (judged.jpg where the camera delivered JPEG)
    thumbnail.jpg
Few files, because each costs a small card a flush of its own.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena_cam.camera.frame import Frame
from arena_cam.camera.picture_size import picture_size
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, BadPicture, Refused
from arena_cam.domain.lies import Lie, Reading
from arena_cam.domain.table import Table
from arena_cam.formats.judgement import lie_from_json, lie_in_full, reading_from_json, reading_in_full
from arena_cam.formats.table_json import table_to_json
from arena_cam.referee.messages import Refusal, ThrowFileRefusal
from arena_cam.referee.pictures.frame_ring import lossless, thumbnail
from arena_cam.rules import USUAL_GAME, all_games
from arena_cam.store.archives import Limits, read_archive, read_member

Json = dict[str, Any]
FORMAT = 1
RULES = "rules"  # of which game: in the manifest, and in the ruling, which has it also of throws kept before that
MANIFEST, FRAMES, THUMBNAIL = "manifest.json", "frames.bin", "thumbnail.jpg"
RULING, RECORD = "ruling.json", "game.jsonl"
# What one throw and its deck can hold; a zip from elsewhere with more is none of ours.
LIMITS = Limits(files=1500, bytes=512 * 1024**2)
MOST_TEXT = 8 * 1024**2  # of a manifest or a record: a hundred times the longest game's
MOST_PIXELS = 70_000_000  # of one picture: the largest camera for a Raspberry Pi has 64 megapixels
MOST_DECK_PIXELS = 400_000_000  # of a deck: 120 cards scanned at 600 dpi
IN_SETUP = re.compile(r"setup/(table\.json|empty\.(png|jpg|jpeg|bmp|webp)|deck/(.+/)?[^/]+\.(toml|png|jpg|jpeg))", re.I)


@dataclass(frozen=True)
class SavedThrow:
    """A throw read back. `frames` are (name, time in seconds, JPEG); `setup` what it was seen with, by file name.

    `ruling` is what had been said of it when it was exported; None in a throw read from its folder.
    """

    manifest: Json
    frames: tuple[tuple[str, float, bytes], ...]
    judged: bytes
    setup: Mapping[str, bytes] = field(default_factory=dict)
    ruling: Json | None = None
    record: str | None = None
    thumbnail: bytes = b""

    @property
    def rules(self) -> str:
        """The game that it was thrown in. Before arena-cam said so, throws were kept of one game alone."""
        return str(self.manifest.get(RULES) or (self.ruling or {}).get(RULES) or USUAL_GAME)


def pack(
    throw: str, lie: Lie, reading: Reading, frame: Frame, frames: list[tuple[float, bytes]], about: Json
) -> dict[str, bytes]:
    """The files of one throw: `lie` of `reading`, judged in `frame`; `about` goes into the manifest as it is."""
    ending, judged = lossless(frame)
    index, offset = [], 0
    for number, (time_s, jpeg) in enumerate(frames):
        index.append({"name": f"frame-{number:03d}.jpg", "time_s": round(time_s, 4), "at": offset, "bytes": len(jpeg)})
        offset += len(jpeg)
    manifest = about | {
        "format": FORMAT,
        "throw": throw,
        "lie": lie_in_full(lie),
        "reading": reading_in_full(reading),
        "judged": f"judged.{ending}",
        "judged_time_s": round(frame.time_s, 4),
        "image_size": [frame.image_bgr.shape[1], frame.image_bgr.shape[0]],
        "frames": index,
        "source": frame.source,
    }
    return {
        MANIFEST: json.dumps(manifest, ensure_ascii=False, indent=1).encode(),
        FRAMES: b"".join(jpeg for _, jpeg in frames),
        str(manifest["judged"]): judged,
        THUMBNAIL: thumbnail(frame, lie.corners_px),
    }


def read_manifest(content: bytes) -> Json:
    """The manifest in `content`. Raises BadInput for what we did not write or a newer arena-cam did."""
    try:
        manifest = json.loads(content, parse_float=finite, parse_constant=finite)
        number = manifest["format"]
        for entry in manifest["frames"]:
            str(entry["name"]), float(entry["time_s"]), int(entry["at"]), int(entry["bytes"])
        str(manifest["judged"]), dict(manifest["lie"]), dict(manifest["reading"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(ThrowFileRefusal.OTHER_MANIFEST(text=str(error))) from None
    if number != FORMAT:
        raise BadInput(ThrowFileRefusal.OTHER_FORMAT(format=str(number), format_here=FORMAT))
    return dict(manifest)


def finite(text: str) -> float:
    """A number as JSON may hold it; what is infinite or none cannot have been measured."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:20]} is no finite number")
    return value


def picture(files: Mapping[str, bytes], manifest: Json, name: str) -> tuple[str, bytes]:
    """(media type, bytes) of the picture `name` of a throw. Raises Refused `unknown` for any other name."""
    if name in (THUMBNAIL, manifest["judged"]) and name in files:
        return ("image/png" if name.endswith(".png") else "image/jpeg"), files[name]
    for entry in manifest["frames"]:
        if entry["name"] == name:
            return "image/jpeg", files[FRAMES][entry["at"] : entry["at"] + entry["bytes"]]
    raise Refused("unknown", Refusal.NO_PICTURE(name=repr(name[:60])))


def setup_files(table: Table, deck: Deck) -> dict[str, bytes]:
    """The files that throws are seen with, by name: table.json, the empty arena's picture, the deck's folder."""
    description = table_to_json(table)
    files = {}
    if table.empty is not None and table.empty.is_file():
        files["empty" + table.empty.suffix] = table.empty.read_bytes()
        description["empty"] = "empty" + table.empty.suffix
    files["table.json"] = json.dumps(description, indent=1).encode()
    folder = deck.cards[0].image.parent
    if (folder / "deck.toml").is_file():
        pictures = {card.image for card in deck.cards} | ({deck.back} if deck.back is not None else set())
        for file in sorted({folder / "deck.toml"} | pictures):
            files[f"deck/{file.relative_to(folder).as_posix()}"] = file.read_bytes()
    return files


def setup_name(files: Mapping[str, bytes]) -> str:
    """A name for a set-up that is the same for the same contents: a deck is kept once, not once a game."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return digest.hexdigest()[:16]


def export(files: Mapping[str, bytes], setup: Mapping[str, bytes], ruling: Json, record: str) -> bytes:
    """One zip with everything that a throw was judged by and what was said of it; frames as files of their own."""
    manifest = read_manifest(files[MANIFEST])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(MANIFEST, files[MANIFEST], zipfile.ZIP_DEFLATED)
        archive.writestr(RULING, json.dumps(ruling, ensure_ascii=False, indent=1), zipfile.ZIP_DEFLATED)
        archive.writestr(RECORD, record, zipfile.ZIP_DEFLATED)
        for entry in manifest["frames"]:
            archive.writestr(f"frames/{entry['name']}", picture(files, manifest, entry["name"])[1])
        for name in (manifest["judged"], THUMBNAIL):
            archive.writestr(name, files[name])
        for name, content in setup.items():
            archive.writestr(f"setup/{name}", content)
    return out.getvalue()


def read_throw(path: Path) -> SavedThrow:
    """A saved throw from its folder or an exported zip. Raises BadInput, saying what is wrong and what to do."""
    if path.is_dir():
        return _from_folder(path)
    with read_archive(path, LIMITS) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
        for name in (MANIFEST, RULING, RECORD):
            if sizes.get(name, 0) > MOST_TEXT:
                raise BadInput(ThrowFileRefusal.LARGE_MEMBER(name=name, size_mb=sizes[name] // 2**20))
        manifest = read_manifest(read_member(archive, MANIFEST))
        _measurements(manifest)
        ruling = _ruling(read_member(archive, RULING))
        _check_game(manifest, ruling)
        judged = str(manifest["judged"])
        frames = {f"frames/{entry['name']}": entry for entry in manifest["frames"]}
        for name in sizes:
            ours = name in (MANIFEST, RULING, RECORD, THUMBNAIL, judged) or name in frames
            if not ours and not IN_SETUP.fullmatch(name):
                raise BadInput(ThrowFileRefusal.OTHER_MEMBER(name=repr(name[:60])))
        setup = [name for name in sizes if name.startswith("setup/")]
        return SavedThrow(
            manifest,
            tuple(
                (str(entry["name"]), float(entry["time_s"]), _picture(name, read_member(archive, name)))
                for name, entry in frames.items()
            ),
            _picture(judged, read_member(archive, judged)),
            _setup({name.removeprefix("setup/"): read_member(archive, name) for name in setup}),
            ruling,
            read_member(archive, RECORD).decode("utf-8", "replace"),
            _picture(THUMBNAIL, read_member(archive, THUMBNAIL)),
        )


def _measurements(manifest: Json) -> None:
    """Raises BadInput where what was measured cannot be read, before a page is made of it."""
    try:
        reading_from_json(manifest["reading"])
        lie_from_json(manifest["lie"])
        float(manifest["judged_time_s"])
        width, height = manifest.get("image_size") or (1, 1)
        if not 0 < int(width) * int(height) <= MOST_PIXELS:
            raise ValueError(f"image_size is {width} x {height}")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(ThrowFileRefusal.MANIFEST_DAMAGED(kind=type(error).__name__, text=str(error))) from None


def _check_game(manifest: Json, ruling: Json) -> None:
    """Raises BadInput where it is not said once and clearly which game's throw this is."""
    said = [each[RULES] for each in (manifest, ruling) if each.get(RULES)]
    for game in said:
        if not isinstance(game, str) or game not in all_games():
            raise BadInput(ThrowFileRefusal.UNKNOWN_GAME(game=repr(game)[:60]))
    if len(set(said)) > 1:
        raise BadInput(ThrowFileRefusal.MIXED_GAMES(game=said[0], record=said[1]))


def _picture(name: str, content: bytes) -> bytes:
    """`content` if it is a picture of a size that a camera or a scanner can have made."""
    _pixels(name, content)
    return content


def _pixels(name: str, content: bytes) -> int:
    try:
        width, height = picture_size(content)
    except BadPicture:
        raise BadInput(ThrowFileRefusal.NO_PICTURE_IN_IT(name=name[:60])) from None
    if not 0 < width * height <= MOST_PIXELS:
        raise BadInput(ThrowFileRefusal.LARGE_PICTURE(name=name[:60], width_px=width, height_px=height))
    return width * height


def _setup(files: dict[str, bytes]) -> dict[str, bytes]:
    pictures = {name: content for name, content in files.items() if not name.endswith((".json", ".toml"))}
    if sum(_pixels(name, content) for name, content in pictures.items()) > MOST_DECK_PIXELS:
        raise BadInput(ThrowFileRefusal.LARGE_DECK())
    return files


def _ruling(content: bytes) -> Json:
    try:
        return dict(json.loads(content))
    except (ValueError, TypeError, RecursionError):
        raise BadInput(ThrowFileRefusal.RULING_DAMAGED()) from None


def from_files(files: Mapping[str, bytes], setup: Mapping[str, bytes]) -> SavedThrow:
    """A saved throw from the files that `pack` made. Raises BadInput if some are missing or damaged."""
    if MANIFEST not in files:
        raise BadInput(ThrowFileRefusal.NO_SAVED_THROW(file=MANIFEST))
    manifest = read_manifest(files[MANIFEST])
    if manifest["judged"] not in files or FRAMES not in files:
        raise BadInput(ThrowFileRefusal.PICTURES_MISSING())
    frames = tuple((e["name"], float(e["time_s"]), picture(files, manifest, e["name"])[1]) for e in manifest["frames"])
    return SavedThrow(manifest, frames, files[str(manifest["judged"])], setup)


def _from_folder(folder: Path) -> SavedThrow:
    try:
        files = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    except OSError as error:
        raise BadInput(ThrowFileRefusal.NOT_READ(text=error.strerror), about=folder) from None
    try:
        return from_files(files, _setup_beside(folder, files))
    except BadInput as error:
        raise BadInput(error.said, about=folder) from None


def _setup_beside(folder: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that the throw was seen with, from the data folder that it lies in; empty if it lies alone."""
    name = str(read_manifest(files[MANIFEST]).get("setup") or "") if MANIFEST in files else ""
    for data in folder.resolve().parents[:4]:
        setup = data / "setups" / name
        if name.isalnum() and setup.is_dir():
            return {p.relative_to(setup).as_posix(): p.read_bytes() for p in sorted(setup.rglob("*")) if p.is_file()}
    return {}
