"""Writes a match to disk after each step, and reads what was kept: throws, exports, replays, finished games.

Belongs here: what goes to or comes from the store. Does not: the game that is on (`session/`).
"""
