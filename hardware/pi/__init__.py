"""A Raspberry Pi's own wires."""
