"""All cards of a picture, from the top of the pile down: rounds of guesses, peeling, second looks, cards known before.

Belongs here: which guess is tried when. Does not: measuring one card (`cards/`).
"""
