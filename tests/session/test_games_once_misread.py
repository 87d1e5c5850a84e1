"""Whole games of the benchmark that were once misread, each for a cause of its own."""

from __future__ import annotations

import pytest

from benchmarks.reading_games import BenchmarkBoard, Case, read

pytestmark = pytest.mark.deep

GAMES = (
    # a piece is put down where another has just left, to be taken off
    (BenchmarkBoard("robot-duel", "polarity", trays=False), 34),
    # a drop where a piece stood that took another between two looks
    (BenchmarkBoard("robot-duel", "polarity", trays=False), 60006),
    (BenchmarkBoard("robot-duel", "polarity", trays=False), 60019),
    # a piece that rocks where it stands looks as if it had left
    (BenchmarkBoard("robot-duel", "polarity", trays=False), 62033),
    # much was touched before, though no sensor sticks: then it is asked at least
    (BenchmarkBoard("robot-duel", "polarity", trays=False), 62073),
    # a piece that was fumbled with for long, though no sensor sticks
    (BenchmarkBoard("robot-duel", "polarity", trays=True), 62081),
    # two moves taken back after the end of the match, one of them a capture
    (BenchmarkBoard("robot-duel", "polarity", trays=True), 62087),
    # a drop where a piece has just left, who was away for too long to be bumped into
    (BenchmarkBoard("robot-duel", "presence", trays=False), 73058),
    # the piece that a hand tries a move with, and then takes with, was no takeback
    (BenchmarkBoard("robot-duel", "polarity", trays=False), 76128),
    # a quick reply while the match seems to be over is no clearing of the board
    (BenchmarkBoard("robot-duel", "presence", trays=True), 73002),
    # a piece taken between two looks lay in a tray, and is dropped from there
    (BenchmarkBoard("robot-duel", "polarity", trays=True), 14082),
    # a marble that is slid back rocks, and its other sensor lets go of it a moment later
    (BenchmarkBoard("abalone", "polarity", trays=True), 47),
    # tokens are taken off beyond a robot that the other player moves on after that
    (BenchmarkBoard("robotory", "polarity", trays=True), 129),
    # two tokens are placed at almost the same time, and one of them is nudged
    (BenchmarkBoard("robotory", "presence", trays=True, counts=True), 11),
    (BenchmarkBoard("robotory", "presence", trays=True, counts=True), 55),
    # a piece rests on the way of another line, and a neighbour is knocked meanwhile: no captive
    (BenchmarkBoard("shogi", "presence", trays=False), 1026),
    # the last move has the text of an earlier one that is asked about
    (BenchmarkBoard("robot-duel", "presence", trays=False), 7),
)

TOLD = (
    # a piece that is straightened while the other player moves
    (BenchmarkBoard("robot-duel", "polarity", trays=True), 3343),
    # a piece that is lifted right after another was straightened, and held for a moment
    (BenchmarkBoard("robot-duel", "polarity", trays=True), 3725),
    # a robot is carried on before the other player takes a token, to where nobody sees it come
    (BenchmarkBoard("robotory", "polarity", trays=True), 2047),
    # nobody holds the robot that is still in a hand
    (BenchmarkBoard("robotory", "polarity", trays=True), 3015),
)

READ = (
    # a piece leaves the place where it had taken another, which is no captive going on from there
    (BenchmarkBoard("robot-duel", "polarity", trays=True), 27),
    # two pieces that only go to and fro, and no capture after a capture that no sensor saw
    (BenchmarkBoard("robot-duel", "presence", trays=False), 31),
    # a piece that is slid is no captive that is shoved aside
    (BenchmarkBoard("robot-duel", "presence", trays=False), 56),
)


@pytest.mark.parametrize(("board", "seed"), GAMES)
def test_nothing_stands_wrong(board: BenchmarkBoard, seed: int) -> None:
    fates = read(Case(board, seed, board.look())).fates
    assert fates.total() > 0
    assert (fates["wrong"], fates["unread"]) == (0, 0)


@pytest.mark.parametrize(("board", "seed"), TOLD)
def test_nothing_is_asked_that_sensors_tell(board: BenchmarkBoard, seed: int) -> None:
    fates = read(Case(board, seed, board.look())).fates
    assert fates["read"] == fates.total() > 0


@pytest.mark.parametrize(("board", "seed"), READ)
def test_everything_is_read_without_asking(board: BenchmarkBoard, seed: int) -> None:
    fates = read(Case(board, seed, board.look())).fates
    assert fates["read"] == fates.total() > 0


def test_a_player_who_has_taken_a_piece_from_the_tray_has_begun() -> None:
    """The next piece that the other player lifts belongs to the ply after the drop."""
    board = BenchmarkBoard("robot-duel", "polarity", trays=True)
    fates = read(Case(board, 19, board.look())).fates
    assert fates["read"] == fates.total() - 1  # the last move of the match is asked about
