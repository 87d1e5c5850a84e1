"""Breaking the simulated hardware on purpose, as the page asks."""

from __future__ import annotations

from typing import Final

from firmware_host.i18n.messages import say
from firmware_host.web.protocol import FaultCommand
from firmware_host.web.virtual_table import RefusedError
from hardware.simulated.board import SimulatedBoard, SimulationError

PASSING: Final = ("bounce", "reset", "interrupt")
"""What happens once, and may happen again."""


def inject(board: SimulatedBoard, fault: FaultCommand) -> None:
    """Break a part, or mend it; RefusedError if the board has no such part or fault, or it is so
    already.
    """
    before = board.broken()
    try:
        _inject(board, fault)
    except SimulationError as error:
        raise RefusedError(say("{why}", why=str(error))) from error
    if fault.fault not in PASSING and board.broken() == before:
        raise RefusedError(say("That changes nothing: it is already so."))


def _inject(board: SimulatedBoard, fault: FaultCommand) -> None:
    match fault.fault:
        case "stuck_on" | "stuck_off":
            board.stick(fault.place, closed=fault.fault == "stuck_on")
        case "bounce":
            board.bounce(fault.place, [bool(n % 2) for n in range(2 * fault.count)])
        case "wire":
            board.cut_wire(fault.place)
        case "missing":
            board.unplug(fault.chip)
        case "back":
            board.plug_in(fault.chip)
        case "reset":
            board.reset(fault.chip)
        case "silent":
            board.refuse(fault.chip, fault.count or None)
        case "chain":
            board.cut_chain(fault.count)
        case "interrupt":
            board.miss_interrupts(fault.count)
        case "none":
            board.mend()
        case other:
            raise RefusedError(say("There is no such fault: {fault}", fault=other))
