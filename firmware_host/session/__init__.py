"""A session at a board: events with their times in, notes and a view out."""
