"""Chips and wires: what registers and bytes mean; imports nothing of ours."""
