"""A game over a table, pure: record, ledger, what a person corrects and is asked, snapshots for the pages.

Belongs here: values in, values out. Does not: clocks, threads, files.
"""

FOLDERS = "arena_cam.referee.games"  # a folder a game, with what only that game needs
