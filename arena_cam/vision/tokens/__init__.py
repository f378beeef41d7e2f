"""Cards that lie on a table, and round tokens on and beside them, seen by any camera.

Here belongs: the plane that a set's cards lie in, the table as seen from straight above, which cards, tokens and discs
lie where on it, and how surely. Not what a vote is or which cards make a dilemma win: that is the game's.
"""
