"""The files of a set-up: cameras and decks to choose from, and the table that is written.

Nothing that a page sends becomes a path: cameras and decks are chosen by their place in a list made here, and a table's
name is a word of plain letters.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, CannotDo, Refused
from arena_cam.formats.card_names import ARENA_NAMES
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import read_camera
from arena_cam.formats.whole_file import write_whole
from arena_cam.referee.setup.interface import DeckChoice, LensChoice
from arena_cam.referee.setup.messages import SetupRefusal

Json = dict[str, Any]
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
CAMERAS = "cameras"  # the folder of cameras calibrated here; no table may be called so
TABLE = "table.json"
SAME_SHAPE = 0.01  # of width over height: shipped values serve a smaller picture of the same view
OWN_DECK = "own"


@dataclass(frozen=True)
class SetupPlaces:
    """The folders of a set-up. `own_deck` draws the project's own deck, where it is not there yet, and says its folder.

    `in_use` is the deck folder that was given when the program started.
    """

    calibration: Path
    shipped: Path
    decks: Path
    own_deck: Callable[[], Path]
    in_use: Path | None = None


@dataclass(frozen=True)
class Lens:
    """Camera parameters: `camera` as table.json holds them, for pictures of the size at hand."""

    id: str
    kind: str
    name: str
    camera: Json = field(compare=False)

    def choice(self) -> LensChoice:
        calibration = self.camera.get("calibration") or {}
        return {
            "id": self.id,
            "kind": self.kind,
            "name": self.name,
            "focal_px": round(float(self.camera["K"][0][0]), 1),
            "reprojection_px": calibration.get("reprojection_px"),
        }


def lenses(places: SetupPlaces, size: tuple[int, int], in_use: Json | None) -> list[Lens]:
    """Cameras that fit pictures of `size` (w, h): the one `in_use`, those calibrated here, those shipped."""
    found = []
    if in_use is not None and tuple(in_use["image_size"]) == size:
        camera: Json = {key: in_use[key] for key in ("image_size", "K", "dist", "calibration") if key in in_use}
        found.append(Lens("in-use", "in_use", "", camera))
    kept = [*sorted(places.calibration.glob(f"{CAMERAS}/*.json")), *sorted(places.calibration.glob(f"*/{TABLE}"))]
    for file in kept:
        camera_ = _camera(file)
        name = file.stem if file.parent.name == CAMERAS else file.parent.name
        if camera_ is not None and tuple(camera_["image_size"]) == size:
            found.append(Lens(f"kept:{name}", "kept", name, camera_))
    shipped: dict[str, Lens] = {}
    for file in sorted(places.shipped.glob("*.json")):
        camera_ = _camera(file)
        fitted = _fitted(camera_, size) if camera_ is not None else None
        if camera_ is None or fitted is None:
            continue
        name = file.stem.rpartition("-")[0].replace("-", " ")
        if name not in shipped or tuple(camera_["image_size"]) == size:  # another size of the same camera
            shipped[name] = Lens(f"shipped:{file.stem}", "shipped", name, fitted)
    return [*found, *shipped.values()]


def _camera(file: Path) -> Json | None:
    try:
        return read_camera(file)
    except BadInput:
        return None  # not a camera file


def _fitted(camera: Json, size: tuple[int, int]) -> Json | None:
    """`camera` for pictures of `size` that show the same view; None where the view has another shape."""
    width, height = camera["image_size"]
    if abs(size[0] * height / (size[1] * width) - 1.0) > SAME_SHAPE:
        return None
    across, down = size[0] / width, size[1] / height
    (fx, skew, cx), (_, fy, cy), last = camera["K"]
    # (0, 0) is the centre of the first pixel: it moves by half a pixel, too.
    matrix = [[fx * across, skew * across, (cx + 0.5) * across - 0.5], [0.0, fy * down, (cy + 0.5) * down - 0.5], last]
    return camera | {"image_size": list(size), "K": matrix}


def decks(places: SetupPlaces) -> list[tuple[DeckChoice, Path | None]]:
    """The known decks with their folders; the project's own is drawn only when it is chosen."""
    own: DeckChoice = {
        "id": OWN_DECK,
        "kind": "own",
        "name": "arena-cam",
        "folder": "",
        "cards": 50,
        "size_mm": [63.0, 88.0],
        "markers": True,
        "problem": "",
        "missing": 0,
    }
    found: list[tuple[DeckChoice, Path | None]] = [(own, None)]
    folders = [file.parent for file in sorted(places.decks.glob("*/deck.toml"))]
    if places.in_use is not None and places.in_use.resolve() not in {folder.resolve() for folder in folders}:
        found.append((_deck_choice("in-use", "in_use", places.in_use), places.in_use))
    found += [(_deck_choice(f"folder:{folder.name}", "folder", folder), folder) for folder in folders]
    for (choice, _), ending in zip(found[1:], _endings([folder for _, folder in found[1:] if folder]), strict=True):
        choice["folder"] = ending
    return found


