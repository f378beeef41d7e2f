"""Duelling blocks beside the arena: found, and told open or covered over time.

Belongs here: blocks alone. Does not: whose choice a block is (`referee/`).
"""
