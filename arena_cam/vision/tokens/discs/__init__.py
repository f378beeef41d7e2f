"""Round tokens: their rims, their prints at any turn, which lie where, how surely.

Belongs here: what is done of one disc and of a stack. Does not: the card it lies on, and what it counts.
"""
