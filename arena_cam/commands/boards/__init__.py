"""What commands do with sets of boards and tiles: judging photographs of them.

Here belongs what is said and asked on the command line. Not how boards are seen.
"""
