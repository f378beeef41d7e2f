"""One card: how well a face explains the pixels at a place, which face it is, how it rests, what covers it.

Belongs here: one card or one pair of cards. Does not: the order in which cards are looked for (`finding/`).
"""
