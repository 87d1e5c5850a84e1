"""A past match shown on the board, step by step."""
