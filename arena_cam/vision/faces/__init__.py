"""A deck as the eye compares it: faces at the scales of a table, their points, tiles and the light on them.

Belongs here: what depends on the deck alone. Does not: where a card lies in a picture.
"""
