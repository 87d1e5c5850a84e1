"""Why an action of Robotory is refused, and which rule a hand broke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from engine.game import Attempt, Place, Reason
from engine.games.robotory.moves import Refill, refills
from engine.games.robotory.position import (
    CELLS,
    COLOURS,
    INDEX,
    NEAR,
    POOLS,
    ROBOTS,
    STOCKS,
    RobotoryPosition,
    bits,
)
from engine.games.robotory.routes import least_route

REASONS: Final[Mapping[str, str]] = {
    "over": "The game is over.",
    "taken": "{0} is occupied; a token goes onto an empty cell.",
    "no-white": "There is no white token in your stock to put on {0}.",
    "no-black": "There is no black token in your stock to put on {0}.",
    "stock-empty": "There is no token in your stock to put on {0}; refill it first.",
    "not-your-stock": "The tokens on {0} belong to the other player.",
    "not-from-pool": "A token comes from your own stock, not from the pool; take the one on {0} "
    "away.",
    "robot-elsewhere": "The robot does not stand on {0}.",
    "not-adjacent": "{1} does not touch {0}; a robot goes from cell to neighbouring cell.",
    "no-energy": "There is no energy on {1}; a robot only goes where it can eat.",
    "nothing-near": "No energy that it eats is next to it.",
    "robot-there": "Another robot stands on {1}.",
    "wrong-energy": "The robot from {0} does not eat the energy on {1}; white eats white, black "
    "eats black, red eats both.",
    "no-way": "The robot from {0} cannot reach {1} over all the energy that was taken.",
    "one-robot": "Only one robot moves in a turn: the one from {0} or the one from {1}.",
    "one-action": "You do one thing in a turn: the change on {0}, or the change on {1}.",
    "energy-stays": "Only a robot that moves takes energy off the board; put it back on {0}.",
    "stock-full": "Your stock is full; there is nothing to refill.",
    "refill-to-four": "After a refill your stock has exactly four tokens.",
    "pool-short": "The pool does not have enough tokens of that colour.",
}


def refuse_placement(position: RobotoryPosition, colour: str, cell: Place) -> Reason | None:
    """Return why no token of that colour can go to the cell, None if one can."""
    stock = position.stocks[position.turn]
    if not sum(stock):
        return Reason("stock-empty", (cell,))
    if not stock[COLOURS.index(colour)]:
        return Reason("no-white" if colour == "w" else "no-black", (cell,))
    return None if position.free >> INDEX[cell] & 1 else Reason("taken", (cell,))


def refuse_path(position: RobotoryPosition, robot: str, path: Sequence[Place]) -> Reason | None:
    """Return why the robot cannot take the path (its own cell first), None if it can."""
    number = ROBOTS.index(robot)
    if INDEX[path[0]] != position.robots[number]:
        return Reason("robot-elsewhere", (path[0],))
    for at, (here, there) in enumerate(pairwise(path), 1):
        if INDEX[there] not in NEAR[INDEX[here]]:
            return Reason("not-adjacent", (here, there))
        if there in path[:at]:
            return Reason("no-energy", (here, there))
        if reason := _refuse_step(position, number, here, there):
            return reason
    return None


def _refuse_step(
    position: RobotoryPosition, number: int, start: Place, cell: Place
) -> Reason | None:
    if position.edible[number] >> INDEX[cell] & 1:
        return None
    if INDEX[cell] in position.robots:
        return Reason("robot-there", (start, cell))
    energy = (position.white | position.black) >> INDEX[cell] & 1
    return Reason("wrong-energy" if energy else "no-energy", (start, cell))


def refuse_refill(position: RobotoryPosition, refill: Refill) -> Reason | None:
    """Return why the player cannot take these tokens, None if it can."""
    if refill in refills(position.missing, position.pool):
        return None
    if not position.missing:
        return Reason("stock-full", STOCKS[position.turn])
    for wanted, there, slot in zip((refill.white, refill.black), position.pool, POOLS, strict=True):
        if wanted > there:
            return Reason("pool-short", (slot,))
    return Reason("refill-to-four", STOCKS[position.turn])


def why_not(position: RobotoryPosition, attempt: Attempt) -> Reason | None:
    """Return the rule that a hand broke, judging by the places; the game must not be over."""
    standing = [CELLS[index] for index in position.robots]
    robots = [cell for cell in standing if cell in attempt.lifted]
    tokens = [cell for cell in CELLS if cell in attempt.lifted and cell not in standing]
    placed = [cell for cell in CELLS if cell in attempt.placed]
    swapped = [cell for cell in CELLS if cell in attempt.swapped]
    trays = attempt.lifted | attempt.placed | attempt.swapped
    if len(robots) > 1:
        return Reason("one-robot", (robots[0], robots[1]))
    if robots:
        return _why_no_move(position, robots[0], tokens, placed, swapped, trays)
    if tokens:
        return Reason("energy-stays", (tokens[0],))
    if placed:
        return _why_no_placement(position, placed, trays)
    others = [slot for slot in STOCKS[1 - position.turn] if slot in trays]
    if swapped:
        own = trays.intersection(STOCKS[position.turn])
        return Reason("taken", (swapped[0],)) if own or others else None
    if others:
        return Reason("not-your-stock", (others[0],))
    if trays.intersection(POOLS):
        return Reason("refill-to-four" if position.missing else "stock-full")
    return None


def _why_no_move(
    position: RobotoryPosition,
    start: Place,
    tokens: Sequence[Place],
    placed: Sequence[Place],
    swapped: Sequence[Place],
    trays: frozenset[Place],
) -> Reason | None:
    """Return why the robot that left its cell cannot move so."""
    number = position.robots.index(INDEX[start])
    if placed:
        if len(placed) > 1 or any(slot in trays for stock in STOCKS for slot in stock):
            return Reason("one-action", (start, placed[-1]))
        return Reason("no-energy", (start, placed[0]))
    if not swapped:
        near = any(position.edible[number] >> cell & 1 for cell in NEAR[INDEX[start]])
        return None if near or tokens else Reason("nothing-near", (start,))
    end = swapped[0]
    for cell in (*tokens, end):
        if reason := _refuse_step(position, number, start, cell):
            return reason
    if least_route(INDEX[start], INDEX[end], bits(*tokens, end)) is None:
        return Reason("no-way" if tokens else "not-adjacent", (start, end))
    return Reason("one-action", (start, swapped[1])) if len(swapped) > 1 else None


def _why_no_placement(
    position: RobotoryPosition, placed: Sequence[Place], trays: frozenset[Place]
) -> Reason | None:
    """Return why the tokens that appeared cannot be placed so."""
    if len(placed) > 1:
        return Reason("one-action", (placed[0], placed[1]))
    for code, slots in ("not-your-stock", STOCKS[1 - position.turn]), ("not-from-pool", POOLS):
        touched = [slot for slot in slots if slot in trays]
        if touched:
            return Reason(code, (touched[0] if code == "not-your-stock" else placed[0],))
    reasons = [refuse_placement(position, colour, placed[0]) for colour in COLOURS]
    return next((reason for reason in reasons if reason), None)
