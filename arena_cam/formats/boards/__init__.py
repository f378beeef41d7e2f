"""Sets of boards and tiles, and what is read of photographs of them: each format read and written in one place.

Here belongs text and JSON. Not pictures' pixels, nor what a tile is worth.
"""
