"""Why what the program needs of this machine is not there."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class Doing(Sentence):
    """What a terminal shows while something takes long."""

    LOOKING = "looking", "looking at the table"
    JUDGING = "judging", "judging the throw again"
    READING = "reading", "reading the photograph again"
    SEEKING_BOARD = "seeking_board", "looking for the board"
    COMPUTING = "computing", "computing the camera"
    BACKING_UP = "backing_up", "writing the backup"
    RESTORING = "restoring", "bringing the backup back"
    COMPARING = "comparing", "comparing every card with every other"
    DRAWING = "drawing", "drawing"
    GETTING_READY = "getting_ready", "getting the table ready"


class ProcessTrouble(Reason):
    """Why what the program needs of this machine is not there."""

    CERTIFICATE_NOT_KEPT = "certificate_not_kept", "no certificate can be kept (%(text)s); --https-port 0 does without"
    NO_OPENSSL = "no_openssl", "https needs openssl; install it (apt install openssl), or leave it out: --https-port 0"
    CERTIFICATE_NOT_MADE = (
        "certificate_not_made",
        "no certificate could be made (%(text)s); --https-port 0 does without",
    )
