"""The floor seen from above, and what on it differs from the empty table or from an earlier picture.

Belongs here: pictures and masks of the floor. Does not: faces of cards.
"""
