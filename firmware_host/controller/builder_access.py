"""What builders may see and do beside a match: sensors, lights, and the power switch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from firmware_host.controller.controller import BoardController
from firmware_host.controller.power_off import PowerSwitch
from firmware_host.controller.sensor_log import SensorLog
from hardware.machine import SensorFrame


class BuilderAccess:
    """The hardware of one host, independent of the match."""

    def __init__(
        self,
        controller: Callable[[], BoardController],
        now: Callable[[], float],
        moved: Callable[[], None],
    ) -> None:
        """`controller` returns the controller of the match in play, `now` the time; `moved` wakes
        the host.
        """
        self._controller, self._now, self._moved = controller, now, moved
        self.log = SensorLog()
        """The changes of sensors since the program started."""
        self.power: PowerSwitch | None = None
        """The switch of the computer; None if it cannot be switched off from here."""

    def noted(self, frames: Iterable[SensorFrame]) -> Iterator[SensorFrame]:
        """Yield frames of the board, each as soon as it is in the log."""
        for frame in frames:
            self.log.take(frame)
            yield frame

    def levels(self) -> Mapping[str, int]:
        """Return the last raw level of each sensor on a chip that answers."""
        return self._controller().machine.sensor_levels()

    def test_light(self, place: str) -> None:
        """Light a place of the board for a moment."""
        self._controller().test_light(place, self._now())
        self._moved()
