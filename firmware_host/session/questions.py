"""Questions: what the sensors cannot know, and how people may answer.

An entry of the record is open while the hypotheses that are still possible differ in it. People
name a move on the page, press a button, or answer on the board: each candidate has a lit man, who
is lifted and put back twice in a row. That must be easy to do, and hard to do by accident: men are
straightened and knocked all the time.
"""

from __future__ import annotations

from engine.game import Place
from engine.reading.mismatch import difference
from engine.reading.reader import Reader
from firmware_host.session.record import NOTHING, Record, RecordEntry
from firmware_host.session.view import QuestionView

TWICE = 2.0  # seconds within which a lit place is pressed for the second time
KNOCK = 0.1  # … and for less than that a man is gone that was only knocked
ASKED_ANEW = 0.5  # seconds within which nobody has seen yet that something is asked


class Questions:
    """The questions about one match, and the men that are lit for them. `follow` tells it what the
    record has become, `light` when that is shown, `touched` what hands have done.
    """

    def __init__(self, reader: Reader, record: Record) -> None:
        self.record = record
        """What all hypotheses agree on, and where they differ."""
        self.asked = any(entry.open for entry in record)
        """Whether people are asked which of the hypotheses it is; else the next moves may tell."""
        self.corrects = False
        """Whether people are asked because they said that the record is wrong."""
        self._reader = reader
        self._lit: tuple[int | None, dict[str, Place]] = None, {}  # for which question, and what
        self._lit_since = 0.0
        self._lifted: tuple[Place, float] | None = None  # to be put back as an answer
        self._pressed: tuple[Place, float] | None = None

    def follow(self, record: Record, asked: bool) -> None:
        """Take what all hypotheses agree on now, and whether people are asked where they differ."""
        if record != self.record or asked != self.asked:
            self.record, self.asked = record, asked
            self.corrects = False

    @property
    def open(self) -> Record:
        """The entries that are still asked about."""
        return tuple(entry for _, entry in self.numbered)

    @property
    def numbered(self) -> tuple[tuple[int, RecordEntry], ...]:
        """The same, each with where in the record it is."""
        numbered = enumerate(self.record) if self.asked else ()
        return tuple((number, entry) for number, entry in numbered if entry.open)

    def view(self) -> QuestionView:
        """Return what is asked now."""
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

    # ---- what is asked

    @property
    def current(self) -> RecordEntry | None:
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

    def answered_by(self, text: str, seen: bool) -> int | None:
        """Return where in the record the question is that a move answers: the one that is asked
        now, if who says it has seen that, else where the move is likeliest; None if none has it.
        """
        ranks = {n: e.texts.index(text) for n, e in self.numbered if text in e.candidates}
        if seen and self.number in ranks:
            return self.number
        return min(ranks, key=ranks.__getitem__, default=None)

    def asks(self, number: int, text: str) -> bool:
        """Whether it is still asked if a move is what was played there in the record."""
        entries = self.record[number : number + 1]
        return self.asked and any(entry.open and text in entry.candidates for entry in entries)

    # ---- how it may be answered

    def by_button(self, button: str) -> str | None:
        """Return the move that `yes` or `no` chooses of what is asked, if it is one of two that
        differ by a promotion, or the only one, if anything was played.
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
        """Whether `no` says that nothing was played of what is asked."""
        asked = self.current
        return asked is not None and asked.may_be_nothing and self.by_button("no") is None

    def choices(self) -> dict[str, Place]:
        """Return, for each candidate of what is asked, the lit place that chooses it: a man that
        none of them touches, the nearest named first.
        """
        if self.current is None:
            return {}
        line = self._reader.shown[0]
        own = {
            place
            for shown in self._reader.shown
            for step in shown.since(shown.head()) or []
            if step.footprint
            for place in step.footprint.around
        }
        standing = [
            place
            for place in line.match.game.cells()
            if place in line.expected and place not in own and place not in line.masked
        ]
        return dict(zip(self.current.candidates, standing, strict=False))

    def light(self, now: float) -> None:
        """Note which places are lit now, and for what: nobody answers before that can be seen."""
        lit = self.number, self.choices()
        if lit != self._lit:
            self._lit, self._lit_since, self._pressed = lit, now, None

    def pressed(self, now: float) -> Place | None:
        """Return the lit place that was pressed once and waits for the second time."""
        return self._pressed[0] if self._pressed and now < self.pressed_until - 1e-9 else None

    @property
    def pressed_until(self) -> float:
        """Until when it waits; a time that has passed if none does."""
        return self._pressed[1] + TWICE if self._pressed else float("-inf")

    def touched(self, now: float, place: Place, reading: int) -> tuple[str, int | None] | None:
        """Note that a place has come to rest; return the move that it chooses, and where in the
        record that is asked: a lit place that is lifted and put back once may be a slip, twice in a
        row it is an answer, if nothing else was touched meanwhile. Who was lifted before people can
        have seen the light, for no longer than a man is that is knocked, or for so long that
        somebody thought of moving him, answers nothing.
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
        """Whether a lit place that is put back now was lifted to answer."""
        where, at = lifted
        lit_long = at >= self._lit_since + ASKED_ANEW
        return where == place and lit_long and KNOCK <= now - at < TWICE

    def _all_but(self, place: Place) -> bool:
        """Whether all men stand as they are shown, but for one at most."""
        return any(
            all(other == place for other, _ in difference(line, self._reader.levels))
            for line in self._reader.shown
        )
