"""A game of somebody else: two players lay tokens to the left or to the right, in turn.

The first player wants both to lie on the same side, the second wants them on different sides; three points win. One
small folder a row, and nothing elsewhere knows of it (tests/web/test_fifth_game.py).
"""
