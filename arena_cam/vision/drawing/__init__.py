"""Draws on pictures: outlines for people, and black over what may not be shown.

Belongs here: pictures made to be looked at. Does not: measuring anything.
"""
