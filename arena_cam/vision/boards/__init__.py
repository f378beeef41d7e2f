"""Printed boards and the tiles in their cells, seen by any camera.

Here belongs: where boards lie in a photograph, and which tile of a set lies in which cell, how surely. Not what a tile
is worth or which lines score: that is the game's.
"""
