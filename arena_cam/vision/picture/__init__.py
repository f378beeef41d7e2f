"""Finds what is printed to be found, and how healthy a picture is: sampling, markers, QR codes, sharpness, averaging.

Belongs here: what works on any picture. Does not: anything that knows a card, a deck or a table.
"""
