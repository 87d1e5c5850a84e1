"""What the lights say: scenes as layers, drawn in words of light."""
