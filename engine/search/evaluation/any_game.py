"""A game that says nothing of worths: its pieces are worth what they can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from engine.game import CHANCE, Pass, Piece, Place, Throw
from engine.match import AnyGame, AnyMove
from engine.search.evaluator import Evaluator

_PLIES: Final = 150
"""So long games without plan are played to see how pieces move …"""
_LOOKED_AT: Final = 5
"""… and one position of so many is looked at."""
_MOVES_KNOWN: Final = 1 << 14
"""Of so many moves at most it is remembered what they change."""


def places_changed(game: AnyGame, position: Any, move: AnyMove) -> tuple[Place, ...]:
    """Return the places that a move changes; none for throws and passes."""
    return () if isinstance(move, Throw | Pass) else tuple(game.changes(position, move))


@lru_cache(8)
def learnt_worths(game: AnyGame) -> Mapping[str, int]:
    """Return by kind of piece what one is worth: ten for being there and ten for each move that it
    has on average, in a game that is played without plan.
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
        number = (1103515245 * number + 12345) % (1 << 31)  # any moves, but always the same
        position = game.play(position, legal[(number >> 16) % len(legal)])
    return {kind: 10 + 10 * moves[kind] // pieces[kind] for kind in pieces}


class AnyGameEvaluator(Evaluator):
    """Worth is what the pieces are worth; loud is what takes enemy pieces."""

    scale = 30.0

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        self._worths = learnt_worths(game)
        self._places: dict[AnyMove, tuple[Place, ...]] = {}
        self._seen: tuple[Any, Mapping[Place, Piece]] = (position, game.pieces(position))

    def standing(self) -> list[float]:
        """Return by side what its pieces are worth."""
        found = [0.0] * (max(self.sides) + 1)
        for piece in self._pieces().values():
            if piece.owner is not None:
                found[self.sides[piece.owner]] += self._worth(piece) * piece.count
        return found

    def loud(self, move: AnyMove) -> int:
        """Return the worth of the best piece that it takes.

        A move's places are those that it changed when it was first seen: where it goes hardly ever
        depends on what else stands on the board.
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
                found = max(found, self._worth(piece))
        return found

    def worths(self) -> Mapping[str, int]:
        """Return what the game has taught."""
        return self._worths

    def _worth(self, piece: Piece) -> int:
        return self._worths.get(piece.kind, 10)

    def _pieces(self) -> Mapping[Place, Piece]:
        if self._seen[0] is not self.position:
            self._seen = self.position, self.game.pieces(self.position)
        return self._seen[1]
