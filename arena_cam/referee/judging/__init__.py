"""One reading and a challenge: the duelling card, or why a person should look.

Belongs here: the rules applied to one reading. Does not: a game in progress (`game/`).
"""
