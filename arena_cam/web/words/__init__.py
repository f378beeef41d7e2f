"""Codes to sentences, in the page's language.

Belongs here: wording. Does not: numbers for drawings (`drawings/`) and HTML (`templates/`).
"""
