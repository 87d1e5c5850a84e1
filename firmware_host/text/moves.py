"""Moves as a person tells them: `pawn from 7g to 7f`, `chick from B2 takes chick on B3`.

Everything is derived from what each game tells anyway: what stands where before and after, what the
row of a move passes (`Game.path`), and in which order its notation names cells. So a game that is
added tomorrow has words, too.
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

_known: WeakKeyDictionary[Match, Message] = WeakKeyDictionary()


def words_of(match: Match) -> Message:
    """Return the move that led to `match` in words.

    They are found out once a match and kept with it: a status tells all moves of a record anew,
    and to play three hundred of them again each time would cost more than to read what hands do.
    """
    if match not in _known:
        assert match.before is not None
        _known[match] = move_message(match.game, match.before.position, match.move, match.position)
    return _known[match]


def noted(words: Message, notation: str) -> Message:
    """Return a move in words with its notation beside it."""
    return say("{words} ({move})", words=words, move=notation)


def move_message(game: AnyGame, position: Any, move: AnyMove, after: Any = None) -> Message:
    """Return what a legal move does, in words; its notation where nothing can be told of it.

    The position `after` it need not be found out if it is known.
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
    deeds = tuple(_Told(game, position, after, move, text).deeds())
    if not deeds:
        return say("{move}", move=text)
    return listed(deeds)


@dataclass(frozen=True, slots=True)
class _Walk:
    """A man that went from a cell to another, and what he is there."""

    start: Place
    end: Place
    man: Piece
    became: Piece


