"""The beam: which hypotheses are kept."""

from __future__ import annotations

from itertools import permutations

from engine.games import make
from engine.match import Match
from engine.reading.beam import kept_of
from engine.reading.evidence import TWINS, WIDTH
from engine.reading.footprints import Sight
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis, PlyRecord, Way

UNLIKELY = 1.2
STOOD = PlyRecord(Way.ARRIVED, 9.0)


def after_takebacks(number: int) -> PlyRecord:
    return PlyRecord(Way.START, 9.0, taken_back=number)


def orders_of_four(sight: Sight, match: Match) -> list[History]:
    """Return histories that place four tokens in different orders."""
    ways = []
    for cells in permutations(("a1", "b1", "c1", "d1")):
        line = History.of(match, sight)
        for cell in cells:
            line = line.step(line.match.game.parse_move(line.match.position, f"P w {cell}"))
        ways.append(line)
    return ways


def test_unlikely_lines_that_end_alike_do_not_crowd_out_others() -> None:
    """Hands continue from them in the same way, whatever came before."""
    game = make("robotory")
    sight, match = Sight(game), Match.begin(game)
    alike = [
        Hypothesis(line, STOOD, 9.0, UNLIKELY + 0.1 + n / 1000, {})
        for line in orders_of_four(sight, match)
        for n in range(WIDTH // 8)
    ]
    start = History.of(match, sight)
    best, other = (
        Hypothesis(start, PlyRecord(Way.START, 0.0), 9.0, 0.0, {}),
        Hypothesis(start, PlyRecord(Way.START, 0.0), 8.0, UNLIKELY + 0.6, {}),
    )
    kept = kept_of({each: each.cost for each in (best, *alike, other)})
    assert len(kept) == 1 + TWINS * TWINS + 1
    assert other in kept


def test_histories_that_differ_by_unseen_moves_do_not_crowd_out_seen_ones() -> None:
    """With a refill between any two moves one history becomes many that look the same."""
    game = make("robotory")
    sight = Sight(game, unsensed=("stock", "pool"))

    def line(*texts: str) -> History:
        found = History.of(Match.begin(game), sight)
        for text in texts:
            found = found.step(game.parse_move(found.match.position, text))
        return found

    dark, light = ("F 1w", "F 1b"), ("F 2w", "F 1w1b", "F 2b")
    refilled = [line("P w a1", "P w b1", "P w c1", d, its, "P w d1") for d in dark for its in light]
    placed_otherwise = line("P w c1", "P w b1", "P w a1", "F 1w", "F 2w", "P w d1")
    alike = [
        Hypothesis(each, STOOD, 9.0, n / 1000, {}) for n in range(WIDTH // 4) for each in refilled
    ]
    other = Hypothesis(placed_otherwise, STOOD, 9.0, 0.5, {})
    kept = kept_of({each: each.cost for each in (*alike, other)})
    assert len(kept) == TWINS + 1
    assert other in kept


def test_a_line_is_not_given_up_for_plies_that_were_taken_back() -> None:
    game = make("robot-duel")
    line = start = History.of(Match.begin(game), Sight(game))
    for text in ("B4C3", "B1A2", "C3B4", "A2B1", "B4C3", "B1A2"):
        line = line.step(game.parse_move(line.match.position, text))
    best = Hypothesis(line, STOOD, 9.0, 0.0, {})
    back = Hypothesis(start, after_takebacks(6), 9.0, 0.1, {})
    near = Hypothesis(start, after_takebacks(1), 9.0, 0.1, {})
    fewer = Hypothesis(start, after_takebacks(1), 9.0, 1.0, {})
    guesses = {each: each.cost for each in (best, back, near, fewer)}
    assert kept_of(guesses) == [best, back, near]  # hypotheses that may be right stay


def test_a_hypothesis_that_pauses_everywhere_is_dropped() -> None:
    """A hand may go on from where it stopped, and pays nothing for that then; but what explains
    nothing for long would seem the cheapest, and hide that others have made more plies.
    """
    game = make("robot-duel")
    start = line = History.of(Match.begin(game), Sight(game))
    for text in ("B4C3", "B1A2"):
        line = line.step(game.parse_move(line.match.position, text))
    best = Hypothesis(line, STOOD, 9.0, 3.0, {})
    stopped = Hypothesis(start, after_takebacks(9), 9.0, 0.0, {}, pauses=12.0)
    waits = Hypothesis(start, after_takebacks(9), 9.0, 0.1, {}, pauses=4.0)
    assert kept_of({each: each.cost for each in (best, stopped, waits)}) == [waits, best]


def test_the_history_of_a_match_has_its_very_moments() -> None:
    game = make("robot-duel")
    match = Match.begin(game)
    for text in ("B3B2", "B1B2", "C4C3"):
        match = match.play(game.parse_move(match.position, text))
    line: History | None = History.of(match, Sight(game))
    moments = []
    while line is not None:
        moments.append(line.match)
        line = line.before
    assert moments[::-1] == [match.back(3), *match.steps()], "equal is only the same"
    another = Match.begin(game).play(match.steps()[0].move)
    along = History.of(match, Sight(game)).along(another)
    assert along.match.before is match.back(3)
