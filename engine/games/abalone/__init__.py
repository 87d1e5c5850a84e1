"""Abalone by the rules of the Rebel edition, with every start layout.

Black sits at the bottom, at row a, and begins.

Sources: the Polish rule sheet (its picture is lost; the 2023 leaflet completes its broken lines),
Aba-Pro for coordinates and moves, PlayStrategy for positions and repetition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
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
    Seat,
    SharedMove,
    Threat,
)
from engine.games.abalone.moves import AbaloneMove, broadside, in_line, moves_of
from engine.games.abalone.options import ENDINGS, LAYOUTS, OPTIONS, PRESETS
from engine.games.abalone.position import (
    AXES,
    BIT,
    CELLS,
    MARBLES,
    SEATS,
    TO_WIN,
    AbalonePosition,
    bearing,
    parse_position,
    position_text,
    ray,
    without,
)
from engine.games.abalone.refusals import REASONS, refuse_broadside, refuse_in_line, why_not

__all__ = ["Abalone", "AbaloneMove", "AbalonePosition"]

_Move: TypeAlias = AbaloneMove | SharedMove

_KINDS: Final = "bw"
_POLES: Final = (1, -1)
_MARBLE: Final = tuple(Piece(seat, _KINDS[seat], _POLES[seat]) for seat in (0, 1))
_TRAYS: Final = tuple(f"out.{seat}" for seat in SEATS)
_OUT: Final = tuple(
    tuple(Piece(seat, _KINDS[seat], _POLES[seat], count) for count in range(MARBLES + 1))
    for seat in (0, 1)
)
"""By seat and number: the ejected marbles of a side."""
_MOVE_TEXT: Final = re.compile("(?:[a-i][1-9]){2,3}")

_known_moves = lru_cache(64)(moves_of)
"""`moves_of` with a cache of the latest positions."""


class Abalone(Game[AbalonePosition, AbaloneMove]):
    """Abalone: be the first to push six enemy marbles off the board.

    The game runs no clock. The options `clock` and `flag_rule` say how much time there is and what
    the claim `flag` does: `Claim(seat, "flag")` says that this seat's flag fell.
    """

    name = "abalone"
    title = "Abalone"
    minutes = 30
    seats = SEATS
    has_passes = False
    goal = TO_WIN
    kinds: ClassVar[Mapping[str, str]] = {"b": "black marble", "w": "white marble"}
    known_options = OPTIONS
    presets = PRESETS
    claim_texts = ("resign", "flag")
    reasons = REASONS
    endings: ClassVar[Mapping[str, str]] = ENDINGS

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        super().__init__(options)
        even = parse_position(f"{LAYOUTS[self.options['layout']]} 0 0 b 0 1")
        self._start = without(even, int(self.options["handicap"]))
        repetition = self.options["repetition"]
        self._occurrences = None if repetition == "off" else int(repetition)

    def cells(self) -> tuple[Place, ...]:
        """Return i5 … a5, row by row from the top."""
        return CELLS

    def trays(self) -> tuple[Place, ...]:
        """Return out.black and out.white, the trays of ejected marbles by colour."""
        return _TRAYS

    def start(self) -> AbalonePosition:
        """Return the start position of the options `layout` and `handicap`."""
        return self._start

    # ---- moves

    def legal(self, position: AbalonePosition) -> Sequence[AbaloneMove]:
        """Return the moves, direction by direction; nothing when the game is over."""
        return [] if position.is_over else moves_of(position.mine, position.theirs)

    def play(self, position: AbalonePosition, move: _Move) -> AbalonePosition:
        """Return the position after a legal move or a claim; else IllegalMoveError."""
        if isinstance(move, Claim):
            return self.play_claim(position, move)
        mine, theirs, turn, _ = position
        if (
            not isinstance(move, AbaloneMove)
            or mine & move.area != move.own
            or theirs & move.area != move.enemy
            or position.is_over
        ):
            raise self._illegal_move(position, move)
        return AbalonePosition(theirs ^ move.enemy_flips, mine ^ move.own_flips, 1 - turn)

    def changes(self, position: AbalonePosition, move: _Move) -> dict[Place, Piece | None]:
        """Return the cells and the tray that change; IllegalMoveError as `play`.

        Marbles of a colour look alike, so only the ends of a row that moves in line change.
        """
        after = self.play(position, move)
        assert isinstance(move, AbaloneMove)  # `play` refuses everything else
        seat = position.turn
        changed: dict[Place, Piece | None] = dict.fromkeys(move.emptied)
        for cell in move.filled:
            changed[cell] = _MARBLE[seat]
        if move.pushed_onto:
            changed[move.pushed_onto] = _MARBLE[1 - seat]
        elif move.ejects:
            changed[_TRAYS[1 - seat]] = _OUT[1 - seat][MARBLES - after.mine.bit_count()]
        return changed

    def path(self, position: AbalonePosition, move: _Move) -> frozenset[Place]:
        """Return the cells inside a row that moves in line and inside the row that it pushes."""
        return move.between if isinstance(move, AbaloneMove) else frozenset()

    def candidates(
        self, position: AbalonePosition, touched: PlaceSet, within: PlaceSet | None = None
    ) -> Sequence[AbaloneMove]:
        """Return the moves that touch `touched` and stay within `within`."""
        if position.is_over:
            return ()
        moves = _known_moves(position.mine, position.theirs)
        if touched:
            needed = sum([BIT.get(place, 0) for place in touched])
            moves = [move for move in moves if not needed & ~move.area]
            if not touched.isdisjoint(_TRAYS):
                moves = [move for move in moves if move.ejects]
        if within is not None:
            outside = ~sum([BIT[cell] for cell in within])
            moves = [move for move in moves if not (move.own_flips ^ move.enemy_flips) & outside]
        return moves

    def claims(self, position: AbalonePosition, seat: Seat) -> Sequence[Claim]:
        """Return `resign` and `flag` for either seat while the game goes on."""
        if seat not in (0, 1) or self._ending(position) is not None:
            return ()
        return Claim(seat, "resign"), Claim(seat, "flag")

    def after_claim(self, position: AbalonePosition, claim: Claim) -> AbalonePosition:
        """Return the position that the claim ends."""
        return position._replace(claim=claim)

    # ---- the end

    def outcome(
        self, position: AbalonePosition, earlier: Sequence[AbalonePosition] = ()
    ) -> Outcome | None:
        """Return who won and why; the points are the ejections by black and by white."""
        ending = self._ending(position)
        if (
            ending is None
            and self._occurrences
            and earlier.count(position) + 1 >= self._occurrences
        ):
            return Outcome(frozenset(), "repetition", position.ejected)
        return ending

    def _ending(self, position: AbalonePosition) -> Outcome | None:
        """Return how the game ended, without repetition."""
        ejected, claim = position.ejected, position.claim
        if claim is not None:
            if claim.text == "flag" and self.options["flag_rule"] == "ejections":
                if ejected[0] == ejected[1]:
                    return Outcome(frozenset(), "flag-equal", ejected)
                winner = ejected.index(max(ejected))
                return Outcome(frozenset({winner}), "flag-ejections", ejected)
            return Outcome(frozenset({1 - claim.seat}), claim.text, ejected)
        other = frozenset({1 - position.turn})
        if max(ejected) >= TO_WIN:
            return Outcome(other, "six-ejected", ejected)
        if not moves_of(position.mine, position.theirs):
            return Outcome(other, "no-move", ejected)
        return None

    # ---- what people see

    def pieces(self, position: AbalonePosition) -> dict[Place, Piece]:
        """Return the marbles by cell and the ejected ones by tray."""
        found: dict[Place, Piece] = {}
        turn = position.turn
        for seat, marbles in (turn, position.mine), (1 - turn, position.theirs):
            for cell, bit in BIT.items():
                if marbles & bit:
                    found[cell] = _MARBLE[seat]
            if lost := MARBLES - marbles.bit_count():
                found[_TRAYS[seat]] = _OUT[seat][lost]
        return found

    def points(self, position: AbalonePosition) -> tuple[int, ...]:
        """Return the number of marbles that black and white have ejected."""
        return position.ejected

    def threats(self, position: AbalonePosition) -> tuple[Threat, ...]:
        """Return own marbles that the enemy could push off if it were to move (`edge`), then enemy
        marbles that can be pushed off now (`free`), each with the marbles that push.
        """
        if position.is_over:
            return ()
        mine, theirs = position.mine, position.theirs
        return *_ejections("edge", theirs, mine), *_ejections("free", mine, theirs)

    def why_not(self, position: AbalonePosition, attempt: Attempt) -> Reason | None:
        """Return the rule that the hand broke, judging by the touched places."""
        if position.is_over:
            return Reason("over")
        if attempt.seat is not None and attempt.seat != position.turn:
            position = position.passed()
        return why_not(position.mine, position.theirs, attempt)

    def _illegal_move(self, position: AbalonePosition, move: object) -> IllegalMoveError:
        """Return the error for an illegal move."""
        if not isinstance(move, AbaloneMove):
            return IllegalMoveError(f"{self.title} has no such move as {move!r}")
        mine, theirs = position.mine, position.theirs
        reason = None
        if position.is_over:
            reason = Reason("over")
        elif found := bearing(move.line[0], move.to):
            if move.is_broadside:
                reason = refuse_broadside(mine, theirs, move.line, found[0])
            else:
                reason = refuse_in_line(mine, theirs, move.line[0], found[0])
        return self._illegal(move.text, reason)

    def _illegal(self, text: str, reason: Reason | None) -> IllegalMoveError:
        if reason is None:
            return IllegalMoveError(f"move {text!r}: the marbles lie otherwise here")
        return self.refused(f"move {text!r}", reason)

    # ---- texts

    def move_text(self, position: AbalonePosition, move: _Move) -> str:
        """Return the move in Aba-Pro: `a1b2`, broadside `c6c7d6`; or the text of a claim."""
        if isinstance(move, Claim):
            return self.claim_text(position, move)
        if not isinstance(move, AbaloneMove):
            raise self._illegal_move(position, move)
        return move.text

    def parse_move(self, position: AbalonePosition, text: str) -> AbaloneMove | Claim:
        """Return the legal move or claim of that text.

        Either end of a row may come first. Two cells that do not touch are read as Nacre writes
        moves, from the cell of the first marble to the target of the last one, if that fits only
        one legal move.
        """
        text = text.strip()
        if claim := self.parse_claim(position, text):
            return claim
        if not _MOVE_TEXT.fullmatch(text.lower()):
            raise MoveError(f"move {text!r}: expected a text like a1b2, c6c7d6 or resign")
        cells = re.findall("..", text.lower())
        for cell in cells:
            if cell not in BIT:
                raise MoveError(f"move {text!r}: there is no cell {cell}")
        if position.is_over:
            raise self._illegal(text, Reason("over"))
        found = bearing(cells[0], cells[1])
        if len(cells) == 3:
            return self._parse_broadside(position, text, cells)
        if found is not None and found[1] == 1:
            return self._parse_in_line(position, text, cells[0], found[0])
        return self._parse_nacre(position, text, cells[0], cells[1])

    def _parse_in_line(
        self, position: AbalonePosition, text: str, rear: Place, direction: int
    ) -> AbaloneMove:
        mine, theirs = position.mine, position.theirs
        if reason := refuse_in_line(mine, theirs, rear, direction):
            raise self._illegal(text, reason)
        cells = list(ray(rear, direction))
        own = sum(1 for _ in takewhile(lambda cell: mine & BIT[cell], cells))
        enemy = sum(1 for _ in takewhile(lambda cell: theirs & BIT[cell], cells[own:]))
        return in_line(rear, direction, own, enemy)

    def _parse_broadside(
        self, position: AbalonePosition, text: str, cells: Sequence[Place]
    ) -> AbaloneMove:
        first, last, to = cells
        along, aside = bearing(first, last), bearing(first, to)
        if along is None:
            raise self._illegal(text, Reason("not-in-line", (first, last)))
        if aside is None or aside[1] != 1:
            raise self._illegal(text, Reason("too-far", (first, to)))
        axis, distance = along
        line = list(ray(first, axis))[: distance + 1]
        if reason := refuse_broadside(position.mine, position.theirs, line, aside[0]):
            raise self._illegal(text, reason)
        lower = line[0] if axis in AXES else line[-1]
        return broadside(lower, abs(axis), len(line), aside[0])

    def _parse_nacre(
        self, position: AbalonePosition, text: str, first: Place, last: Place
    ) -> AbaloneMove:
        fitting = [move for move in self.legal(position) if (first, last) in _nacre(move)]
        if len(fitting) > 1:
            either = " or ".join(move.text for move in fitting)
            raise MoveError(f"move {text!r}: it may be {either}")
        if not fitting:
            raise self._illegal(text, Reason("too-far", (first, last)))
        return fitting[0]

    position_text = staticmethod(position_text)
    parse_position = staticmethod(parse_position)


def _ejections(kind: str, mine: int, theirs: int) -> list[Threat]:
    """Return the marbles of `theirs` that `mine` can eject, in reading order."""
    by: dict[Place, list[Place]] = {}
    for move in moves_of(mine, theirs):
        if move.ejects:
            by.setdefault(move.pushed[-1], []).extend(move.line)
    order = CELLS.index
    return [
        Threat(kind, cell, tuple(sorted(set(by[cell]), key=order)))
        for cell in sorted(by, key=order)
    ]


def _nacre(move: AbaloneMove) -> set[tuple[Place, Place]]:
    """Return the start and end cells that other notations give a move.

    Nacre goes from the first marble to the target of the last own marble, PlayStrategy to the
    target of the last marble that moves; an ejected marble counts with the cell that it leaves. In
    a broadside move either end may be the first marble.
    """
    if move.is_broadside:
        return {(move.line[0], move.filled[-1]), (move.line[-1], move.filled[0])}
    ends = {move.filled[0], move.pushed_onto or (*move.filled, *move.pushed)[-1]}
    return {(move.line[0], end) for end in ends}
