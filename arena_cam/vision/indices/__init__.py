"""Corner indices of ordinary packs, rank over suit, read whatever the pack's art.

Belongs here: ink on paper seen from above, and which marks are an index. Does not: where the plane is, which card lies
there.
"""
