"""Makes a deck's pictures from cards that lie before a camera or were photographed; knows no game."""
