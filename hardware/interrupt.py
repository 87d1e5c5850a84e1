"""The interrupt line, on which expanders request a read: whether it can be relied on.

A chip that pulls the line down says so in its registers until it is read. So every read shows
whether the line should have fallen, and an edge that a read confirms proves the line. A line that
is cut or held is reported once and costs only time: the board is then read more often.

That the line falls for one chip does not prove the others, because each has a solder joint of its
own: a Machine checks each chip (`SwitchBank.heard`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hardware.sensing import PROVEN_AFTER, Fault

LATE_S: Final = 0.25
"""An edge may arrive this long after the read that found the call: it comes from another thread."""
FAULTY_AFTER: Final = PROVEN_AFTER
"""The line is faulty after this number of missing edges in a row, or of reads that find it low
without a reason.
"""

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
    """Return the fault of one chip whose calls do not reach the line while those of others do."""
    return Fault(
        "unheard",
        address,
        f"the interrupt line does not fall when the MCP23017 at {address:#04x} calls: look at the "
        "wire from its INTA to the others",
    )


class InterruptLine:
    """The state of one interrupt line, for a Machine. Only `fell` may be called from another
    thread.
    """

    def __init__(self, is_low: Callable[[], bool], *, pin_taken: bool = False) -> None:
        """`is_low` says whether the line is low now. A line whose pin is taken is never relied on,
        nor reported as faulty.
        """
        self.proven = False
        """The line has fallen for a call, and nothing has contradicted it since."""
        self.fault: Fault | None = None
        self.answered: bool | None = None
        """The outcome of the call that `owes` stood for, known since the last `begin` or `judge`:
        whether the line fell.
        """
        self.is_low = is_low
        self._pin_taken = pin_taken
        self._edge = False
        self._was_low = False
        self._left_low = False  # the level at the end of the last read
        self._heard = False
        self._expected_since: float | None = None  # a chip called, and no edge has come yet
        self._missing = 0
        self._held = 0

    def fell(self) -> None:
        """Note an edge."""
        self._edge = True

    def begin(self, now: float) -> None:
        """Record the state of the line before the chips are read, which releases it."""
        self.answered = None
        self._was_low = self.is_low()
        self._heard, self._edge = self._edge, False
        if self._expected_since is not None and self._heard:
            self._prove()
        elif self._expected_since is not None and now > self._expected_since + LATE_S:
            self._missing += 1
            self._expected_since = None
            self.answered = False

    @property
    def expects_edge(self) -> bool:
        """Say whether a chip has called and its edge may still come."""
        return self._expected_since is not None

    def judge(self, called: bool, now: float, deaf: bool = False) -> None:
        """Compare the line with the result of the read: whether some chip had called. If a chip is
        `deaf`, it may be the one that holds the line.
        """
        if self._pin_taken:
            return
        low = self.is_low()
        if called and (self._heard or self._edge):
            self._edge = False  # the edge belongs to this call, not to the next one
            self._prove()
        elif called and self._expected_since is None and not self._left_low:
            self._expected_since = now  # a line that is low already cannot fall
        held = self._was_low and not called and low
        self._held = self._held + 1 if held else 0
        self._left_low = low
        if self._held >= FAULTY_AFTER:
            self.proven = False
            if not deaf:
                self.fault = HELD
        elif self._missing >= FAULTY_AFTER:
            self.proven, self.fault = False, UNHEARD
        elif self.fault is HELD and not low:
            self.fault = None

    def _prove(self) -> None:
        self.proven, self.fault, self.answered = True, None, True
        self._missing, self._expected_since = 0, None
