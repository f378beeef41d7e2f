"""What is kept: an append-only log in SQLite and frames on disk. The only place that imports sqlite3."""
