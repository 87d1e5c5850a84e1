"""The rows of the reading benchmark, and the people in it."""

from __future__ import annotations

from random import Random

from benchmarks.reading_games import BenchmarkBoard, Case, boards, tables, with_presses
from benchmarks.reading_judge import Score
from benchmarks.reading_watcher import Watcher
from engine.games import make
from engine.reading.footprints import Sight
from tests.support.random_games import play_random
from tests.support.recorded import Recorded, Truth
from tests.support.simulated_match import SimulatedMatch


def test_each_seat_presses_its_button_after_each_of_its_plies() -> None:
    game = make("shogi")
    made = play_random(game, Random(3), plies=6, takebacks=0.5, answers=None)
    plies = [truth for truth in made.truth if not truth.back]
    assert len(plies) < len(made.truth)
    pressed = with_presses(made, game.seats, 0.25)
    lines = [line for line in pressed.lines if "press" in line]
    assert [line["press"] for line in lines] == [game.seats[ply.seat] for ply in plies]
    assert [line["t"] for line in lines] == [round(ply.let_go + 0.25, 4) for ply in plies]
    assert [line for line in pressed.lines if "press" not in line] == made.lines
    assert [line["t"] for line in pressed.lines] == sorted(line["t"] for line in pressed.lines)


def test_boards_with_sensed_trays_have_rows_in_which_people_press() -> None:
    rows = [board for board in boards() if board.pressed is not None]
    assert {(board.game, board.sensing) for board in rows} == {
        (board.game, board.sensing) for board in boards()
    }
    assert all(board.trays for board in rows)
    assert {board.pressed for board in rows} == {0.0, 0.25}
    assert len({board.senses for board in boards(["robotory"])}) == len(boards(["robotory"])) == 11


def test_a_presence_board_may_count_the_tokens_in_the_stocks() -> None:
    (board,) = (each for each in boards() if each.senses == "presence + stocks")
    game = make(board.game)
    recorded = play_random(game, Random(1), "presence", plies=4, pockets=board.pockets)
    assert recorded.header["pockets"] == board.pockets
    assert recorded.lines[0]["places"] == Sight(game, pockets=board.pockets).readings(game.start())
    assert recorded.lines[0]["places"]["stock.light.w"] == 2
    assert recorded.lines[0]["places"]["pool.w"] == 1


def test_blitz_is_left_out_of_the_last_rows() -> None:
    board = BenchmarkBoard("robotory", "presence", trays=True)
    results = []
    for seed, wrong in ((0, 0), (7, 5)):  # plain, blitz
        score = Score()
        score.fates.update({"read": 9, "wrong": wrong})
        results.append((Case(board, seed, 0.01), score))
    assert [case.lineup for case, _ in results] == ["plain", "blitz"]
    rows = [line.split(" | ") for line in tables(results)]
    found = {row[0]: (row[2], row[8]) for row in rows if "all" in row[0]}
    assert found == {"| all together": ("23", "5"), "| all but blitz": ("9", "0")}


def refill() -> tuple[Recorded, Truth]:
    """A refill of one token that no sensor of the board shows."""
    game = make("robotory")
    match = SimulatedMatch(game, Random(1), "presence", ["plain"], ("stock", "pool"))
    for text in ("P w d4", "P w e4"):
        match.move(game.parse_move(match.position, text))
    truth = match.move(game.parse_move(match.position, "F 1w"))
    return match.recorded(), truth


def test_people_who_press_do_not_name_what_no_sensor_shows() -> None:
    recorded, truth = refill()
    assert not truth.visible
    game = make("robotory")
    sight = Sight(game, "presence", ("stock", "pool"))

    def said(recorded: Recorded, *, presses: bool) -> list[float]:
        watcher = Watcher(recorded, game, sight, game.start(), presses=presses)
        watcher.watch()
        return [line["t"] for line in watcher.answers if line["choose"] == truth.text]

    assert said(recorded, presses=False) == [round(truth.let_go, 4)]
    assert said(recorded, presses=True) == []
    pressed = with_presses(recorded, game.seats, 0.25)
    (answered,) = said(pressed, presses=True)
    assert answered > truth.let_go + 0.9
