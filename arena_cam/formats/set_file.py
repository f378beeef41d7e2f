"""What all sets share on the disk: a folder with deck.toml, and the pictures that it names."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena_cam.domain.errors import BadDeck
from arena_cam.formats.messages import FileTrouble, SetTrouble


def read_set_file(folder: Path | str) -> tuple[Path, dict[str, Any]]:
    """The deck.toml of `folder` (or the file itself), and what it says. Raises BadDeck if it cannot be read."""
    folder = Path(folder)
    file = folder / "deck.toml" if folder.name != "deck.toml" else folder
    try:
        return file, tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadDeck(SetTrouble.SET_NOT_READ(text=error.strerror), about=file) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadDeck(FileTrouble.NOT_TOML(text=str(error)), about=file) from None


def refuse_missing(file: Path, pictures: Iterable[Path | None]) -> None:
    """Raises BadDeck where one of the `pictures` that `file` names is not there."""
    missing = [picture.name for picture in pictures if picture is not None and not picture.is_file()]
    if missing:
        raise BadDeck(SetTrouble.PICTURE_MISSING(file=missing[0], count=len(missing)), about=file)
