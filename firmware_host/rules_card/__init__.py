"""The rules of each game, short: how each man moves, drawn from its legal moves; how to win."""
