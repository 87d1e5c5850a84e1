"""Make the puzzles and endgames that come with the program: `python -m tools.puzzles`.

Positions come from games of weak levels, so that they look like those of people. In each, one
first move is right and no other. For mates, pushes and throws the rules prove it, for wins in Robot
Duel its table (`make tablebase`). Elsewhere a search finds that one move is far better than all
others.

The puzzles that are there stay, as long as they are still proven: people's lists have their names.
New ones are made until there are enough. To make all of them new, empty the list in the file.

    python -m tools.puzzles                    # all games, some minutes
    python -m tools.puzzles abalone --seed 3
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tomllib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

from benchmarks import mates
from engine.game import CHANCE, Throw
from engine.games import make
from engine.games.shogi.board import ShogiBoard
from engine.match import AnyGame, AnyMove, Match
from engine.search import Stop, search, stop_after
from engine.search.explain.facts import BoardFacts, MoveEffect
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
from tools.winning_play import GAME, Closure, longest_defence

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
FEWEST_MOVES: Final = 4
MOST_MOVES: Final = 1_500
"""A position with fewer legal moves asks too little; one with more takes too long."""

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


@dataclass(frozen=True, slots=True)
class Source:
    """Where a maker finds positions and tables."""

    chance: Random
    """Of the games that are played."""
    state: Path
    """The directory with the table of Robot Duel."""
    there: Sequence[tuple[str, str]] = ()
    """The kind and the position of each puzzle that is there already."""

    def positions(self, *kinds: str) -> list[str]:
        """Return the positions of the puzzles of these kinds that are there already."""
        return [position for kind, position in self.there if kind in kinds]


Makers: TypeAlias = Mapping[str, Callable[[Source], list[Puzzle]]]


def gather(
    game: AnyGame,
    there: Iterable[str],
    fresh: Callable[[Container[str]], Iterator[Any]],
    wanted: Mapping[str, int],
    sort: Callable[[Any], str],
    prove: Callable[[Any, str], Puzzle | None],
) -> list[Puzzle]:
    """Return the wanted number of puzzles of each sort, first those from the positions `there`.

    `fresh` yields other positions; it is called with the positions that have a puzzle by then.
    `sort` returns the sort that a position may belong to, and `prove` its puzzle, or None if its
    first move is not proven.
    """
    left, found = dict(wanted), dict[str, Puzzle]()
    for position in chain(map(game.parse_position, there), fresh(found)):
        if not any(left.values()):
            break
        text = game.position_text(position)
        if text in found or not left.get(name := sort(position)):
            continue
        puzzle = prove(position, name)
        if puzzle is not None:
            left[name] -= 1
            found[text] = puzzle
    return list(found.values())


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


def shogi(source: Source) -> list[Puzzle]:
    """Return mates from `benchmarks/shogi_mates.txt`: in two moves, where one first move is right,
    and in one, after a reply that leaves only one mate.
    """
    game = make("shogi")

    def fresh(found: Container[str]) -> Iterator[Any]:
        two, one = [], []
        for text, begins in mates.kept():
            position = game.parse_position(text)
            if len(begins) == 1:
                two.append(position)
            else:
                one += _last_positions(game, position, sorted(begins)[0])
        source.chance.shuffle(two)
        source.chance.shuffle(one)
        yield from one + two

    def sort(position: Any) -> str:
        return "mate-1" if _mates_at_once(game, position) else "mate-2"

    def prove(position: Any, kind: str) -> Puzzle | None:
        board, text = ShogiBoard(position), game.position_text(position)
        one = kind == "mate-1"
        right = _mates_at_once(game, position) if one else list(mates.begins(board))
        if len(right) != 1:
            return None
        first, checks = game.move_text(position, right[0]), len(mates.checks(board))
        answers = len(game.legal(game.play(position, right[0])))
        return Puzzle(kind, text, first, (1, checks) if one else (2, answers, checks))

    wanted = {"mate-1": 20, "mate-2": 50}
    return gather(game, source.positions(*wanted), fresh, wanted, sort, prove)


def _mates_at_once(game: AnyGame, position: Any) -> list[AnyMove]:
    return list(goals.leading({"win": "mate"}, game, position, position, 1))


def _last_positions(game: AnyGame, position: Any, first: str) -> list[Any]:
    """Return the position after a first move and the first reply that leaves only one mate."""
    after = game.play(position, game.parse_move(position, first))
    for reply in sorted(game.legal(after), key=lambda move: game.move_text(after, move)):
        then = game.play(after, reply)
        if len(_mates_at_once(game, then)) == 1:
            return [then]
    return []


# ---- Robot Duel


def robot_duel(source: Source) -> list[Puzzle]:
    """Return wins in two to four moves where no other move wins, and endgames; write their play.

    They need the whole table.
    """
    halves = b"".join(mapped(table_path(source.state)))  # 250 MB: much faster than block by block
    whole = WinningPlay(lambda number: 2 * halves[number], lambda number: 0)
    wins = partial(whole.wins, GAME)
    made, play = won_positions(source, Closure(wins, partial(longest_defence, wins)))
    put(Path(winning_play.__file__).with_name(winning_play.FILE), play, mode=READABLE)
    return made


def won_positions(source: Source, closure: Closure) -> tuple[list[Puzzle], bytes]:
    """Return the puzzles and endgames of Robot Duel, and their play as its file holds it."""
    wanted = {"win-2": 14, "win-3": 14, "win-4": 12}
    wanted |= {f"endgame-{plies}": ENDGAMES_EACH for plies in ENDGAMES}

    def fresh(found: Container[str]) -> Iterator[Any]:
        last = -BETWEEN
        for match in played(GAME, source.chance, between=1):  # the wanted positions are rare
            if abs(match.plies - last) >= BETWEEN:
                yield match.position
                if GAME.position_text(match.position) in found:
                    last = match.plies

    def sort(position: Any) -> str:
        wins = closure.wins(position)
        if not wins:
            return ""
        plies = min(wins.values())
        kind = f"win-{(plies + 1) // 2}"
        if len(wins) == 1 and kind in wanted:
            return kind
        return f"endgame-{plies}" if 2 * len(wins) < len(GAME.legal(position)) else ""

    def prove(position: Any, kind: str) -> Puzzle | None:
        wins, text = closure.wins(position), GAME.position_text(position)
        plies, right = min((n, GAME.move_text(position, move)) for move, n in wins.items())
        endgame = kind.startswith("endgame")
        if not closure.add(position, plies + SLACK if endgame else plies):
            return None
        if endgame:
            return Puzzle("endgame", text, right, (100, plies), (plies + SLACK + 1) // 2)
        return Puzzle(kind, text, right, (plies, len(GAME.legal(position))))

    kinds = ("win-2", "win-3", "win-4", "endgame")
    return gather(GAME, source.positions(*kinds), fresh, wanted, sort, prove), closure.packed()


# ---- Abalone


def abalone(source: Source) -> list[Puzzle]:
    """Return pushes off the board: one that is safe, and by force with the second move."""
    game = make("abalone")

    def free(position: Any) -> int:
        return sum(threat.kind == "free" for threat in game.threats(position))

    def sort(position: Any) -> str:
        return "push-safely" if free(position) else "push-2"

    def prove(position: Any, kind: str) -> Puzzle | None:
        known = KINDS[kind]
        reached = islice(goals.leading(known.goal(""), game, position, position, known.moves), 2)
        right = [game.move_text(position, move) for move in reached]
        if len(right) != 1 or not _is_sound(game, position, right[0]):
            return None
        text, legal = game.position_text(position), len(game.legal(position))
        return Puzzle(kind, text, right[0], (known.moves, -free(position), legal))

    wanted = {"push-safely": 12, "push-2": 32}
    fresh = partial(_spread, game, source.chance)
    return gather(game, source.positions(*wanted), fresh, wanted, sort, prove)


def _spread(game: AnyGame, chance: Random, found: Container[str]) -> Iterator[Any]:
    """Yield positions of games, `BETWEEN` plies apart."""
    return (match.position for match in played(game, chance))


def _is_sound(game: AnyGame, position: Any, right: str) -> bool:
    """Return whether a search finds hardly a better move."""
    move = game.parse_move(position, right)
    judged = search(game, position, stop=limit(FINE), every=(move,)).moves
    mine = next(each for each in judged if each.move == move)
    return mine.chance > 0 and judged[0].chance - mine.chance < LEADS / 2


# ---- Chaturaji


def chaturaji(source: Source) -> list[Puzzle]:
    """Return positions with a best move, and others in which the raja is in danger: after one move
    fewer throws of the others take it than after any other. To count them is worth it: either some
    still take it then, or the other moves differ.
    """
    game = make("chaturaji")

    def prove(position: Any, kind: str) -> Puzzle | None:
        danger = _throws_at_raja(game, position)
        counted = goals.throws_by_move(game, position, "K") if danger else {}
        if len(counted) < FEWEST_MOVES:
            return None
        (fewest, right), (more, _), *_ = sorted((n, move) for move, n in counted.items())
        counts = len({*counted.values()})
        if not fewest < min(more, danger) or (fewest == 0 and counts == 2):
            return None
        if not _is_sound(game, position, right):
            return None
        difficulty = (1, fewest, fewest - more, len(counted))
        return Puzzle(kind, game.position_text(position), right, difficulty)

    kind = "fewest-throws"
    fresh = partial(_spread, game, source.chance)
    guarding = gather(game, source.positions(kind), fresh, {kind: 15}, lambda each: kind, prove)
    return best_moves("chaturaji", 36, source) + guarding


def _throws_at_raja(game: AnyGame, position: Any) -> int:
    """Return how many of the others' throws take the raja of the seat to move if it stays."""
    effect = MoveEffect(BoardFacts(game, position), position, game.legal(position)[0])
    pieces = effect.pieces_before.items()
    rajas = (place for place, each in pieces if (each.owner, each.kind) == (effect.seat, "K"))
    return sum(each.taking[place] for place in rajas for each in effect.throws_before)


