"""Matches by simulated hands on faulty wires: is the record right, is each fault reported once?"""
