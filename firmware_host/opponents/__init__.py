"""Advice and company: hints, what a lifted man's moves are worth, and opponents for any seat."""
