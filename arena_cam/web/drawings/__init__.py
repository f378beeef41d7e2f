"""Numbers for templates: the arena from above, charts, gauges, QR codes.

Belongs here: geometry of pages. Does not: words.
"""
