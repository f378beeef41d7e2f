"""One file a command; the composition root: builds everything, passes it in, and is the only reader of settings."""
