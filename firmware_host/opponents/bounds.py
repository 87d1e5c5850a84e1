"""How much a move may give away before people are told that it is doubtful."""

from __future__ import annotations

from typing import Final

from engine.search.grades import FINE

FINE_AT: Final = (FINE, 0.02, 0.05, 0.1)
"""By help level: which part of the winning chance a fine move may give away. Beginners, who want to
be told most, are warned only of what they can see the difference of."""
USUAL: Final = 2
"""The help level of a seat for which none was chosen."""
