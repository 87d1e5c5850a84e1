"""One board: reads its sensors, feeds the session and lights the scene."""
