"""A board as the tests of reading, lights and records play it: hands by the second, no hardware."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import settings

from engine.footprints import Sight
from engine.games import make
from engine.match import Match
from firmware_host.events import Choose, Claimed, Dice, Event, Frame, NewMatch, Press, Tick
from firmware_host.session import Session

# The same examples on every machine: a green suite is green for everybody.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")

GAP = 0.3
"""Seconds between two acts of a hand unless something else is said."""


class Timeline:
    """A session at a board of plain sensors, and hands that do what a line of text says.

    `hands("C4- 0.5 C3+ B1/")`: lift from C4, half a second later put on C3, after the usual gap
    put on B1 with the other pole up. On slots every `+` is one man more, every `-` one less.
    """

    def __init__(
        self,
        game: str = "robot-duel",
        sensing: str = "presence",
        position: str | None = None,
        unsensed: Sequence[str] = (),
        **options: object,
    ) -> None:
        self.game = make(game, options)
        start = self.game.start() if position is None else self.game.parse_position(position)
        self.sight = Sight(self.game, sensing, unsensed)
        self.session = Session(self.game, self.sight, [Match.begin(self.game, start)])
        self.men = {p: man.count for p, man in self.game.pieces(start).items()}
        self.readings = self.sight.readings(start)
        self.now = 0.0
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.feed(Frame(0.0, dict(self.readings)))

    def feed(self, event: Event) -> None:
        self.told += [(note.event, note.details) for note in self.session.handle(event)]

    def hands(self, acts: str) -> Timeline:
        first, waited = True, False
        for act in acts.split():
            if act[-1] in "+-/":
                if not (first or waited):
                    self.now += GAP
                first = waited = False
                self._act(act[:-1], act[-1])
            else:
                self.now += float(act)
                waited = True
        return self

    def _act(self, place: str, sign: str) -> None:
        lying = self.men[place] = self.men.get(place, 0) + (-1 if sign == "-" else 1)
        assert lying >= 0, f"nothing lies on {place}"
        if place in self.sight.trays:
            reading = min(lying, self.sight.pockets[place])
        else:
            assert lying <= 1 or place not in self.sight.cells, f"{place} is taken"
            reading = 0 if sign == "-" else -1 if sign == "/" else 1
            reading = abs(reading) if self.sight.sensing == "presence" else reading
        if place in self.sight.places:
            self.readings[place] = reading
            shown = {place: value for place, value in self.readings.items() if value}
            self.feed(Frame(self.now, shown))

    def rest(self, seconds: float = 5.0) -> Timeline:
        """Let nothing happen for a while."""
        self.now += seconds
        self.feed(Tick(self.now))
        return self

    def throw(self, *dice: int) -> Timeline:
        self.feed(Dice(self.now, dice))
        return self

    def press(self, button: str) -> Timeline:
        self.feed(Press(self.now, button))
        return self

    def choose(self, move: str) -> Timeline:
        self.feed(Choose(self.now, move))
        return self

    def claim(self, claim: str, seat: int = 0) -> Timeline:
        self.feed(Claimed(self.now, claim, seat))
        return self

    def new_match(self) -> Timeline:
        self.feed(NewMatch(self.now))
        return self

    @property
    def moves(self) -> list[str]:
        """The moves that stand; `?` where it is asked."""
        record = self.session.record
        return ["?" if e.open else e.texts[0] for e in record if e.kind == "move"]

    @property
    def asked(self) -> list[set[str]]:
        """The candidates of every open question."""
        return [set(entry.texts) for entry in self.session.play.questions.open]

    @property
    def events(self) -> list[str]:
        """The kinds of what happened."""
        return [kind for kind, _ in self.told]

    def last(self, kind: str) -> dict[str, Any]:
        """What was last told of a kind."""
        return next(details for each, details in reversed(self.told) if each == kind)


@pytest.fixture
def timeline() -> type[Timeline]:
    return Timeline
