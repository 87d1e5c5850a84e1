"""Makes the files of a new game: rules to replace, a test, the maps of the boards."""
