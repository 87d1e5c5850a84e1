"""A move of the machine, or of a player elsewhere, that hands have to make."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Place, Seat
from engine.match import AnyMove
from engine.reading.fewest_moves import Movement
from engine.reading.verdict import Still
from firmware_host.i18n.messages import Message, say
from firmware_host.lights.scene import WAITS
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.session.events import Choose
from firmware_host.session.repair_plan import RepairPlan
from firmware_host.session.view import SessionView
from firmware_host.text.announcements import movement_message
from firmware_host.text.moves import move_message, with_notation


class RequestedMove:
    """A move that hands have to make in a session."""

    def __init__(self, view: SessionView, move: AnyMove) -> None:
        self.move = move
        self.match = view.match
        self.text = self.match.game.move_text(self.match.position, move)
        self.handed_at = float("-inf")
        """When simulated hands got it, or it was reported."""
        history = view.shown[0]
        self._target = history.step(move)
        # A piece of an earlier capture that is still in a hand is no part of this move.
        self._others = frozenset(
            tray
            for tray in view.sight.trays
            if history.expected.get(tray, 0) == self._target.expected.get(tray, 0)
        )
        self._repair_plan = RepairPlan(view.sight)
        self._repair_plan.matched(history)
        self._repair_plan.retarget([history], view.levels)
        self._levels = view.levels

    def is_for(self, view: SessionView) -> bool:
        """Return whether the match still has its position, so that it can be made."""
        match = view.match
        return match.plies == self.match.plies and match.position == self.match.position

    def was_followed_by(self, view: SessionView) -> str | None:
        """Return the move that was made, this one or another; None if none was made."""
        match = view.match
        before = match.before
        if before is None or match.plies != self.match.plies + 1:
            return None
        return match.text if before.position == self.match.position else None

    def plan(self, view: SessionView) -> tuple[Movement, ...]:
        """Return the remaining movements."""
        levels = view.levels
        for place in levels.keys() | self._levels.keys():
            reading = levels.get(place, 0)
            if reading != self._levels.get(place, 0):
                self._repair_plan.touched(place, reading)
        self._levels = levels
        return self._repair_plan.plan(self._target, levels, view.masked | self._others)

    def is_unseen(self, view: SessionView) -> bool:
        """Return whether no sensor will show it, so that it must be reported."""
        return isinstance(view.verdict, Still) and not self._target.is_seen

    def lights(self, view: SessionView) -> dict[Place, Light]:
        """Return its lights; the light of the next movement runs from one place to the other."""
        lights: dict[Place, Light] = {}
        for number, step in enumerate(self.plan(view)):
            for place, light in self._movement(step, now=number == 0).items():
                lights.setdefault(place, light)
        return lights

    def says(
        self, view: SessionView, who: Message, *, by_itself: bool = False
    ) -> tuple[Message, ...]:
        """Return the move in words, and the next movement if the words do not say it.

        If simulated hands make it `by_itself`, nobody has to help, so only the move is said.
        """
        game, position = self.match.game, self.match.position
        words = with_notation(move_message(game, position, self.move), self.text)
        if by_itself:
            return (say("Now {who} plays: {move}.", who=who, move=words),)
        said = say("Now {who} plays. Make this move on the board: {move}.", who=who, move=words)
        plan = self.plan(view)
        if view.repair.guiding or (len(plan) == 1 and _is_plain(plan[0])):
            return (said,)
        return said, *(movement_message(game, step) for step in plan[:1])

    def _movement(self, step: Movement, now: bool) -> dict[Place, Light]:
        game, before = self.match.game, self.match
        piece = game.pieces(before.position).get(step.start or "")
        taken = step.end is None or (piece is not None and piece.owner not in (None, before.turn))
        word, pattern = (Signal.RED, Pattern.HEARTBEAT) if taken else (Signal.WHITE, Pattern.FROM)
        if step.start == step.end:
            pattern = Pattern.BLINK
        end = Pattern.TO if step.carries and not taken else Pattern.BREATHE
        lights = {}
        for place, colour, moves in (
            (step.end, Signal.BLUE, end),
            (step.start, word, pattern),
        ):
            if place is not None:
                lights[place] = Light(colour, moves) if now else Light(colour, level=WAITS)
        return lights


def known_answer(
    view: SessionView, asked: Mapping[tuple[Seat, int], str], now: float
) -> Choose | None:
    """Return the answer to an open question about a requested move, even if it comes much later.
    `asked` has the requested moves, by their seats and the plies before them.
    """
    for number, entry in view.question.numbered:
        for text, step in zip(entry.candidates, entry.steps, strict=True):
            if asked.get((entry.seat, step.plies - 1)) == text:
                return Choose(now, text, number)
    return None


def _is_plain(step: Movement) -> bool:
    """Return whether a piece only goes from cell to cell."""
    return not step.turned and all(end and "." not in end for end in (step.start, step.end))
