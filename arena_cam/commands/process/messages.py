"""Why what the program needs of this machine is not there."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class ProcessTrouble(Reason):
    """Why what the program needs of this machine is not there."""

    CERTIFICATE_NOT_KEPT = "certificate_not_kept", "no certificate can be kept (%(text)s); --https-port 0 does without"
    NO_OPENSSL = "no_openssl", "https needs openssl; install it (apt install openssl), or leave it out: --https-port 0"
    CERTIFICATE_NOT_MADE = (
        "certificate_not_made",
        "no certificate could be made (%(text)s); --https-port 0 does without",
    )
