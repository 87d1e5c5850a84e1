"""The players of a match: what kinds there are, their names, and how much time they have."""
