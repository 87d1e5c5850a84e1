"""Measure how often each reason is given, and how true it is: `python -m benchmarks why`.

In positions of beginners' games (half of the moves are the best one ply deep, the others random)
the best move and a doubtful or losing one are explained. Two kinds of reasons are judged:

* A piece is named as lost: it is *really lost* if the best answer, or one as good, takes it, pushes
  it off or carries it off from this place. Where the values of the game are known (`--values`,
  Robot Duel) an answer is as good if it gives nothing away. Elsewhere it may give away one point of
  a hundred in a search three plies deeper, or five points, which is fine at the usual help level:
  the table has both. A piece that will be lost *soon* is looked for within four plies of the line
  of a search four plies deeper. Both look one ply further than the reason did. With dice no answer
  is certain: then the throws that take the piece are counted again.
* A piece is named as saved: it is *really saved* if no such answer wins it; with dice, if fewer of
  the others' throws take it than without the move.

Times are processor time, so other work does not matter.
"""

from __future__ import annotations

import argparse
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.hard_positions import sign
from benchmarks.timing import after
from engine.game import CHANCE, Pass, Place
from engine.games import NAMES, make
from engine.match import AnyGame
from engine.search import Book, JudgedMove, search
from engine.search.evaluation import evaluator_of
from engine.search.explain import CODES, MoveReason, why
from engine.search.explain.facts import BoardFacts, MoveEffect, effects_of
from engine.search.explain.good import takes_from
from engine.search.grades import FINE
from firmware_host.players.help_levels import FINE_AT, USUAL_LEVEL
from firmware_host.storage.tablebase import book_of

AT_ONCE: Final = ("walks-into", "leaves", "still-attacked", "lets-push-off", "lets-carry-off")
"""Reasons that name a piece that may be lost at once …"""
SOON_LOST: Final = ("lets-attack", "loses-later", "soon-push-off")
"""… or soon."""
SAVED: Final = ("saves", "saves-push", "saves-carry")
"""Reasons that name a piece that is safe after the move."""
DEEPER: Final = 3
"""The check searches this many plies deeper than the move was judged, and one more for `soon`."""
SHALLOW: Final = 3
"""A reason rests on a search of at least this depth."""
CHECK_FACTOR: Final = 40
"""The check takes at most this many times as long as the search."""
LARGE: Final = 60
"""A board with more cells has long games."""
SOON: Final = 4
"""The number of plies after the move that count as soon."""

log = logging.getLogger(__name__)


def beginners(game: AnyGame, rng: Random) -> Iterator[Any]:
    """Yield positions of beginners' games, a few of each game."""
    longest, between = (60, 8) if len(game.cells()) > LARGE else (24, 4)
    while True:
        position, due = game.start(), rng.randrange(4, 4 + between)
        for ply in range(longest):
            legal = game.legal(position)
            if not legal or game.outcome(position):
                break
            chance = game.turn(position) == CHANCE
            if ply >= due and not chance and len(legal) > 2:
                yield position
                due = ply + rng.randrange(between, 2 * between)
            move = rng.choice(list(legal))
            if not chance and rng.random() < 0.5:
                move = search(game, position, stop=lambda: False, deepest=1).moves[0].move
            position = game.play(position, move)


def answers_to(
    judged: JudgedMove, seconds: float, book: Book | None
) -> list[tuple[MoveEffect, float]]:
    """Return the answers to a move, each with what it gives away of the chance; best first."""
    game, facts = judged.game, BoardFacts(judged.game, judged.position)
    after_move = game.play(judged.position, judged.move)
    if game.outcome(after_move) or not game.legal(after_move):
        return []
    if book is not None:
        moves = search(game, after_move, stop=lambda: True, book=book).moves
        values = [sign(each.plies or 0) / 2 for each in moves]
    else:
        deepest = max(judged.depth, SHALLOW) + DEEPER - 1  # one ply has been made
        moves = search(game, after_move, stop=after(seconds), deepest=deepest).moves
        values = [each.chance for each in moves]
    effects = (MoveEffect(facts, after_move, each.move) for each in moves)
    return [(effect, max(values) - value) for effect, value in zip(effects, values, strict=True)]


def is_lost_soon(judged: JudgedMove, place: Place, seconds: float) -> bool:
    """Return whether the piece on a place is lost in the expected line, also where it flees to."""
    game, facts = judged.game, BoardFacts(judged.game, judged.position)
    after_move = game.play(judged.position, judged.move)
    theirs, depth = game.turn(after_move), max(judged.depth, SHALLOW) + DEEPER
    found = search(game, after_move, stop=after(seconds), deepest=depth, every=False).moves[0]
    for effect in effects_of(facts, after_move, found.moves[:SOON]):
        if effect.seat == theirs and takes_from(effect, place):
            return True
        if effect.seat != theirs and effect.start == place and effect.end is not None:
            place = effect.end
    return False


