"""The process as the system sees it: memory, systemd.

Belongs here: what concerns the process. Does not: games.
"""
