"""The controller of a board: a machine, a session and its files."""

from __future__ import annotations

import gc
import logging
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.game import Place, Seat, Throw
from engine.match import AnyGame
from engine.reading.footprints import Sight
from firmware_host.controller.board_clock import BoardClock
from firmware_host.controller.counters import BoardCounters
from firmware_host.controller.polling import is_news
from firmware_host.controller.stick_die import StickDie
from firmware_host.lights.advice import NOTHING, Advice
from firmware_host.lights.scene import changes_at, scene
from firmware_host.lights.signals import Colour, Light, moving, render
from firmware_host.players.time_control import TimeControl
from firmware_host.session.chess_clock import clock_of
from firmware_host.session.events import Claimed, Dice, Event, Frame, Press, Tick
from firmware_host.session.match_timer import MatchTimer
from firmware_host.session.outbox import Note
from firmware_host.session.session import Session
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.recording import BUTTONS, RecordingHeader
from firmware_host.text.buttons import with_review
from firmware_host.text.fault_history import FaultHistory
from firmware_host.text.faults import CAUSED, fault_message
from firmware_host.text.status import Status
from firmware_host.text.storage_status import StorageStatus
from hardware.layout import GameMap, Layout
from hardware.machine import Machine, SensorFrame

PICTURE_S: Final = 1 / 25
"""The time between two pictures of a scene that moves."""

BOUNCE_S: Final = 0.05
"""A button that goes down within this time after its release has bounced."""

TEST_S: Final = 2.0
"""A light that a builder tests stays on for this time."""
TEST_COLOUR: Final[Colour] = (255, 255, 255)

CONFIRM_S: Final = 0.02
"""Levels are read once more this long before they count."""

log = logging.getLogger(__name__)


def header_of(game: AnyGame, layout: Layout, position: Any) -> RecordingHeader:
    """Return the header of a recording that begins with a position on a board."""
    served = layout.game(game.name)
    usual = Sight(game, layout.sensing).pockets
    pockets = {
        tray: number
        for tray, number in pockets_of(game, layout).items()
        if number != usual.get(tray, number)
    }
    return RecordingHeader(game, layout.sensing, position, tuple(sorted(served.unsensed)), pockets)


def pockets_of(game: AnyGame, layout: Layout) -> dict[Place, int]:
    """Return how many pockets with a sensor each of the game's trays has on a board."""
    places = layout.game(game.name).places
    return {
        tray: len(layout.places[places[tray]].sensors) for tray in game.trays() if tray in places
    }