def throws_taking(game: AnyGame, turns: Sequence[Any], place: Place) -> int:
    """Return the number of throws in some turns after which a move takes the piece on a place."""
    found = 0
    for turn in turns:
        owner = game.pieces(turn)[place].owner
        for throw in game.legal(turn):
            thrown = game.play(turn, throw)
            moves = [move for move in game.legal(thrown) if not isinstance(move, Pass)]
            pieces = (game.pieces(game.play(thrown, move)).get(place) for move in moves)
            found += any(piece is None or piece.owner != owner for piece in pieces)
    return found


def doubt(
    judged: JudgedMove, reason: MoveReason, seconds: float, book: Book | None
) -> float | None:
    """Return how doubtful it is that a piece that is named is really lost or saved.

    It is what the other side gives away of its chance if it takes the piece, 0 if the reason is
    certainly true, and 1 if it is wrong. None if no piece is named.
    """
    game, position = judged.game, judged.position
    after_move = game.play(position, judged.move)
    others = evaluator_of(game, position).opposing_turns
    if reason.code == "hurt-by-throws":
        counted = throws_taking(game, others(after_move)[:1], reason.places[0])
        return float(counted != reason.n)
    if reason.code == "saves" and reason.of:
        now = throws_taking(game, others(after_move), reason.places[0])
        return float(now >= throws_taking(game, others(position), reason.places[-1]))
    if not reason.places:
        return None
    place = reason.places[0]
    if reason.code in AT_ONCE:
        answers = answers_to(judged, seconds, book)
        return min((given for each, given in answers if takes_from(each, place)), default=1.0)
    if reason.code in SOON_LOST:
        return float(not is_lost_soon(judged, place, seconds))
    if reason.code in SAVED:
        answers = answers_to(judged, seconds, book)
        taking = [each for each, given in answers if given <= FINE and takes_from(each, place)]
        return float(any(each.exchange > 0 or not each.captured for each in taking))
    return None


def game_figures(
    name: str, count: int, seconds: float, values: Path | None
) -> tuple[Counter[str], str]:
    """Return how often each reason was given in a game, and a row of figures."""
    game, rng = make(name), Random(5)
    given: Counter[str] = Counter()
    explained, bad = 0, 0
    lost: list[float] = []
    saved: list[float] = []
    book = None if values is None else book_of(game, values)
    for position in islice(beginners(game, rng), count):
        result = search(game, position, stop=after(seconds))
        worse = [each for each in result.moves if each.grade in ("doubtful", "losing")]
        chosen = [result.moves[0], *([rng.choice(worse)] if worse else [])]
        for judged in chosen:
            reason = why(result, judged)
            if judged is not result.moves[0]:
                bad += 1
                explained += reason is not None
            if reason is not None:
                given[reason.code] += 1
                found = doubt(judged, reason, CHECK_FACTOR * seconds, book)
                if found is not None:
                    (saved if reason.code in SAVED else lost).append(found)
                if found is not None and found > FINE:
                    line = game.position_text(position), judged.text, found, reason
                    log.info("%s %s: %.3f %s", *line)
    row = [f"{sum(given.values())}", _share(explained, bad)]
    judged_by = (lost, FINE), (lost, FINE_AT[USUAL_LEVEL]), (saved, FINE)
    row += [_share(sum(each <= fine for each in doubts), len(doubts)) for doubts, fine in judged_by]
    return given, f"{name:11}" + "".join(f"{each:>20}" for each in row)


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "-"


def main(arguments: Sequence[str]) -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks why", description=__doc__)
    parser.add_argument("--positions", type=int, default=300, metavar="N", help="a game")
    parser.add_argument("--time", type=float, default=0.3, metavar="S", help="seconds a search")
    parser.add_argument("--game", action="append", choices=NAMES, help="only this one")
    parser.add_argument(
        "--values", type=Path, metavar="DIR", help="state directory with true values"
    )
    parser.add_argument("--wrong", action="store_true", help="print the reasons that are wrong")
    chosen = parser.parse_args(arguments)
    names = chosen.game or NAMES
    logging.basicConfig(format="wrong: %(message)s", level=logging.INFO if chosen.wrong else None)
    losses = (f"losses true ({fine * 100:.0f})" for fine in (FINE, FINE_AT[USUAL_LEVEL]))
    columns = ("sentences", "bad moves explained", *losses, "saves true")
    print(f"{'game':11}" + "".join(f"{each:>20}" for each in columns))
    table = {}
    for name in names:
        table[name], line = game_figures(name, chosen.positions, chosen.time, chosen.values)
        print(line, flush=True)
    print(f"\n{'reason':18}" + "".join(f"{name:>12}" for name in names))
    for code in CODES:
        row = [table[name][code] for name in names]
        if any(row):
            print(f"{code:18}" + "".join(f"{n or '-':>12}" for n in row))
    return 0
