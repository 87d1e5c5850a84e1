"""The wire on which the expanders call for a look: whether it can be relied on.

A chip that pulls the wire down says so in its registers until it is read. So every look shows
whether the wire should have fallen, and an edge that a look confirms proves it. A wire that is cut,
or that something holds, is told once and costs nothing but time: who knows that it does not call
looks more often.

That the wire falls for one chip says nothing of the others, each of which has a joint of its own to
it: a Machine asks for each of them (`SwitchBank.heard`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hardware.sensing import PROOF, Fault

LATE_S: Final = 0.25
"""An edge may come so long after the look that has found the call: another thread brings it."""
PATIENCE: Final = PROOF
"""So many edges in a row must be missing, or so many looks find the wire low for no reason, before
it is a fault."""

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
    """Return the fault of one chip whose calls do not reach the line, while others' do."""
    return Fault(
        "unheard",
        address,
        f"the interrupt line does not fall when the MCP23017 at {address:#04x} calls: look at the "
        "wire from its INTA to the others",
    )


class InterruptLine:
    """Bookkeeping of one wire, for a Machine. Only `fell` may be called from another thread."""

    def __init__(self, is_low: Callable[[], bool], *, pin_taken: bool = False) -> None:
        """`is_low` says whether the wire is low now; a wire whose pin something else has is never
        relied on, nor blamed.
        """
        self.proven = False
        """It has fallen when a chip called, and nothing has spoken against it since."""
        self.fault: Fault | None = None
        self.answered: bool | None = None
        """What became of the call that `owes` stood for, known since the last `begin` or `judge`:
        the wire fell for it, or it did not."""
        self.is_low = is_low
        self._pin_taken = pin_taken
        self._edge = False
        self._was_low = False
        self._left_low = False  # it was, when the last look had ended
        self._heard = False
        self._owed: float | None = None  # a chip called then, and no edge has come yet
        self._missing = 0
        self._held = 0

    def fell(self) -> None:
        """Note an edge."""
        self._edge = True

    def begin(self, now: float) -> None:
        """Take down what the wire says, ahead of a look that reads the chips and so lets it go."""
        self.answered = None
        self._was_low = self.is_low()
        self._heard, self._edge = self._edge, False
        if self._owed is not None and self._heard:
            self._prove()
        elif self._owed is not None and now > self._owed + LATE_S:
            self._missing += 1
            self._owed = None
            self.answered = False

    @property
    def owes(self) -> bool:
        """Whether a chip has called and the wire's edge may still come."""
        return self._owed is not None

    def judge(self, called: bool, now: float, deaf: bool = False) -> None:
        """Compare with what that look has found: whether some chip had called. If it is `deaf` to
        some chip, that one may be what holds the wire.
        """
        if self._pin_taken:
            return
        low = self.is_low()
        if called and (self._heard or self._edge):
            self._edge = False  # it is this call's, and not the next one's
            self._prove()
        elif called and self._owed is None and not self._left_low:
            self._owed = now  # a wire that is low already cannot fall
        held = self._was_low and not called and low
        self._held = self._held + 1 if held else 0
        self._left_low = low
        if self._held >= PATIENCE:
            self.proven = False
            if not deaf:
                self.fault = HELD
        elif self._missing >= PATIENCE:
            self.proven, self.fault = False, UNHEARD
        elif self.fault is HELD and not low:
            self.fault = None

    def _prove(self) -> None:
        self.proven, self.fault, self.answered = True, None, True
        self._missing, self._owed = 0, None
