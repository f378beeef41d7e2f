"""Refereeing Alex Randolph's Dilemma: throws, the duel, the duelling card of one reading."""
