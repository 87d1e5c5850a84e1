"""Lessons: positions to learn from, each with one thing to do; how they are written, checked and
played at a board.
"""
