"""Refusals of the pages and of their server."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class PageRefusal(Reason):
    """Refusals by the pages themselves, and their server's words for errors."""

    MANY_WRONG_PINS = "many_wrong_pins", "Too many wrong PINs; wait a minute and try again."
    REFEREE_MAY_DO = "referee_may_do", "Only the referee may do this; log in with the PIN at /referee."
    REFEREE_MAY_SEE = "referee_may_see", "Only the referee may see this; log in with the PIN at /referee."
    TOKEN_UNKNOWN = "token_unknown", "This token is not in force; make one at /programs."
    TOKEN_NOT_FOR_THIS = "token_not_for_this", "The token %(name)s is not for this; make one that is at /programs."
    OLD_PAGE = "old_page", "This page is too old or not ours; load it again."
    NO_CAMERA_TO_SET_UP = "no_camera_to_set_up", "This program was started without a camera that could be set up."
    NO_SUCH_CARD = "no_such_card", "No picture of that card was taken yet."
    NO_PROGRAMS = "no_programs", "This program was started without a place to keep tokens in."
    NO_PAGE = "no_page", "There is no such page."
    WHO_NEEDS_A_NAME = "who_needs_a_name", "who: give a name of 1 to %(most)s characters."
    NO_GAME_BEGUN = "no_game_begun", "No game has begun; the referee starts one."
    NO_SEAT = "no_seat", "Take your seat first."
    SEAT_TAKEN = "seat_taken", "%(player)s is taken by another phone; the referee can free the seat."
    MANY_PAGES = "many_pages", "Too many pages are open; this one asks again by itself."
    MANY_PICTURES = "many_pictures", "Too many pages show the picture; this one asks again by itself."
    FAULT = "fault", "Something went wrong here; it is in the log. The game goes on."
    TOO_MUCH = "too_much", "That is more than is taken here."
    MISUNDERSTOOD = "misunderstood", "The page did not understand its own server; load it again."
    NOT_TAKEN = "not_taken", "The server does not take this request (HTTP %(status)s); load the page again."
    SHEET = "sheet", "The sheet could not be drawn: %(text)s."
    NO_PHONE_CAMERA = (
        "no_phone_camera",
        "arena-cam was started with another camera; start it with phone as the source.",
    )
    NO_FILE = "no_file", "Choose the file of an exported throw first."
    NO_UPKEEP = "no_upkeep", "This program was started without a folder to look after."
    BACKUP_TORN = "backup_torn", "A piece of the backup is missing; send it once more from the beginning."
    BACKUP_ROOM = "backup_room", "A backup needs %(mb)s MB free on the disk here; make room first."
    NO_BACKUP = "no_backup", "No backup has arrived; choose its file first."


class PortTrouble(Reason):
    """Why the pages cannot be served at an address."""

    NO_PORT = "no_port", "there is no port %(number)s; give one from 1 to %(most)s with --port, or 0 for any free one"
    PORT_TAKEN = (
        "port_taken",
        (
            "port %(number)s on %(host)s cannot be opened (%(text)s); give another with --port (make run PORT=8001), "
            "--https-port or --host"
        ),
    )
