"""`arena-cam deck learn --game dilemmas`: cards, tokens and discs become a set; what is missing is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.commands.main import main
from arena_cam.formats.dilemmas.dilemma_set_toml import read_dilemma_set
from arena_cam.printing.dilemmas import faces
from arena_cam.printing.dilemmas.texts import card_texts

Image = NDArray[np.uint8]
GROUND = (84, 78, 70)
PX = 5.0
CARDS = {"positive-1": ("p-03", "p-01"), "negative": ("n-02", "n-05")}
TOKENS = ("yes", "no", "back")


def photograph(pieces: list[Image], size_mm: tuple[float, float]) -> Image:
    """Pieces in a row on a table of some grain, in light that makes them a fifth darker than they are."""
    width, height = (round(side * PX) for side in size_mm)
    room = width + 60
    grain = np.random.default_rng(len(pieces)).normal(0, 3, (height + 160, room * len(pieces) + 100, 1))
    picture = np.clip(np.array(GROUND) + grain, 0, 255).astype(np.uint8)
    for k, piece in enumerate(pieces):
        small = cv2.resize(piece, (width, height), interpolation=cv2.INTER_AREA)
        share = small[:, :, 3:] / 255.0 if small.shape[2] == 4 else 1.0
        part = picture[80 : 80 + height, 60 + k * room : 60 + k * room + width]
        part[:] = np.round(small[:, :, :3] * share * 0.8 + part * (1 - share)).astype(np.uint8)
    return picture


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    texts = {text.id: text for text in card_texts("en")}
    for stem, names in CARDS.items():
        cards = [faces.card_face(texts[name]) for name in names]
        cv2.imwrite(str(folder / f"{stem}.png"), photograph(cards, (faces.WIDTH_MM, faces.HEIGHT_MM)))
    token_mm, owner_mm = (faces.TOKEN_MM,) * 2, (faces.OWNER_MM,) * 2
    cv2.imwrite(str(folder / "tokens.png"), photograph([faces.token_face(kind) for kind in TOKENS], token_mm))
    owners = [faces.owner_face(colour) for colour in ("blue", "yellow")]
    cv2.imwrite(str(folder / "owners-blue-yellow.png"), photograph(owners, owner_mm))
    return folder


def learn(photos: Path, out: Path, *more: str) -> int:
    size = f"{faces.WIDTH_MM:g}x{faces.HEIGHT_MM:g}"
    widths = ["--token-width", f"{faces.TOKEN_MM:g}", "--owner-width", f"{faces.OWNER_MM:g}"]
    said = ["--photos", str(photos), "--card-size", size, *widths, "--out", str(out)]
    return main(["deck", "learn", "--game", "dilemmas", *said, *more])


def likeness(learned: Path, true: Image) -> float:
    """How alike a learned picture and the true one are, off its rim: the correlation of their pixels."""
    seen = cv2.imread(str(learned))
    assert seen is not None
    small = cv2.resize(true[:, :, :3], (seen.shape[1], seen.shape[0]), interpolation=cv2.INTER_AREA)
    rim = round(0.15 * seen.shape[1])
    inner = (slice(rim, -rim), slice(rim, -rim))
    return float(np.corrcoef(seen[inner].ravel(), small[inner].ravel())[0, 1])


def test_a_set_is_learned_and_can_be_read(photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mine"
    assert learn(photos, out) == 0
    assert "4 cards, 3 tokens and 2 owners' discs learned (2 in positive-1.png;" in capsys.readouterr().out
    made = read_dilemma_set(out)
    assert [(card.id, str(card.kind)) for card in made.cards] == [
        ("p-01", "positive"),
        ("p-02", "positive"),
        ("n-01", "negative"),
        ("n-02", "negative"),
    ]
    assert [str(token.name) for token in made.tokens] == list(TOKENS)
    assert [owner.name for owner in made.owners] == ["blue", "yellow"]
    texts = {text.id: text for text in card_texts("en")}
    shown = [name for names in CARDS.values() for name in names]
    for card, name in zip(made.cards, shown, strict=True):
        assert likeness(card.image, faces.card_face(texts[name])) > 0.9
        assert cv2.imread(str(card.image)).max() > 240  # type: ignore[union-attr]  # paper is white again
    for token in made.tokens:
        assert likeness(token.image, faces.token_face(token.name)) > 0.9


@pytest.mark.parametrize(
    ("gone", "more", "said"),
    [
        ("negative.png", (), "holds no negative.jpg"),
        ("tokens.png", (), "holds no tokens.jpg"),
        ("", ("--card-size", "big"), "--card-size"),
        ("", ("--token-width", "3"), "--token-width is 3"),
        ("", ("--owner-width", "300"), "--owner-width is 300"),
        ("", ("--lang", "fr", "--token-width", "3"), "donnez"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], gone: str, more: tuple[str, ...], said: str
) -> None:
    folder = tmp_path / "photos"
    shutil.copytree(photos, folder)
    if gone:
        (folder / gone).unlink()
    assert learn(folder, tmp_path / "mine", *more) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "mine").exists()


def test_photographs_that_do_not_show_what_their_names_say_are_named(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "photos"
    shutil.copytree(photos, folder)
    (folder / "owners-blue-yellow.png").rename(folder / "owners-blue.png")
    assert learn(folder, tmp_path / "mine") == 1
    assert "owners-blue.png: 2 discs are seen instead of 1" in capsys.readouterr().err
    shutil.copy(photos / "owners-blue-yellow.png", folder / "tokens.png")
    assert learn(folder, tmp_path / "mine") == 1
    assert "tokens.png: 2 tokens are seen; lay yes, no and back" in capsys.readouterr().err
    cv2.imwrite(str(folder / "positive-1.png"), np.full((400, 600, 3), 90, np.uint8))
    assert learn(folder, tmp_path / "mine") == 1
    assert "positive-1.png: no card is seen; lay the cards upright" in capsys.readouterr().err
    (folder / "positive-1.png").write_bytes(b"no picture")
    assert learn(folder, tmp_path / "mine") == 2
    assert "positive-1.png" in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()
