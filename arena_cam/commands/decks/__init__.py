"""The actions of `arena-cam deck`.

Belongs here: printing, learning and checking decks. Does not: other commands.
"""
