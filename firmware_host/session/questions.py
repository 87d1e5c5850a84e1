"""Questions about moves that the sensors cannot distinguish, and their answers.

An entry of the record is open while the possible histories differ in it. People name a move on the
page, press a button, or answer on the board: each candidate has a lit piece, to be lifted and put
back twice in a row. Once would be too easy by accident, because people straighten and knock pieces
all the time.
"""

from __future__ import annotations

from engine.game import Place
from engine.reading.mismatch import difference
from engine.reading.reader import Reader
from firmware_host.session.record import NOTHING, Record, RecordEntry
from firmware_host.session.view import QuestionView

TWICE_S = 2.0
"""A lit piece must be lifted for the second time within this time."""
KNOCK_S = 0.1
"""A piece that is away for less than this was only knocked."""
UNSEEN_S = 0.5
"""Nobody has seen a question that was lit for less than this."""


class Questions:
    """The questions about one match, and the pieces that are lit for them. `follow` takes a change
    of the record, `light` notes what is lit, `touched` takes what hands have done.
    """

    def __init__(self, reader: Reader, record: Record) -> None:
        self.record = record
        """The record, with an open entry where the histories differ."""
        self.asked = any(entry.open for entry in record)
        """Whether people are asked about open entries; if not, the next moves may decide."""
        self.corrects = False
        """Whether people are asked because they said that the record is wrong."""
        self._reader = reader
        self._lit: tuple[int | None, dict[str, Place]] = (
            None,
            {},
        )  # the question, the places
        self._lit_since = 0.0
        self._lifted: tuple[Place, float] | None = None  # a lit place, to be put back as an answer
        self._pressed: tuple[Place, float] | None = None

    def follow(self, record: Record, asked: bool) -> None:
        """Take the record, and whether people are asked about its open entries."""
        if record != self.record or asked != self.asked:
            self.record, self.asked = record, asked
            self.corrects = False

    @property
    def open(self) -> Record:
        """The entries that people are asked about."""
        return tuple(entry for _, entry in self.numbered)

    @property
    def numbered(self) -> tuple[tuple[int, RecordEntry], ...]:
        """The open entries, each with its index in the record."""
        numbered = enumerate(self.record) if self.asked else ()
        return tuple((number, entry) for number, entry in numbered if entry.open)

    def view(self) -> QuestionView:
        """Return the questions as they are now."""
        return QuestionView(
            numbered=self.numbered,
            current=self.current,
            number=self.number,
            lit=self.choices(),
            yes=self.by_button("yes"),
            no=self.by_button("no"),
            corrects=self.corrects,
            may_be_denied=self.may_be_denied,
            pressed=self._pressed[0] if self._pressed else None,
            pressed_until=self.pressed_until,
        )

    # ---- open questions

    @property
    def current(self) -> RecordEntry | None:
        """The entry that is asked about first: the first one that surely was a move, because later
        ones depend on it.
        """
        asked = self.open
        sure = [entry for entry in asked if NOTHING not in entry.texts]
        return sure[0] if sure else asked[0] if asked else None

    @property
    def number(self) -> int | None:
        """The index in the record of the entry that is asked about."""
        return None if self.current is None else self.record.index(self.current)

    def answered_by(self, text: str, seen: bool) -> int | None:
        """Return the index of the question that a move answers: the current one, if the person has
        `seen` it, else the one in which the move is likeliest; None if no question has that
        candidate.
        """
        ranks = {n: e.texts.index(text) for n, e in self.numbered if text in e.candidates}
        if seen and self.number in ranks:
            return self.number
        return min(ranks, key=ranks.__getitem__, default=None)

    def asks(self, number: int, text: str) -> bool:
        """Return whether a move is a candidate of an open question at `number` in the record."""
        entries = self.record[number : number + 1]
        return self.asked and any(entry.open and text in entry.candidates for entry in entries)

    # ---- how it may be answered

    def by_button(self, button: str) -> str | None:
        """Return the candidate that `yes` or `no` chooses: one of two that differ by a promotion,
        or the only one where people are also asked if any move was made.
        """
        asked = self.current
        if asked is not None and asked.may_be_nothing and len(asked.candidates) == 1:
            return asked.candidates[0] if button == "yes" else None
        if asked is None or len(asked.candidates) != 2:
            return None
        short, long = sorted(asked.candidates, key=len)
        if long != f"{short}+":
            return None
        return long if button == "yes" else short

    @property
    def may_be_denied(self) -> bool:
        """Whether `no` says that no move was made."""
        asked = self.current
        return asked is not None and asked.may_be_nothing and self.by_button("no") is None

    def choices(self) -> dict[str, Place]:
        """Return the lit place that chooses each candidate: a piece that no candidate touches, in
        the order of the cells.
        """
        if self.current is None:
            return {}
        history = self._reader.shown[0]
        own = {
            place
            for shown in self._reader.shown
            for step in shown.since(shown.head()) or []
            if step.footprint
            for place in step.footprint.around
        }
        standing = [
            place
            for place in history.match.game.cells()
            if place in history.expected and place not in own and place not in history.masked
        ]
        return dict(zip(self.current.candidates, standing, strict=False))

    def light(self, now: float) -> None:
        """Note which places are lit now, and for which candidates: only lights that people can have
        seen count.
        """
        lit = self.number, self.choices()
        if lit != self._lit:
            self._lit, self._lit_since, self._pressed = lit, now, None

    def pressed(self, now: float) -> Place | None:
        """Return the lit place that was lifted and put back once and waits for the second time."""
        return self._pressed[0] if self._pressed and now < self.pressed_until - 1e-9 else None

    @property
    def pressed_until(self) -> float:
        """Until when that place waits; a time in the past if none does."""
        return self._pressed[1] + TWICE_S if self._pressed else float("-inf")

    def touched(self, now: float, place: Place, reading: int) -> tuple[str, int | None] | None:
        """Note that a place has come to rest; return the move that it chooses, with the index of
        the question in the record.

        A lit piece that is lifted and put back twice in a row is an answer, if nothing else is
        touched meanwhile. A lift does not count if people cannot have seen the light before it, if
        it is as short as a knock, or if it is so long that a move may have been meant.
        """
        if not self.open:
            return None
        self.light(now)
        pressed, self._pressed = self._pressed if self.pressed(now) == place else None, None
        lifted, self._lifted = self._lifted, None
        chosen = {lit: text for text, lit in self._lit[1].items()}
        if place not in chosen or not self._all_but(place):
            return None  # play goes on
        if not reading:
            self._lifted, self._pressed = (place, now), pressed
        elif lifted is not None and self._is_deliberate(lifted, place, now):
            if pressed is not None:
                return chosen[place], self._lit[0]
            self._pressed = place, now
        return None

    def _is_deliberate(self, lifted: tuple[Place, float], place: Place, now: float) -> bool:
        """Return whether a lit piece that is put back now was lifted as an answer."""
        where, at = lifted
        lit_long = at >= self._lit_since + UNSEEN_S
        return where == place and lit_long and KNOCK_S <= now - at < TWICE_S

    def _all_but(self, place: Place) -> bool:
        """Return whether all pieces but that of `place` stand as in one of the histories."""
        return any(
            all(other == place for other, _ in difference(history, self._reader.levels))
            for history in self._reader.shown
        )
