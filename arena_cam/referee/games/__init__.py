"""What only one game asks of the referee: a folder a game, named as in `rules/games/`.

Belongs here: what the eye saw in a game's terms, its actions, questions and its part of the snapshot. Does not: what
every game needs (`game/`); one game's folder never imports another's.
"""
