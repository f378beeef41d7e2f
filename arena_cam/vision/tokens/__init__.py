"""Cards that lie together on a table, and round tokens on and beside them, seen by any camera.

Belongs here: what lies together, whose it is, what lies on it, the names once all of it is known. Does not: what a vote
is or which cards make a dilemma win, that is the game's; how one card or one disc is found.
"""
