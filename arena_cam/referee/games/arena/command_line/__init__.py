"""The arena on the command line, where no session runs: `judge` and `watch`.

Belongs here: pictures and videos in, judgements and lines of a record out. Does not: how the arena is judged.
"""
