"""Frames in time: stillness, attention, what came, moved or left since the last reading.

Belongs here: comparing pictures and readings. Does not: what a game makes of it (`rules/games/`).
"""
