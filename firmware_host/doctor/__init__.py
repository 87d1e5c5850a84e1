"""`lampion doctor`: examines a board and reports findings, each with what to do."""
