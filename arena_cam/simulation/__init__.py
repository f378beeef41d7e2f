"""A table without a table: a seeded scene, thrown cards and a renderer, with the truth beside every frame."""
