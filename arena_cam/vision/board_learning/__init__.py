"""A set of boards and tiles from photographs of the game one owns.

Belongs here: finding hexagons laid side by side, and the cells of a board's print. Does not: files, names, questions.
"""
