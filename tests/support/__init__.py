"""Boards, browsers and simulated matches that tests and benchmarks share."""
