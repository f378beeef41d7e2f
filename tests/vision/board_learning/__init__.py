"""Learning a set of boards and tiles from photographs."""