def decks_written(places: SetupPlaces) -> dict[Path, int]:
    """The folders of decks, each with the time at which its list of cards was written, in nanoseconds."""
    written = {}
    for file in places.decks.glob("*/deck.toml"):
        try:
            written[file.parent] = file.stat().st_mtime_ns
        except OSError:
            continue  # taken away meanwhile, or a link to nowhere
    return written


def _endings(folders: Sequence[Path]) -> list[str]:
    """The ends of the paths of `folders`, which all differ: each as short as that allows, two parts at least."""
    parts = [folder.absolute().parts for folder in folders]
    endings = []
    for mine in parts:
        length = 2
        while length < len(mine) and sum(other[-length:] == mine[-length:] for other in parts) > 1:
            length += 1
        endings.append("/".join(mine[-length:]))
    return endings


def _deck_choice(number: str, kind: str, folder: Path) -> DeckChoice:
    choice: DeckChoice = {
        "id": number,
        "kind": kind,
        "name": folder.name,
        "folder": "",
        "cards": 0,
        "size_mm": [],
        "markers": False,
        "problem": "",
        "missing": 0,
    }
    try:
        deck = read_deck(folder)
    except BadInput as error:
        choice["problem"] = str(error).removeprefix(f"{folder}/")
        return choice
    choice["name"], choice["cards"] = deck.name, len(deck.cards)
    choice["missing"] = _missing(deck)
    choice["size_mm"], choice["markers"] = [deck.width_mm, deck.height_mm], any(card.markers for card in deck.cards)
    return choice


def _missing(deck: Deck) -> int:
    """How many of the usual game's cards, with the back, a deck that has some of them lacks."""
    if not any(name in deck.by_id for name in ARENA_NAMES):
        return 0
    return sum(name not in deck.by_id for name in ARENA_NAMES) + (deck.back is None)


def learned_deck(places: SetupPlaces, name: Any, size_mm: tuple[float, float] | None) -> DeckFolder:
    """The folder of a deck that is to be learned, a new one or one begun before.

    Raises Refused for a name that is no plain word, BadInput for a size that is not that of the cards there.
    """
    if not isinstance(name, str) or NAME.fullmatch(name) is None:
        raise Refused("bad_argument", SetupRefusal.BAD_DECK_NAME())
    return DeckFolder(places.decks / name, size_mm, names=ARENA_NAMES)


def table_names(calibration: Path) -> list[str]:
    """The tables that have been written."""
    return sorted(file.parent.name for file in calibration.glob(f"*/{TABLE}"))


def checked_name(name: Any) -> str:
    """A table's name. Raises Refused `bad_argument` for anything that is no plain word."""
    if not isinstance(name, str) or NAME.fullmatch(name) is None or name == CAMERAS:
        raise Refused("bad_argument", SetupRefusal.BAD_TABLE_NAME())
    return name


def write_table(calibration: Path, name: str, content: Json, empty_png: bytes, *, replace: bool) -> Path:
    """Writes calibration/NAME/table.json with the picture of the empty arena, and returns the file.

    Raises Refused `exists` where there is one; with `replace` that folder is put aside under another name, whole.
    Raises CannotDo where nothing can be written.
    """
    folder = calibration / checked_name(name)
    try:
        if folder.exists():
            if not replace:
                raise Refused("exists", SetupRefusal.TABLE_EXISTS(name=name))
            folder.rename(_free(calibration, f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"))
        folder.mkdir(parents=True)
        picture = folder / "table-empty.png"
        write_whole(picture, empty_png)
        write_whole(folder / TABLE, (json.dumps(content | {"empty": picture.name}, indent=1) + "\n").encode())
    except OSError as error:
        raise CannotDo(SetupRefusal.FOLDER_NOT_WRITABLE(name=str(folder), text=error.strerror)) from None
    return folder / TABLE


def keep_camera(calibration: Path, source: str, camera: Json) -> str:
    """Keeps a camera that was calibrated, before anything else is done with it; returns its name in `lenses`."""
    width, height = camera["image_size"]
    plain = re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-") or "camera"
    name = f"{plain}-{width}x{height}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = calibration / CAMERAS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = _free(folder, name, ".json")
        write_whole(file, (json.dumps(camera, indent=1) + "\n").encode())
    except OSError as error:
        raise CannotDo(SetupRefusal.FOLDER_NOT_WRITABLE(name=str(folder), text=error.strerror)) from None
    return file.stem


def _free(folder: Path, name: str, ending: str = "") -> Path:
    """`name` in `folder`, with a number where that is taken."""
    path, number = folder / f"{name}{ending}", 2
    while path.exists():
        path, number = folder / f"{name}-{number}{ending}", number + 1
    return path
