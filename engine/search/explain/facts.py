"""What one move does to the pieces, as far as sentences speak of it, and what exchanges come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from engine.game import CHANCE, Outcome, Pass, Piece, Place, Seat, Threat, Throw
from engine.match import AnyGame, AnyMove
from engine.search.evaluation import evaluator_of

_LONGEST: Final = 10
"""An exchange is followed for so many captures."""
_MOST_REPLIES: Final = 60


class BoardFacts:
    """What pieces are worth in a game, whose they are, and what is won by taking them in turn."""

    def __init__(self, game: AnyGame, position: Any) -> None:
        evaluator = evaluator_of(game, position)
        self.game = game
        self.sides = evaluator.sides
        self._worths = evaluator.worths()

    def worth(self, piece: Piece | None) -> int:
        """Return what a piece is worth to who takes him; 0 for none."""
        return 0 if piece is None else self._worths.get(piece.kind, 0)

    def hostile(self, seat: Seat, piece: Piece | None) -> bool:
        """Whether a piece is one of another side than the seat's."""
        return (
            piece is not None
            and piece.owner is not None
            and seat != CHANCE
            and self.sides[piece.owner] != self.sides[seat]
        )

    def captures(self, position: Any, place: Place) -> list[MoveEffect]:
        """Return the captures on a place by the seat to act, the cheapest piece first."""
        game = self.game
        seat = game.turn(position)
        if not self.hostile(seat, game.pieces(position).get(place)):
            return []
        deeds = [
            MoveEffect(self, position, move)
            for move in game.candidates(position, frozenset([place]))
            if not isinstance(move, Throw | Pass)
        ]
        taking = [deed for deed in deeds if deed.end == place and place in deed.took]
        return sorted(taking, key=lambda deed: self.worth(deed.piece))

    def won_on(self, position: Any, place: Place, left: int = _LONGEST) -> int:
        """Return what the seat to act wins by taking on a place, both sides going on there as long
        as that pays; 0 if it does not.
        """
        deeds = self.captures(position, place) if left else []
        if not deeds:
            return 0
        (deed, *_) = deeds
        return max(0, self.worth(deed.took[place]) - self.won_on(deed.after, place, left - 1))

    def throws(self, position: Any, seat: Seat) -> Throws:
        """Return which throws of the turn that begins then take pieces of a seat's side."""
        throws = self.game.legal(position)
        if self.game.turn(position) != CHANCE:
            return Throws(self._taken_in(position, seat), 0)
        found: Counter[Place] = Counter()
        for throw in throws:
            found.update(self._taken_in(self.game.play(position, throw), seat).keys())
        return Throws(found, len(throws))

    def _taken_in(self, position: Any, seat: Seat) -> Counter[Place]:
        """Return where pieces of a seat's side may be taken in a turn, be it by its second move."""
        game, found = self.game, Counter[Place]()
        for move in game.legal(position):
            if isinstance(move, Pass):
                continue
            deed = MoveEffect(self, position, move)
            found |= Counter(place for place, piece in deed.took.items() if self._mine(seat, piece))
            if game.turn(deed.after) == deed.seat and deed.outcome is None:
                found |= self._taken_in(deed.after, seat)
        return found

    def _mine(self, seat: Seat, piece: Piece) -> bool:
        return piece.owner is not None and not self.hostile(seat, piece)


@dataclass(frozen=True, slots=True)
class Throws:
    """What the throws of one turn do."""

    taking: Counter[Place]
    """By place, how many of them take the piece there."""
    count: int
    """How many there are; 0 where no dice are thrown."""


