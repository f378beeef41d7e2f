"""Every error that arena_cam raises on purpose, in one place.

ArenaCamError
├── BadInput            what was given cannot be used (exit status 2)
│   ├── BadDeck         a deck folder is incomplete or contradicts itself
│   ├── BadTable        a table.json is incomplete or contradicts itself
│   ├── BadRecord       a game record cannot be read or played
│   └── BadPicture      a picture or video cannot be read
├── CameraLost          a source that delivered frames stopped doing so (may come back)
├── CannotDo            asked rightly, but not possible here and now (exit status 1)
└── Refused             a request that the game or the session does not allow now

Every error carries a `Message`, so that a page or a terminal says it in its own language. It says what happened and,
after it, what to do; it is one line without a traceback.
"""

from __future__ import annotations

from arena_cam.domain.messages import Message


class ArenaCamError(Exception):
    """Base of all errors with a message written for the user."""

    def __init__(self, message: Message, *, about: object = None) -> None:
        """`about` is what a terminal names before the message: the file that is bad, for instance."""
        super().__init__(str(message) if about is None else f"{about}: {message}")
        self.said = message
        """The message without what it is about."""


class BadInput(ArenaCamError, ValueError):
    """What was given cannot be used."""


class BadDeck(BadInput):
    """A deck folder is incomplete or contradicts itself."""


class BadTable(BadInput):
    """A table.json is incomplete, contradicts itself or does not fit the picture."""


class BadRecord(BadInput):
    """A game record cannot be read or played; `line` counts from 1."""

    def __init__(self, line: int, message: Message) -> None:
        super().__init__(message)
        self.line = line
        self.message = str(message)


class BadPicture(BadInput):
    """A picture or video file cannot be read."""


class CameraLost(ArenaCamError, OSError):
    """A source that delivered frames stopped doing so; opening it again may help."""


class PictureAwaited(CameraLost):
    """A source is well and gives no frame for now: somebody must send the next one."""


class CannotDo(ArenaCamError, RuntimeError):
    """Asked rightly, but not possible here and now."""


class Refused(ArenaCamError, RuntimeError):
    """A request that the game or the session does not allow now; `code` is its kind, stable for programs."""

    def __init__(self, code: str, message: Message, *, about: object = None) -> None:
        super().__init__(message, about=about)
        self.code = code
