"""arena_cam: a camera referee for card games that are thrown."""

__version__ = "0.4.0"
