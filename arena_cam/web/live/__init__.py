"""A page's regions from a snapshot, and the event streams that renew them.

Belongs here: what changes while a page is open. Does not: routes.
"""
