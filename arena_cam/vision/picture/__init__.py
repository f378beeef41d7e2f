"""Markers and codes in a picture, and the picture's quality: sampling, markers, QR codes, sharpness, averaging.

Belongs here: what works on any picture. Does not: anything that knows a card, a deck or a table.
"""
