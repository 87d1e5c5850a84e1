"""What a display shows: the times of the host's last Show (docs/serial.md), counted down.

It runs under MicroPython and under Python and imports nothing; the time is an argument.
"""

TYPE_CHECKING = False  # type checkers know better
if TYPE_CHECKING:
    from collections.abc import Sequence

TICKS = 0x3FFFFFFF  # MicroPython's ticks_ms starts again from 0 after this
LOST_MS = 3000  # without a Show for this time the host is gone
BLINK_MS = 500
PAUSED = 0xFF
DARK = ("    ", False)


class Face:
    """The times of all sides, and whose time runs."""

    def __init__(self) -> None:
        self.running = 0
        """The side whose time runs, from 1; 0: none."""
        self.paused = False
        self.later: list[int] = []
        """For each side the periods that come after its time."""
        self._left: list[int] = []
        self._at = 0

    def show(self, body: bytes, now_ms: int) -> None:
        """Take the body of a Show; one with a wrong form is ignored."""
        if not body:
            self.clear()
        elif len(body) > 5 and len(body) % 5 == 1 and min(body) >= 0x80:
            starts = range(1, len(body), 5)
            self.paused = body[0] == PAUSED
            self.running = 0 if self.paused else body[0] & 0x7F
            self.later = [body[start] & 0x7F for start in starts]
            self._left = [number(body[start + 1 : start + 5]) for start in starts]
            self._at = now_ms

    def clear(self) -> None:
        """Show nothing."""
        self.running = 0
        self.paused = False
        self.later = []
        self._left = []

    def left(self, now_ms: int) -> "list[int]":
        """Return the milliseconds that each side has left; none if nothing is to be shown."""
        gone = (now_ms - self._at) & TICKS
        if self._left and gone >= LOST_MS:
            self.clear()
        left = list(self._left)
        if 0 < self.running <= len(left):
            left[self.running - 1] = max(0, left[self.running - 1] - gone)
        return left

    def texts(self, now_ms: int, sides: int) -> "list[tuple[str, bool]]":
        """Return the four characters of each side's digits, and whether its colon is on. The colon
        of the side whose time runs blinks; while the clock is paused, all digits do.
        """
        left = self.left(now_ms)
        off = now_ms // BLINK_MS % 2 == 1
        if self.paused and off:
            return [DARK] * sides
        texts = [digits(left[side], self.later[side]) for side in range(len(left))]
        if 0 < self.running <= len(texts) and off:
            texts[self.running - 1] = (texts[self.running - 1][0], False)
        return (texts + [DARK] * sides)[:sides]


def number(septets: "Sequence[int]") -> int:
    """Return the number whose bits are in the low seven bits of bytes, the lowest first."""
    value = 0
    for place, byte in enumerate(septets):
        value |= (byte & 0x7F) << 7 * place
    return value


def digits(left_ms: int, later: int) -> "tuple[str, bool]":
    """Return a time as four characters, and whether the colon belongs to it: minutes and seconds,
    from 100 minutes on minutes alone, and in the last minute before other periods their number and
    the seconds.
    """
    seconds = left_ms // 1000
    if later and seconds < 60:
        return f"{min(later, 9)} {seconds:02}", False
    minutes = seconds // 60
    if minutes >= 100:
        return f"{minutes:4}", False
    return f"{minutes:2}{seconds % 60:02}", True
