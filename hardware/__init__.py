"""This machine: layouts, their assembly into frames and lights, simulated and real parts."""
