"""The rules card: how each piece moves, drawn from its legal moves, and how to win."""
