"""One board straightened, and compared with the print of empty boards as a whole.

Belongs here: a set's prints as arrays, the board frame in pixels, the print's alignment, which board it is. Does not:
the tiles in its cells.
"""
