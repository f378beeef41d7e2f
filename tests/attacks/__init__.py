"""Attacks: what an ill-meaning or unlucky world does to the program. Tests do each a few times, `make bench` often."""
