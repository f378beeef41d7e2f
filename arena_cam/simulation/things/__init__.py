"""Things that lie or move on a simulated table: faces, hands, glasses; and how a stiff card comes to rest.

Belongs here: single things. Does not: what is done with them.
"""
