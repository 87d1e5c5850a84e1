"""Hard positions of Robot Duel with the true values of all their moves.

A position is hard if it is drawn, or won in seven plies or more, and some moves give that away. The
positions come from games of greedy players that sometimes move at random, the values from the
solved game: `python -m benchmarks search --derive DIR`, with its table in the state directory DIR.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.timing import after
from engine.games import make
from engine.match import AnyGame, Match
from engine.search import Book, Result, search

FILE: Final = Path(__file__).with_name("robot_duel_hard.json.xz")
COUNT: Final = 320
SOON: Final = 7
"""A win in fewer plies is not hard."""


@dataclass(frozen=True, slots=True)
class Hard:
    """A hard position."""

    text: str
    moves: dict[str, int]
    """The plies in which each move wins, or, negative, loses; 0 for a draw."""

    @property
    def best(self) -> int:
        """The value of the position: 1, 0 or -1."""
        return max(map(sign, self.moves.values()))

    def keeps(self, move: str) -> bool:
        """Return whether a move gives nothing away."""
        return sign(self.moves[move]) == self.best


def sign(plies: int) -> int:
    """Return 1 for a win, 0 for a draw, -1 for a loss."""
    return (plies > 0) - (plies < 0)


def kept() -> list[Hard]:
    """Return the positions in the file."""
    return [Hard(text, moves) for text, moves in json.loads(lzma.decompress(FILE.read_bytes()))]


def derive(book: Book, player: Callable[[Match], Any]) -> list[Hard]:
    """Return positions from games of this player, with their values from a complete book."""
    game, chance = make("robot-duel"), Random(11)
    found: dict[str, Hard] = {}
    while len(found) < COUNT:
        for match in _game(game, player, chance):
            hard = _valued(match, book)
            wins = [plies for plies in hard.moves.values() if plies > 0]
            easy = wins and min(wins) < SOON
            if hard.best >= 0 and not easy and any(not hard.keeps(move) for move in hard.moves):
                found.setdefault(hard.text, hard)
                break
    return list(found.values())[:COUNT]


def _game(game: AnyGame, player: Callable[[Match], Any], chance: Random) -> Iterator[Match]:
    """Yield some positions of a game, from a random one on."""
    match, first = Match.begin(game), chance.randrange(4, 40)
    while not match.outcome and match.plies < 60:
        if match.plies >= first:
            yield match
        by_chance = chance.random() < 0.3
        match = match.play(chance.choice(list(match.legal)) if by_chance else player(match))


def _valued(match: Match, book: Book) -> Hard:
    result = search(match.game, match.position, stop=lambda: True, book=book)
    moves = {judged.text: judged.plies for judged in result.moves if judged.plies is not None}
    assert len(moves) == len(result.moves)
    return Hard(match.game.position_text(match.position), moves)


def keep(positions: list[Hard]) -> None:
    """Write the file."""
    plain = json.dumps([(hard.text, hard.moves) for hard in positions], separators=(",", ":"))
    FILE.write_bytes(lzma.compress(plain.encode()))


def judged(hard: Hard, seconds: float, every: bool, book: Book | None = None) -> Result:
    """Return the result of the search after these seconds of processor time."""
    game = make("robot-duel")
    position = game.parse_position(hard.text)
    return search(game, position, stop=after(seconds), every=every, book=book)


def values_kept(positions: list[Hard], seconds: float, book: Book | None = None) -> int:
    """Return the number of positions in which the best move gives nothing away."""
    return sum(hard.keeps(judged(hard, seconds, False, book).moves[0].text) for hard in positions)


def grades(positions: list[Hard], seconds: float) -> dict[str, tuple[int, int]]:
    """Return for each kind of grade how many were true, and how many there were."""
    counts = {"forced losses": [0, 0], "other losing": [0, 0], "fine": [0, 0]}
    for hard in positions:
        for each in judged(hard, seconds, True).moves:
            keeps = hard.keeps(each.text)
            if each.grade == "losing" and each.chance == 0:
                name, true = "forced losses", hard.moves[each.text] < 0
            elif each.grade == "losing":
                name, true = "other losing", not keeps
            elif each.grade == "fine":
                name, true = "fine", keeps
            else:
                continue
            counts[name][0] += true
            counts[name][1] += 1
    return {name: (true, number) for name, (true, number) in counts.items()}
