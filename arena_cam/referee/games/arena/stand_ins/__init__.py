"""Those who act where nobody sits: simulated players, whoever begins a recorded game, the record of what is watched.

Belongs here: acting for people through what people may do. Does not: drawing the table (`simulation/`).
"""
