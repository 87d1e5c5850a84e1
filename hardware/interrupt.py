"""The interrupt line, on which expanders request a read: whether it works.

A chip that pulls the line down shows that in its registers until it is read. So every read shows
whether the line should have fallen. An edge that a read confirms proves the line. A line that is
cut or held low is reported once, and the board is then read more often.

An edge for one chip proves nothing about the others, because each has its own solder joint: a
Machine checks each chip (`SwitchBank.interrupt_works`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hardware.sensing import PROVEN_AFTER, Fault

LATE_S: Final = 0.25
"""An edge may arrive this long after the read that found the interrupt, because another thread
reports it."""
FAULTY_AFTER: Final = PROVEN_AFTER
"""The line is faulty after this number of missing edges, or of unexplained low levels, in a row."""

UNHEARD: Final = Fault(
    "unheard",
    None,
    "the interrupt line does not fall when chips call: look at the wire from INT to the header and "
    "at its 4.7 kΩ to 3.3 V",
)
HELD: Final = Fault(
    "held",
    None,
    "the interrupt line stays low though no chip calls: look for a short to ground, and for a chip "
    "that is silent",
)


def unheard(address: int) -> Fault:
    """Return the fault of one chip whose interrupts do not reach the line while others do."""
    return Fault(
        "unheard",
        address,
        f"the interrupt line does not fall when the MCP23017 at {address:#04x} calls: look at the "
        "wire from its INTA to the others",
    )


class InterruptLine:
    """The state of one interrupt line. Only `note_edge` may be called from another thread."""

    def __init__(self, is_low: Callable[[], bool], *, pin_taken: bool = False) -> None:
        """`is_low` reads the line. A line with a taken pin is never used or faulty."""
        self.proven = False
        """Whether the line has fallen for an interrupt, and nothing has contradicted that since."""
        self.fault: Fault | None = None
        self.edge_came: bool | None = None
        """Whether the expected edge came; None: no edge was expected, or it may still come."""
        self.is_low = is_low
        self._pin_taken = pin_taken
        self._edge = False
        self._was_low = False
        self._left_low = False  # the level at the end of the last read
        self._edge_seen = False
        self._expected_since: float | None = None
        self._missing = 0
        self._held = 0

    def note_edge(self) -> None:
        """Record an edge of the line."""
        self._edge = True

    def before_read(self, now: float) -> None:
        """Record the state of the line before the chips are read, which releases it."""
        self.edge_came = None
        self._was_low = self.is_low()
        self._edge_seen, self._edge = self._edge, False
        if self._expected_since is not None and self._edge_seen:
            self._prove()
        elif self._expected_since is not None and now > self._expected_since + LATE_S:
            self._missing += 1
            self._expected_since = None
            self.edge_came = False

    @property
    def expects_edge(self) -> bool:
        """Whether a chip has pulled the line and the edge may still come."""
        return self._expected_since is not None

    def after_read(self, interrupted: bool, now: float, some_silent: bool = False) -> None:
        """Compare the line with the result of a read: whether a chip had `interrupted`.

        With `some_silent` a chip did not answer and may be the one that holds the line low.
        """
        if self._pin_taken:
            return
        low = self.is_low()
        if interrupted and (self._edge_seen or self._edge):
            self._edge = False  # it belongs to this interrupt, not to the next one
            self._prove()
        elif interrupted and self._expected_since is None and not self._left_low:
            self._expected_since = now  # a line that is low already cannot fall
        held = self._was_low and not interrupted and low
        self._held = self._held + 1 if held else 0
        self._left_low = low
        if self._held >= FAULTY_AFTER:
            self.proven = False
            if not some_silent:
                self.fault = HELD
        elif self._missing >= FAULTY_AFTER:
            self.proven, self.fault = False, UNHEARD
        elif self.fault is HELD and not low:
            self.fault = None

    def _prove(self) -> None:
        self.proven, self.fault, self.edge_came = True, None, True
        self._missing, self._expected_since = 0, None
