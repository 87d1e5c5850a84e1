"""Standard output, one-line errors and the log."""