class BoardController:
    """Takes frames of the machine and events of people, and lights the scene. It runs in the time
    of the caller.
    """

    def __init__(
        self,
        machine: Machine,
        session: Session,
        files: MatchFiles,
        rev: int = 1,
        history: FaultHistory | None = None,
    ) -> None:
        self.machine = machine
        self.session = session
        self.files = files
        self.map: GameMap = machine.layout.game(session.game.name)
        self.rev = rev
        """The revision: it grows with every change of what is said or lit."""
        self.match_rev = rev
        """The revision with which the match began."""
        self.resumed = False
        """Whether the match is resumed: hands may have played on before the first frame."""
        self.advice: Advice = NOTHING
        """The advice of opponents and hints. Code that changes it raises `rev`."""
        self._lights: Mapping[Place, Light] = {}
        self._moving: Mapping[Place, Light] = {}
        self._colours: dict[str, Colour] = {}
        self._picture_at = 0.0  # when a scene that moves is due for its next picture
        self._drawn = -1
        self._changes_at: float | None = None  # when the scene changes though nothing happens
        self.seen: SensorFrame | None = None
        """The last frame, in the places of the board."""
        self.counters = BoardCounters()
        """The counters of the board."""
        self.clock = BoardClock()
        """The clock of the match, or the one beside the board."""
        self.flag_ends = True
        """Whether a fallen flag ends the match as its game says; if not, it is only announced."""
        self.review: Callable[[], None] | None = None
        """The action of the button `hint` after the end: it shows the match again."""
        self._tested: tuple[str, float] | None = None  # a place that is lit, and until when
        self._looked = float("-inf")
        self._released: dict[str, float] = {}
        self._die = StickDie(machine.layout.dice)
        self._dice = 1  # how many make a throw
        self._thrown: tuple[int, ...] = ()  # faces of the die that make no throw yet
        self._frame: Frame | None = None
        self._storage = files.status
        self._history = history or FaultHistory()

    def handle(self, event: Event) -> list[Note]:
        """Let the session handle an event. When this returns, the event is in the journal, or
        `storage` says why not.
        """
        if self.review is not None and self._is_hint_after_end(event):
            self.review()
            return []
        self.clock.notice(event.at)
        due, thinking = self.session.deadline, self.session.thinking
        news = due is not None and due <= event.at
        if isinstance(event, Frame):
            # A touch alone says nothing yet: the session reads it once the place is at rest.
            last, self._frame = self._frame, event
            news = news or last is None or (last.faults, last.blind) != (event.faults, event.blind)
        notes = self.session.handle(event)
        if thinking and self.session.thinking and isinstance(event, Tick):
            news = False
        if notes and any(note.event == "new" for note in notes):
            self.match_rev = self.rev + 1
            self._begin()
            gc.collect()  # what is left of the last match; nobody waits now
        self._follow_clock()
        self._write(event)
        if news or notes or not isinstance(event, Frame | Tick):
            self.rev += 1
        for note in notes:
            log.info("%s", note.plain())
            self._count(note)
        return notes

    def _count(self, note: Note) -> None:
        self.counters.events[note.event] += 1
        view = self.session.view
        if note.event == "move" and view.played_at:
            self.counters.readings.add(view.read_at - view.played_at[-1])

    def _is_hint_after_end(self, event: Event) -> bool:
        is_hint = isinstance(event, Press) and event.button == "hint"
        return is_hint and self.session.view.may_start_another

    def _begin(self) -> None:
        """Begin the new match of the session in the files, too."""
        game, layout = self.session.game, self.machine.layout
        timer = self.clock.timer
        control = None if timer is None else timer.control
        header, text = header_of(game, layout, game.start()), control.text if control else ""
        self.files.begin(game, layout.name, header, clock=text)
        self.time_with(control)

    def _write(self, event: Event) -> None:
        """Write an event, and the record if it has changed."""
        self.files.take(event, None if self.session.settling else self._frame)
        self._write_record(event.at)

    def _write_record(self, now: float) -> None:
        self.files.write(self.session.record, now, self.clock.sheet(now))

    # ---- time

    def time_with(self, control: TimeControl | None) -> None:
        """Set the time control, or none; only before the first move."""
        match = self.session.view.match
        self.clock.timer = None
        if control is not None:
            seats = len(self.session.game.seats)
            self.clock.timer = MatchTimer(control, seats, match.acting, self.session.now)
        self.rev += 1

    def pause(self, on: bool, now: float) -> None:
        """Pause the clock of the match, or let it go on."""
        if self.clock.timer is not None:
            self.clock.timer.pause(on)
            self.pass_time(now)

    def pass_time(self, now: float) -> None:
        """Note the time: a flag may have fallen."""
        if self.clock.timer is None:
            return
        self.clock.notice(now)
        self._follow_clock(now)
        seat = self.clock.flag(self.session.view, now)
        if seat is not None:
            self._fall(seat, now)
        self._write_record(now)

    def _follow_clock(self, now: float = 0.0) -> None:
        if self.clock.timer is None:
            return  # a view for each step of a search costs as much as the step
        view, chosen = self.session.view, self.advice.chosen
        if self.clock.follow(view, max(now, self.session.now), by_hand=chosen):
            self.rev += 1

    def _fall(self, seat: Seat, now: float) -> None:
        """End the turn or the match of a seat whose flag has fallen, as the game says."""
        game, position = self.session.game, self.session.view.match.position
        log.info("the flag of %s has fallen", game.seats[seat])
        self.rev += 1
        claim = game.time_up(position, seat) if self.flag_ends else None
        if claim is not None:
            self.handle(Claimed(now, claim.text, claim.seat))

    # ---- what there is to report

    @property
    def storage(self) -> StorageStatus:
        """The state of the files of the match, for people."""
        return self.files.status

    def recording(self) -> Iterator[bytes]:
        """Return the recording of the match in chunks, as `lampion replay` reads it."""
        return self.files.recording()

    def shown_status(self, status: Status) -> Status:
        """Return the status to show: that of the session, and what people can do after the end."""
        over = self.review is not None and self.session.view.may_start_another
        return with_review(status) if over else status

    def save_due(self, now: float) -> float:
        """Let the files do what is due; return when to call again."""
        due = self.files.save_due(now)
        if self._storage != self.files.status:
            self._storage = self.files.status
            self.rev += 1
        return due

    def look(self, now: float) -> None:
        """Read the board once, and take the frame."""
        self.take(self.machine.read(now))

    def counts_at(self, frame: SensorFrame) -> float:
        """Return the time at which to handle a frame: after all events so far, and before levels
        settle that no frame has confirmed, however late it is.
        """
        confirm = self.confirm
        at = frame.at if confirm is None else min(frame.at, confirm)
        return max(at, self.session.now)

    def take(self, frame: SensorFrame) -> None:
        """Take a frame of the sensors."""
        at = self.counts_at(frame)
        self._looked = frame.at
        face = self._die.look(frame.pressed, frame.at)
        frame = replace(frame, at=at)
        self.counters.frames += 1
        seen = self.seen
        if is_news(frame, seen):
            self.seen = frame
            self._take_news(frame, seen)
        if face is not None:
            self._fell(face, at)

    def _take_news(self, frame: SensorFrame, seen: SensorFrame | None) -> None:
        if seen is None or frame.faults != seen.faults:
            known = () if seen is None else seen.faults
            self.counters.faults.update(each.kind for each in frame.faults if each not in known)
            names = self.map.inverse
            faults = {(each.kind, each.address): each for each in frame.faults}
            self._history.note(
                {key: fault_message(each, names) for key, each in faults.items()},
                {key: each.text for key, each in faults.items() if each.kind in CAUSED},
            )
        if seen is None and self.resumed:
            frame = replace(frame, gap=True)
        if frame.pulsed:
            # A place changed and changed back between two looks: both edges happened.
            flipped = dict(frame.readings)
            for place in frame.pulsed:
                flipped[place] = flipped[place] - 1 if place in flipped else 1
            self.handle(self._of_game(frame, {p: read for p, read in flipped.items() if read}))
        self.handle(self._of_game(frame, frame.readings))
        if seen is not None and frame.pressed != seen.pressed:  # else pressed for the last match
            self._buttons(frame, seen.pressed)
        for dice in frame.thrown:
            self.handle(Dice(frame.at, dice))
        if frame.clocks != (() if seen is None else seen.clocks):
            seats = len(self.session.game.seats)
            self.clock.beside = clock_of(frame.clocks, seats, frame.at)
            self.rev += 1

    @property
    def confirm(self) -> float | None:
        """When to read the board once more, so that no level settles that has changed unnoticed;
        None if it is confirmed.
        """
        settles = self.session.deadline
        if settles is None or self.session.thinking or settles - CONFIRM_S <= self._looked:
            return None
        return settles - CONFIRM_S

    def _of_game(self, frame: SensorFrame, readings: Mapping[str, int]) -> Frame:
        names = self.map.inverse
        return Frame(
            frame.at,
            {names[place]: reading for place, reading in readings.items() if place in names},
            frame.blind and frozenset(names[place] for place in frame.blind if place in names),
            tuple([fault_message(fault, names) for fault in frame.faults]),
            frame.gap,
        )

    def _buttons(self, frame: SensorFrame, held: frozenset[str]) -> None:
        """Handle the buttons that went down; one that bounces has gone down once."""
        for button in sorted(frame.pressed - held):
            if frame.at - self._released.get(button, -BOUNCE_S) < BOUNCE_S:
                continue
            sides = zip(self.session.game.seats, self.map.sides, strict=True)
            seat = next((name for name, side in sides if side.button == button), None)
            if button == "dice":
                self._throw(frame.at)
            elif seat is not None or button in BUTTONS:
                self.handle(Press(frame.at, seat or button))
        self._released |= dict.fromkeys(held - frame.pressed, frame.at)

    def _throw(self, at: float) -> None:
        """Take a throw, if one is possible now."""
        throws = [each for each in self.session.view.match.legal if isinstance(each, Throw)]
        if throws:
            self.handle(Dice(at, random.choice(throws).dice))

    def _fell(self, face: int, at: float) -> None:
        """Take a face of the stick die as a throw, or as a part of one."""
        self._thrown = (*self._thrown, face)
        throws = [each.dice for each in self.session.view.match.legal if isinstance(each, Throw)]
        if throws:
            self._dice = len(throws[0])
        if len(self._thrown) >= self._dice:
            thrown, self._thrown = self._thrown, ()
            self.handle(Dice(at, thrown))

    def draw(self, now: float) -> float | None:
        """Light the scene; return when to draw again if the scene changes by itself."""
        if self._changes_at is not None and now >= self._changes_at:
            self.rev += 1
        clock = self.clock.shown
        alters = None if clock is None else clock.changes_at(now)
        times = changes_at(self.session.view, now), alters
        self._changes_at = min((time for time in times if time is not None), default=None)
        if self._drawn != self.rev:
            self._drawn = self.rev
            lights = self._scene(now)
            if lights != self._lights:
                self._lights, self._moving = lights, moving(lights)
                self._colours = self._rendered(lights, now)
                self._picture_at = now + PICTURE_S
        if self._moving and now >= self._picture_at:
            self._colours = self._colours | self._rendered(self._moving, now)
            self._picture_at = now + PICTURE_S
        if self._tested is not None and now >= self._tested[1]:
            self._tested = None
        tested = self._tested
        colours = self._colours if tested is None else {**self._colours, tested[0]: TEST_COLOUR}
        self.machine.light(colours, now)
        self.machine.show_clock(clock)
        ends = None if tested is None else tested[1]
        due = self._picture_at if self._moving else None, self._changes_at, ends
        return min((time for time in due if time is not None), default=None)

    def test_light(self, place: str, now: float) -> None:
        """Light a place of the board for TEST_S, over whatever else is lit."""
        self._tested = place, now + TEST_S

    def _scene(self, now: float) -> dict[Place, Light]:
        clock = self.clock.shown
        return scene(
            self.session.view,
            now,
            safe=self.storage.safe is None,
            advice=self.advice,
            short=frozenset() if clock is None else clock.short(now),
        )

    @property
    def lights(self) -> Mapping[Place, Light]:
        """The scene that was drawn last."""
        return self._lights

    def still(self) -> dict[str, Colour]:
        """Return the colours of the last scene without motion."""
        return self._rendered(self._lights, 0.0, calm=True)

    def _rendered(
        self, lights: Mapping[Place, Light], now: float, calm: bool = False
    ) -> dict[str, Colour]:
        """Return the colours of lights at a moment, by the board's places."""
        colours = render(lights, now, len(self.session.sight.cells), calm)
        placed: dict[str, Colour] = {}
        for place, colour in colours.items():
            if place.startswith("seat:"):
                placed[self.map.sides[int(place[5:])].light] = colour
            elif place in self.map.places:
                placed[self.map.places[place]] = colour
        return placed
