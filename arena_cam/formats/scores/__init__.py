"""A game record for people: the score sheet.

Belongs here: how rulings, rules and scores are laid out and worded. Does not: reading records, and JSON.
"""
