"""From one picture of a measured table to all cards on it.

`table_reader` is the door: it calls the rooms below it.

Belongs here: reading one picture. Does not: comparing pictures in time (`watching/`).
"""