class MoveEffect:
    """One move by a seat, made from a position."""

    def __init__(self, pieces: BoardFacts, position: Any, move: AnyMove) -> None:
        self.pieces = pieces
        self.game: AnyGame = pieces.game
        self.position = position
        self.move = move
        self.seat: Seat = self.game.turn(position)

    @cached_property
    def after(self) -> Any:
        """The position after it."""
        return self.game.play(self.position, self.move)

    @cached_property
    def before_pieces(self) -> dict[Place, Piece]:
        """What stood where before it."""
        return self.game.pieces(self.position)

    @cached_property
    def after_pieces(self) -> dict[Place, Piece]:
        """What stands where after it."""
        return self.game.pieces(self.after)

    @cached_property
    def changes(self) -> Mapping[Place, Piece | None]:
        """What it changes."""
        if isinstance(self.move, Throw | Pass):
            return {}
        return self.game.changes(self.position, self.move)

    @cached_property
    def took(self) -> Mapping[Place, Piece]:
        """The enemy pieces that leave the board by it, where they stood."""
        cells, before = set(self.game.cells()), self.before_pieces
        gone = {
            place: before[place]
            for place in self.changes
            if place in cells
            and self.pieces.hostile(self.seat, before.get(place))
            and self.changes[place] != before[place]
        }
        came = Counter(
            (piece.owner, piece.kind)
            for place, piece in self.changes.items()
            if place in cells and piece is not None and piece != before.get(place)
        )
        kept = {}
        for place, piece in gone.items():
            if came[piece.owner, piece.kind]:  # it was only pushed along
                came[piece.owner, piece.kind] -= 1
            else:
                kept[place] = piece
        return kept

    @cached_property
    def end(self) -> Place | None:
        """Where the mover's piece comes to stand; None if it is not one piece that moves so."""
        cells = set(self.game.cells())
        ends = [
            place
            for place, piece in self.changes.items()
            if place in cells
            and piece is not None
            and piece != self.before_pieces.get(place)
            and piece.owner in (self.seat, None)
        ]
        return ends[0] if len(ends) == 1 else None

    @cached_property
    def start(self) -> Place | None:
        """Where that piece came from: a cell or a tray; None if that is not to be told."""
        cells = set(self.game.cells())
        starts = [
            place
            for place, piece in self.before_pieces.items()
            if place in self.changes
            and piece.owner in (self.seat, None)
            and (
                self.changes[place] is None
                or (place not in cells and (self.changes[place] or piece).count < piece.count)
            )
        ]
        same = [
            place
            for place in starts
            if self.piece and self.before_pieces[place].kind == self.piece.kind
        ]
        starts = same or starts  # what was eaten on the way is gone, too
        return starts[0] if len(starts) == 1 else None

    @property
    def piece(self) -> Piece | None:
        """The piece that moved, as it stands there now."""
        return None if self.end is None else self.after_pieces.get(self.end)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ends with it, if it does."""
        return self.game.outcome(self.after)

    @property
    def wins(self) -> bool:
        """Whether it ends the game for who makes it."""
        return self.outcome is not None and self.seat in self.outcome.winners

    @property
    def pushed_off(self) -> bool:
        """Whether a row pushes over the edge what it takes."""
        return bool(self.took) and self.is_row

    @cached_property
    def replies(self) -> tuple[MoveEffect, ...]:
        """The loud moves that the next one may make after it, at most a few dozen."""
        if self.outcome is not None:
            return ()
        return self._loud(self.after)

    @cached_property
    def instead(self) -> tuple[MoveEffect, ...]:
        """The loud moves that could be made in its place, at most a few dozen."""
        return self._loud(self.position)

    def _loud(self, position: Any) -> tuple[MoveEffect, ...]:
        moves = evaluator_of(self.game, position).loud_moves() or ()
        return tuple(MoveEffect(self.pieces, position, move) for move in moves[:_MOST_REPLIES])

    @property
    def is_row(self) -> bool:
        """Whether pieces in a row were moved along."""
        return bool(self.game.path(self.position, self.move) & self.before_pieces.keys())

    @cached_property
    def exchange(self) -> int:
        """What it takes, less what is lost for that on the cell where it ends."""
        took = sum(map(self.pieces.worth, self.took.values()))
        return took - (self.lost_on(self.end) if self.end else 0)

    @cached_property
    def inwards(self) -> int:
        """How many steps it brings the mover's pieces nearer to the middle, where that counts."""
        before, after = evaluator_of(self.game, self.position), evaluator_of(self.game, self.after)
        return after.inside(self.seat) - before.inside(self.seat)

    @cached_property
    def endangered(self) -> tuple[Threat, ...]:
        """What it attacks with the piece that it moved: royal pieces, pieces that nobody protects,
        and pieces that are worth more than their attacker, as the other side sees it.
        """
        if self.outcome is not None or self.end is None or self.game.turn(self.after) == self.seat:
            return ()
        found = []
        for threat in self.game.threats(self.after):
            if self.end in threat.by and threat.kind in ("check", "undefended", "attacked"):
                dearer = self.pieces.worth(self.after_pieces.get(threat.place)) > self.pieces.worth(
                    self.piece
                )
                if threat.kind != "attacked" or dearer:
                    found.append(threat)
        return tuple(found)

    def lost_on(self, place: Place) -> int:
        """Return what the next one wins by taking on a place after it; of dice the worst."""
        if not self.throws_after:
            return self.pieces.won_on(self.after, place)
        taken = any(throws.taking[place] for throws in self.throws_after)
        return self.pieces.worth(self.after_pieces.get(place)) if taken else 0

    @cached_property
    def throws_after(self) -> tuple[Throws, ...]:
        """What may be thrown against the mover's side after it until it moves again, by turn; where
        no dice come next, and only one other side, nothing.
        """
        return self._throws_against(self.after)

    @cached_property
    def throws_before(self) -> tuple[Throws, ...]:
        """The same if it let its turn go; nothing where that is not to be told."""
        return self._throws_against(self.position)

    def _throws_against(self, position: Any) -> tuple[Throws, ...]:
        if self.outcome is not None:
            return ()
        waiting = evaluator_of(self.game, self.position).waiting(position)
        if not waiting and self.game.turn(position) == CHANCE:
            waiting = (position,)
        return tuple(self.pieces.throws(each, self.seat) for each in waiting)


def deeds_of(pieces: BoardFacts, position: Any, moves: Sequence[AnyMove]) -> list[MoveEffect]:
    """Return a line of moves as deeds."""
    deeds = []
    for move in moves:
        deed = MoveEffect(pieces, position, move)
        deeds.append(deed)
        if deed.outcome is not None:
            break
        position = deed.after
    return deeds
