"""Our own set of dilemmas: the same cards in every language, no two alike, and a folder that reads back."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from arena_cam.commands.main import main
from arena_cam.domain.dilemma_sets import CardKind
from arena_cam.domain.errors import BadDeck
from arena_cam.formats.dilemmas.dilemma_set_toml import dilemma_set_to_toml, read_dilemma_set
from arena_cam.printing.dilemmas import faces
from arena_cam.printing.dilemmas.set_folder import write_set
from arena_cam.printing.dilemmas.texts import LANGUAGES, card_texts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dilemmas")
    write_set(folder, "fr")
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_cards_of_each_kind_and_none_says_what_another_says(language: str) -> None:
    cards = card_texts(language)
    counts = {kind: sum(card.kind == kind for card in cards) for kind in CardKind}
    assert counts == {"positive": 60, "negative": 60, "neutral": 20}
    assert len({card.text for card in cards}) == len(cards)
    assert all(3 < len(card.text) <= 60 for card in cards)


def test_a_card_has_the_same_id_in_every_language() -> None:
    ids = [[card.id for card in card_texts(language)] for language in LANGUAGES]
    assert ids[0] == ids[1] == ids[2]


def test_cards_differ_in_more_than_their_words() -> None:
    """Half a card must tell its name: where the emblem stands, no two cards of a kind look the same."""
    pictures = [faces.card_face(card) for card in card_texts("en")[4:60:4]]
    corner = [picture[: 17 * faces.PX_MM, : 17 * faces.PX_MM].astype(int) for picture in pictures]
    least = min(np.abs(a - b).mean() for k, a in enumerate(corner) for b in corner[:k])
    assert least > 0.2


def test_words_stay_inside_the_card() -> None:
    for language in LANGUAGES:
        longest = sorted(card_texts(language), key=lambda card: max(map(len, card.text.split())))[-3:]
        for card in longest:
            words = faces.card_face(card)[18 * faces.PX_MM : 68 * faces.PX_MM].min(axis=2) < 100
            columns = np.flatnonzero(words.any(axis=0))
            assert columns[0] > 2 * faces.PX_MM, card
            assert columns[-1] < (faces.WIDTH_MM - 2) * faces.PX_MM, card


def test_the_folder_reads_back_as_it_was_written(folder: Path) -> None:
    read = read_dilemma_set(folder)
    assert dilemma_set_to_toml(read) == (folder / "deck.toml").read_text(encoding="utf-8")
    assert [token.name for token in read.tokens] == ["yes", "no", "super_yes", "super_no", "back"]
    token = cv2.imread(str(read.tokens[0].image), cv2.IMREAD_UNCHANGED)
    assert token is not None
    assert (token[0, 0, 3], token[150, 150, 3]) == (0, 255)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('game = "dilemmas"', 'game = "hexes"', "is no set of dilemmas"),
        ('kind = "negative"', 'kind = "positive"', 'has no card of kind "negative"'),
        ('kind = "back"', 'kind = "behind"', "[[token]] kind must be one of"),
        ('id = "p-02"', 'id = "p-01"', "[[card]] has 'p-01' twice"),
        ("diameter_mm = 25", 'diameter_mm = "wide"', "diameter_mm"),
        ('image = "p-03.png"', 'image = "lost.png"', "lost.png is missing"),
        ("width_mm = 63", "width_mm = ", "is not TOML"),
    ],
)
def test_a_set_that_cannot_be_used_is_refused_in_one_line(
    folder: Path, tmp_path: Path, old: str, new: str, told: str
) -> None:
    for file in folder.glob("*.png"):
        (tmp_path / file.name).symlink_to(file)
    text = (folder / "deck.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "deck.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadDeck) as refused:
        read_dilemma_set(tmp_path)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_command_prints_tokens_and_discs_with_their_backs(tmp_path: Path) -> None:
    out = tmp_path / "small.pdf"
    assert main(["deck", "print", "--game", "dilemmas", "--only", "owners", "--only", "tokens", "--out", str(out)]) == 0
    pages = pypdfium2.PdfDocument(out)
    assert len(pages) == 2 * 2 + 2  # eighty tokens on two sheets, six discs on one, each with its other side
    px_mm = 8.0
    for page in pages:  # cut marks stood among the ruler's own
        picture = np.asarray(page.render(scale=px_mm * 25.4 / 72).to_pil().convert("L"))
        foot = picture[int(-5.6 * px_mm) : int(-5.2 * px_mm)]
        middle, half = picture.shape[1] // 2, int(66 * px_mm)
        assert foot[:, middle - half : middle + half].min() == 255, "just above the ruler nothing is drawn"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["--game", "dilemmas", "--language", "xx"], "give --language one of en, fr, is"),
        (["--game", "dilemmas", "--only", "blocks"], "give --only one of cards, empty, tokens, owners"),
        (["--only", "tokens"], "give --only one of cards, rules, blocks, scores, box, fiducials, board"),
    ],
)
def test_what_there_is_not_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: list[str], told: str
) -> None:
    assert main(["deck", "print", *line, "--out", str(tmp_path / "x.pdf")]) == 2
    assert re.search(re.escape(told), capsys.readouterr().err)
    assert not (tmp_path / "x.pdf").exists()
