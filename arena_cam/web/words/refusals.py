"""Why something cannot be done, in the page's language: the sentences of the pages, the referee and the rules."""

from __future__ import annotations

from arena_cam.web.words.language import Translate
from arena_cam.web.words.sentences import Sentences
from arena_cam.web.words.wording import COLOURS, N_, capital, card_name

# What a rule calls an event that cannot come here, and what it says the game awaits.
EVENTS = {
    "a challenge": N_("a challenge"),
    "a throw": N_("a throw"),
    "a moved card": N_("a moved card"),
    "a close": N_("a close"),
    "a duel": N_("a duel"),
}
AWAITED = {
    "challenge": N_("the next challenge card"),
    "throws": N_("the throws"),
    "duel": N_("the choices of a duel"),
    "identify": N_("the name of a face-down card"),
    "nothing": N_("nothing: the game is over"),
}

_PAGES = (
    N_("Too many wrong PINs; wait a minute and try again."),
    N_("Only the referee may do this; log in with the PIN at /referee."),
    N_("Only the referee may see this; log in with the PIN at /referee."),
    N_("This page is too old or not ours; load it again."),
    N_("There is no such page."),
    N_("There is no such action."),
    N_("who: give a name of 1 to %(number)s characters."),
    N_("No game has begun; the referee starts one."),
    N_("Take your seat first."),
    N_("Nobody called %(player)s plays in this game."),
    N_("%(player)s is taken by another phone; the referee can free the seat."),
    N_("Too many pages are open; this one asks again by itself."),
    N_("Too many pages show the picture; this one asks again by itself."),
    N_("Something went wrong here; it is in the log. The game goes on."),
    N_("That is more than is taken here."),
    N_("The page did not understand its own server; load it again."),
    N_("Choose the file of an exported throw first."),
)
_REFEREE = (
    N_("no game is on; start one first"),
    N_("this game is on; end it before deleting it"),
    N_("there is nothing to undo in this game yet"),
    N_("nothing covers a card: what lies on the table is seen"),
    N_("no card %(name)s was thrown; say which card or line you mean"),
    N_("no round is open and none was played; say before which line it was thrown"),
    N_("line %(line)s speaks of no card that was thrown; correct it with amend"),
    N_("say what to correct: id, landing, face or rests_on"),
    N_("say what to change in set, or what was missed in before"),
    N_("say which card was thrown; only a card that lies face down may stay unnamed"),
    N_("line %(line)s is no throw; correct it with amend"),
    N_("line %(line)s added what was missed; strike that with a correction of its own"),
    N_("line %(line)s is no event of this game that can be corrected"),
    N_("the challenge card stays what it is however it lies: only its id matters"),
    N_("no challenge is open that could be closed: what the game awaits is %(awaited)s"),
    N_("no duel is awaited: what the game awaits is %(awaited)s"),
    N_("a challenge is not awaited: what the game awaits is %(awaited)s"),
    N_("only the two duellists choose"),
    N_("%(player)s has no life block left and cannot choose conflict"),
    N_("the game is paused already"),
    N_("the game is not paused"),
    N_("this question is not asked any more"),
    N_("%(name)s is no answer to this question"),
    N_("the other block is not seen open and alone now; wait for it, or enter both choices"),
    N_("%(name)s cannot be that card; choose one of those offered"),
    N_("seconds must be a number"),
    N_("seconds must lie between %(low)s and %(high)s"),
    N_("this is too long for one line of a record"),
    N_("this cannot be written down: plain text and finite numbers only"),
    N_("there is no game %(name)s; see /games for those there are"),
    N_("there is no throw %(name)s; see /throws for those there are"),
    N_("the pictures of throw %(name)s are not kept any more"),
    N_("%(name)s is no picture of this throw"),
    N_("nothing can be read in the saved frames (%(text)s)"),
)
_RULES = (
    N_("%(event)s cannot come here: the game is over"),
    N_("%(event)s cannot come here: what the game awaits is %(awaited)s"),
    N_("%(card)s is %(player)s's, but it is %(player_2)s's turn to provoke"),
    N_("%(card)s is not in %(player)s's hand any more"),
    N_("nobody plays %(colour)s, so %(card)s cannot be in the game"),
    N_("%(name)s names no card that lies in the arena in this round"),
    N_("%(card)s cannot rest on itself"),
    N_("%(card)s cannot lie beneath itself; correct who rests on whom"),
    N_("a card that lies face up must be named; say which card was thrown"),
    N_("a card that lies face up must be named; amend line %(line)s to say which %(name)s is"),
    N_("a throw that is added by an amendment must name its card"),
    N_("%(player)s has no life block left and may not choose conflict"),
    N_("choices must hold the choices of %(player)s and %(player_2)s, and nobody else's"),
    N_("say in choices what each of the two duellists chose, peace or conflict"),
    N_("say what changed: at least one of landing, face and rests_on"),
    N_("%(colour)s is the colour of two players; give each a colour of their own"),
    N_("two players are called %(name)s; give each a name of their own"),
    N_("each player needs a name of 1 to %(number)s printable characters without a space at either end, not %(name)s"),
    N_("players must be a list of %(number)s players for %(game)s"),
)
_FILES = (
    N_("no throw is open under %(name)s; open its file again"),
    N_("the throw came without its table or its deck; it cannot be judged again here"),
    N_("is no whole zip file (%(text)s); fetch it again"),
    N_("holds %(number)s files, more than the %(number_2)s there can be"),
    N_("unpacks to %(number)s MB, more than the %(number_2)s MB there can be"),
    N_("the name %(name)s in it is not one that arena-cam writes; do not trust this file"),
    N_("%(name)s in it is a link; do not trust this file"),
    N_("%(name)s in it unpacks to far more than it holds; do not trust this file"),
    N_("%(name)s in it does not belong to a saved throw; do not trust this file"),
    N_("%(name)s in it has %(number)s MB; do not trust this file"),
    N_("%(name)s in it has %(number)s x %(number_2)s pixels; do not trust this file"),
    N_("%(name)s in it is no picture; export the throw again"),
    N_("%(name)s is missing; give a file that arena-cam wrote"),
    N_("%(name)s is damaged (%(text)s); fetch it again"),
    N_("ruling.json in it is damaged; export the throw again"),
    N_("the pictures of the deck in it are too large together; do not trust this file"),
    N_("manifest.json is not that of a saved throw (%(text)s)"),
    N_("this throw was saved by another arena-cam (its format %(number)s, ours %(number_2)s); use that one"),
    N_("game.jsonl in it is of a game that is not thrown; give a throw that arena-cam exported"),
    N_("game.jsonl in it cannot be played (line %(line)s: %(reason)s)"),
    N_("the name %(name)s among the throw's files leads elsewhere; do not trust this file"),
    N_("the throw's table or deck names %(name)s elsewhere; do not trust this file"),
)

