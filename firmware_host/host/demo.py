"""A demonstration: simulated hands play random legal moves on the simulated board.

They move the pieces on the table and nothing else; the sensors read their moves like those of
people. They answer questions. If anybody else moves a piece, they put down what they hold and
wait until the board is left alone and agrees with the match again.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Final

from engine.game import CHANCE, Pass, Piece, Place, Throw
from engine.match import AnyMove, Match
from engine.reading.verdict import Astray, Still, Underway
from firmware_host.host.simulated import SimulatedHost
from firmware_host.i18n.messages import RefusedError
from firmware_host.lights.dice import NUMBER_S
from firmware_host.session.events import Choose, Dice, NewMatch, Press
from firmware_host.simulation.actions import HandAction
from firmware_host.simulation.gesture_plan import Planner
from firmware_host.simulation.gestures import perform
from firmware_host.simulation.people import MIXED, person
from firmware_host.simulation.tabletop import HandsError
from firmware_host.simulation.virtual_table import BOX, VirtualPiece, VirtualTable

HAND: Final = "demo"
SLOWER: Final = 1.6
"""How much slower the hands are, so that people can follow."""
STEP_S: Final = 0.25
"""The time between two checks whether a move was read."""
READING_S: Final = 6.0
"""A move is read within this time; else the hands put the board right."""
QUIET_S: Final = 5.0
"""The hands go on after this time without another hand on the table."""
END_STANDS_S: Final = 6.0
"""The end of a match is left standing for this time."""


class _DisturbedError(Exception):
    """Somebody else has moved a piece, or what the hands expect to find is not there."""


async def play(host: SimulatedHost, seed: int) -> None:
    """Play random legal moves, match after match, until cancelled."""
    hands = _Hands(host, Random(seed))
    try:
        while True:
            try:
                await hands.turn()
            except (_DisturbedError, RefusedError, HandsError):
                hands.let_go()
                await hands.wait_for_quiet()
    finally:
        hands.let_go()


async def make_move(host: SimulatedHost, move: AnyMove, seed: int) -> None:
    """Make one legal move, without putting a piece where another move would. If anybody else moves
    a piece meanwhile, or one is missing, put the board right as soon as it is left alone, so that
    the next try finds the pieces. Stop if the table is cleared for something else.
    """
    hands, table = _Hands(host, Random(seed), decided=True), host.table
    match = host.controller.session.view.match
    try:
        try:
            await hands.move(move)
        except (_DisturbedError, RefusedError, HandsError):
            hands.let_go()
            if host.table is not table:
                return
            await hands.wait_for_quiet()
            if host.controller.session.view.match is match:
                await hands.put_right()
    except (_DisturbedError, RefusedError, HandsError):
        pass
    finally:
        hands.let_go()


def put_back(table: VirtualTable) -> None:
    """Put back what the hands hold, each piece to where it was taken from."""
    for piece in table.pieces:
        if piece.hand.startswith(HAND):
            table.release(piece.hand)


class _Hands:
    """Several hands of one player."""

    def __init__(self, host: SimulatedHost, rng: Random, *, decided: bool = False) -> None:
        """`decided` hands try no other move on the board: people might go on from it."""
        self.decided = decided
        self.host = host
        self.rng = rng
        self.table: VirtualTable = host.table
        self.rev = self.table.rev
        self.held: list[VirtualPiece] = []

    # ---- one turn after the other

    async def turn(self) -> None:
        """Do what is to be done next: throw, answer, put right, move, or start another match."""
        host, rng = self.host, self.rng
        self._look()
        session = host.controller.session
        view = session.view
        if host.aside.use is not None:  # it is for people to learn or to look at
            await self._pause(STEP_S)
        elif view.outcome is not None:
            await self._pause(END_STANDS_S)
            host.post(NewMatch(host.now()))
            self.table, self.rev = host.table, host.table.rev
        elif view.repair.needed:
            await self.put_right()
        elif not isinstance(view.verdict, Still):
            await self._pause(READING_S)
            if isinstance(host.controller.session.view.verdict, Underway | Astray):
                await self.put_right()
        elif view.question.open:  # about somebody else's move: any answer will do
            await self._answer(view.question.open[0].candidates[0])
        elif view.match.turn == CHANCE:
            await self._pause(rng.uniform(0.5, 1.5) + (NUMBER_S if view.dice.last_throw else 0.0))
            throws = [throw for throw in session.view.match.legal if isinstance(throw, Throw)]
            host.post(Dice(host.now(), rng.choice(throws).dice))
        else:
            thrown = NUMBER_S if view.dice.to_play else 0.0  # then the pieces it moves are lit
            await self._pause(thrown + rng.uniform(0.4, 1.6))
            moves = [move for move in session.view.match.legal if not isinstance(move, Pass)]
            if moves:
                await self.move(rng.choice(moves))

    async def move(self, move: AnyMove) -> None:
        """Make a legal move by hand, wait until it is read, and answer questions."""
        host, rng = self.host, self.rng
        match = host.controller.session.view.match
        silent = [ply.move for ply in host.controller.session.view.shown[0].possible.silent]
        game, position = match.game, match.position
        unsensed = [tray for tray in game.trays() if tray not in self.table.places]
        planner = Planner(game, unsensed)
        actions = planner.actions(position, move, rng)
        tabletop = planner.tabletop(position)
        habits = person(MIXED, rng)
        if self.decided:
            habits = replace(habits, hover=0.0, rest=0.0, stops=0.0)
        style = habits.move_style(rng, actions, tabletop)
        if style.away == "late":  # a forgotten piece would make the next move hard to follow
            style = replace(style, away="after")
        style = replace(style, gap=max(0.0, style.gap))  # a piece on the table is in one place
        before, after = game.pieces(position), game.pieces(game.play(position, move))
        await self._do(perform(actions, style, tabletop), before, after)
        text = game.move_text(position, move)
        if move in silent:  # no sensor can see it: it must be named
            await self._answer(text)
        if await self._was_read(match, text):
            return
        if actions.passed:  # from tray to tray: sensors may not know that it is complete
            host.post(Press(host.now(), game.seats[match.turn]))
            if await self._was_read(match, text):
                return
        await self.put_right()

    async def _was_read(self, match: Match, text: str) -> bool:
        """Wait until a move from `match` is read, and answer what is asked; return whether it was
        read.
        """
        for _ in range(int(READING_S / STEP_S)):
            await self._pause(STEP_S)
            view = self.host.controller.session.view
            if any(text in entry.texts for entry in view.question.open):
                await self._answer(text)
            elif view.match.plies > match.plies and isinstance(view.verdict, Still):
                return True
        return False

    async def _answer(self, text: str) -> None:
        """Say what was played, unless somebody else has answered meanwhile."""
        match = self.host.controller.session.view.match
        await self._pause(self.rng.uniform(1.0, 2.0))
        view = self.host.controller.session.view
        asked = [n for n, entry in view.question.numbered if text in entry.texts]
        if asked:  # the move was the last of them
            self.host.post(Choose(self.host.now(), text, asked[-1]))
        elif view.match is match:
            self.host.post(Choose(self.host.now(), text))

    async def put_right(self) -> None:
        """Bring the pieces to where the match has them."""
        for step in self.table.steps_to(self.host.game.pieces(self.host.position())):
            piece = self.table.lift(step.piece, HAND)
            self.held.append(piece)
            self._did()
            await self._pause(0.3)
            while self.table.points_wrong(step):
                self.table.turn(piece.number, HAND)
                self._did()
            self._lay(piece, step.place, piece.pole if step.front_up else -piece.pole)
            await self._pause(0.3)
        await self._pause(1.0)

    # ---- the hands

    async def _do(
        self, action: HandAction, before: dict[Place, Piece], after: dict[Place, Piece]
    ) -> None:
        """Do an action on the table, in its own time."""
        clock = action.acts[0].at if action.acts else 0.0
        for act in action.acts:
            await self._pause((act.at - clock) * SLOWER)
            clock = act.at
            place = self.table.place(act.place)
            if act.pole is None:
                lying = self.table.at(place)
                if not lying:
                    raise _DisturbedError
                hand = f"{HAND} {lying[-1].number}"
                self.held.append(self.table.lift(lying[-1].number, hand))
                self._did()
            else:
                wanted = after.get(act.place)
                if wanted == before.get(act.place):
                    wanted = None  # it is only put back
                self._lay(self._chosen(place, wanted), place, act.pole)
        for piece in list(self.held):  # what no sensor watches lies beside the board
            self._lay(piece, BOX, piece.pole)

    def _chosen(self, place: Place, wanted: Piece | None) -> VirtualPiece:
        """Return the piece to put on a place: one that belongs there after the move, or the one
        that was lifted there, or another one in the hands.
        """
        if wanted is not None:
            fitting = [
                piece
                for piece in (*self.held, *self.table.at(BOX))
                if wanted.kind in (piece.kind, piece.back)
            ]
            theirs = place in self.host.layout.slots  # there a piece changes hands
            owner = "" if wanted.owner is None else self.host.game.seats[wanted.owner]
            fitting.sort(
                key=lambda piece: (piece not in self.held, (piece.owner == owner) == theirs)
            )
            for piece in fitting[:1]:
                if piece not in self.held:
                    self.held.append(self.table.lift(piece.number, f"{HAND} {piece.number}"))
                    self._did()
                return piece
        for piece in self.held:
            if piece.taken_from == place:
                return piece
        if not self.held:
            raise _DisturbedError
        return self.held[0]

    def _lay(self, piece: VirtualPiece, place: Place, pole: int) -> None:
        if piece.reads != pole and place not in self.host.layout.slots:
            self.table.flip(piece.number, piece.hand)
            self._did()
        self.held.remove(piece)
        self.table.put(piece.number, place, piece.hand)
        self._did()

    # ---- other people

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))
        self._look()

    def _look(self) -> None:
        """Raise if anybody else has touched the table."""
        if self.host.table is not self.table or self.table.rev != self.rev:
            raise _DisturbedError

    def _did(self) -> None:
        """Count a change of the table as the hands' own; each is one revision."""
        self.rev += 1
        self._look()

    def let_go(self) -> None:
        """Put back everything that the hands hold."""
        if self.host.table is self.table:
            put_back(self.table)
        self.held.clear()

    async def wait_for_quiet(self) -> None:
        """Wait until nobody holds or moves a piece any more."""
        while True:
            self.table, self.rev = self.host.table, self.host.table.rev
            await asyncio.sleep(QUIET_S)
            held = [piece for piece in self.table.pieces if piece.hand]
            if self.host.table is self.table and self.table.rev == self.rev and not held:
                return
