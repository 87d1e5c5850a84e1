"""A simulated board: chips, wires, strip and faults at the level of bits."""
