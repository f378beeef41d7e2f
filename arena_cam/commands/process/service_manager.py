"""Tells systemd, where it started the program, that frames flow: ready with the first, its watchdog fed by new ones.

The protocol is sd_notify(3): a datagram to the socket that NOTIFY_SOCKET names. Where there is none, nothing is said.
"""

from __future__ import annotations

import os
import socket

SOCKET_VARIABLE = "NOTIFY_SOCKET"


class ServiceManager:
    """Asked regularly with the number of frames so far; a number that stands still is a camera that does."""

    def __init__(self) -> None:
        self._address = os.environ.get(SOCKET_VARIABLE, "")
        self._frames = 0

    @property
    def listens(self) -> bool:
        return bool(self._address)

    def saw(self, frames: int) -> None:
        """`frames` have been looked at since the start."""
        if frames == self._frames:
            return
        self._say("READY=1\nSTATUS=watching" if self._frames == 0 else "WATCHDOG=1")
        self._frames = frames

    def stopping(self) -> None:
        self._say("STOPPING=1")

    def _say(self, message: str) -> None:
        if not self._address:
            return
        # A leading @ stands for the zero byte of Linux's abstract addresses.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            try:
                out.sendto(message.encode(), address)
            except OSError:
                return  # the manager went away; whoever it was, the game goes on
