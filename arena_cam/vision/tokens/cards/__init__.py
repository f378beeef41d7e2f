"""Cards on the table's plane: guessed by keypoints, aligned, kept where their print is seen, grouped.

Belongs here: which cards lie where. Does not: the tokens on them.
"""
