"""Flat print seen by any camera: its pictures, its keypoints, the light on it.

Belongs here: what boards, tiles and cards of any game have in common as printed things. Does not: what is printed, and
where on a table it may lie.
"""
