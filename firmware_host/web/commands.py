"""The commands of pages: they move pieces, or post events to the session.

A command is done at once or refused with the reason; only hands that make a whole move need time.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from engine.game import Claim, GameError, IllegalMoveError, Pass, Throw
from firmware_host.i18n.messages import Message, RefusedError, say
from firmware_host.players.kinds import player_kind
from firmware_host.players.names import problem
from firmware_host.session import events
from firmware_host.session.match_timer import ClockStop
from firmware_host.storage.files import why
from firmware_host.text.refusals import refusal_message
from firmware_host.text.status import NO_MOVES, OfferedMove, Status
from firmware_host.web import new_game
from firmware_host.web import protocol as ask
from firmware_host.web.host_api import HostApi

BUTTONS: Final = ("yes", "no", "hint", "back", "wrong")
LOOK_S: Final = 0.02
"""The time between two checks whether the board has read what hands did."""
MOST_SUBJECTS: Final = 64
"""This many changes are remembered; a command based on an older state is stale."""

OF_A_MATCH: Final = (
    ask.ChooseCommand,
    ask.ReportCommand,
    ask.ClaimCommand,
    ask.ThrowCommand,
    ask.PlayCommand,
    ask.RequestCommand,
)
"""The commands of a match in play; a past match takes none of them."""


class _Subject(NamedTuple):
    """The subjects of commands, since a revision."""

    rev: int
    match_rev: int
    """The revision with which the match began."""
    value: Any


class StaleCommands:
    """Finds commands that are based on an old state.

    A higher revision alone does not make a command stale: perhaps only a light changed, or a piece
    was put down wrongly and taken back. A command is stale if its own subject has changed. Claims
    are remembered separately, because their sentences change with every name of a player.
    """

    def __init__(self) -> None:
        self._match: deque[_Subject] = deque(maxlen=MOST_SUBJECTS)
        self._claims: deque[_Subject] = deque(maxlen=MOST_SUBJECTS)

    def note(self, status: Status) -> None:
        """Remember the present status."""
        plies = tuple((ply.seat, ply.text, ply.dice, ply.candidates) for ply in status.plies)
        match = plies, status.turn, status.dice, status.question, status.outcome
        for noted, value in ((self._match, match), (self._claims, status.claims)):
            if not noted or (noted[-1].match_rev, noted[-1].value) != (status.match_rev, value):
                noted.append(_Subject(status.rev, status.match_rev, value))

    def is_stale(self, command: ask.AnyCommand, machines: Collection[int] = ()) -> bool:
        """Whether moves, dice, question or result have changed since the revision that a command is
        based on. A claim is stale only if it would now do something else, or to somebody else; a
        step back to a person's turn only if more was added than moves of `machines`, by seat.
        """
        then, now = _at(self._match, command.rev), self._match[-1]
        if then is not None and (then.match_rev, then.value) == (now.match_rev, now.value):
            return False  # then the claims are the same, too, whatever the players are called
        if isinstance(command, ask.PressCommand) and command.to_own_turn and then is not None:
            before, plies = then.value[0], now.value[0]
            added = plies[len(before) :]
            goes_on = then.match_rev == now.match_rev and plies[: len(before)] == before
            return not goes_on or any(seat not in machines for seat, *_ in added)
        if not isinstance(command, ask.ClaimCommand):
            return True
        then, now = _at(self._claims, command.rev), self._claims[-1]
        if then is None or then.match_rev != now.match_rev:
            return True
        return _effect(then.value, command) != _effect(now.value, command)


def _at(noted: deque[_Subject], rev: int) -> _Subject | None:
    """Return the subjects at a revision; None if it is too old."""
    return next((each for each in reversed(noted) if each.rev <= rev), None)


def _effect(claims: Any, command: ask.ClaimCommand) -> object:
    return claims.get(command.seat, {}).get(command.claim)


@contextmanager
def _refusing() -> Iterator[None]:
    """Refuse a command if what it does is impossible."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise RefusedError(say("{why}", why=str(error))) from error


