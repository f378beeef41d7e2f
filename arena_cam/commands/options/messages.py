"""What several commands say at the terminal while they follow a camera."""

from __future__ import annotations

from arena_cam.domain.messages import Sentence


class Following(Sentence):
    """While pictures come one after another."""

    WAITING = "waiting", "%(why)s; waiting for the camera"
    UNREADABLE = "unreadable", "some pictures could not be read; see above"
