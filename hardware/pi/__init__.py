"""The wires of a Raspberry Pi."""