class CommandHandler:
    """Carries out the commands of all pages."""

    def __init__(
        self, host: HostApi, refuse: Callable[[str, RefusedError], None], done: Callable[[], None]
    ) -> None:
        """`refuse` reports to a page that its simulated hands could not finish; `done` is called
        when they have.
        """
        self._host = host
        self._refuse = refuse
        self._done = done
        self._stale = StaleCommands()
        self._going_back: asyncio.Task[None] | None = None  # to the last move of a person

    def note(self) -> None:
        """Remember the present status; to be called before a page gets it."""
        self._stale.note(self._host.status())

    def take(self, command: ask.AnyCommand, page: str) -> None:
        """Carry out a command; RefusedError says why that is impossible."""
        pieces = self._host.pieces
        match command:
            case (
                ask.LiftCommand()
                | ask.PutCommand()
                | ask.BackCommand()
                | ask.FlipCommand()
                | ask.TurnCommand()
                | ask.FaultCommand()
            ):
                pieces.take(command, page)
            case ask.PlayerCommand(seat=seat, name=name):
                self._name_player(seat, name.strip())
            case ask.SeatCommand(seat=seat, player_kind=kind):
                self._choose_player(seat, kind)
            case ask.GradingCommand(seat=seat, pieces=most):
                self._check_seat(seat)
                self._host.seating.set_grading(seat, most)
            case ask.HandsCommand(on=on):
                self._host.seating.set_hands_move(on)
            case ask.DeleteCommand(match=name) | ask.RestoreCommand(match=name):
                self._delete(name, restore=isinstance(command, ask.RestoreCommand))
            case ask.ReviewCommand(match=name, at=at):
                self._review(name, at)
            case ask.ClockCommand(control=text):
                self._choose_clock(text)
            case ask.PauseCommand(on=on):
                self._pause(on)
            case ask.LightCommand(place=place):
                if place not in self._host.layout.places:
                    raise RefusedError(say("There is no such place: {place}", place=place))
                self._host.builders.test_light(place)
            case ask.OffCommand():
                self._switch_off()
            case ask.SetupCommand(rev=rev):
                if rev < pieces.rev:
                    raise RefusedError(say("Someone has moved a piece meanwhile; look again."))
                self._move(self._host.position(), page)
            case _:
                self._take_at_match(command, page)

    def _take_at_match(self, command: ask.AnyCommand, page: str) -> None:
        host, now = self._host, self._host.now()
        self.note()
        status = host.status()
        if isinstance(command, ask.AssistCommand):
            self._check_seat(command.seat)
            host.post(events.Assist(now, command.level, command.seat))
            return
        if self._stale.is_stale(command, _machines(status)):
            raise RefusedError(say("The game has gone on meanwhile; look again."))
        if status.review is not None and isinstance(command, OF_A_MATCH):
            raise RefusedError(say("The board shows a past match. Go back to your match first."))
        match command:
            case ask.PressCommand(button=button):
                self._check_button(button)
                hands = status.opponents is not None and status.opponents.hands_move
                if button == "back" and command.to_own_turn and hands and _machines(status):
                    self._take_back_by_hands(status, page)
                    return
                answers = [each for each in status.question if each.button == button]
                host.post(
                    _answer(now, status, answers[0]) if answers else events.Press(now, button)
                )
            case ask.ChooseCommand(move=move):
                choice = next((each for each in status.question if each.move == move), None)
                if choice is None:
                    raise RefusedError(say("The board is not asking that now."))
                host.post(_answer(now, status, choice))
            case ask.ReportCommand(move=move):
                self._report(move)
            case ask.ClaimCommand(seat=seat, claim=claim):
                if claim not in status.claims.get(seat, ()):
                    raise RefusedError(say("That cannot be claimed now."))
                host.post(events.Claimed(now, claim, seat))
            case ask.ThrowCommand(dice=dice, correction=True):
                if tuple(dice) not in status.corrections:
                    raise RefusedError(say("The dice cannot show that."))
                host.post(events.Dice(now, tuple(dice), instead=True))
            case ask.ThrowCommand(dice=dice):
                host.post(events.Dice(now, self._thrown(tuple(dice))))
            case ask.PlayCommand(move=move):
                self._play(move, page)
            case ask.RequestCommand(move=move):
                self._request(move.strip(), status)
            case ask.MatchCommand(swap=swap):
                if swap and host.lesson_mode.lesson is None:
                    host.seating.swap()
                host.post(events.NewMatch(now))
            case ask.ResumeCommand(match=name):
                if name not in [match.name for match in status.saved_matches]:
                    self._check_past(name)
                with _refusing():
                    host.resume(name)
            case ask.ContinueCommand(match=name, ply=ply, thrown=thrown):
                self._check_past(name)
                with _refusing():
                    host.continue_from(name, ply, thrown=thrown)
            case ask.LessonCommand(lesson=name, learner=learner):
                if (why_not := problem(learner)) is not None:
                    raise RefusedError(why_not)
                with _refusing():
                    host.lesson_mode.learn(name, learner)
            case ask.GameCommand():
                new_game.begin(host, command)

    def _review(self, name: str, at: int | None) -> None:
        """Show a past match on the board, or leave it if the name is empty."""
        if not name:
            self._host.review_mode.leave()
            return
        self._check_past(name)
        with _refusing():
            self._host.review_mode.show(name, at)

    def _check_past(self, name: str) -> None:
        """RefusedError if there is no past match of that id."""
        try:
            self._host.library.match(name)
        except ValueError as error:
            raise RefusedError(say("That match is not in the list.")) from error

    def _delete(self, name: str, *, restore: bool) -> None:
        """Delete a past match, or restore a deleted one."""
        self._check_past(name)
        library = self._host.library
        if library.match(name).in_play:
            raise RefusedError(say("This match is in play."))
        try:
            library.restore(name) if restore else library.delete(name)
        except OSError as error:
            raise RefusedError(why(error)) from error

    def _choose_clock(self, text: str) -> None:
        control = new_game.clock_named(text)
        try:
            self._host.time_with(control)
        except ValueError as error:
            raise RefusedError(
                say("The clock is chosen before the first move; begin a new match for another.")
            ) from error

    def _pause(self, on: bool) -> None:
        clock = self._host.status().clock
        if (
            clock is None
            or clock.is_beside
            or clock.stopped in (ClockStop.NOT_BEGUN, ClockStop.OVER)
        ):
            raise RefusedError(say("No clock is running now."))
        self._host.pause(on)

    def _switch_off(self) -> None:
        power = self._host.builders.power
        if power is None:
            raise RefusedError(say("This page cannot switch that computer off."))
        try:
            power.switch_off()
        except OSError as error:
            raise RefusedError(why(error)) from error

    def _check_button(self, button: str) -> None:
        """RefusedError if a button does nothing now."""
        if button in self._host.game.seats or button in self._host.status().buttons:
            return
        if button not in BUTTONS:
            raise RefusedError(say("There is no button {button}.", button=button))
        raise RefusedError(
            {
                "back": say("There is nothing to take back."),
                "wrong": say("There is no move to correct yet."),
                "hint": say("There is nothing to show: no piece may be moved now."),
            }.get(button, say("There is no question now that this button answers."))
        )

    def _check_seat(self, seat: int) -> None:
        if seat >= len(self._host.game.seats):
            raise RefusedError(say("There is no seat {seat}.", seat=seat))

    def _choose_player(self, seat: int, kind: str) -> None:
        """Choose who plays at a seat, among those offered: no page may start just any program."""
        self._check_seat(seat)
        opponents = self._host.status().opponents
        if opponents is None or kind not in opponents.choices:
            raise RefusedError(say("No player of that name can play here."))
        self._host.seating.set_kind(seat, player_kind(kind))

    def _name_player(self, seat: int, name: str) -> None:
        self._check_seat(seat)
        new_game.check_name(name)
        self._host.seating.rename(seat, name)

    def _report(self, text: str) -> None:
        """Take a move that was made: in the game's own notation if it is legal now, else it was
        made before. A text that is no move is refused.
        """
        game, position = self._host.game, self._host.position()
        if not text:
            raise RefusedError(say("Write the move that was played."))
        try:
            move = game.parse_move(position, text)
        except IllegalMoveError:
            self._host.post(events.Choose(self._host.now(), text))
        except GameError as error:
            raise RefusedError(self._no_move(text)) from error
        else:
            self._refuse_claim(move)
            if isinstance(move, Throw):
                self._host.post(events.Dice(self._host.now(), move.dice))
            else:
                said = game.move_text(position, move)
                self._host.post(events.Choose(self._host.now(), said))

    def _refuse_claim(self, move: Any) -> None:
        if isinstance(move, Claim):
            raise RefusedError(say("That is not a move; claim it with its button."))

    # ---- taking back

    def _take_back_by_hands(self, status: Status, page: str) -> None:
        """Take back the last move that was no machine's, with what machines have played since, and
        let hands bring the pieces to where they stood.
        """
        if self._host.pieces.moving or (self._going_back and not self._going_back.done()):
            raise RefusedError(say("Hands are already moving pieces; wait for them."))
        plies, machines = status.plies, _machines(status)
        others = [index for index, ply in enumerate(plies) if ply.seat not in machines]
        left = others[-1] if others else len(plies) - 1
        self._going_back = asyncio.create_task(self._go_back(left, status.match_rev, page))

    async def _go_back(self, left: int, match_rev: int, page: str) -> None:
        """Press the button until that number of moves is left, each time when the board has read
        what hands did: presses that wait would all count in the end.
        """
        host, before = self._host, None
        while True:
            while host.is_reading:
                await asyncio.sleep(LOOK_S)
            status = host.status()
            if status.match_rev != match_rev:
                return  # another match has begun
            here = status.plies, status.turn, status.dice  # a press may take back only a throw
            if len(status.plies) <= left or here == before:
                break
            before = here
            host.post(events.Press(host.now(), "back"))
        if host.pieces.out_of_place(host.position()):
            try:
                self._move(host.position(), page)
            except RefusedError as error:
                self._refuse(page, error)

    # ---- dice

    def _thrown(self, dice: tuple[int, ...]) -> tuple[int, ...]:
        """Return the throw: the given one, or a random one."""
        host = self._host
        throws = [m.dice for m in host.game.legal(host.position()) if isinstance(m, Throw)]
        if not throws:
            raise RefusedError(say("No dice are thrown now."))
        if not dice:
            return random.choice(throws)
        if dice not in throws:
            raise RefusedError(say("The dice cannot show that."))
        return dice

    # ---- hands that make a whole move

    def _play(self, text: str, page: str) -> None:
        move, after = self._legal(text)
        if isinstance(move, Throw):
            self._host.post(events.Dice(self._host.now(), move.dice))
        else:
            said = self._host.game.move_text(self._host.position(), move)
            self._move(after, page, said)

    def _request(self, text: str, status: Status) -> None:
        """Let the board light a move until people have made it; an empty text withdraws it."""
        if not text:
            self._host.request(None)
            return
        opponents = status.opponents
        if status.lesson is not None or status.outcome is not None:
            raise RefusedError(say("No move can be requested now."))
        if opponents is not None and opponents.player_kinds[status.acting] != "person":
            raise RefusedError(say("The machine is to move."))
        move, _ = self._legal(text)
        if isinstance(move, Throw):
            self._host.post(events.Dice(self._host.now(), move.dice))
        else:
            self._host.request(move)

    def _legal(self, text: str) -> tuple[Any, Any]:
        """Return a move that can be made now, and the position after it."""
        game, position = self._host.game, self._host.position()
        try:
            move = game.parse_move(position, text)
            self._refuse_claim(move)
            return move, game.play(position, move)
        except IllegalMoveError as error:
            raise RefusedError(self._reason(error, text)) from error
        except GameError as error:
            raise RefusedError(self._no_move(text)) from error

    def _no_move(self, text: str) -> Message:
        """Return the message that a text is no move, with an example of one."""
        game, position = self._host.game, self._host.position()
        moves = (m for m in game.legal(position) if not isinstance(m, Throw | Pass))
        if (example := next(moves, None)) is None:
            return say("{move} is no move of this game.", move=text)
        return say(
            "{move} is no move of this game. A move is written like this: {example}",
            move=text,
            example=game.move_text(position, example),
        )

    def _reason(self, error: IllegalMoveError, text: str) -> Message:
        reason = error.reason
        if reason is None or reason.code not in self._host.game.reasons:
            return say("{move} is not allowed now.", move=text)
        return refusal_message(self._host.game, reason)

    def _move(self, position: Any, page: str, said: str = "") -> None:
        """Let simulated hands bring the pieces to where a position has them."""

        def finished(error: RefusedError | None) -> None:
            if error is None:
                self._done()
            else:
                self._refuse(page, error)

        self._host.pieces.bring(position, page, said, finished)


def _machines(status: Status) -> frozenset[int]:
    return frozenset() if status.opponents is None else status.opponents.machines


def _answer(now: float, status: Status, choice: OfferedMove) -> events.Event:
    """Return the event that gives this answer, to the question that the page saw only."""
    if choice.button is not None and choice.move in NO_MOVES:
        return events.Press(now, choice.button)
    return events.Choose(now, choice.move, status.asked)
