"""The cells of a straightened board: which tiles may lie in each, how they lie, and how well each explains the pixels.

Belongs here: what is compared cell by cell. Does not: where the board is, how far a cell is to be trusted.
"""
