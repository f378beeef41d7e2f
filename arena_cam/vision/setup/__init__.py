"""Measuring a camera and a table: calibration views, intrinsics, tray size, the check before a game.

Belongs here: what runs before a game. Does not: anything needed while a game is on.
"""
