"""A game over a table, pure: record, ledger, what a person corrects and is asked, snapshots for the pages.

Belongs here: values in, values out. Does not: clocks, threads, files.
"""
