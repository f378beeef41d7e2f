"""Why something cannot be done, in the page's language."""

from __future__ import annotations

from arena_cam.domain.messages import Message
from arena_cam.referee.messages import Trouble
from arena_cam.web.words.language import Translate
from arena_cam.web.words.said import say
from arena_cam.web.words.wording import N_, capital

# For a sentence that only a program can bring about: what it means for a person, the sentence itself after it.
CODES = {
    "bad_argument": N_("The server did not understand what was asked."),
    "unknown": N_("That is not there."),
    "exists": N_("That is there already."),
    "not_now": N_("That cannot be done now."),
    "not_yours": N_("That is for others to do."),
    "impossible": N_("The rules do not allow that."),
    "disk_full": Trouble.DISK_FULL.english,
    "not_kept": N_("That is not kept any more."),
    "cannot": N_("That cannot be done here."),
}


def why_not(code: str, said: str | Message, _: Translate, english: bool) -> str:
    """`said` in the page's language, beginning with a capital. English text gets what its code means before it."""
    if isinstance(said, Message):
        return capital(say(said, _))
    return f"{_(CODES[code])} ({said})" if code in CODES and not english else capital(said)
