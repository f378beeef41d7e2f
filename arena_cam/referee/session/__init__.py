"""The running referee: the only thread and the only clock; what people do; how things stand.

Belongs here: what runs. Does not: rules and drawings of a game.
"""
