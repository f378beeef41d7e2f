"""Options that several commands share.

Belongs here: reading settings. Does not: acting on them.
"""
