"""Solving a game backwards from its ends, with numpy."""
