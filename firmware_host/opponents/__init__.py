"""Hints and grades for people, and opponents for any seat."""
