"""A session at a board without hardware, and hands that do what a line of text says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, Final

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.i18n.messages import render
from firmware_host.lights.scene import scene
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.session.events import Choose, Claimed, Dice, Event, Frame, NewMatch, Press, Tick
from firmware_host.session.session import Session
from firmware_host.text.announcements import status

CALLS: Final = Light(Signal.BLUE, Pattern.BREATHE)
"""The light of a tray that calls for a piece."""
GAP: Final = 0.3
"""Seconds between two acts of a hand unless something else is said."""

_WORD: Final = re.compile(
    r'"(?P<says>[^"]*)" | <(?P<press>\w+)> | \((?P<dice>[\d ]+)\) | \[(?P<moves>[^]]*)\]'
    r"| \?\[(?P<asks>[^]]*)\] | (?P<fact>[a-z]+):(?P<value>[-\w,.+*]*)(?!\S)"
    r"| (?P<sentence>!?`[^`]*`) | (?P<look>away|look)(?!\S)"
    r"| (?P<act>\S+[-+/=])(?!\S) | (?P<wait>[\d.]+)",
    re.VERBOSE,
)


class Timeline:
    """A session at a board of plain sensors, and people at it.

    `hands` takes a line of these words:

        C4- C3+ B1/        a hand lifts from C4, puts on C3, puts on B1 with the other pole up;
                           on slots every + is one piece more, every - one less
        C3=                a hand puts on C3, with the pole up that the piece lifted last showed
        0.5                half a second passes, instead of the usual gap between two acts
        "B3B2"             somebody says that this was played
        <back>             somebody presses a button
        (3 5)              the dice fall
        away               nobody looks at the board, until somebody does: look
        [C4C3, A1A2]       these moves stand; ? is one that is asked, `B3B2 or nothing` says what
        ?[B3B2 or nothing] these are the open questions
        told:over          this was told, or never:fault, or last:new, or all:move,over
        dice:3,5           these dice are to be played
        unplaced:B3B2      this was said to be played, and does not fit
        over:lion-captured the match is over for this reason, or over: it goes on
        `It is B's turn.`  the board says this, or !`…Check!…` does not say it
        lit:hand.A.C       of the trays these call for a piece
        guiding:yes        people are guided to put the board right, or guiding:no
        settling:yes       nothing is read before all pieces stand right, or settling:no
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
        self.pieces = {p: piece.count for p, piece in self.game.pieces(start).items()}
        self.readings = self.sight.readings(start)
        self._lifted, self._away = 1, False
        self.now = 0.0
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.feed(Frame(0.0, dict(self.readings)))

    def feed(self, event: Event) -> None:
        if self._away:
            return
        self.told += [(note.event, note.details) for note in self.session.handle(event)]

    def hands(self, line: str) -> Timeline:
        assert not _WORD.sub("", line).strip(), line
        before = "wait"
        for word in _WORD.finditer(line):
            kind = str(word.lastgroup)
            if kind == "act":
                self.now += GAP if before == "act" else 0.0
                self._act(word["act"][:-1], word["act"][-1])
            elif kind == "wait":
                self.now += float(word["wait"])
            else:
                self.feed(Tick(self.now))
                self._say_or_check(kind, word)
            before = kind
        if before == "wait":
            self.feed(Tick(self.now))
        return self

    def _say_or_check(self, kind: str, word: re.Match[str]) -> None:
        match kind:
            case "says":
                self.choose(word["says"])
            case "press":
                self.press(word["press"])
            case "dice":
                self.throw(*map(int, word["dice"].split()))
            case "moves":
                expected, found = _listed(word["moves"]), self._record
                pairs = zip_longest(expected, found, fillvalue="")
                found = ["?" if want == "?" and " or " in text else text for want, text in pairs]
                assert found == expected
            case "asks":
                assert [_candidates(each) for each in self.asked] == _listed(word["asks"])
            case "look":
                self._away = word["look"] == "away"
                shown = {place: value for place, value in self.readings.items() if value}
                self.feed(Frame(self.now, shown, gap=True))
            case "sentence":
                wanted = re.escape(word["sentence"].strip("!`")).replace("…", ".*")
                said = any(re.fullmatch(wanted, each) for each in self.says())
                assert said == (word[0][0] == "`"), (word[0], self.says())
            case _:
                assert self._fact(word["fact"], word["value"]) == word["value"], self.events

    def _fact(self, fact: str, expected: str) -> str:
        """Return what holds, as it is written behind the word for that."""
        view, events = self.session.view, self.events
        match fact:
            case "told" | "never":
                return expected if (expected in events) == (fact == "told") else "otherwise"
            case "last":
                return events[-1]
            case "all":
                return ",".join(events)
            case "dice":
                return ",".join(map(str, view.dice.to_play))
            case "unplaced":
                return view.unplaced
            case "over":
                return view.outcome.reason if view.outcome is not None else ""
            case "lit":
                lights = scene(view, self.now).items()
                return ",".join(sorted(tray for tray, light in lights if light == CALLS))
            case "guiding":
                return "yes" if view.repair.guiding else "no"
            case "settling":
                return "yes" if view.repair.settling else "no"
        raise ValueError(f"nothing is called {fact}")

    def _act(self, place: str, sign: str) -> None:
        lying = self.pieces[place] = self.pieces.get(place, 0) + (-1 if sign == "-" else 1)
        assert lying >= 0, f"nothing lies on {place}"
        if place in self.sight.trays:
            reading = min(lying, self.sight.pockets[place])
        else:
            assert lying <= 1 or place not in self.sight.cells, f"{place} is taken"
            if sign == "-":
                self._lifted = self.readings.get(place, 0) or self._lifted
            reading = {"-": 0, "+": 1, "/": -1, "=": self._lifted}[sign]
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
    def _record(self) -> list[str]:
        """The moves that stand; all candidates where it is asked."""
        record = [each for each in self.session.record if each.kind == "move"]
        return [_candidates(each.texts) if each.open else each.texts[0] for each in record]

    def says(self, language: str = "en") -> list[str]:
        """Return what the board says."""
        return [render(each, language) for each in status(self.session.view, 1).says]

    @property
    def asked(self) -> list[set[str]]:
        """The candidates of every open question."""
        return [set(entry.texts) for entry in self.session.view.question.open]

    @property
    def events(self) -> list[str]:
        """The kinds of what happened."""
        return [kind for kind, _ in self.told]

    def last(self, kind: str) -> dict[str, Any]:
        """What was last told of a kind."""
        return next(details for each, details in reversed(self.told) if each == kind)


def _listed(text: str) -> list[str]:
    return text.split(", ") if text else []


def _candidates(texts: Iterable[str]) -> str:
    return " or ".join(sorted(text or "nothing" for text in texts))
