"""Photographs of boards and their tiles, with truth; and sets in other styles of art to try a reader on.

Here belongs how boards, tiles, slips, glare and hands are laid for a picture. Not the artwork of the set to play with.
"""
