"""Solved games: exact results of positions."""
