"""Questions: what the sensors cannot know, and how people may answer.

An entry of the record is open while the lines that are still possible differ in it. People name a
move: on the page, with a button, or on the board (`lit_places.py`). What they mean by that is found
out in `hearing.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Claim, Pass, Place, Throw
from engine.match import Match
from engine.reading.footprints import Sight
from engine.reading.names_in_order import NAMED_WITHIN
from engine.reading.reader import Reader
from firmware_host.sitting.lit_places import LitPlaces
from firmware_host.sitting.record import NOTHING, Entry, Record

LATE_ANSWER = 4  # so many moves later an answer may still come to a question that was decided
RETURNED = 8  # so many plies at most make an old position that men may have gone back to


class Questions:
    """The questions about one match. `follow` tells it what the record has become, `heard` that
    people have named a move, and `touched` what hands have done.
    """

    def __init__(self, reader: Reader, record: Record) -> None:
        self.returned = 0
        """An old position has come back: how many plies a takeback would undo."""
        self.asked = any(entry.open for entry in record)
        """Whether people are asked which of the lines it is; else the next moves may tell."""
        self._asked_since: dict[tuple[int, str], float] = {}  # which entry, and which candidate
        self._asked_lately: set[tuple[int, str]] = set()  # the same, be it that it was decided
        self._asking = 0.0, float("-inf")  # since when people are asked, and when they said more
        self._reader = reader
        self._take(record)
        self._lit = LitPlaces(reader)
        self._by_hand = ""  # what a lit man has just chosen

    def follow(self, record: Record, asked: bool) -> None:
        """Take what all lines agree on now, and whether people are asked where they differ;
        whether moves were taken back is asked no more.
        """
        if record != self.record or asked != self.asked:
            self.returned = 0
            self.asked = asked
            self._take(record)

    def _take(self, record: Record) -> None:
        self.record = record
        """What all lines agree on, and where they differ."""
        self.open = tuple(entry for entry in record if entry.open and self.asked)
        """The entries that are still asked about."""
        since, now = self._asked_since, self._reader.decoder.now
        if self.open and not since:
            self._asking = now, now
        self._asked_since = {
            key: since.get(key, now)
            for number, entry in enumerate(record)
            if entry in self.open
            for key in ((number, text) for text in entry.texts)
        }
        lately = len(record) - LATE_ANSWER
        asked = (*self._asked_lately, *self._asked_since)
        self._asked_lately = {key for key in asked if lately <= key[0] < len(record)}

    # ---- what is asked

    @property
    def current(self) -> Entry | None:
        """The entry that is asked about: the first of which something was surely played, for what
        came later depends on it.
        """
        asked = self.open
        sure = [entry for entry in asked if NOTHING not in entry.texts]
        return sure[0] if sure else asked[0] if asked else None

    @property
    def number(self) -> int | None:
        """Where in the record the entry is that is asked about."""
        return None if self.current is None else self.record.index(self.current)

    @property
    def is_about_last(self) -> bool:
        """Whether the last entry is the one that is asked about."""
        return self.number == len(self.record) - 1

    def asks(self, text: str) -> bool:
        """Whether a move is one of those that people may choose of."""
        return self.current is not None and text in self.current.candidates

    def asks_since(self, text: str) -> float | None:
        """Return since when people are asked whether it was this move."""
        number = self.number
        return None if number is None else self._asked_since.get((number, text))

    @property
    def asked_since(self) -> float | None:
        """Since when people are asked what they are asked about now, whatever they may choose."""
        return min(self._since(), default=None)

    @property
    def all_asked_since(self) -> float | None:
        """Since when people may choose of all that they are asked about now."""
        return max(self._since(), default=None)

    def _since(self) -> list[float]:
        number = self.number
        return [at for (entry, _), at in self._asked_since.items() if entry == number]

    def asked_lately(self, text: str) -> bool:
        """Whether people are asked whether it was this move, or were a few moves ago."""
        return any(asked == text for _, asked in self._asked_lately)

    def old_position(self) -> Match | None:
        """Return the last ply if it brought an old position back by men that went back in another
        order than they came; whether they were taken back is asked from now on. Who has played on
        from that and goes round in circles is not asked again, nor is anybody after the end.
        """
        (line, *others) = self._reader.shown
        steps = [step for step in line.match.line() if not isinstance(step.move, Throw | Claim)]
        if others or line.match.outcome is not None or _returned(steps[:-1], line.sight):
            return None
        self.returned = _returned(steps, line.sight)
        return steps[-1] if self.returned else None

    # ---- how it may be answered

    def by_button(self, button: str) -> str | None:
        """Return the move that `yes` or `no` chooses of what is asked, if it is one of two, the
        second the first with something added (a promotion).
        """
        asked = self.current
        if asked is None or len(asked.candidates) != 2:
            return None
        short, long = sorted(asked.candidates, key=len)
        if not long.startswith(short) or long == short:
            return None
        return long if button == "yes" else short

    def choices(self) -> dict[str, Place]:
        """Return, for each candidate of what is asked, the lit place that chooses it."""
        return {} if self.current is None else self._lit.choices(self.current.candidates)

    def light(self, now: float) -> None:
        """Note which places are lit now."""
        self._lit.light(self.number, self.choices(), now)

    def pressed(self, now: float) -> Place | None:
        """Return the lit place that was pressed once and waits for the second time."""
        return self._lit.pressed(now)

    def touched(self, now: float, place: Place, reading: int) -> str | None:
        """Note that a place has come to rest; return the move that it chooses, if it answers."""
        if not self.open:
            return None
        self.light(now)
        chosen = self._lit.touched(now, place, reading)
        self._by_hand = chosen or self._by_hand
        return chosen

    def chose_by_hand(self, text: str) -> bool:
        """Whether a lit man has just chosen this; it is asked once."""
        chosen, self._by_hand = self._by_hand, ""
        return chosen == text

    def heard(self, said: float) -> None:
        """Note that people named a move at a time."""
        if self.open:
            self._asking = self._asking[0], said

    def late(self, said: float) -> float:
        """Return how late people may be who name a move at a time: they answered first."""
        began, ended = self._asking
        return ended - began if said < ended + NAMED_WITHIN else 0.0


def _returned(steps: Sequence[Match], sight: Sight) -> int:
    """Return how many of the last plies lead back to where they began, or to what reads so by going
    each way twice; 0 if none do.
    """
    for plies in range(4, min(RETURNED, len(steps)) + 1, 2):
        old, now = steps[-plies].before, steps[-1]
        assert old is not None
        made, half = list(map(_changed, steps[-plies:])), plies // 2
        if old.position == now.position or (
            made[:half] == made[half:]
            and sight.readings(old.position) == sight.readings(now.position)
        ):
            return plies
    return 0


def _changed(step: Match) -> set[Place]:
    assert step.before is not None
    if isinstance(step.move, Pass):
        return set()
    return set(step.game.changes(step.before.position, step.move))
