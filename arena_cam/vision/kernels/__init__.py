"""The eye's inner loops, compiled from C if there is a compiler; each has a twin in numpy with the same results.

Belongs here: inner loops over points, given plain arrays. Does not: any decision that the twin beside its caller does
not make, and constants.
"""
