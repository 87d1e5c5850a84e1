"""CD74HC4067: analog multiplexers, sixteen inputs to one common pin, four select lines S0..S3.

Source: Texas Instruments SCHS209. All multiplexers of a board share the select lines, which are
outputs of one MCP23017. They settle within 0.2 us after a change, and the next I2C transaction
takes at least 70 us, so no wait is needed.
"""

from __future__ import annotations

from collections.abc import Sequence

from drivers.mcp23017 import Mcp23017

INPUTS = 16


class SelectLines:
    """S0..S3 of all multiplexers, on four output pins of one port of an MCP23017."""

    def __init__(self, chip: Mcp23017, pins: Sequence[int]) -> None:
        """`pins` are S0, S1, S2, S3 as pin numbers 0..15, outputs of one port."""
        port = pins[0] // 8
        if len(pins) != 4 or len(set(pins)) != 4 or any(pin // 8 != port for pin in pins):
            raise ValueError("S0 to S3 are four pins of one port")
        if any(chip.inputs >> pin & 1 for pin in pins):
            raise ValueError("a select line has to be an output of its MCP23017")
        self._chip = chip
        self._port = port
        self._levels = tuple(
            sum((channel >> line & 1) << pin % 8 for line, pin in enumerate(pins))
            for channel in range(INPUTS)
        )

    def select(self, channel: int) -> None:
        """Connect input `channel` (0..15) of every multiplexer; BusError if the chip is silent."""
        self._chip.write(self._port, self._levels[channel])
