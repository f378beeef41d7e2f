"""The table that cards and tokens lie on, and the set as it is compared there.

Belongs here: the camera over the table's plane, the table from straight above, a set's prints. Does not:
what lies where.
"""
