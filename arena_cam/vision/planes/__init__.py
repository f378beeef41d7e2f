"""The plane of a photograph's cards: from their outlines, or from recognised print.

Belongs here: from a picture to a camera over a plane. Does not: which card lies where in it (`photographs/`).
"""
