"""Where which card might lie: cheap guesses from markers, features, sides and pieces.

Belongs here: what guesses a place. Does not: deciding whether a card lies there (`cards/`).
"""
