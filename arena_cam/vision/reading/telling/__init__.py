"""Which face a card has that lies in a known place: what is seen there, and the faces compared by it.

Belongs here: one place and the faces that may lie in it. Does not: where a card lies (`cards/`), or how its name is
settled among the names of others (`finding/`).
"""
