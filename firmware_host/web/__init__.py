"""The board as a page in the browser."""
