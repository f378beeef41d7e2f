"""Why a card was not taken is kept as a code, and comes back as the same sentence."""

from __future__ import annotations

import pytest

from arena_cam.domain.messages import message_from_json, message_to_json
from arena_cam.vision.deck_learning.taking_messages import NotFound, NotTaken


@pytest.mark.parametrize("reason", [*NotTaken, *NotFound])
def test_what_is_said_survives_its_way_to_a_page(reason: NotTaken | NotFound) -> None:
    message = reason(**dict.fromkeys(reason.places, "7"))
    assert str(message_from_json(message_to_json(message))) == str(message)
    assert "; " in str(message)  # what is wrong, and what to do
