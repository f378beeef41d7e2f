"""A simulated cloth on which tricks are played: cards laid, swept away, put aside.

Belongs here: what lies and moves there. Does not: rendering, and who plays which card.
"""
