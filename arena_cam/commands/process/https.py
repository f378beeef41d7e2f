"""The pages by HTTPS, for telephones that are the camera; and by what name they reach this machine."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path

from arena_cam.commands.process.certificate import own_certificate
from arena_cam.web.secure_front import SecureFront
from arena_cam.web.serving import listen

EVERYWHERE = ("0.0.0.0", "::", "")


@dataclass(frozen=True)
class Secure:
    """The pages by HTTPS; `front` None: they are not."""

    address: str | None = None
    fingerprint: str = ""
    front: SecureFront | None = None

    def behind(self, address: tuple[str, int]) -> str | None:
        """SecureFront.behind."""
        return self.front.behind(address) if self.front is not None else None

    def start(self) -> None:
        if self.front is not None:
            self.front.start()

    def stop(self) -> None:
        if self.front is not None:
            self.front.stop()


def open_secure(host: str, port: int | None, pages_port: int, folder: Path) -> Secure:
    """HTTPS on `port` (None or 0: none) for what is served on `pages_port`; certificate and key are kept in `folder`.

    Raises CannotDo where the port cannot be had or no certificate can be made.
    """
    if not port:
        return Secure()
    reached = reachable_host(host)
    certificate, key, fingerprint = own_certificate(folder, reached.strip("[]"))
    pages = ("localhost" if host in EVERYWHERE else host, pages_port)
    front = SecureFront(listen(host, port), certificate, key, pages)
    return Secure(f"https://{reached}:{port}", fingerprint, front)


def reachable_host(host: str) -> str:
    """The name by which a phone on the same network reaches this machine."""
    if host not in EVERYWHERE:
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: it only asks the system which of its addresses it would use.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
