"""Cards of a photograph found one by one, each with a homography of its own, where no common plane explains them.

Belongs here: the second opinion on a photograph whose reading leaves something open. Does not: the final decision.
"""
