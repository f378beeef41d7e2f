"""The rulebooks as pure functions: one file a game; no numpy, no input or output, no clock, no randomness."""
