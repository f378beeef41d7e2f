"""Photographs of dilemmas, tokens and owner discs on some table, with exact truth.

Belongs here: how cards and tokens are laid for a picture, and other styles of art to try a reader on. Does not: the
artwork of the set to play with.
"""
