"""What the eye computes most, compiled from C where there is a compiler; each has a twin in numpy that does as well.

Belongs here: inner loops over points, given plain arrays. Does not: any decision that the twin beside its caller does
not make, and constants of its own.
"""
