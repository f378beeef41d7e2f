"""Refusals to and about receivers."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class ReceiverRefusal(Reason):
    """Why a program cannot be told what happens."""

    ADDRESS = (
        "receiver_address",
        "give a whole address such as http://192.168.1.20:1880/table, without a name and a password in it",
    )
    BROKER = "receiver_broker", "give the broker's name or address, such as homeassistant.local, and a port"
    TOPIC = "receiver_topic", "a topic has 1 to %(most)s letters, digits, - _ and /"
    MANY = "many_receivers", "there are %(most)s receivers already; remove one first"


class ReceiverTrouble(Reason):
    """Why a message did not reach its receiver."""

    NOT_YET = "not_yet_connected", "not connected yet"
    NO_CONNECTION = "no_connection", "cannot be reached (%(text)s)"
    SILENT = "receiver_silent", "gave no answer"
    NOT_CONFIRMED = "not_confirmed", "did not confirm what it was sent"
    ANSWERED = "answered", "answered %(status)s"
    LEADS_ELSEWHERE = "leads_elsewhere", "leads to %(address)s, where nothing is sent"
