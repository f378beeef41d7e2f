"""One reading judged by this game: the pile, the landing, what touches what.

Belongs here: what follows from a single picture. Does not: what it means in a game that is played (`seeing.py`).
"""
