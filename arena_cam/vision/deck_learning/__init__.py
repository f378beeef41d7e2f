"""Makes a deck's pictures from cards that lie under a camera or were photographed; knows no game."""
