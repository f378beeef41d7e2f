"""The games, a folder each. A folder holds all that only its game rules; what two games share stands in `rules/`."""
