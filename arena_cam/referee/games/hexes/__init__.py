"""Refereeing the hexagon game.

Belongs here: what photographs of its boards are seen with. Does not: its rules, and how boards are seen.
"""