class _Told:
    """What one move changes, sorted by what became of each man."""

    def __init__(
        self, game: AnyGame, position: Any, following: Any, move: AnyMove, text: str
    ) -> None:
        self._game = game
        before, after = game.pieces(position), game.pieces(following)
        changed = [cell for cell in game.cells() if before.get(cell) != after.get(cell)]
        self._left = {cell: before[cell] for cell in changed if cell in before}
        """What left its cell, and in the end what was taken there."""
        self._came = {cell: after[cell] for cell in changed if cell in after}
        """What came to a cell, and in the end what came from beside the board."""
        self._named = _cells_in(text, game.cells())
        walks = list(self._walks())
        turn = game.turn(position)
        own = [walk for walk in walks if walk.man.owner == turn] or walks
        self._own = sorted(own, key=lambda walk: walk.start not in self._named[:1])
        """Of several, the man that the notation names first comes first."""
        self._driven = [walk for walk in walks if walk not in own]
        # Men of one kind look alike, so of a row only its ends change; the path tells the rest.
        path = game.path(position, move)
        self._row = [before[cell] for cell in path if cell in before and cell not in changed]
        self._trays = _grown(game, before, after)

    def _walks(self) -> Iterator[_Walk]:
        """Pair what came with what left: the same man, else one of the same owner that became
        another; who is paired is no longer in `_left` and `_came`.
        """
        for same in (_is_same, _is_owned_alike):
            for end, became in list(self._came.items()):
                left = self._left.items()
                start = next((c for c, man in left if c != end and same(man, became)), None)
                if start is not None:
                    del self._came[end]
                    yield _Walk(start, end, self._left.pop(start), became)

    def deeds(self) -> Iterator[Message]:
        """Yield what the move does, one thing after the other."""
        groups: dict[tuple[Piece, str], list[_Walk]] = {}
        for walk in self._own:
            groups.setdefault((walk.man, walk.became.kind), []).append(walk)
        for walks in groups.values():
            yield from self._moved(walks)
        changed = [(cell, self._left.pop(cell, None), man) for cell, man in self._came.items()]
        for cell, was, man in changed:
            if was is None:
                yield self._brought(cell, man)
            elif was.kind != man.kind:
                name, became = self._name(was), self._name(man)
                yield say(
                    "{piece} on {place} becomes {other}", piece=name, place=cell, other=became
                )
        turned = Counter(man.kind for _, was, man in changed if was and was.kind == man.kind)
        for kind, n in turned.items():
            yield say("turns over {pieces}", pieces=several(self._game.kinds[kind], n))
        yield from self._pushed() if self._row or self._driven else self._taken()
        if not (self._own or self._came or self._left):
            yield from self._stocked()

    def _moved(self, walks: Sequence[_Walk]) -> Iterator[Message]:
        """Yield how men of one kind went: one by itself, or several side by side or in a row."""
        first = walks[0]
        man, n = self._name(first.man), len(walks) + self._row.count(first.man)
        if n > 1:
            starts, ends = [walk.start for walk in walks], [walk.end for walk in walks]
            if starts == self._named[:1] and len(self._named) == 2:
                ends = self._named[1:]  # the step of the last of a row
            yield say(
                "{pieces} from {start} to {end}",
                pieces=several(self._game.kinds[first.man.kind], n),
                start=", ".join(starts),
                end=", ".join(ends),
            )
        elif self._takes_at_end(first):
            victim = self._name(self._left.pop(first.end))
            yield say(
                "{piece} from {start} takes {victim} on {end}",
                piece=man,
                start=first.start,
                victim=victim,
                end=first.end,
            )
        elif len(self._named) > 2 and self._goes_as_named(first):
            yield say("{piece} goes {route}", piece=man, route="-".join(self._named))
        else:
            yield say("{piece} from {start} to {end}", piece=man, start=first.start, end=first.end)
        if first.became.kind != first.man.kind:
            yield say("becomes {piece}", piece=self._name(first.became))

    def _takes_at_end(self, walk: _Walk) -> bool:
        victim = self._left.get(walk.end)
        return victim is not None and victim.owner is not None and not self._row

    def _goes_as_named(self, walk: _Walk) -> bool:
        return self._named[0] == walk.start and self._named[-1] == walk.end

    def _brought(self, cell: Place, man: Piece) -> Message:
        """Return that a man came from beside the board."""
        if any(place.startswith("hand.") and n < 0 for place, (_, n) in self._trays.items()):
            return say("{piece} dropped on {place}", piece=self._name(man), place=cell)
        return say("{piece} put on {place}", piece=self._name(man), place=cell)

    def _taken(self) -> Iterator[Message]:
        """Yield what else left the board: what is nobody's is eaten up."""
        kinds = self._game.kinds
        eaten = Counter(man.kind for man in self._left.values() if man.owner is None)
        if eaten:
            yield say("eats {pieces}", pieces=tuple(several(kinds[k], n) for k, n in eaten.items()))
        taken = {cell: man for cell, man in self._left.items() if man.owner is not None}
        for kind, n in Counter(man.kind for man in taken.values()).items():
            if n > 1:
                yield say("takes {pieces}", pieces=several(kinds[kind], n))
            else:
                cell = next(cell for cell, man in taken.items() if man.kind == kind)
                yield say("takes {piece} on {place}", piece=say(kinds[kind]), place=cell)

    def _pushed(self) -> Iterator[Message]:
        """Yield which men of others a row of men moved along or off the board."""
        moved = Counter(walk.man.kind for walk in self._driven)
        moved.update(man.kind for man in self._left.values())
        owners = {walk.man.owner for walk in self._own}
        moved.update(man.kind for man in self._row if man.owner not in owners)
        for kind, n in moved.items():
            yield say("pushes {pieces}", pieces=several(self._game.kinds[kind], n))
        if off := len(self._left):
            yield count("{n} leaves the board", "{n} leave the board", off)

    def _stocked(self) -> Iterator[Message]:
        """Yield what went from one place beside the board to another."""
        gone = {place: each for place, each in self._trays.items() if each[1] < 0}
        kinds = self._game.kinds
        men = tuple(several(kinds[kind], -n) for kind, n in gone.values())
        if men and all(place.startswith("pool.") for place in gone):
            yield say("takes {pieces} from the pool", pieces=men)
        elif men:
            yield say("takes {pieces}", pieces=men)

    def _name(self, man: Piece) -> Message:
        return say(self._game.kinds[man.kind])


def _is_same(man: Piece, other: Piece) -> bool:
    return (man.owner, man.kind) == (other.owner, other.kind)


def _is_owned_alike(man: Piece, other: Piece) -> bool:
    return man.owner is not None and man.owner == other.owner


def _cells_in(text: str, cells: Sequence[Place]) -> list[Place]:
    """Return the cells that a notation names, in its order."""
    longest_first = sorted(cells, key=len, reverse=True)
    return re.findall("|".join(map(re.escape, longest_first)), text)


def _grown(
    game: AnyGame, before: Mapping[Place, Piece], after: Mapping[Place, Piece]
) -> dict[Place, tuple[str, int]]:
    """Return, of each tray that has changed, what kind lies there and by how many it grew."""
    grown: dict[Place, tuple[str, int]] = {}
    for tray in game.trays():
        was, now = before.get(tray), after.get(tray)
        n = (now.count if now else 0) - (was.count if was else 0)
        man = now or was
        if man is not None and n:
            grown[tray] = man.kind, n
    return grown
