"""All faces of a learned deck in one light, as if one scanner had seen them.

Belongs here: what two photographs of one print differ in, and how it is taken out. Does not: where a card lies in its
photograph.
"""
