"""The games, one file or folder each."""
