"""The desk where a table is set up in the browser: camera, lens, arena, deck.

Belongs here: set-up. Does not: refereeing.
"""
