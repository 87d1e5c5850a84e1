"""Robotory by Susumu Kawasaki (2006; Asmodee 2009), with the board as printed or mirrored.

The light player sits at the bottom and begins. No notation of the game is known; this one is
Lampion's own.

Sources: the French rule sheet. Its text does not show the board, so that follows four programs and
the publisher's English leaflet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeAlias

from engine.game import (
    Attempt,
    Claim,
    Game,
    IllegalMoveError,
    MoveError,
    Outcome,
    Piece,
    Place,
    PlaceSet,
    Reason,
    SharedMove,
    Threat,
)
from engine.games.robotory.moves import (
    PLACEMENTS,
    Action,
    Actions,
    MoveRobot,
    PlaceToken,
    Refill,
    least_path,
    moved,
    placed,
    refilled,
    refills,
)
from engine.games.robotory.options import ENDINGS, OPTIONS, PRESETS
from engine.games.robotory.position import (
    ALL,
    CELLS,
    COLOURS,
    INDEX,
    POOL,
    POOLS,
    ROBOTS,
    SEATS,
    STOCK,
    STOCKS,
    TOKENS,
    RobotoryPosition,
    bits,
    camps,
    cells_of,
    parse_position,
    position_text,
    start_of_robots,
)
from engine.games.robotory.refusals import (
    REASONS,
    refuse_path,
    refuse_placement,
    refuse_refill,
    why_not,
)
from engine.games.robotory.routes import outcomes, reachable, routes_over

__all__ = ["Action", "MoveRobot", "PlaceToken", "Refill", "Robotory", "RobotoryPosition"]

_Move: TypeAlias = Action | SharedMove

_POLES: Final = {"w": 1, "b": -1, "W": 1, "B": -1, "R": 1, "t": 1}
_DISCARD: Final = "discard"
_TOKENS: Final = tuple(Piece(None, colour, _POLES[colour]) for colour in COLOURS)
_ROBOTS: Final = tuple(Piece(None, robot, _POLES[robot]) for robot in ROBOTS)
_MOST_ROUTES: Final = 200
"""The routes of a robot that `candidates` looks at, apart from the direct ones."""

_PLACE: Final = re.compile(r"P ([wb]) ([a-e][1-6])")
_MOVE: Final = re.compile(r"M ([WBR]) ([a-e][1-6](?:-[a-e][1-6])+)")
_REFILL: Final = re.compile(r"F (?=.)(?:([1-4])w)?(?:([1-4])b)?")


_SLOTS: Final[Mapping[Place, tuple[Piece | None, ...]]] = {
    slot: (None, *(Piece(owner, kind, _POLES[kind], count) for count in range(1, most + 1)))
    for slot, owner, kind, most in (
        *((STOCKS[s][c], s, COLOURS[c], STOCK) for s in (0, 1) for c in (0, 1)),
        *((POOLS[c], None, COLOURS[c], POOL) for c in (0, 1)),
        (_DISCARD, None, "t", 2 * TOKENS),
    )
}
"""By slot and number of tokens: its content."""

_DISCARDED: Final = _SLOTS[_DISCARD]


class Robotory(Game[RobotoryPosition, Action]):
    """Robotory: have two of the three robots in your camp when the energy runs out."""

    name = "robotory"
    title = "Robotory"
    minutes = 15
    seats = SEATS
    has_passes = False
    kinds: ClassVar[Mapping[str, str]] = {
        "w": "white token",
        "b": "black token",
        "W": "white robot",
        "B": "black robot",
        "R": "red robot",
        "t": "spent token",
    }
    known_options = OPTIONS
    presets = PRESETS
    claim_texts = ("resign", "flag")
    reasons = REASONS
    endings: ClassVar[Mapping[str, str]] = ENDINGS
    unsensed = frozenset({_DISCARD})

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        super().__init__(options)
        mirror = self.options["mirror"] == "true"
        self.camps = tuple(frozenset(cells_of(camp)) for camp in camps(mirror))
        """The cells of the light and of the dark camp."""
        self._camps = camps(mirror)
        stock, pool = (2, 2), (POOL, POOL)
        self._start = RobotoryPosition(0, 0, start_of_robots(mirror), (stock, stock), pool, 0)

    def cells(self) -> tuple[Place, ...]:
        """Return a1 … e4, column by column from the left, each from the bottom."""
        return CELLS

    def trays(self) -> tuple[Place, ...]:
        """Return the slots of both stocks, those of the pool, and the discard."""
        return tuple(_SLOTS)

    def tones(self) -> Mapping[Place, str]:
        """Return the cells of the dark camp, which a picture paints dark."""
        return dict.fromkeys(self.camps[1], "dark")

    def start(self) -> RobotoryPosition:
        """Return the start position of the option `mirror`."""
        return self._start

    # ---- actions

    def legal(self, position: RobotoryPosition) -> Sequence[Action]:
        """Return placements, refills, then the robots' moves; nothing when the game is over.

        Paths of a robot that eat from the same cells and end on the same cell are one move. There
        may be many thousands of moves, so the sequence makes each on demand.
        """
        if position.is_over:
            return ()
        free = cells_of(position.free)
        others: list[Action] = []
        for colour, count in zip(COLOURS, position.stocks[position.turn], strict=True):
            if count:
                others += map(PLACEMENTS[colour].__getitem__, free)
        others += refills(position.missing, position.pool)
        robots = zip(ROBOTS, position.robots, position.edible, strict=True)
        return Actions(others, robots)

    def play(self, position: RobotoryPosition, move: _Move) -> RobotoryPosition:
        """Return the position after a legal action or a claim; else IllegalMoveError."""
        if isinstance(move, Claim):
            return self.play_claim(position, move)
        if not position.is_over:
            if isinstance(move, PlaceToken) and move.colour in PLACEMENTS and move.cell in INDEX:
                if not refuse_placement(position, move.colour, move.cell):
                    return placed(position, move)
            elif isinstance(move, MoveRobot):
                if least_path(position, move):
                    return moved(position, move)
            elif isinstance(move, Refill) and not refuse_refill(position, move):
                return refilled(position, move)
        raise self._illegal(position, move)

    def changes(self, position: RobotoryPosition, move: _Move) -> dict[Place, Piece | None]:
        """Return the cells and slots that change; IllegalMoveError as `play`, but a robot's path is
        not searched again.
        """
        if isinstance(move, MoveRobot):
            number = ROBOTS.index(move.robot)
            if move.eaten & ~position.edible[number]:
                raise self._illegal(position, move)
            changed: dict[Place, Piece | None] = dict.fromkeys(cells_of(move.eaten))
            changed[CELLS[position.robots[number]]] = None
            changed[move.to] = _ROBOTS[number]
            changed[_DISCARD] = _DISCARDED[position.discarded + move.eaten.bit_count()]
            return changed
        after, turn = self.play(position, move), position.turn
        changed = {}
        if isinstance(move, PlaceToken):
            changed[move.cell] = _TOKENS[COLOURS.index(move.colour)]
        held = zip(
            (*STOCKS[turn], *POOLS),
            (*position.stocks[turn], *position.pool),
            (*after.stocks[turn], *after.pool),
            strict=True,
        )
        for slot, before, left in held:
            if left != before:
                changed[slot] = _SLOTS[slot][left]
        return changed

    def candidates(
        self, position: RobotoryPosition, touched: PlaceSet, within: PlaceSet | None = None
    ) -> Sequence[Action]:
        """Return actions that touch `touched` and stay within `within`.

        Of a robot's many moves these are the ones that eat nothing else, a shortest one to every
        cell, and then the shorter ones of all.
        """
        if position.is_over:
            return ()
        found: list[Action] = []
        inside = ALL if within is None else bits(*within)
        cells = touched & INDEX.keys()
        needed = bits(*cells)
        trays, stock = touched - cells, STOCKS[position.turn]
        if len(cells) < 2:
            free = position.free & inside & (needed or ALL)
            held = zip(COLOURS, stock, position.stocks[position.turn], strict=True)
            for colour, slot, count in held:
                if count and trays <= {slot}:
                    found += map(PLACEMENTS[colour].__getitem__, cells_of(free))
            if not cells and trays <= {*stock, *POOLS}:
                found += refills(position.missing, position.pool)
        if not trays <= {_DISCARD}:
            return found  # a robot touches neither stock nor pool
        for robot, at, food in zip(ROBOTS, position.robots, position.edible, strict=True):
            if inside >> at & 1 and not needed & ~food & ~(1 << at):
                routes = routes_over(at, food, needed & ~(1 << at), inside, _MOST_ROUTES)
                found += [MoveRobot(robot, CELLS[end], eaten) for end, eaten in routes]
        return found

    # ---- the end

    def outcome(
        self, position: RobotoryPosition, earlier: Sequence[RobotoryPosition] = ()
    ) -> Outcome | None:
        """Return who won and why; the points are the robots in each camp.

        There is no draw: three robots stand in two camps.
        """
        if not position.is_over:
            return None
        standing = bits(*(CELLS[index] for index in position.robots))
        robots = tuple((standing & camp).bit_count() for camp in self._camps)
        if position.resigned is not None:
            return Outcome(frozenset({1 - position.resigned}), "resign", robots)
        if position.flag is not None:
            return Outcome(frozenset({1 - position.flag}), "flag", robots)
        return Outcome(frozenset({robots.index(max(robots))}), "energy", robots)

    def leaves(self, position: RobotoryPosition) -> int:
        """Return the number of actions."""
        if position.is_over:
            return 0
        colours = sum(1 for count in position.stocks[position.turn] if count)
        count = position.free.bit_count() * colours
        count += len(refills(position.missing, position.pool))
        for at, food in zip(position.robots, position.edible, strict=True):
            count += sum(map(len, outcomes(at, food).values()))
        return count

    # ---- what people see

    def pieces(self, position: RobotoryPosition) -> dict[Place, Piece]:
        """Return tokens and robots by cell, and the tokens beside the board by slot.

        Eaten tokens lie in `discard`, without a colour.
        """
        found: dict[Place, Piece] = {}
        for token, cells in zip(_TOKENS, (position.white, position.black), strict=True):
            found |= dict.fromkeys(cells_of(cells), token)
        for robot, index in zip(_ROBOTS, position.robots, strict=True):
            found[CELLS[index]] = robot
        (light_w, light_b), (dark_w, dark_b) = position.stocks
        counts = light_w, light_b, dark_w, dark_b, *position.pool, position.discarded
        for (slot, held), count in zip(_SLOTS.items(), counts, strict=True):
            if lying := held[count]:
                found[slot] = lying
        return found

    def threats(self, position: RobotoryPosition) -> tuple[Threat, ...]:
        """Return the robots in the mover's camp that could go to the other camp (`reach`).

        Each names the cells where it could end there.
        """
        if position.is_over:
            return ()
        own, other = self._camps[position.turn], self._camps[1 - position.turn]
        found = []
        for at, food in zip(position.robots, position.edible, strict=True):
            if own >> at & 1 and (ends := reachable(at, food) & other):
                found.append(Threat("reach", CELLS[at], cells_of(ends)))
        return tuple(found)

    def why_not(self, position: RobotoryPosition, attempt: Attempt) -> Reason | None:
        """Return the rule that the hand broke, judging by the touched places."""
        if position.is_over:
            return Reason("over")
        if attempt.seat is not None and attempt.seat != position.turn:
            position = position._replace(turn=attempt.seat)
        return why_not(position, attempt)

    def _illegal(self, position: RobotoryPosition, move: object) -> IllegalMoveError:
        """Return the error for an illegal action."""
        if isinstance(move, PlaceToken) and move.colour in PLACEMENTS and move.cell in INDEX:
            reason = refuse_placement(position, move.colour, move.cell)
        elif isinstance(move, Refill):
            reason = refuse_refill(position, move)
        elif isinstance(move, MoveRobot) and move.robot in ROBOTS and move.to in INDEX:
            reason = Reason("no-way", (CELLS[position.robots[ROBOTS.index(move.robot)]], move.to))
        else:
            return IllegalMoveError(f"{self.title} has no such action as {move!r}")
        if position.is_over:
            reason = Reason("over")
        assert reason is not None
        return self.refused(f"move {repr(move)!r}", reason)

    # ---- texts

    def move_text(self, position: RobotoryPosition, move: _Move) -> str:
        """Return `P w c3` (place white on c3), `M R d3-d4-c5` (the alphabetically first path of the
        red robot's move), `F 2w1b` (refill) or the text of a claim.
        """
        if isinstance(move, Claim):
            return self.claim_text(position, move)
        if isinstance(move, PlaceToken):
            return f"P {move.colour} {move.cell}"
        if isinstance(move, Refill):
            taken = zip((move.white, move.black), COLOURS, strict=True)
            return "F " + "".join(f"{count}{colour}" for count, colour in taken if count)
        path = least_path(position, move) if isinstance(move, MoveRobot) else None
        if path is None or not isinstance(move, MoveRobot):
            raise self._illegal(position, move)
        return f"M {move.robot} {'-'.join(path)}"

    def parse_move(self, position: RobotoryPosition, text: str) -> Action | Claim:
        """Return the legal action or claim of that text; a robot may take any legal path."""
        text = " ".join(text.split())
        if claim := self.parse_claim(position, text):
            return claim
        move: Action
        reason: Reason | None
        if found := _PLACE.fullmatch(text):
            colour, cell = found.groups()
            self._check_cells(text, cell)
            move = PLACEMENTS[colour][cell]
            reason = refuse_placement(position, colour, cell)
        elif found := _MOVE.fullmatch(text):
            robot, path = found[1], found[2].split("-")
            self._check_cells(text, *path)
            reason = refuse_path(position, robot, path)
            move = MoveRobot(robot, path[-1], bits(*dict.fromkeys(path[1:])))
        elif found := _REFILL.fullmatch(text):
            move = Refill(int(found[1] or 0), int(found[2] or 0))
            reason = refuse_refill(position, move)
        else:
            raise MoveError(f"move {text!r}: expected a text like P w c3, M R d3-d4-c5 or F 2w1b")
        if position.is_over:
            reason = Reason("over")
        if reason:
            raise self.refused(f"move {text!r}", reason)
        return move

    def _check_cells(self, text: str, *cells: Place) -> None:
        for cell in cells:
            if cell not in INDEX:
                raise MoveError(f"move {text!r}: there is no cell {cell}")

    position_text = staticmethod(position_text)
    parse_position = staticmethod(parse_position)
