"""Cards of an ordinary pack by their corner indices: where each lies, which of its sides are seen, what paper is left.

Belongs here: cards on a plane that is given. Does not: how the plane is found, and what is said of the picture.
"""
