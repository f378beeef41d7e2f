"""Who plays where nobody sits: the simulated players, their boards and their telephones.

Belongs here: what stands in for people. Does not: what the referee makes of what they do.
"""
