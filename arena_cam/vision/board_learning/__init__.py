"""The pieces of a game one owns, from photographs of them side by side.

Belongs here: finding hexagons, cards and round pieces laid side by side, and the cells of a board's print. Does not:
files, names, questions.
"""
