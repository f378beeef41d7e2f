"""Those who act where nobody sits: simulated players, simulated layers of cards, whoever begins a recorded game.

Belongs here: acting for people. Does not: drawing the table they act on (`simulation/`).
"""
