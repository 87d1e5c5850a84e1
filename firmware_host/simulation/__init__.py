"""Simulated hands: how people play, to the millisecond; for tests, demonstrations and measures."""
