"""A past match on the board: the buttons step through it, and the lights guide the pieces. At a
turning point the better move is lit.

Nothing is written to the files of any match. The match in play waits, as it does for a lesson.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from typing import Protocol

from engine.game import Place
from engine.match import Match
from engine.search.turning_points import JudgedPly
from firmware_host.controller.controller import BoardController
from firmware_host.controller.set_aside import BoardHost, SetAside
from firmware_host.lights.advice import NOTHING, Advice
from firmware_host.review.review_status import better_brief, review_status
from firmware_host.review.steps import Review
from firmware_host.session.events import Assist, Event, Frame, NewMatch, Press, Tick
from firmware_host.session.outbox import Note
from firmware_host.session.session import Session
from firmware_host.storage.library import IN_PLAY, Library
from firmware_host.storage.match_files import MatchFiles
from firmware_host.text.fault_history import FaultHistory
from firmware_host.text.status import Status
from firmware_host.text.storage_status import StorageStatus
from hardware.machine import Machine

log = logging.getLogger(__name__)


class ReviewBoard(BoardController):
    """The controller of a board that shows a past match. It takes no move and writes no files."""

    def __init__(
        self,
        machine: Machine,
        session: Session,
        files: MatchFiles,
        rev: int,
        history: FaultHistory,
        *,
        review: Review,
        mode: ReviewMode,
    ) -> None:
        super().__init__(machine, session, files, rev, history)
        self._review = review
        self._mode = mode
        session.guide_to(review.match)

    def handle(self, event: Event) -> list[Note]:
        """Let the session follow the hands; a button steps, or leaves the match."""
        if isinstance(event, Frame | Tick | Assist):
            return super().handle(event)
        if isinstance(event, Press):
            notes = super().handle(Tick(event.at))
            self._press(event.button)
            return notes
        return []

    def _press(self, button: str) -> None:
        if self._mode.review is not self._review:
            return  # another match has begun
        match button:
            case "hint":
                self._go_on()
            case "back":
                self.go(self._review.at - 1)
            case "yes" if self._review.goes_on:
                self._mode.play_on()
            case "no":
                self._mode.leave()

    def go(self, at: int) -> None:
        """Show another step of the match, and guide hands there."""
        if self._review.go(at):
            self._guide()

    def _go_on(self) -> None:
        """Show the next step. From the end go through the turning points, and back to the end."""
        review = self._review
        if review.next_turn is not None:
            review.go_to_turn(review.next_turn)
            self._guide()
        else:
            self.go(review.at + 1 if review.turn is None else review.last)

    def _guide(self) -> None:
        self.session.guide_to(self._review.match)
        brief = better_brief(self._review)
        self.advice = (
            NOTHING if brief is None else Advice(hint=(_place(brief.start), _place(brief.end)))
        )
        self.rev += 1

    def _begin(self) -> None:
        """Begin another match: hands have set up the start."""
        self._mode.begin_another()

    def _write(self, event: Event) -> None:
        """Write nothing."""

    @property
    def storage(self) -> StorageStatus:
        """The storage status; no step waits to be written."""
        return StorageStatus(faults=self.files.status.faults)

    def shown_status(self, status: Status) -> Status:
        """Return the status of the step that is shown."""
        return review_status(status, self.session.view, self._review)


def _place(place: Place | None) -> tuple[Place, ...]:
    return () if place is None else (place,)


class LookBack(Protocol):
    """Judges the moves of a match."""

    def follow(self, match: Match) -> AsyncGenerator[JudgedPly]:
        """Yield the judgements of a match as they come, in the order of play."""


class ReviewHost(BoardHost, Protocol):
    """What the review of past matches needs of the host of a board."""

    @property
    def look_backs(self) -> LookBack:
        """The judgements of past matches."""

    @property
    def library(self) -> Library:
        """All matches."""

    def now(self) -> float:
        """Return the time that events carry, in seconds."""

    def post(self, event: Event) -> None:
        """Handle an event."""

    def continue_from(self, name: str, ply: int, *, thrown: bool = False) -> None:
        """Begin a match that goes on from a past match after move number `ply`, or with `thrown`
        after the throw that followed it.
        """


class ReviewMode:
    """The past match that a board shows."""

    def __init__(self, host: ReviewHost, aside: SetAside, changed: Callable[[], None]) -> None:
        """`changed` is called when the search knows more about the match that is shown."""
        self._host = host
        self._aside = aside
        self._changed = changed
        self._judging: asyncio.Task[None] | None = None

    @property
    def review(self) -> Review | None:
        """The match that is shown; None if the board is used for something else."""
        use = self._aside.use
        return use if isinstance(use, Review) else None

    def show(self, name: str, at: int | None = None) -> None:
        """Show the match of that id in the library after step `at`, at first after its last one.

        ValueError or OSError say why that is impossible.
        """
        host = self._host
        shown, board = self.review, host.controller
        if shown is not None and shown.id == name and isinstance(board, ReviewBoard):
            board.go(shown.last if at is None else at)
            return
        match = host.library.match(name)
        review = Review.of(match.id, host.library.path(name))
        if at is not None:
            review.go(at)
        game = review.match.game
        boards = {each.name: each for each in host.games().get(game.name, ())}
        if not boards:
            raise ValueError(f"this board is not made for {game.title}")
        layout = boards.get(review.layout) or next(iter(boards.values()))
        lies_there = match.in_play and layout.name == host.layout.name
        self._aside.begin(review)

        def controller(*parts: object) -> BoardController:
            return ReviewBoard(*parts, review=review, mode=self)  # type: ignore[arg-type]

        host.assemble(game, layout, [review.match], as_it_lies=lies_there, board=controller)
        host.controller.resumed = False
        self._stop_judging()
        self._judging = asyncio.create_task(self._judge(review))

    async def _judge(self, review: Review) -> None:
        """Look for the turning points of a match, as long as it is shown."""
        async with contextlib.aclosing(self._host.look_backs.follow(review.whole)) as plies:
            async for ply in plies:
                if self.review is not review:
                    return
                review.plies.append(ply)
                self._report()
        if self.review is review:
            review.judged()
            self._report()

    def _report(self) -> None:
        self._host.controller.rev += 1
        self._changed()

    def show_last(self) -> None:
        """Show the match that is over, for the button of the board."""
        try:
            self.show(IN_PLAY)
        except (ValueError, OSError) as error:
            log.warning("the match cannot be shown: %s", error)

    def play_on(self) -> None:
        """Begin a match of its own from the step that is shown."""
        review = self.review
        if review is None:
            return
        try:
            thrown = review.turn is not None
            self._host.continue_from(review.id, review.match.plies, thrown=thrown)
        except (ValueError, OSError) as error:
            log.warning("no match can go on from there: %s", error)

    def begin_another(self) -> None:
        """Begin another match of the game that is shown."""
        self._host.post(NewMatch(self._host.now()))

    def leave(self) -> None:
        """Go back to the match in play."""
        self._stop_judging()
        self._aside.bring_back()

    def _stop_judging(self) -> None:
        """Wait for no more judgements of a match that was shown."""
        if self._judging is not None:
            self._judging.cancel()
