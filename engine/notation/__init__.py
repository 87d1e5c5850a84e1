"""Standard texts of positions and records."""
