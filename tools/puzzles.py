"""Make the puzzles and endgames that come with the program: `python -m tools.puzzles`.

Positions come from games of weak levels, so that they look like those of people. In each, one
first move is right and no other. For mates and pushes the rules prove it, for wins in Robot Duel
its table (`make tablebase`). Elsewhere a search finds that one move is far better than all others.
The same seed makes the same puzzles.

    python -m tools.puzzles                    # all games, some minutes
    python -m tools.puzzles abalone --seed 3
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

from benchmarks import mates
from engine.game import CHANCE, Throw
from engine.games import make
from engine.games.shogi.board import ShogiBoard
from engine.match import AnyGame, AnyMove, Match
from engine.search import Stop, search, stop_after
from engine.search.opponents import BY_NAME, choose
from engine.search.solved import winning_play
from engine.search.solved.winning_play import WinningPlay
from firmware_host.console.terminal import print_error, print_line
from firmware_host.games import game_file
from firmware_host.lessons import goals
from firmware_host.lessons.puzzles import FILE, KINDS
from firmware_host.storage.files import READABLE, put
from firmware_host.storage.paths import state_directory
from firmware_host.storage.tablebase import mapped, table_path
from tools.winning_play import GAME, Closure

SEED: Final = 1
PER_STOP: Final = 32
"""A search asks once in this many positions whether to stop."""
PER_MOVE: Final = 1_000
"""The positions that a player of the games searches for a move."""
PLAYERS: Final = ("newcomer", "first-steps", "first-steps", "sees-one")
FIRST_PLY: Final = 6
BETWEEN: Final = 7
"""The least number of plies between two puzzles of one game; odd, so that all seats are asked."""
LONGEST: Final = 120

COARSE, FINE, JUDGE = 2_000, 20_000, 100_000
"""The positions of the searches that find a best move, check it, and judge it."""
LEADS: Final = 0.12
"""How much of the winning chance every other move gives away, by the first two of them."""
LEADS_AT_LAST: Final = 0.1
"""The same, by the last."""
MOST_MOVES: Final = 1_500
"""A position with more legal moves takes too long."""

ENDGAMES: Final = range(5, 26, 2)
"""The plies in which the endgames are won."""
ENDGAMES_EACH: Final = 3
SLACK: Final = 2
"""An endgame may take this many plies longer than needed."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle as its file holds it."""

    kind: str
    position: str
    right: str
    difficulty: tuple[int, ...]
    moves: int = 0
    """Only in an endgame: the moves that the learner may take."""

    def line(self, game: str) -> str:
        """Return the line of the file."""
        digest = hashlib.sha256(f"{self.kind} {self.position}".encode()).hexdigest()
        moves = f", moves = {self.moves}" if self.moves else ""
        return (
            f'  {{ id = "{game}-p{digest[:6]}", kind = "{self.kind}"{moves}, '
            f'position = "{self.position}", right = "{self.right}" }},\n'
        )


Makers: TypeAlias = Mapping[str, Callable[[Random, Path], list[Puzzle]]]


