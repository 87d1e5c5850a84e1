"""Games, or parts of games, of which the true values are known."""
