"""What the commands of a page do: what hands do to the pieces, and the session's events.

A command is done at once or refused with the reason; only hands that make a whole move need time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from engine.game import Claim, GameError, IllegalMoveError, OptionError, Pass, Throw
from firmware_host.i18n.messages import Message, say
from firmware_host.players.kinds import player_kind
from firmware_host.players.names import problem
from firmware_host.session import events
from firmware_host.text.options import option_message
from firmware_host.text.status import NO_MOVES, OfferedMove, Status
from firmware_host.web import protocol as ask
from firmware_host.web.host_api import HostApi
from firmware_host.web.stale_commands import StaleCommands
from firmware_host.web.virtual_table import RefusedError

BUTTONS: Final = ("yes", "no", "hint", "back", "wrong")


class CommandHandler:
    """Takes the commands of all pages."""

    def __init__(
        self, host: HostApi, refuse: Callable[[str, RefusedError], None], done: Callable[[], None]
    ) -> None:
        """`refuse` tells a page that hands which it sent could not finish; `done` is called when
        they have.
        """
        self._host = host
        self._refuse = refuse
        self._done = done
        self._meanings = StaleCommands()

    def note(self) -> None:
        """Remember what the match means now; to be called before a page is told of it."""
        self._meanings.note(self._host.status())

    def take(self, command: ask.AnyCommand, page: str) -> None:
        """Do it; RefusedError says why not."""
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
                self._call(seat, name.strip())
            case ask.SeatCommand(seat=seat, who=who):
                self._let_sit(seat, who)
            case ask.GradedCommand(seat=seat, most=most):
                self._seat(seat)
                self._host.advise(seat, most)
            case ask.HandsCommand(on=on):
                self._host.let_hands(on)
            case ask.SetupCommand(rev=rev):
                if rev < pieces.rev:
                    raise RefusedError(say("Somebody moved a piece meanwhile; look again."))
                self._move(self._host.position(), page)
            case _:
                self._take_at_match(command, page)

    def _take_at_match(self, command: ask.AnyCommand, page: str) -> None:
        host, now = self._host, self._host.now()
        self.note()
        status = host.status()
        if isinstance(command, ask.AssistCommand):
            self._seat(command.seat)
            host.post(events.Assist(now, command.level, command.seat))
            return
        if not self._meanings.holds(command):
            raise RefusedError(say("The game went on meanwhile; look again."))
        match command:
            case ask.PressCommand(button=button):
                self._pressable(button)
                answers = [each for each in status.question if each.button == button]
                host.post(
                    _answer(now, status, answers[0]) if answers else events.Press(now, button)
                )
            case ask.ChooseCommand(move=move):
                choice = next((each for each in status.question if each.move == move), None)
                if choice is None:
                    raise RefusedError(say("That is not asked now."))
                host.post(_answer(now, status, choice))
            case ask.NameCommand(move=move):
                self._name(move)
            case ask.ClaimCommand(seat=seat, claim=claim):
                if claim not in status.claims.get(seat, ()):
                    raise RefusedError(say("That cannot be claimed now."))
                host.post(events.Claimed(now, claim, seat))
            case ask.ThrowCommand(dice=dice, instead=True):
                if tuple(dice) not in status.otherwise:
                    raise RefusedError(say("The dice cannot fall so."))
                host.post(events.Dice(now, tuple(dice), instead=True))
            case ask.ThrowCommand(dice=dice):
                host.post(events.Dice(now, self._thrown(tuple(dice))))
            case ask.PlayCommand(move=move):
                self._play(move, page)
            case ask.MatchCommand():
                host.post(events.NewMatch(now))
            case ask.ResumeCommand(match=name):
                if name not in [match.name for match in status.kept]:
                    raise RefusedError(say("That match is not among those to be chosen."))
                try:
                    host.go_on_with(name)
                except ValueError as error:
                    raise RefusedError(say("{why}", why=str(error))) from error
            case ask.LessonCommand(lesson=name):
                try:
                    host.lesson_mode.learn(name)
                except ValueError as error:
                    raise RefusedError(say("{why}", why=str(error))) from error
            case ask.GameCommand(game=name, options=options, layout=layout):
                try:
                    host.new_game(name, options, layout)
                except OptionError as error:
                    raise RefusedError(option_message(error)) from error
                except ValueError as error:
                    raise RefusedError(say("{why}", why=str(error))) from error

    def _pressable(self, button: str) -> None:
        """See that a button does something now: a seat's settles what its hand has done."""
        if button in self._host.game.seats or button in self._host.status().buttons:
            return
        if button not in BUTTONS:
            raise RefusedError(say("There is no button {button}.", button=button))
        raise RefusedError(
            {
                "back": say("There is nothing to take back."),
                "wrong": say("Nothing has been read yet that may be wrong."),
                "hint": say("There is nothing to show: no piece may be moved now."),
            }.get(button, say("Nothing is asked now that this button answers."))
        )

    def _seat(self, seat: int) -> None:
        if seat >= len(self._host.game.seats):
            raise RefusedError(say("There is no seat {seat}.", seat=seat))

    def _let_sit(self, seat: int, who: str) -> None:
        """Let somebody sit there who is among those offered: no page may start any program."""
        self._seat(seat)
        opponents = self._host.status().opponents
        if opponents is None or who not in opponents.choices:
            raise RefusedError(say("Nobody of that name can play here."))
        self._host.seat(seat, player_kind(who))

    def _call(self, seat: int, name: str) -> None:
        self._seat(seat)
        if (why := problem(name)) is not None:
            raise RefusedError(why)
        self._host.call(seat, name)

    def _name(self, text: str) -> None:
        """Take a move that was played: as its game writes it, if it can be made now; else it was
        made before. What is no move at all is refused.
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
            raise RefusedError(say("That is no move; claim it with its button."))

    # ---- dice

    def _thrown(self, dice: tuple[int, ...]) -> tuple[int, ...]:
        """Return the throw: the one given, or one that falls now."""
        host = self._host
        throws = [m.dice for m in host.game.legal(host.position()) if isinstance(m, Throw)]
        if not throws:
            raise RefusedError(say("No dice are to be thrown now."))
        if not dice:
            return random.choice(throws)
        if dice not in throws:
            raise RefusedError(say("The dice cannot fall so."))
        return dice

    # ---- hands that make a whole move

    def _play(self, text: str, page: str) -> None:
        game, position = self._host.game, self._host.position()
        try:
            move = game.parse_move(position, text)
            self._refuse_claim(move)
            after = game.play(position, move)
            said = game.move_text(position, move)
        except IllegalMoveError as error:
            raise RefusedError(self._reason(error, text)) from error
        except GameError as error:
            raise RefusedError(self._no_move(text)) from error
        if isinstance(move, Throw):
            self._host.post(events.Dice(self._host.now(), move.dice))
        else:
            self._move(after, page, said)

    def _no_move(self, text: str) -> Message:
        """Return that a text is no move, and how one is written."""
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
        places = {str(index): place for index, place in enumerate(reason.places)}
        return say(self._host.game.reasons[reason.code], **places)

    def _move(self, position: Any, page: str, said: str = "") -> None:
        """Send a pair of hands to bring the men to where a position has them."""

        def ended(error: RefusedError | None) -> None:
            if error is None:
                self._done()
            else:
                self._refuse(page, error)

        self._host.pieces.bring(position, page, said, ended)


def _answer(now: float, status: Status, choice: OfferedMove) -> events.Event:
    """Return what gives that answer to the question that a page saw, and to no other."""
    if choice.button is not None and choice.move in NO_MOVES:
        return events.Press(now, choice.button)
    return events.Choose(now, choice.move, status.asked)
