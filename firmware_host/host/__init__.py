"""The host: one loop over a backend, a match and its files."""
