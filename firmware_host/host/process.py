"""What a board needs of its process: a clock that never stops, and rare garbage collections."""

from __future__ import annotations

import gc
import sys
import time


def since_boot() -> float:
    """Return the seconds since the machine was started, also those in which it was suspended."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def collect_rarely() -> None:
    """Let the garbage collector look at few objects at a time: what exists now stays, and play
    makes no reference cycles. A full collection after a long search would take a tenth of a second.
    """
    gc.freeze()
    gc.set_threshold(500, 2, 5000)
