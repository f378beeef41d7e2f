"""Tables for commands: reading table.json, measuring one, the set-up that the referee offers.

Belongs here: files of a table. Does not: the browser pages of a set-up.
"""