_SETUP = (
    N_("no table is set up yet; open /setup first"),
    N_("begin to set up the table first"),
    N_("the camera has given no picture yet; check the camera and its cable"),
    N_("finish the duel first: its choices are secret as long as it goes on"),
    N_("there is no table to go back to yet; finish setting one up"),
    N_("measure the arena and save the table first"),
    N_("choose a deck first"),
    N_("measure the arena first"),
    N_("choose the camera's parameters first"),
    N_("the camera's picture has another size now; choose its parameters again"),
    N_("%(name)s: give a length between %(low)s and %(high)s mm"),
    N_("name the table with small letters a to z, digits and hyphens, 40 at most"),
    N_("there is a table called %(name)s already; choose another name, or replace it"),
    N_("%(name)s: cannot be written (%(text)s); start the program with another --calibration"),
    N_("This program was started without a camera that could be set up."),
    N_(
        "fiducials seen: %(text)s; lay %(number)s or more, each with its own number, flat round the arena, uncovered, "
        "and check that they are of %(name)s"
    ),
    N_("the fiducials do not lie flat in one plane (%(number)s px off); press them flat, all on the table"),
    N_("no plane explains the fiducials; lay them flat and look at them more from above"),
    N_(
        "the tray cannot be told from what is round it; check its inner size (%(text)s mm) and its wall, empty it, and "
        "put more light on it"
    ),
    N_(
        "the tray's sides cannot be told from what is round it; put more light on it, check its wall's height and "
        "thickness, or type its inner size in"
    ),
    N_(
        "no card of %(text)s mm is seen; lay it flat in the middle of the tray, alone, on a floor of another colour, "
        "and check its size"
    ),
)

REFUSALS = Sentences(
    (*_PAGES, *_REFEREE, *_RULES, *_FILES, *_SETUP),
    {
        "card": card_name,
        "colour": lambda word, _: _(COLOURS.get(word, word)),
        "event": lambda word, _: _(EVENTS.get(word, word)),
        "awaited": lambda word, _: _(AWAITED.get(word, word)),
    },
)

# For a sentence that only a program can bring about: what it means for a person, the sentence itself after it.
CODES = {
    "bad_argument": N_("The server did not understand what was asked."),
    "unknown": N_("That is not there."),
    "exists": N_("That is there already."),
    "not_now": N_("That cannot be done now."),
    "not_yours": N_("That is for others to do."),
    "impossible": N_("The rules do not allow that."),
    "disk_full": N_("The disk is full: nothing more can be kept."),
    "not_kept": N_("That is not kept any more."),
    "cannot": N_("That cannot be done here."),
}


def why_not(code: str, message: str, _: Translate, english: bool) -> str:
    """`message` in the page's language, beginning with a capital."""
    if english or REFUSALS.knows(message):
        return capital(REFUSALS.say(message, _))
    return f"{_(CODES[code])} ({message})" if code in CODES else capital(message)