# ---- games with a best move


def best_moves(name: str, wanted: int, source: Source) -> list[Puzzle]:
    """Return puzzles that ask for the best move."""
    game = make(name)

    def prove(position: Any, kind: str) -> Puzzle | None:
        if not FEWEST_MOVES <= len(game.legal(position)) < MOST_MOVES:
            return None
        right = is_best(game, position)
        if right is None:
            return None
        return Puzzle(kind, game.position_text(position), right, _hidden(game, position, right))

    fresh = partial(_spread, game, source.chance)
    return gather(
        game, source.positions("best"), fresh, {"best": wanted}, lambda each: "best", prove
    )


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
    "chaturaji": chaturaji,
    "robotory": partial(best_moves, "robotory", 36),
    "abalone": abalone,
}


def written(name: str, puzzles: Sequence[Puzzle]) -> str:
    """Return the text of the file with the puzzles of a game, the easiest first."""
    lines = [each.line(name) for each in sorted(puzzles, key=lambda each: each.difficulty)]
    head = f'# Written by `python -m tools.puzzles {name}`.\ngame = "{name}"\n'
    return f"{head}puzzles = [\n{''.join(lines)}]\n"


def read(file: Path) -> list[tuple[str, str]]:
    """Return the kind and the position of each puzzle of a file; none if there is no file."""
    if not file.exists():
        return []
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["puzzles"]
    return [(row["kind"], row["position"]) for row in rows]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make puzzles as the command line says; return 0, or 1 after a line that says what failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="G", help="the games; without any, all")
    parser.add_argument("--seed", type=int, default=SEED, help="of the games for new puzzles")
    parser.add_argument("--state", metavar="DIR", help="where the table of Robot Duel is kept")
    parsed = parser.parse_args(arguments)
    try:
        for name in parsed.games or MAKERS:
            if name not in MAKERS:
                raise ValueError(f"no puzzles of {name!r}; there are those of {', '.join(MAKERS)}")
            file = game_file(name, FILE)
            source = Source(Random(parsed.seed), state_directory(parsed.state), read(file))
            made = MAKERS[name](source)
            put(file, written(name, made).encode(), mode=READABLE)
            print_line(f"{file}: {len(made)} puzzles")
    except (ValueError, OSError) as error:
        print_error(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
