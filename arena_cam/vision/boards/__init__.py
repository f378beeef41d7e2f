"""Boards and the tiles in their cells, seen by any camera: where boards lie, and which tile lies in which cell.

Belongs here: places that keypoints speak for, one board read at a place, how surely. Does not: what a tile is worth or
which lines score, that is the game's; a board or a cell compared with the pixels, for which there are rooms within.
"""
