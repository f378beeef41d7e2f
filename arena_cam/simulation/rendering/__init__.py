"""A scene as the camera delivers it: materials, light, lens, sensor.

Belongs here: physics of a picture. Does not: games and actions.
"""
