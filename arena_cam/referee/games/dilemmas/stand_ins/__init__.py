"""Who plays where nobody sits: simulated players who lay dilemmas and vote.

Belongs here: what stands in for people. Does not: what the referee makes of what they do.
"""
