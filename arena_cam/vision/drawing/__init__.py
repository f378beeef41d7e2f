"""Draws on pictures: outlines for people, and what may not be shown blacked out.

Belongs here: pictures made to be looked at. Does not: measuring anything.
"""
