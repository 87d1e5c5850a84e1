"""Each reason that is given in beginners' games is a fact by the rules.

The checks know nothing of how reasons are found: they look only at legal moves and at pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import Any

import pytest

from benchmarks.why import beginners
from engine.game import CHANCE, Pass, Piece, Place, Throw
from engine.games import NAMES, make
from engine.search import JudgedMove, search
from engine.search.explain import MoveReason, why
from tests.support.sampling import a_few

LOOKS = 20
"""Searches look this often whether they are to stop, every 32 positions."""
EXPLAINED = 5
"""At most this many bad moves of a position are explained."""


class Facts:
    """What the rules say of one move."""

    def __init__(self, game: Any, position: Any, move: Any, best: Any) -> None:
        self.game = game
        self.seat = game.turn(position)
        self.position = position
        self.move = move
        self.best = best
        self.after = game.play(position, move)
        self.before_pieces = game.pieces(position)
        self.after_pieces = game.pieces(self.after)

    # ---- positions

    def passed(self, position: Any) -> Any:
        """Return the position with the other of two sides to move."""
        if hasattr(position, "passed"):
            return position.passed()
        return position._replace(turn=1 - position.turn)

    def legal(self, position: Any) -> list[Any]:
        return [m for m in self.game.legal(position) if not isinstance(m, Pass | Throw)]

    # ---- what moves do

    def takes(self, position: Any, move: Any, place: Place) -> Piece | None:
        """Return the piece of another owner that a move replaces by one of the mover's."""
        was = self.game.pieces(position).get(place)
        now = self.game.pieces(self.game.play(position, move)).get(place)
        seat = self.game.turn(position)
        taken = was is not None and was.owner not in (seat, None) and now is not None
        return was if taken and now.owner == seat else None

    def takers(self, position: Any, place: Place) -> Iterator[tuple[Any, Place | None]]:
        """Yield the legal moves that take the piece on a place, with where they start."""
        pieces = self.game.pieces(position)
        for move in self.legal(position):
            if self.takes(position, move, place):
                after = self.game.pieces(self.game.play(position, move))
                left = [cell for cell in self.game.cells() if cell in pieces and cell not in after]
                yield move, left[0] if len(left) == 1 else None

    def can_take(self, position: Any, start: Place, place: Place) -> bool:
        return any(found == start for _, found in self.takers(position, place))

    def attacks(self, start: Place, place: Place) -> bool:
        """Return whether the mover could take that piece if the other side passed."""
        if self.after_pieces[place].kind == "K" and self.game.name == "shogi":
            return any(
                start in threat.by and threat.kind == "check"
                for threat in self.game.threats(self.after)
            )
        if self.game.name == "chaturaji":
            turn = self.after._replace(seat=self.seat, dice=())
            thrown = (self.game.play(turn, throw) for throw in self.game.legal(turn))
            return any(self.can_take(each, start, place) for each in thrown)
        return self.can_take(self.passed(self.after), start, place)

    def pushes(self, position: Any, place: Place) -> bool:
        return any(move.ejects and move.pushed[-1] == place for move in self.game.legal(position))

    def goes_home(self, position: Any, move: Any, place: Place | None, kind: str) -> bool:
        """Return whether a move brings a robot, from a place if that is given, home."""
        own = self.game.camps[self.game.turn(position)]
        (start,) = (p for p, each in self.game.pieces(position).items() if each.kind == kind)
        after = self.game.pieces(self.game.play(position, move))
        (end,) = (p for p, each in after.items() if each.kind == kind)
        return place in (None, start) and start not in own and end in own

    def throws_against(self, position: Any, place: Place) -> list[int]:
        """Return for each other player of Chaturaji, in turn, the throws that take on a place."""
        counts = []
        for number in (1, 2, 3):
            turn = position._replace(seat=(self.position.seat + number) % 4, dice=())
            if self.game.turn(turn) != CHANCE or turn.out >> turn.seat & 1:
                continue
            thrown = [self.game.play(turn, throw) for throw in self.game.legal(turn)]
            counts.append(sum(any(m.target == place for m in self.legal(each)) for each in thrown))
        return counts

    def exchange_goes(
        self, position: Any, place: Place, taken: tuple[str, ...], first: str
    ) -> bool:
        """Return whether both sides can take these kinds on a place, one after the other.

        The first of them may have promoted on that place; it was a `first`.
        """
        if not taken:
            return True
        for move, _ in self.takers(position, place):
            kind = self.game.pieces(position)[place].kind
            if kind == taken[0] or (first == taken[0] and kind in (first, f"+{first}")):
                following = self.game.play(position, move)
                if self.exchange_goes(following, place, taken[1:], ""):
                    return True
        return False


