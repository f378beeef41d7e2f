"""Duelling blocks beside the arena: where they lie, and whether they are open or covered, over time.

Belongs here: blocks alone. Does not: whose choice a block is (`referee/`).
"""
