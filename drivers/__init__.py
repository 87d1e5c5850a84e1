"""Chips and wires: the meaning of registers and bytes. It imports no other package of the
project.
"""
