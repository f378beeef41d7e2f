"""Refereeing David Parlett's trick game.

Belongs here: what its pictures and videos are seen with. Does not: its rules.
"""