def wins(game: Any, position: Any, move: Any, ending: str) -> bool:
    outcome = game.outcome(game.play(position, move))
    return bool(outcome and game.turn(position) in outcome.winners and outcome.reason == ending)


def forced_win(facts: Facts, position: Any, seat: int, plies: int) -> bool:
    """Return whether a side can force a win within some plies."""
    game = facts.game
    outcome = game.outcome(position)
    if outcome is not None:
        return seat in outcome.winners
    if not plies:
        return False
    results = (
        forced_win(facts, game.play(position, move), seat, plies - 1)
        for move in game.legal(position)
    )
    return any(results) if game.turn(position) == seat else all(results)


def holds(facts: Facts, said: MoveReason) -> bool:
    game, position, after, move = facts.game, facts.position, facts.after, facts.move
    seat, places, kinds = facts.seat, said.places, said.kinds
    place = places[0] if places else ""
    standing = facts.after_pieces.get(place)
    match said.code:
        case "wins":
            return wins(game, position, move, said.ending)
        case "misses-win":
            return any(wins(game, position, each, said.ending) for each in facts.legal(position))
        case "lets-win":
            replies = [each for each in facts.legal(after) if wins(game, after, each, said.ending)]
            if len(places) > 1:
                assert said.ending.endswith("captured") or said.ending in ("mate", "try")
                starts = [p for p in game.cells() if p == places[1]]
                replies = [
                    each for each in replies
                    if starts[0] not in game.pieces(game.play(after, each))
                ]  # fmt: skip
            ends = [
                each for each in replies
                if not places or said.ending == "six-ejected"
                or game.pieces(game.play(after, each))[place].kind == kinds[0]
            ]  # fmt: skip
            return bool(ends)
        case "pushes-off":
            return bool(move.ejects and move.pushed[-1] == place)
        case "misses-push":
            return facts.pushes(position, place)
        case "lets-push-off":
            return facts.pushes(after, place)
        case "threatens-push":
            new = not any(each.ejects for each in game.legal(position))
            return new and facts.pushes(facts.passed(after), place)
        case "saves-push":
            before = facts.pushes(facts.passed(position), places[-1])
            return before and not facts.pushes(after, place)
        case "takes-for-nothing":
            taken = facts.takes(position, move, place)
            if game.name == "chaturaji":
                free = not sum(facts.throws_against(after, place))
            else:
                free = not any(facts.takers(after, place))
            return taken is not None and taken.kind == kinds[0] and free
        case "takes-protected":
            takers = [each for each, _ in facts.takers(after, place)]
            back = [any(facts.takers(game.play(after, each), place)) for each in takers]
            return facts.takes(position, move, place) is not None and bool(back) and all(back)
        case "wins-exchange":
            taken = facts.takes(position, move, place)
            assert taken is not None
            pairs = zip(said.lost, (*said.won[1:], ""), strict=False)
            order = tuple(kind for pair in pairs for kind in pair if kind)
            goes = facts.exchange_goes(after, place, order, said.lost[0])
            return taken.kind == said.won[0] == kinds[0] and goes
        case "takes-at-risk":
            taken = facts.takes(position, move, place)
            counts = facts.throws_against(after, place)
            kind_there = standing is not None and standing.kind == kinds[1]
            counted = (said.n, said.of) == (sum(counts), 4 * len(counts))
            return taken is not None and taken.kind == kinds[0] and kind_there and counted
        case "hurt-by-throws":
            first = facts.throws_against(after, place)[0]
            own = standing is not None and (standing.owner, standing.kind) == (seat, kinds[0])
            return own and (said.n, said.of) == (first, 4)
        case "saves" if said.of:
            now = facts.throws_against(after, place)
            then = facts.throws_against(position, places[-1])
            counted = (said.n, said.then, said.of) == (sum(then), sum(now), 4 * len(then))
            return counted and now[0] < then[0] and sum(now) < sum(then)
        case "saves":
            could = any(facts.takers(facts.passed(position), places[-1]))
            takers = [each for each, _ in facts.takers(after, place)]
            protected = all(any(facts.takers(game.play(after, each), place)) for each in takers)
            return could and protected and standing is not None and standing.kind == kinds[0]
        case "saves-carry":
            other = facts.passed(position)
            could = any(
                facts.goes_home(other, each, places[-1], kinds[0]) for each in facts.legal(other)
            )
            return could and not any(
                facts.goes_home(after, each, place, kinds[0]) for each in facts.legal(after)
            )
        case "brings-home":
            return place in game.camps[seat] and facts.goes_home(position, move, None, kinds[0])
        case "misses-carry":
            return facts.goes_home(position, facts.best, None, kinds[0])
        case "threatens-carry":
            again = facts.passed(after)
            return any(facts.goes_home(again, each, place, kinds[0]) for each in facts.legal(again))
        case "misses-threat-carry":
            again = facts.passed(game.play(position, facts.best))
            return any(facts.goes_home(again, each, place, kinds[0]) for each in facts.legal(again))
        case "lets-carry-off":
            return any(facts.goes_home(after, each, place, kinds[0]) for each in facts.legal(after))
        case "lets-threaten-carry":
            replies = (facts.passed(game.play(after, each)) for each in facts.legal(after))
            return any(
                facts.goes_home(again, each, place, kinds[0])
                for again in replies
                for each in facts.legal(again)
            )
        case "walks-into" | "leaves":
            taker = facts.after_pieces[places[1]].kind == kinds[1]
            came = standing is not None and (
                said.code == "leaves" or facts.before_pieces.get(place) != standing
            )
            named = standing is not None and standing.kind == kinds[0]
            return taker and came and named and facts.can_take(after, places[1], place)
        case "still-attacked":
            before = facts.can_take(facts.passed(position), places[1], place)
            named = standing is not None and standing.kind == kinds[0]
            return before and named and facts.can_take(after, places[1], place)
        case "forks":
            return all(facts.attacks(place, each) for each in places[1:3])
        case "checks" | "threatens":
            return facts.attacks(place, places[1])
        case "misses-fork" | "misses-threat":
            return all(
                Facts(game, position, facts.best, facts.best).attacks(place, each)
                for each in places[1:]
            )
        case "misses-capture":
            taken = facts.takes(position, facts.best, place)
            return taken is not None and taken.kind == kinds[0]
        case "promotes":
            was = [piece.kind for piece in facts.before_pieces.values() if piece.owner == seat]
            return standing is not None and standing.kind == kinds[1] and kinds[0] in was
        case "lets-promote":
            replies = (game.pieces(game.play(after, each)) for each in facts.legal(after))
            return kinds[0] != kinds[1] and any(
                place in each and each[place].kind == kinds[1] and each[place] != standing
                for each in replies
            )
        case "lets-fork" | "lets-attack":
            by, at = (kinds[0], place) if said.code == "lets-fork" else (kinds[1], places[1])
            replies = (game.pieces(game.play(after, each)) for each in facts.legal(after))
            comes = any(at in each and each[at].kind == by for each in replies)
            named = dict(zip(places, kinds, strict=True))
            del named[at]
            return comes and all(
                (facts.after_pieces[each].owner, facts.after_pieces[each].kind) == (seat, kind)
                for each, kind in named.items()
            )
        case "loses-later":
            return standing is not None and (standing.owner, standing.kind) == (seat, kinds[0])
        case "soon-push-off":
            return not places or (standing is not None and standing.owner == seat)
        case "goes-outwards":
            return _distances(facts, facts.after_pieces) > _distances(facts, facts.before_pieces)
        case "wins-by-force":
            short = 0 < said.n <= 2
            return not short or forced_win(facts, position, seat, 2 * said.n - 1)
        case "loses-by-force":
            short = 0 < said.n <= 1
            return not short or forced_win(facts, after, 1 - seat, 2 * said.n - 1)
    raise AssertionError(f"nothing checks {said}")


