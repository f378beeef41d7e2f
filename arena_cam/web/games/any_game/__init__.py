"""Templates for a game that has none of its own: points, what is awaited, a form for every event that may come next."""
