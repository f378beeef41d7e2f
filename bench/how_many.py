"""The arguments of the measurements that try something many times: how often, and from which number on."""

from __future__ import annotations

import argparse


def how_many(what: str, usual: int, first: int | None = 0) -> argparse.ArgumentParser:
    """A parser of WHAT, a number (`usual` by default), and FIRST, the first one's number, unless that is None."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", metavar=what, type=int, nargs="?", default=usual, help=f"how many (default: {usual})")
    if first is not None:
        parser.add_argument("first", metavar="FIRST", type=int, nargs="?", default=first, help="the first one's number")
    return parser
