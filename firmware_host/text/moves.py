"""Moves in words: `pawn from 7g to 7f`, `chick from B2 takes chick on B3`.

The words follow from the pieces before and after the move, the path of a row (`Game.path`) and the
order of the cells in the notation. So every game has words, also a new one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from engine.game import Claim, Pass, Piece, Place, Throw
from engine.match import AnyGame, AnyMove, Match
from firmware_host.i18n.messages import Message, count, listed, say, several
from firmware_host.text.status import Brief

_known: WeakKeyDictionary[Match, Message] = WeakKeyDictionary()
_briefs: WeakKeyDictionary[Match, Brief] = WeakKeyDictionary()


def words_of(match: Match) -> Message:
    """Return the words of the move that led to `match`.

    They are cached, because each status needs those of the whole record.
    """
    if match not in _known:
        assert match.before is not None
        _known[match] = move_message(match.game, match.before.position, match.move, match.position)
    return _known[match]


def brief_of(match: Match) -> Brief:
    """Return the move that led to `match` in brief, cached like its words."""
    if match not in _briefs:
        assert match.before is not None
        _briefs[match] = brief_move(match.game, match.before.position, match.move, match.position)
    return _briefs[match]


def brief_move(game: AnyGame, position: Any, move: AnyMove, after: Any) -> Brief:
    """Return a move in brief. `after` is the position after it."""
    if isinstance(move, Throw | Pass | Claim):
        return Brief(move_message(game, position, move, after), "", None, None, None)
    return _PlaceChange(game, position, after, move, game.move_text(position, move)).brief()


def with_notation(words: Message, notation: str) -> Message:
    """Return the words of a move with its notation."""
    return say("{words} ({move})", words=words, move=notation)


def move_message(game: AnyGame, position: Any, move: AnyMove, after: Any = None) -> Message:
    """Return the words of a legal move, or its notation if there are none.

    `after` is the position after the move, if it is known.
    """
    if isinstance(move, Throw):
        return say("throws {dice}", dice="+".join(map(str, move.dice)))
    if isinstance(move, Pass):
        return say("cannot move")
    if isinstance(move, Claim):
        return say("{move}", move=move.text)
    text = game.move_text(position, move)
    if after is None:
        after = game.play(position, move)
    phrases = tuple(_PlaceChange(game, position, after, move, text).phrases())
    if not phrases:
        return say("{move}", move=text)
    return listed(phrases)


@dataclass(frozen=True, slots=True)
class _Walk:
    """A piece that moved from a cell to another, and what it is there."""

    start: Place
    end: Place
    piece: Piece
    became: Piece


class _PlaceChange:
    """The changes of one move."""

    def __init__(
        self, game: AnyGame, position: Any, following: Any, move: AnyMove, text: str
    ) -> None:
        self._game = game
        before, after = game.pieces(position), game.pieces(following)
        changed = [cell for cell in game.cells() if before.get(cell) != after.get(cell)]
        self._left = {cell: before[cell] for cell in changed if cell in before}
        """The pieces that left their cells; once the walks are paired, only captured ones."""
        self._came = {cell: after[cell] for cell in changed if cell in after}
        """The pieces that came to cells; once the walks are paired, only those from beside the
        board.
        """
        self._named = _cells_in(text, game.cells())
        walks = list(self._walks())
        turn = game.turn(position)
        own = [walk for walk in walks if walk.piece.owner == turn] or walks
        self._own = sorted(own, key=lambda walk: walk.start not in self._named[:1])
        """The piece that the notation names first comes first."""
        self._driven = [walk for walk in walks if walk not in own]
        # Pieces of one kind are equal, so a row changes only at its ends; the path has the rest.
        path = game.path(position, move)
        self._row = [before[cell] for cell in path if cell in before and cell not in changed]
        self._trays = _grown(game, before, after)

    def _walks(self) -> Iterator[_Walk]:
        """Pair each arrival with a departure of the same piece, else of the same owner.

        The pairs are removed from `_left` and `_came`.
        """
        for same in (_is_same, _is_owned_alike):
            for end, became in list(self._came.items()):
                left = self._left.items()
                start = next((c for c, piece in left if c != end and same(piece, became)), None)
                if start is not None:
                    del self._came[end]
                    yield _Walk(start, end, self._left.pop(start), became)

    def phrases(self) -> Iterator[Message]:
        """Yield what the move does, one phrase for each thing."""
        groups: dict[tuple[Piece, str], list[_Walk]] = {}
        for walk in self._own:
            groups.setdefault((walk.piece, walk.became.kind), []).append(walk)
        for walks in groups.values():
            yield from self._moved(walks)
        changed = [(cell, self._left.pop(cell, None), piece) for cell, piece in self._came.items()]
        for cell, was, piece in changed:
            if was is None:
                yield self._brought(cell, piece)
            elif was.kind != piece.kind:
                name, became = self._name(was), self._name(piece)
                yield say(
                    "{piece} on {place} becomes {other}", piece=name, place=cell, other=became
                )
        turned = Counter(piece.kind for _, was, piece in changed if was and was.kind == piece.kind)
        for kind, n in turned.items():
            yield say("turns over {pieces}", pieces=several(self._game.kinds[kind], n))
        yield from self._pushed() if self._row or self._driven else self._taken()
        if not (self._own or self._came or self._left):
            yield from self._stocked()

    def brief(self) -> Brief:
        """Return the move in brief: where its first piece goes, or what a tray gets."""
        if self._own:
            walk = self._own[0]
            end = walk.end
            takes = self._takes_at_end(walk) or (not self._driven and bool(self._left))
            words = say("takes {place}", place=end) if takes else say("to {place}", place=end)
            return Brief(words, walk.became.kind, walk.became.owner, walk.start, end, takes)
        for cell, piece in self._came.items():
            words = say("put on {place}", place=cell)
            return Brief(words, piece.kind, piece.owner, None, cell)
        for _, (kind, n) in self._trays.items():
            if n > 0:
                return Brief(say("gets {n}", n=n), kind, None, None, None)
        return Brief(say("plays"), "", None, None, None)

    def _moved(self, walks: Sequence[_Walk]) -> Iterator[Message]:
        """Yield how pieces of one kind moved: one alone, or several side by side or in a row."""
        first = walks[0]
        piece, n = self._name(first.piece), len(walks) + self._row.count(first.piece)
        if n > 1:
            starts, ends = [walk.start for walk in walks], [walk.end for walk in walks]
            if starts == self._named[:1] and len(self._named) == 2:
                ends = self._named[1:]  # the step of the last piece of a row
            yield say(
                "{pieces} from {start} to {end}",
                pieces=several(self._game.kinds[first.piece.kind], n),
                start=", ".join(starts),
                end=", ".join(ends),
            )
        elif self._takes_at_end(first):
            victim = self._name(self._left.pop(first.end))
            yield say(
                "{piece} from {start} takes {victim} on {end}",
                piece=piece,
                start=first.start,
                victim=victim,
                end=first.end,
            )
        elif len(self._named) > 2 and self._goes_as_named(first):
            yield say("{piece} goes {route}", piece=piece, route="-".join(self._named))
        else:
            yield say(
                "{piece} from {start} to {end}", piece=piece, start=first.start, end=first.end
            )
        if first.became.kind != first.piece.kind:
            yield say("becomes {piece}", piece=self._name(first.became))

    def _takes_at_end(self, walk: _Walk) -> bool:
        victim = self._left.get(walk.end)
        return victim is not None and victim.owner is not None and not self._row

    def _goes_as_named(self, walk: _Walk) -> bool:
        return self._named[0] == walk.start and self._named[-1] == walk.end

    def _brought(self, cell: Place, piece: Piece) -> Message:
        """Return the phrase of a piece that came from beside the board."""
        if any(place.startswith("hand.") and n < 0 for place, (_, n) in self._trays.items()):
            return say("{piece} dropped on {place}", piece=self._name(piece), place=cell)
        return say("{piece} put on {place}", piece=self._name(piece), place=cell)

    def _taken(self) -> Iterator[Message]:
        """Yield what else left the board; pieces without an owner are eaten."""
        kinds = self._game.kinds
        eaten = Counter(piece.kind for piece in self._left.values() if piece.owner is None)
        if eaten:
            yield say("eats {pieces}", pieces=tuple(several(kinds[k], n) for k, n in eaten.items()))
        taken = {cell: piece for cell, piece in self._left.items() if piece.owner is not None}
        for kind, n in Counter(piece.kind for piece in taken.values()).items():
            if n > 1:
                yield say("takes {pieces}", pieces=several(kinds[kind], n))
            else:
                cell = next(cell for cell, piece in taken.items() if piece.kind == kind)
                yield say("takes {piece} on {place}", piece=say(kinds[kind]), place=cell)

    def _pushed(self) -> Iterator[Message]:
        """Yield the pieces of others that a row pushed along or off the board."""
        moved = Counter(walk.piece.kind for walk in self._driven)
        moved.update(piece.kind for piece in self._left.values())
        owners = {walk.piece.owner for walk in self._own}
        moved.update(piece.kind for piece in self._row if piece.owner not in owners)
        for kind, n in moved.items():
            yield say("pushes {pieces}", pieces=several(self._game.kinds[kind], n))
        if off := len(self._left):
            yield count("{n} leaves the board", "{n} leave the board", off)

    def _stocked(self) -> Iterator[Message]:
        """Yield what moved from one tray to another."""
        gone = {place: each for place, each in self._trays.items() if each[1] < 0}
        kinds = self._game.kinds
        pieces = tuple(several(kinds[kind], -n) for kind, n in gone.values())
        if pieces and all(place.startswith("pool.") for place in gone):
            yield say("takes {pieces} from the pool", pieces=pieces)
        elif pieces:
            yield say("takes {pieces}", pieces=pieces)

    def _name(self, piece: Piece) -> Message:
        return say(self._game.kinds[piece.kind])


def _is_same(piece: Piece, other: Piece) -> bool:
    return (piece.owner, piece.kind) == (other.owner, other.kind)


def _is_owned_alike(piece: Piece, other: Piece) -> bool:
    return piece.owner is not None and piece.owner == other.owner


def _cells_in(text: str, cells: Sequence[Place]) -> list[Place]:
    """Return the cells in a notation, in its order."""
    longest_first = sorted(cells, key=len, reverse=True)
    return re.findall("|".join(map(re.escape, longest_first)), text)


def _grown(
    game: AnyGame, before: Mapping[Place, Piece], after: Mapping[Place, Piece]
) -> dict[Place, tuple[str, int]]:
    """Return the kind in each changed tray, and by how many pieces it grew."""
    grown: dict[Place, tuple[str, int]] = {}
    for tray in game.trays():
        was, now = before.get(tray), after.get(tray)
        n = (now.count if now else 0) - (was.count if was else 0)
        piece = now or was
        if piece is not None and n:
            grown[tray] = piece.kind, n
    return grown
