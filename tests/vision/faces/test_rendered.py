"""Faces rendered as a camera would see them, and held against its pixels."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.rendered import MARGIN_PX, OVERSAMPLED, Patch, Rendered, rendered
from arena_cam.vision.kernels.library import computing_with

HEIGHT, WIDTH = 18, 16  # pixels: a figure is ten high
WHITE = 0.8


def drawn(text: str, ink: float = 40.0, paper: float = 230.0) -> NDArray[np.float32]:
    """A figure on paper, as light, drawn finely."""
    size = OVERSAMPLED * (HEIGHT + 2 * MARGIN_PX), OVERSAMPLED * (WIDTH + 2 * MARGIN_PX)
    face = np.full(size, round(paper), np.uint8)
    cv2.putText(face, text, (22, 52), cv2.FONT_HERSHEY_DUPLEX, 1.3, ink, 4, cv2.LINE_AA)
    return face.astype(np.float32)


def seen(
    face: NDArray[np.float32],
    off: tuple[float, float] = (0.0, 0.0),
    blur_px: float = 0.7,
    noise: float = 2.0,
    lit: tuple[float, float] = (0.4, 12.0),
) -> Array:
    """A figure's light in half of paper's light and a haze (`lit`), displaced (right, down) and blurred (pixels);
    `noise` is of grey levels."""
    soft = cv2.GaussianBlur(face, (0, 0), OVERSAMPLED * blur_px)
    x, y = ((MARGIN_PX - part) * OVERSAMPLED for part in off)
    to_face = np.array([[OVERSAMPLED, 0.0, x], [0.0, OVERSAMPLED, y]])
    light = cv2.warpAffine(soft, to_face, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP)
    light = lit[0] * light + lit[1]
    levels = np.sqrt(light * 255.0) + np.random.default_rng(3).normal(0.0, noise, light.shape)
    return np.asarray(np.clip(levels, 0.0, 255.0) ** 2 / 255.0)


def patch(light: Array, figures: str, in_view: NDArray[np.bool_] | None = None, ink: float = 40.0) -> Patch:
    shown = np.ones(light.shape, bool) if in_view is None else in_view
    return Patch(light, shown, np.stack([drawn(figure, ink) for figure in figures]))


def told(*patches: Patch) -> Rendered:
    found = rendered(patches, WHITE)
    assert found is not None
    return found


@pytest.mark.parametrize("off", [(0.0, 0.0), (0.6, -0.4), (-1.1, 0.9)])
@pytest.mark.parametrize("blur_px", [0.5, 0.9, 1.5])
@pytest.mark.parametrize("right", ["4", "6", "8"])
def test_a_figure_ten_pixels_high_is_told_wherever_it_lies_and_however_softly_it_is_seen(
    right: str, off: tuple[float, float], blur_px: float
) -> None:
    figures = "34568"
    found = told(patch(seen(drawn(right), off, blur_px), figures))
    order = np.argsort(-found.nats)
    assert figures[order[0]] == right
    assert found.nats[order[1]] < (-5.0 if blur_px < 1.0 else -2.5)
    assert found.share > 0.95


@pytest.mark.parametrize("lit", [(1.1, 20.0), (1.1, 90.0), (0.8, 150.0)])
@pytest.mark.parametrize("right", ["3", "6", "8"])
def test_a_figure_is_told_on_paper_brighter_than_a_picture_gets(right: str, lit: tuple[float, float]) -> None:
    """Paper and the rims of strokes are full white: strokes seem thinner than they are drawn, and a face that sends
    more light than that is not wrong there. Taken for what they seem the figures were led by others, or by 0.1 nats."""
    light = seen(drawn(right), off=(0.4, -0.3), lit=lit)
    assert (light >= 255.0).mean() > 0.3
    found = told(patch(light, "34568"))
    order = np.argsort(-found.nats)
    assert "34568"[order[0]] == right
    assert found.nats[order[1]] < -5.0
    assert found.share > 0.95


@pytest.mark.parametrize("dark", [0.3, 0.6])
@pytest.mark.parametrize("right", ["3", "6", "8"])
def test_a_figure_is_told_in_the_shadow_of_a_raised_card(right: str, dark: float) -> None:
    """The light on it grows downwards. Taken for even, it had other figures lead, or none."""
    light = seen(drawn(right), off=(0.4, -0.3), lit=(0.6, 20.0)) * np.linspace(dark, 1.0, HEIGHT)[:, None]
    found = told(patch(light, "34568"))
    order = np.argsort(-found.nats)
    assert "34568"[order[0]] == right
    assert found.nats[order[1]] < -5.0
    assert found.share > 0.95


@pytest.mark.parametrize("lit", [(0.4, 12.0), (1.1, 20.0)])
@pytest.mark.parametrize("blur_px", [0.4, 1.5])
def test_compiled_or_not_a_figure_is_told_the_same(blur_px: float, lit: tuple[float, float]) -> None:
    """Where all is in view and where a part is hidden; single precision is known to less than a hundredth of a nat."""
    light = seen(drawn("8"), (1.1, -0.9), blur_px, lit=lit)
    shown = np.random.default_rng(7).uniform(size=light.shape) < 0.6
    for in_view in (None, shown):
        with computing_with(None):
            by_numpy = told(patch(light, "3568", in_view))
        compiled = told(patch(light, "3568", in_view))
        assert compiled.nats == pytest.approx(by_numpy.nats, abs=0.02)
        assert compiled.share == pytest.approx(by_numpy.share, abs=1e-4)


def test_the_noisier_a_picture_the_less_is_told() -> None:
    leads = [-told(patch(seen(drawn("8"), noise=noise), "83")).nats[1] for noise in (1.0, 8.0, 60.0)]
    assert leads[0] > leads[1] > leads[2]
    assert leads[2] < 2.0


def test_ink_of_another_tone_is_the_same_figure() -> None:
    """Print is compared by its light: a paler ink is as likely, as haze may lie over it."""
    light = seen(drawn("8", ink=120.0))
    both = np.stack([drawn("8", ink=120.0), drawn("8", ink=40.0)])
    assert np.abs(told(Patch(light, np.ones(light.shape, bool), both)).nats).max() < 0.5


def test_where_none_of_the_faces_lies_no_face_leads() -> None:
    """What is seen is a bar across, none of the figures asked about, and shares a stroke with each."""
    bar = drawn(" ")
    bar[:, 40:46] = 40.0
    found = told(patch(seen(bar), "2345"))
    assert found.share < 0.6
    assert np.abs(found.nats).max() == 0.0


def test_a_figure_that_is_not_there_is_no_figure() -> None:
    """Shapes tell a value by how many there are: where one face has none and paper shows, that face leads, though only
    by as much as hardly anything hides a shape."""
    found = told(patch(seen(drawn("8")), "81"), patch(seen(drawn(" ")), " 1"))
    assert found.nats[0] == 0.0
    shape = told(patch(seen(drawn("8")), " 8"))
    assert shape.nats[0] < -20.0


def test_what_is_hidden_is_not_asked_about() -> None:
    """The upper halves of 5 and 6 tell them apart, the lower ones hardly."""
    light = seen(drawn("5"))
    upper = np.arange(HEIGHT)[:, None] < np.full(WIDTH, HEIGHT // 2)
    whole, half = told(patch(light, "56")), told(patch(light, "56", in_view=~upper))
    assert -half.nats[1] < 0.5 * -whole.nats[1]


def test_of_a_few_pixels_nothing_is_said() -> None:
    light, few = seen(drawn("8")), np.zeros((HEIGHT, WIDTH), bool)
    few[3:6, 3:6] = True
    assert rendered([patch(light, "83", in_view=few)], WHITE) is None
    assert rendered([], WHITE) is None


def test_where_no_print_shows_the_smallest_figure_does_not_lead() -> None:
    """Paper is seen where every face has a figure: something hides them all."""
    assert rendered([patch(seen(drawn(" ")), "81")], WHITE) is None
    some = told(patch(seen(drawn("8")), "81"), patch(seen(drawn(" ")), "81"))
    assert some.nats == pytest.approx(told(patch(seen(drawn("8")), "81")).nats)