def limit(positions: int) -> Stop:
    """Return a `stop` for a search of about this many positions."""
    return stop_after(positions // PER_STOP)


def played(game: AnyGame, chance: Random, between: int = BETWEEN) -> Iterator[Match]:
    """Yield moments of endless games of weak players, at which a seat is to move.

    At least `between` plies lie between two of them.
    """
    while True:
        match, due = Match.begin(game), FIRST_PLY + chance.randrange(between)
        while not match.outcome and match.plies < LONGEST:
            if game.turn(match.position) == CHANCE:
                match = match.play(chance.choice([e for e in match.legal if isinstance(e, Throw)]))
                continue
            if match.plies >= due:
                due = match.plies + between
                yield match
            match = match.play(_chosen(match, chance))


def _chosen(match: Match, chance: Random) -> AnyMove:
    level = BY_NAME[chance.choice(PLAYERS)]
    return choose(
        match.game,
        match.position,
        match.earlier,
        level=level,
        chance=chance.random,
        stop=limit(PER_MOVE),
    )


# ---- Shogi


def shogi(chance: Random, state: Path) -> list[Puzzle]:
    """Return mates from `benchmarks/shogi_mates.txt`: in two moves, where one first move is right,
    and in one, after a reply that leaves only one mate.
    """
    game = make("shogi")
    two, one = [], []
    for text, begins in mates.kept():
        position = game.parse_position(text)
        first = sorted(begins)[0]
        if len(begins) == 1:
            checks = len(mates.checks(ShogiBoard(position)))
            answers = len(game.legal(game.play(position, game.parse_move(position, first))))
            two.append(Puzzle("mate-2", text, first, (2, answers, checks)))
        else:
            one += _last_moves(game, position, first)
    chance.shuffle(two)
    chance.shuffle(one)
    return one[:20] + two[:50]


def _last_moves(game: AnyGame, position: Any, first: str) -> list[Puzzle]:
    """Return the mate in one after a first move and the first reply that leaves only one."""
    after = game.play(position, game.parse_move(position, first))
    for reply in sorted(game.legal(after), key=lambda move: game.move_text(after, move)):
        then = game.play(after, reply)
        mating = list(goals.leading({"win": "mate"}, game, then, then, 1))
        if len(mating) == 1:
            checks = len(mates.checks(ShogiBoard(then)))
            text, right = game.position_text(then), game.move_text(then, mating[0])
            return [Puzzle("mate-1", text, right, (1, checks))]
    return []


# ---- Robot Duel


def robot_duel(chance: Random, state: Path) -> list[Puzzle]:
    """Return wins in two to four moves where no other move wins, and endgames; write their play.

    They need the whole table in the directory `state`.
    """
    halves = b"".join(mapped(table_path(state)))  # 250 MB: much faster than block by block
    whole = WinningPlay(lambda number: 2 * halves[number], lambda number: 0)
    wanted = {"win-2": 14, "win-3": 14, "win-4": 12}
    endgames = dict.fromkeys(ENDGAMES, ENDGAMES_EACH)
    found: dict[str, Puzzle] = {}
    closure, game = Closure(whole), GAME
    last = -BETWEEN
    for match in played(game, chance, between=1):  # the positions that are wanted are rare
        position = match.position
        text, wins = game.position_text(position), whole.wins(game, position)
        if text in found or not wins or abs(match.plies - last) < BETWEEN:
            continue
        plies = min(wins.values())
        right = min(wins, key=lambda move: (wins[move], game.move_text(position, move)))
        kind = f"win-{(plies + 1) // 2}"
        if len(wins) == 1 and wanted.get(kind):
            if closure.add(position, plies):
                wanted[kind] -= 1
                legal = len(game.legal(position))
                found[text] = Puzzle(kind, text, game.move_text(position, right), (plies, legal))
                last = match.plies
        elif (
            endgames.get(plies)
            and 2 * len(wins) < len(game.legal(position))
            and closure.add(position, plies + SLACK)
        ):
            endgames[plies] -= 1
            moves = (plies + SLACK + 1) // 2
            first = game.move_text(position, right)
            found[text] = Puzzle("endgame", text, first, (100, plies), moves)
            last = match.plies
        if not any(wanted.values()) and not any(endgames.values()):
            break
    put(Path(winning_play.__file__).with_name(winning_play.FILE), closure.packed(), mode=READABLE)
    return list(found.values())


# ---- Abalone


def abalone(chance: Random, state: Path) -> list[Puzzle]:
    """Return pushes off the board: one that is safe, and by force with the second move."""
    game = make("abalone")
    wanted = {"push-safely": 12, "push-2": 32}
    found: dict[str, Puzzle] = {}
    for match in played(game, chance):
        position = match.position
        free = sum(threat.kind == "free" for threat in game.threats(position))
        kind = "push-safely" if free else "push-2"
        if not wanted[kind]:
            continue
        known = KINDS[kind]
        goal = known.goal("")
        reached = islice(goals.leading(goal, game, position, position, known.moves), 2)
        right = [game.move_text(position, move) for move in reached]
        if len(right) != 1 or not _is_sound(game, position, right[0]):
            continue
        wanted[kind] -= 1
        text, legal = game.position_text(position), len(game.legal(position))
        found[text] = Puzzle(kind, text, right[0], (known.moves, -free, legal))
        if not any(wanted.values()):
            break
    return list(found.values())


def _is_sound(game: AnyGame, position: Any, right: str) -> bool:
    """Return whether a search finds hardly a better move."""
    move = game.parse_move(position, right)
    judged = search(game, position, stop=limit(FINE), every=(move,)).moves
    mine = next(each for each in judged if each.move == move)
    return mine.chance > 0 and judged[0].chance - mine.chance < LEADS / 2


# ---- games with a best move


def best_moves(name: str, wanted: int) -> Callable[[Random, Path], list[Puzzle]]:
    """Return a maker of puzzles that ask for the best move."""

    def make_them(chance: Random, state: Path) -> list[Puzzle]:
        game = make(name)
        found: dict[str, Puzzle] = {}
        for match in played(game, chance):
            position = match.position
            if not 3 < len(game.legal(position)) < MOST_MOVES:
                continue
            right = is_best(game, position)
            if right is not None:
                text = game.position_text(position)
                found[text] = Puzzle("best", text, right, _hidden(game, position, right))
            if len(found) == wanted:
                return list(found.values())
        return []

    return make_them


def is_best(game: AnyGame, position: Any) -> str | None:
    """Return the move that three searches find far better than all others; None without one."""
    right = None
    for positions, lead in (COARSE, LEADS), (FINE, LEADS), (JUDGE, LEADS_AT_LAST):
        best, second, *_ = search(game, position, stop=limit(positions)).moves
        if best.chance - second.chance < lead or right not in (None, best.text):
            return None
        right = best.text
    return right


def _hidden(game: AnyGame, position: Any, right: str) -> tuple[int, ...]:
    """Return how hard a move is to see: its rank by a search of one ply, and their number."""
    seen = search(game, position, stop=lambda: False, deepest=1).moves
    return [each.text for each in seen].index(right), len(seen)


MAKERS: Final[Makers] = {
    "robot-duel": robot_duel,
    "shogi": shogi,
    "chaturaji": best_moves("chaturaji", 36),
    "robotory": best_moves("robotory", 36),
    "abalone": abalone,
}


def written(name: str, puzzles: Sequence[Puzzle]) -> str:
    """Return the text of the file with the puzzles of a game, the easiest first."""
    lines = [each.line(name) for each in sorted(puzzles, key=lambda each: each.difficulty)]
    head = f'# Written by `python -m tools.puzzles {name}`.\ngame = "{name}"\n'
    return f"{head}puzzles = [\n{''.join(lines)}]\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make puzzles as the command line says; return 0, or 1 after a line that says what failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="G", help="the games; without any, all")
    parser.add_argument("--seed", type=int, default=SEED, help="of the games that are played")
    parser.add_argument("--state", metavar="DIR", help="where the table of Robot Duel is kept")
    parsed = parser.parse_args(arguments)
    try:
        for name in parsed.games or MAKERS:
            if name not in MAKERS:
                raise ValueError(f"no puzzles of {name!r}; there are those of {', '.join(MAKERS)}")
            made = MAKERS[name](Random(parsed.seed), state_directory(parsed.state))
            file = game_file(name, FILE)
            put(file, written(name, made).encode(), mode=READABLE)
            print_line(f"{file}: {len(made)} puzzles")
    except (ValueError, OSError) as error:
        print_error(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
