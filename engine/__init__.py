"""Rules, matches and the reading of hands; pure, and free of clocks, chance and wires."""