def _distances(facts: Facts, pieces: dict[Place, Piece]) -> int:
    """Return the sum of the rings of the mover's marbles, counted from the middle."""
    (middle_column, middle_row) = facts.game.coordinates("e5")
    total = 0
    for place, piece in pieces.items():
        if piece.owner == facts.seat and place in facts.game.cells():
            column, row = facts.game.coordinates(place)
            across, up = column - middle_column, row - middle_row
            total += max(abs(across), abs(up), abs(across - up))
    return total


def reasons(name: str, seed: int, positions: int) -> Iterator[tuple[Facts, MoveReason]]:
    """Yield reasons for best and for bad moves in games of beginners."""
    game, rng = make(name), Random(seed)
    for position in islice(beginners(game, rng), positions):
        looks = count()
        result = search(game, position, stop=lambda looks=looks: next(looks) >= LOOKS)
        bad = [each for each in result.moves if each.grade in ("doubtful", "losing")]
        chosen: list[JudgedMove] = [result.moves[0], *rng.sample(bad, min(EXPLAINED, len(bad)))]
        for judged in chosen:
            looks = count()
            said = why(result, judged, lambda looks=looks: next(looks) >= LOOKS)
            if said is not None:
                yield Facts(game, position, judged.move, result.moves[0].move), said


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("seed", "positions"), a_few([(2, 15), (3, 120), (4, 120)]))
def test_every_reason_is_a_fact(name: str, seed: int, positions: int) -> None:
    given = 0
    for facts, said in reasons(name, seed, positions):
        given += 1
        game = facts.game
        move = game.move_text(facts.position, facts.move)
        assert holds(facts, said), f"{game.position_text(facts.position)} {move}: {said}"
    assert given > positions
