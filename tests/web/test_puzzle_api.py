"""What a page is told about puzzles: how far a learner has come, and the puzzle of the day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from starlette.testclient import TestClient

from engine.games import make
from engine.search.turning_points import TurningPoint
from firmware_host.host.simulated import SimulatedHost
from firmware_host.lessons.own_puzzles import OwnPuzzles
from firmware_host.lessons.puzzles import endgames_of, puzzle_of_the_day, puzzles_of
from firmware_host.web.keys import Keys
from firmware_host.web.roles import HOST, PLAYERS, WATCHER
from firmware_host.web.server import LOOPBACK, create_app
from tests.web.conftest import simulated_host
from tests.web.stub_host import HOME

KEYS = Keys("7" * 32)
DAY = date(2026, 11, 29)
host = simulated_host


def course(client: TestClient, game: str, kind: str = "puzzle", learner: str = "Ania") -> Any:
    told = client.get(f"/api/puzzles?lang=en&learner={learner}").json()
    assert told["problems"] == []
    (found,) = [e for e in told["courses"] if (e["game"], e["course"]) == (game, kind)]
    return found


def test_a_course_says_what_is_solved_due_and_next(host: SimulatedHost, client: TestClient) -> None:
    mode, puzzles = host.lesson_mode, puzzles_of("shogi")
    mode.today = lambda: DAY
    told = course(client, "shogi")
    fresh = {"count": len(puzzles), "solved": 0, "due": 0, "waiting": 0, "next": puzzles[0].name}
    assert {key: told[key] for key in fresh} == fresh
    assert told["title"] == "Shogi"
    mode.tried.solve(puzzles[0].name, "Ania", DAY)
    mode.tried.miss(puzzles[1].name, "Ania", DAY)
    mode.tried.miss(puzzles[2].name, "Ania", DAY - timedelta(1))
    told = course(client, "shogi")
    assert (told["solved"], told["due"], told["waiting"]) == (1, 1, 1)
    assert told["next"] == puzzles[2].name
    assert course(client, "shogi", learner="Ola")["solved"] == 0


def test_robot_duel_has_endgames_beside_its_puzzles(
    host: SimulatedHost, client: TestClient
) -> None:
    endgames = endgames_of("robot-duel")
    host.lesson_mode.tried.solve(endgames[0].name, "Ania", DAY)
    told = course(client, "robot-duel", "endgame")
    assert (told["count"], told["solved"], told["next"]) == (len(endgames), 1, endgames[1].name)
    assert course(client, "robot-duel")["solved"] == 0


def test_the_puzzle_of_the_day_stands_on_the_home_page(
    host: SimulatedHost, client: TestClient
) -> None:
    mode = host.lesson_mode
    games = tuple(host.games())
    for days in range(3):
        mode.today = lambda days=days: DAY + timedelta(days)
        puzzle = puzzle_of_the_day(games, mode.today())
        assert puzzle is not None
        told = client.get("/api/home?lang=en&learner=Ania").json()["puzzle"]
        assert (told["name"], told["tried"]) == (puzzle.name, False)
        assert told["task"] == puzzle.task
        assert told["picture"]["game"] == puzzle.game.name
        assert told["pieces"]
        mode.tried.miss(puzzle.name, "Ania", mode.today())
        assert client.get("/api/home?learner=Ania").json()["puzzle"]["tried"] is True
        assert client.get("/api/home?learner=Ola").json()["puzzle"]["tried"] is False


def test_the_turning_points_of_a_learner_are_puzzles_if_one_move_alone_was_good(
    host: SimulatedHost, client: TestClient
) -> None:
    mode, game = host.lesson_mode, make("robot-duel")
    position = game.position_text(game.start())

    def point(better: str, is_unique: bool) -> TurningPoint:
        return TurningPoint("robot-duel", {}, position, better, is_unique)

    points = {"Ania": [point("C4C3", True)], "Ola": [point("C4C3", False)], "Jan": []}
    points["Eva"] = [point("C4C9", True)]  # from a damaged file
    mode.own = OwnPuzzles(points.__getitem__)
    told = course(client, "robot-duel", "own")
    assert (told["count"], told["solved"]) == (1, 0)
    for other in ("Ola", "Jan", "Eva", ""):
        courses = client.get(f"/api/puzzles?learner={other}").json()["courses"]
        assert "own" not in [each["course"] for each in courses]
    mode.learn(told["next"], "Ania")
    lesson = mode.lesson
    assert lesson is not None
    assert (lesson.name, lesson.right, mode.after) == (told["next"], ("C4C3",), "")
    move = game.parse_move(lesson.position, "C4C3")
    assert lesson.is_done_by(lesson.position, move, game.play(lesson.position, move))


def test_only_the_host_is_told(host: SimulatedHost) -> None:
    app = create_app(host, LOOPBACK, KEYS)
    for role, status in ((HOST, 200), (PLAYERS[0], 403), (WATCHER, 403)):
        with TestClient(app, base_url=HOME) as client:
            assert client.get(f"/api/puzzles?token={KEYS.token(role)}").status_code == status
