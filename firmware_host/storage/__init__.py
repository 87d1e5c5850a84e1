"""Files of matches: journals, recordings, the places of the pieces."""
