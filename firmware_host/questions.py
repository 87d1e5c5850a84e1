"""Questions: what the sensors cannot know, and how people may answer.

An entry of the record is open while the lines that are still possible differ in it. People name a
move: on the page, with a button, or on the board (`lit_places.py`). What they mean by that is found
out in `hearing.py`.
"""

from __future__ import annotations

from engine.game import Claim, Pass, Place, Throw
from engine.match import Match
from engine.names_in_order import NAMED_WITHIN
from engine.reading import Reader
from firmware_host.lit_places import ASKED_ANEW, LitPlaces
from firmware_host.misread import Misread
from firmware_host.record import NOTHING, Entry, Record

LATE_ANSWER = 4  # so many moves later an answer may still come to a question that was decided
RETURNED = 8  # so many plies at most make an old position that men may have gone back to


class Questions:
    """The questions about one match. `follow` tells it what the record has become, `heard` that
    people have named a move, and `touched` what hands have done.
    """

    def __init__(self, reader: Reader, record: Record) -> None:
        self.returned = 0
        """An old position has come back: how many plies a takeback would undo."""
        self.disputed = 0
        """How many of the last plies people are asked to tell anew, for the record may be wrong."""
        self._disputed_since = float("-inf")
        self._went_on = False  # whether people have played on instead of answering that
        self.misread = Misread(reader)
        self.asked = any(entry.open for entry in record)
        """Whether people are asked which of the lines it is; else the next moves may tell."""
        self._asked_since: dict[tuple[int, str], float] = {}  # which entry, and which candidate
        self._asked_lately: set[tuple[int, str]] = set()  # the same, be it that it was decided
        self._asking = 0.0, float("-inf")  # since when people are asked, and when they said more
        self._said_at = float("-inf")  # when people named a move last
        self._reader = reader
        self._take(record)
        self._lit = LitPlaces(reader)
        self._by_hand = ""  # what a lit man has just chosen

    def follow(self, record: Record, asked: bool) -> None:
        """Take what all lines agree on now, and whether people are asked where they differ;
        whether moves were taken back, or are to be told anew, is asked no more.
        """
        if record != self.record or asked != self.asked:
            self._went_on = self._went_on or bool(self.disputed)
            self.returned = self.disputed = 0
            if len(record) < len(self.record) and self.record[: len(record)] == record:
                self.misread.forget(self._reader.decoder.now)
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
        order than they came; whether they were taken back is asked from now on.
        """
        (line, *others) = self._reader.shown
        steps = [step for step in line.match.line() if not isinstance(step.move, Throw | Claim)]
        for plies in range(4, RETURNED + 1, 2):
            if others or len(steps) < plies:
                break
            old = line.match.back(plies)
            made = [_changed(step) for step in steps[-plies:]]
            if old.position == line.match.position or (
                made[: plies // 2] == made[plies // 2 :]
                and line.sight.readings(old.position) == line.sight.readings(line.match.position)
            ):
                self.returned = plies
                return steps[-1]
        return None

    def dispute(self, patient: bool, astray: bool, now: float) -> bool:
        """Ask whether the last plies are to be told anew, if the record may be wrong; return
        whether it is asked. Where people are asked about a move it is only looked whether
        something that they said is not shown, if they have said another since; unless nobody has
        answered for so long that it is `patient`. A board that has been `astray` for as long is a
        sign, too.
        """
        since, misread = self.asked_since, self.misread
        if since is None or patient:
            latest = misread.latest() if astray and patient else 0
            self.disputed = self._unheeded(patient) or misread.crowded_out() or latest
        elif self._said_another(since):
            self.disputed = self._unheeded()
        self._disputed_since = now
        return bool(self.disputed)

    def _unheeded(self, patient: bool = False) -> int:
        """Return how many of the last plies are to be told anew, for something that people said is
        not shown; 0 if all is. Where nobody answers what is asked, be it `patient` or because they
        went on to play, likely lines that were given up earlier may matter, too.
        """
        unheeded = self.misread.unheeded()
        if not unheeded or not (patient or self._went_on):
            return unheeded
        return max(unheeded, self.misread.crowded_out())

    def settle(self) -> int:
        """Take it that people have answered whether the record is wrong; return how many of the
        last plies that was about.
        """
        plies, self.disputed, self._went_on = self.disputed, 0, False
        return plies

    def is_dispute_seen(self, now: float) -> bool:
        """Whether people are asked whether the record is wrong, and can have seen that if they were
        asked something else before: what they say sooner answers that.
        """
        seen = self.current is None or now >= self._disputed_since + ASKED_ANEW
        return bool(self.disputed) and seen

    def _said_another(self, since: float) -> bool:
        """Whether people have said another move since they were asked what they are asked now."""
        assert self.number is not None
        return self._said_at > since or self.misread.is_answered(self.number)

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
        self._said_at = max(self._said_at, said)
        if self.open:
            self._asking = self._asking[0], said

    def late(self, said: float) -> float:
        """Return how late people may be who name a move at a time: they answered first."""
        began, ended = self._asking
        return ended - began if said < ended + NAMED_WITHIN else 0.0


def _changed(step: Match) -> set[Place]:
    assert step.before is not None
    if isinstance(step.move, Pass):
        return set()
    return set(step.game.changes(step.before.position, step.move))
