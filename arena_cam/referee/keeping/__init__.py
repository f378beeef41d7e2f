"""Keeps what a match has become, and looks back: throws, exports, replay, games played.

Belongs here: what goes to or comes from the store. Does not: the game that is on (`session/`).
"""
