"""Frames in: one small interface, and a module for each kind of camera behind it."""
