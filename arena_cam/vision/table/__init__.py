"""Where camera and tray are in this frame: the camera's pose from the fiducials, the tray's place from its walls.

Belongs here: geometry of the empty table. Does not: cards, and how a table is measured first (`setup/`).
"""
