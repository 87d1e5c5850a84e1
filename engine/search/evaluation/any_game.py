"""The evaluation of an unknown game: the value of a piece is its mobility."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from engine.game import CHANCE, Pass, Piece, Place, Throw
from engine.match import AnyGame, AnyMove
from engine.search.evaluator import Evaluator

_PLIES: Final = 150
"""The plies of the random game that shows how pieces move."""
_LOOKED_AT: Final = 5
"""One in this many positions of it is counted."""
_MOVES_KNOWN: Final = 1 << 14
"""The most moves whose changed places are cached."""


def places_changed(game: AnyGame, position: Any, move: AnyMove) -> tuple[Place, ...]:
    """Return the places that a move changes; none for throws and passes."""
    return () if isinstance(move, Throw | Pass) else tuple(game.changes(position, move))


@lru_cache(8)
def learnt_values(game: AnyGame) -> Mapping[str, int]:
    """Return the value of each kind: ten, and ten for each move that it has on average.

    The average comes from a random game.
    """
    moves: Counter[str] = Counter()
    pieces: Counter[str] = Counter()
    position, number = game.start(), 0
    for ply in range(_PLIES):
        legal = game.legal(position)
        if not legal:
            position = game.start()
            continue
        turn = game.turn(position)
        if turn != CHANCE and not ply % _LOOKED_AT:
            own = {p: piece for p, piece in game.pieces(position).items() if piece.owner == turn}
            pieces.update(piece.kind for piece in own.values())
            for move in legal:
                movers = [place for place in places_changed(game, position, move) if place in own]
                moves.update(own[place].kind for place in movers[:1])
        number = (1103515245 * number + 12345) % (1 << 31)  # the same in every run
        position = game.play(position, legal[(number >> 16) % len(legal)])
    return {kind: 10 + 10 * moves[kind] // pieces[kind] for kind in pieces}


class AnyGameEvaluator(Evaluator):
    """Scores the value of pieces; captures are noisy."""

    scale = 30.0

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        self.piece_values = learnt_values(game)
        self._places: dict[AnyMove, tuple[Place, ...]] = {}
        self._seen: tuple[Any, Mapping[Place, Piece]] = (position, game.pieces(position))

    def side_scores(self) -> list[float]:
        """Return the value of each side's pieces."""
        found = [0.0] * (max(self.sides) + 1)
        for piece in self._pieces().values():
            if piece.owner is not None:
                found[self.sides[piece.owner]] += self._value(piece) * piece.count
        return found

    def noise(self, move: AnyMove) -> int:
        """Return the value of the best captured piece.

        The places of a move are those that it changed when it was first seen. They hardly ever
        depend on other pieces.
        """
        places = self._places.get(move)
        if places is None:
            if len(self._places) >= _MOVES_KNOWN:
                self._places.clear()
            places = places_changed(self.game, self.position, move)
            self._places[move] = places
        pieces, found = self._pieces(), 0
        for place in places:
            piece = pieces.get(place)
            if piece is not None and piece.owner not in (None, self.turn):
                found = max(found, self._value(piece))
        return found

    def _value(self, piece: Piece) -> int:
        return self.piece_values.get(piece.kind, 10)

    def _pieces(self) -> Mapping[Place, Piece]:
        if self._seen[0] is not self.position:
            self._seen = self.position, self.game.pieces(self.position)
        return self._seen[1]
