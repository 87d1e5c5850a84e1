"""`lampion calibrate`: finds out how a board is really wired, and writes its layout."""
