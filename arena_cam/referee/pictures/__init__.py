"""The last seconds of frames, the newest frame for whoever looks, and the pictures that a throw is kept with.

Belongs here: pictures held or packed. Does not: what is read from them.
"""
