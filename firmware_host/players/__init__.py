"""What kind of player sits at a seat, and what players are called."""
