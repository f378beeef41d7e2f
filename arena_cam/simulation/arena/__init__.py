"""The simulated arena of the throwing game: actions, performances, stills, the truth beside every frame.

Belongs here: what only this game needs. Does not: rendering.
"""
