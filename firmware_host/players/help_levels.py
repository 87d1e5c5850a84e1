"""The help levels of a seat, and how finely each of them grades moves."""

from __future__ import annotations

from typing import Final

MOST_HELP: Final = 4
"""The highest help level; the lowest is 0."""
USUAL_LEVEL: Final = 2
"""The help level of a seat for which none was chosen."""
FINE_AT: Final = (0.01, 0.02, 0.05, 0.1, 0.02)
"""By help level: the winning chance that a fine move may give away.

At level 3 beginners are warned only of differences that they can see. Level 4 shows small ones,
too. The levels below 3 light no grades; `lampion hint` uses their bounds.
"""
