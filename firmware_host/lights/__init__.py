"""The lights: scenes in layers, each light with its signal."""
