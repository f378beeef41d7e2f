"""The hexagon game's artwork: boards and tiles drawn to scale, in any style of art, as a set folder.

Here belongs what is drawn for that game. Not how sheets become a PDF: that is `printing/pdf.py`.
"""
