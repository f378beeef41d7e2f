"""Those who act where nobody sits: simulated players, and whoever begins a game that was recorded.

Belongs here: acting for people through what people may do. Does not: drawing the table (`simulation/`).
"""
