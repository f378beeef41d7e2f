"""Those who act where nobody sits: the two players of the simulated cloth, whoever begins a recorded deal.

Belongs here: acting for people through what people may do. Does not: drawing the cloth (`simulation/`).
"""
