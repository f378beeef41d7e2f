"""Where the plane of a photograph's cards is: by their outlines, or by print that is recognised.

Belongs here: from a picture to a camera over a plane. Does not: which card lies where in it (`photographs/`).
"""
