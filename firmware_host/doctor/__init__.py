"""`lampion doctor`: what is wrong with a board, in numbered findings that say what to do."""
