"""Boards that were built otherwise than their layouts say, with hands at them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from firmware_host.calibrate import progress
from firmware_host.calibrate.calibration import Calibration
from firmware_host.calibrate.miswired import miswired
from firmware_host.calibrate.procedure import calibrate
from firmware_host.calibrate.progress import Progress
from firmware_host.calibrate.result import CalibrationResult, result_of
from firmware_host.doctor.asking import AtASimulatedBoard, Question, answered
from firmware_host.doctor.bench import SimulatedBench
from firmware_host.doctor.magnet_walk import wires
from hardware import layout
from hardware.layout import Layout
from hardware.simulated.faults import board_with_scatter, inject_fault
from hardware.simulated.wires import SimulatedWires


class Hands(AtASimulatedBoard):
    """Hands that count what they are asked, and can be led astray or stopped."""

    def __init__(self, wires: SimulatedWires) -> None:
        super().__init__(wires.board)
        self.asked: list[str] = []
        self.put: list[str] = []
        self.wrong: dict[str, str] = {}
        """Where a magnet is laid at first instead of onto these places."""
        self.stop_after: int | None = None

    def ask(self, question: Question) -> int:
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(question.kind)
        if question.kind == "put":
            self.put.append(question.subject)
            if question.subject in self.wrong:
                self.board.put(self.wrong.pop(question.subject))
                return 0
        return super().ask(question)


class Workshop:
    """A board that was built otherwise than its layout says, with hands at it."""

    def __init__(
        self,
        name: str,
        seed: int | None = None,
        *faults: str,
        text: str = "",
        truth: Layout | None = None,
    ) -> None:
        self.text = text or layout.source(name)[0]
        self.believed = layout.parse(self.text, "believed.toml")
        self.truth = truth or (self.believed if seed is None else miswired(self.text, seed))
        self.wires = SimulatedWires(board_with_scatter(self.truth))
        self.hands = Hands(self.wires)
        for fault in faults:
            self.hands.hands |= inject_fault(self.wires, fault)
        self.progress = Progress("it")

    @property
    def bench(self) -> SimulatedBench:
        bench = SimulatedBench(self.wires)
        bench.layout = self.believed
        return bench

    def calibrated(self, bench: SimulatedBench | None = None) -> CalibrationResult:
        done = Calibration(bench or self.bench, self.progress)
        answered(done.run(), self.hands)
        return result_of(done, tomllib.loads(self.text))

    def command(self, state: Path) -> int:
        mark = progress.fingerprint(self.believed)
        return answered(calibrate(self.bench, self.text, state, mark), self.hands)


def same(one: Layout, other: Layout) -> bool:
    lit = [{place.name: place.pixels for place in each.places.values()} for each in (one, other)]
    return (wires(one), lit[0], one.led_order) == (wires(other), lit[1], other.led_order)
