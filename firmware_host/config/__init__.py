"""The configuration of a real board."""
