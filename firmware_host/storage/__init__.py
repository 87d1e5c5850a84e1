"""What is kept of matches on the disk: journals, recordings, where the pieces lie."""
