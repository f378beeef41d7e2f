"""The eye: from a frame to where and how every card lies. It knows nothing of games."""
