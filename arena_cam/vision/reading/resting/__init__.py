"""How a card came to rest: on the floor, on another card, on a wall, across it or outside.

Belongs here: an aligned pose in, a landing with its probability out. Does not: pixels, which have been asked before.
"""
