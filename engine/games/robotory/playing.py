"""What becomes of a position of Robotory by an action that the rules allow."""

from __future__ import annotations

from engine.game import Place, Seat
from engine.games.robotory.actions import MoveRobot, PlaceToken, Refill
from engine.games.robotory.board import CELLS, INDEX, ROBOTS
from engine.games.robotory.position import RobotoryPosition
from engine.games.robotory.routes import least_route


def least_path(position: RobotoryPosition, move: MoveRobot) -> tuple[Place, ...] | None:
    """Return the alphabetically first path of the move, its start included; None if it has none."""
    if move.robot not in ROBOTS or move.to not in INDEX:
        return None
    number = ROBOTS.index(move.robot)
    if move.eaten & ~position.foods[number]:
        return None
    start = position.robots[number]
    route = least_route(start, INDEX[move.to], move.eaten)
    return None if route is None else tuple(CELLS[index] for index in (start, *route))


def placed(position: RobotoryPosition, move: PlaceToken) -> RobotoryPosition:
    """Return the position after a placement that may be made."""
    white, black, robots, stocks, pool, turn, _ = position
    bit = 1 << INDEX[move.cell]
    if move.colour == "w":
        stocks = _with_stock(stocks, turn, -1, 0)
        return RobotoryPosition(white | bit, black, robots, stocks, pool, 1 - turn)
    stocks = _with_stock(stocks, turn, 0, -1)
    return RobotoryPosition(white, black | bit, robots, stocks, pool, 1 - turn)


def moved(position: RobotoryPosition, move: MoveRobot) -> RobotoryPosition:
    """Return the position after a robot's move that may be made."""
    white, black, robots, stocks, pool, turn, _ = position
    at = list(robots)
    at[ROBOTS.index(move.robot)] = INDEX[move.to]
    left = ~move.eaten
    return RobotoryPosition(
        white & left, black & left, (at[0], at[1], at[2]), stocks, pool, 1 - turn
    )


def refilled(position: RobotoryPosition, move: Refill) -> RobotoryPosition:
    """Return the position after a refill that may be made."""
    white, black, robots, stocks, pool, turn, _ = position
    stocks = _with_stock(stocks, turn, move.white, move.black)
    left = pool[0] - move.white, pool[1] - move.black
    return RobotoryPosition(white, black, robots, stocks, left, 1 - turn)


def _with_stock(
    stocks: tuple[tuple[int, int], tuple[int, int]], seat: Seat, white: int, black: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the stocks with tokens added to one."""
    own = stocks[seat][0] + white, stocks[seat][1] + black
    return (stocks[0], own) if seat else (own, stocks[1])
