"""The scene of a session: the light of each place, built from layers.

Layers are never blended: a place shows its light of the strongest layer that has one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.game import CHANCE, Piece, Place, Seat
from engine.match import AnyMove, Match
from engine.reading.fewest_moves import Movement
from engine.reading.footprints import Footprint
from engine.reading.history import History
from engine.reading.verdict import Ambiguous, Settled, Underway
from firmware_host.lights import dice
from firmware_host.lights.advice import NOTHING, Advice
from firmware_host.lights.grades import best_of, with_grade
from firmware_host.lights.signals import ColourRole, Light, Pattern, Signal
from firmware_host.lights.threats import ALL_DANGERS, attackers, warned
from firmware_host.session.hand_progress import refill_underway, unfinished_moves, unmovable
from firmware_host.session.pending_actions import ActionKind

if TYPE_CHECKING:
    from firmware_host.session.view import SessionView

ACCEPTED_S: Final = 0.7
"""Seconds for which a move is confirmed after it was read."""
WAITS: Final = 0.35
"""The brightness of a repair movement that is not the next one."""
DIMMED: Final = 0.15
"""The brightness of all other lights while the board is put right."""
IN_DANGER: Final = Light(Signal.YELLOW, Pattern.PULSE)

_SEAT_SIGNALS: Final = {"green": Signal.TEAL, "red": Signal.RED, "yellow": Signal.YELLOW}


def seat_light(seat: Seat) -> Place:
    """Return the name under which the light at a seat's edge is in a scene."""
    return f"seat:{seat}"


def scene(
    view: SessionView,
    now: float,
    *,
    safe: bool = True,
    advice: Advice = NOTHING,
    short: Collection[Seat] = (),
) -> dict[Place, Light]:
    """Return the lights, for the help level of the seat to act.

    A move is confirmed in teal only if it is `safe` on the disk. `advice` has hints, grades and the
    machine's move. Seats that are `short` of time have little left.
    """
    level = view.assist[view.acting]
    choice = _choice(view, now)
    threats = {} if choice else _threats(view)  # both are yellow
    weak_first = [_last_move(view, level), _pending(view), _filling(view, level), threats]
    if advice.requested_move is not None:  # the machine has chosen
        weak_first += [dict(advice.requested_move)]
    else:
        hand = _rest_of_move(view, level) or _hand(view, level, advice)
        weak_first += [_movers(view, level, threats), hand]
        weak_first += [_hint(view, advice, threats)]
    if number := _number(view, now):
        weak_first = [number]  # alone, so that people can read it
    weak_first += [_accepted(view, level, now, safe), choice]
    lights: dict[Place, Light] = {}
    for layer in weak_first:
        lights |= layer
    if view.repair.guiding:
        repair = _repair_plan(view)  # first in order: only a quarter of the cells may move
        rest = {p: replace(light, level=DIMMED) for p, light in lights.items() if p not in repair}
        lights = repair | rest
    return lights | _lost_turns(view, now) | _seats(view, short) | _system(view)


def changes_at(view: SessionView, now: float) -> float | None:
    """Return when the scene changes by itself; None if it does not."""
    times = [view.read_at + ACCEPTED_S, view.hint_ends, view.question.pressed_until]
    times += dice.times(view)
    return min((time for time in times if time > now), default=None)


def _lost_turns(view: SessionView, now: float) -> dict[Place, Light]:
    """Return the seats that lost a turn, even if the next player throws at once."""
    lost = dice.lost_turns(view, now)
    return {seat_light(seat): Light(Signal.YELLOW, Pattern.PULSE) for seat in lost}


def _seats(view: SessionView, short: Collection[Seat]) -> dict[Place, Light]:
    """Return the light of the seat to act; it breathes while the dice are awaited, and pulses while
    little time is left.
    """
    turn = _turn(view)
    if view.outcome is not None:
        return {
            seat_light(seat): Light(Signal.TEAL, Pattern.BREATHE, role=ColourRole.TURN)
            for seat in view.outcome.winners
        }
    if view.acting in short:
        return {seat_light(view.acting): Light(Signal.YELLOW, Pattern.PULSE, role=ColourRole.TURN)}
    if turn == CHANCE:
        seat = view.acting
        return {seat_light(seat): Light(Signal.YELLOW, Pattern.BREATHE)}
    signal = _SEAT_SIGNALS.get(view.game.seats[turn], Signal.WHITE)
    return {seat_light(turn): Light(signal, level=0.6, role=ColourRole.TURN)}


def _turn(view: SessionView) -> Seat:
    """Return the seat that the board waits for, or CHANCE: while it asks which move was played or
    lacks the rest of a refill, that of the player who has moved.
    """
    if view.question.current is not None:
        return view.question.current.seat
    refill = refill_underway(view)
    return view.match.turn if refill is None else refill.seat


def _last_move(view: SessionView, level: int) -> dict[Place, Light]:
    step = _last_ply(view.shown[0])
    if level < 1 or step is None or isinstance(view.verdict, Underway) or view.repair.settling:
        return {}
    assert step.footprint is not None
    return {
        place: Light(Signal.WHITE, level=0.2 if piece is None else 0.35, role=ColourRole.LAST)
        for place, piece in step.footprint.after.items()
        if place in view.sight.cells
    }


def _last_ply(line: History) -> History | None:
    each: History | None = line
    while each is not None and each.footprint is None:
        each = each.before
    return each


def _accepted(view: SessionView, level: int, now: float, safe: bool) -> dict[Place, Light]:
    step = _last_ply(view.shown[0])
    if level < 1 or step is None or now >= view.read_at + ACCEPTED_S or view.dice.last_throw:
        return {}  # the next throw shows that the move was read
    assert step.footprint is not None
    return {
        place: Light(Signal.TEAL if safe else Signal.YELLOW)
        for place, piece in step.footprint.after.items()
        if piece is not None and place in view.sight.cells
    }


def _pending(view: SessionView) -> dict[Place, Light]:
    """Return the trays that still lack a captured piece."""
    away = {each.place for each in view.reported if each.action is ActionKind.PUT_AWAY}
    return {tray: Light(Signal.BLUE, Pattern.BREATHE) for tray in away & view.sight.trays}


def _filling(view: SessionView, level: int) -> dict[Place, Light]:
    """Return the trays between which more pieces have to go, as in a refill."""
    found = refill_underway(view)
    if found is None or level < 1:
        return {}
    take = Light(Signal.WHITE) if found.more else Light(Signal.RED, Pattern.HEARTBEAT)
    lights = dict.fromkeys(found.take, take)
    lights |= dict.fromkeys(found.fill, Light(Signal.BLUE, Pattern.BREATHE))
    return {place: light for place, light in lights.items() if place in view.sight.trays}


def _threats(view: SessionView) -> dict[Place, Light]:
    """Return the pieces in danger and, at the highest help level, their attackers."""
    told = warned(view)
    lights = {threat.place: IN_DANGER for threat in told}
    if view.assist[view.acting] >= ALL_DANGERS:
        attacking = Light(Signal.YELLOW, Pattern.BREATHE, WAITS, role=ColourRole.ATTACKS)
        lights = {place: attacking for each in told for place in attackers(each)} | lights
    return {place: light for place, light in lights.items() if place in view.sight.cells}


def _hint(view: SessionView, advice: Advice, threats: Mapping[Place, Light]) -> dict[Place, Light]:
    """Return the piece and the target of the hint; a piece in danger keeps its yellow."""
    if isinstance(view.verdict, Underway) or view.repair.guiding:
        return {}
    starts, ends = advice.hint
    patterns = (Pattern.FROM, Pattern.TO) if starts and ends else (Pattern.BREATHE,) * 2
    lights = {
        place: Light(Signal.TEAL, pattern)
        for places, pattern in zip((starts, ends), patterns, strict=True)
        for place in places
    }
    return {p: light for p, light in lights.items() if threats.get(p) != IN_DANGER}


def _awaits_hand(view: SessionView) -> bool:
    """Return whether no hand has started the next move. A hand that only straightens the piece that
    moved last has not started one.
    """
    verdict, right = view.verdict, view.repair
    started = isinstance(verdict, Underway) and verdict.line in view.shown
    ended = view.outcome is not None or right.guiding or right.settling
    return not (started or ended or isinstance(verdict, Settled | Ambiguous))


def _number(view: SessionView, now: float) -> dict[Place, Light]:
    """Return the latest throw as pips, pulsing if no piece can move."""
    if not _awaits_hand(view):
        return {}
    pattern = Pattern.PULSE if dice.moved_nobody(view) else Pattern.STEADY
    drawn = dice.pips(view.game.cells(), dice.number(view, now))
    return dict.fromkeys(drawn, Light(Signal.YELLOW, pattern, role=ColourRole.PIP))


def _movers(view: SessionView, level: int, threats: Mapping[Place, Light]) -> dict[Place, Light]:
    """Return the pieces that may move after a throw; one in danger alternates with yellow."""
    if level < 2 or not view.dice.to_play or not _awaits_hand(view):
        return {}
    places = {place for move in view.shown[0].possible for place in move.leaves}
    endangered = Light(Signal.WHITE, Pattern.PULSE, second=Signal.YELLOW)
    return {p: endangered if threats.get(p) == IN_DANGER else Light(Signal.WHITE) for p in places}


def pieces_in_hand(view: SessionView) -> tuple[History, set[Place], Sequence[Footprint]]:
    """Return the history that play continues, the places of the pieces in hand, and their possible
    moves; no moves if no piece is in hand.
    """
    verdict = view.verdict
    line = view.shown[0]
    moves: Sequence[Footprint]
    if view.outcome is not None or view.repair.settling:
        return line, set(), ()
    if isinstance(verdict, Underway):
        line, moves = verdict.line, verdict.moves
        lifted = _lifted(view, line)
        moves = [move for move in moves if lifted <= move.around | move.after.keys()]
    else:  # a piece lifted from a tray leaves the board unchanged
        taken = _lifted(view, line) & view.sight.trays
        lifted = {tray for tray in taken if tray in view.lifted_trays}
        moves = [move for tray in lifted for move in line.possible.using(tray) if move.tray]
    return line, lifted, moves


def _hand(view: SessionView, level: int, advice: Advice) -> dict[Place, Light]:
    """Return the targets of the piece in hand."""
    line, lifted, moves = pieces_in_hand(view)
    if level < 2 or not lifted or not moves:
        return {}
    mine = {
        place
        for place in lifted
        if any(place in move.leaves or place in view.sight.trays for move in moves)
    }
    lights: dict[Place, Light] = {}
    choices = _same_arrival(moves)
    standing, turn = view.game.pieces(line.match.position), line.match.turn
    for move in moves:
        in_hand = any(_goes(place, move, turn, standing) for place in mine)
        role = ColourRole.ALONG if in_hand or move.train else ColourRole.SIGNAL
        for place, signal in _targets(move, turn, standing, view.levels):
            if place not in view.sight.cells or place in mine:
                continue
            if signal is Signal.RED:
                lights[place] = Light(signal, Pattern.HEARTBEAT)
            elif signal is Signal.WHITE:
                lights[place] = Light(signal, level=0.5, role=role)
            else:
                then = Signal.YELLOW if place in choices or _wins(line.match, move.move) else None
                lights[place] = Light(signal, Pattern.PULSE if then else Pattern.STEADY, 1, then)
    if advice.grades:
        lights |= _graded(line, moves, lights, advice)
    return lights | {place: Light(Signal.WHITE) for place in mine}


def _rest_of_move(view: SessionView, level: int) -> dict[Place, Light]:
    """Return the rest of a move whose first piece has been put down, or a lifted piece that has to
    go back because no move starts with it.
    """
    if level < 2:
        return {}
    if (lone := unmovable(view)) is not None:
        return {lone[0]: Light(Signal.WHITE, Pattern.BLINK)}
    lights: dict[Place, Light] = {}
    for rest in unfinished_moves(view):
        for step in rest.steps:
            if step.end is None:
                lights[step.start or ""] = Light(Signal.RED, Pattern.HEARTBEAT)
            else:
                lights[step.end] = Light(Signal.BLUE)
                lights[step.start or ""] = Light(Signal.WHITE)
    lights.pop("", None)
    return lights


@lru_cache(128)
def _wins(match: Match, move: AnyMove) -> bool:
    """Return whether a move wins for the seat that makes it."""
    outcome = match.game.outcome(match.game.play(match.position, move))
    return outcome is not None and match.turn in outcome.winners


def _graded(
    line: History, moves: Iterable[Footprint], lights: Mapping[Place, Light], advice: Advice
) -> dict[Place, Light]:
    """Return the targets, each with the grade of the best move to it."""
    game, position = line.match.game, line.match.position
    grades: dict[Place, list[str | None]] = {}
    for move in moves:
        grade = advice.grades.get(game.move_text(position, move.move))
        for place, piece in move.after.items():
            target = place in lights and lights[place].signal in (Signal.BLUE, Signal.RED)
            if target and piece is not None:
                grades.setdefault(place, []).append(grade)
    return {place: with_grade(lights[place], best_of(each)) for place, each in grades.items()}


def _targets(
    move: Footprint, turn: Seat, standing: Mapping[Place, Piece], levels: Mapping[Place, int]
) -> Iterator[tuple[Place, Signal]]:
    """Yield the signals of a move: white where a piece leaves or moves along, red where one is
    taken or pushed, blue where the player's own piece goes.
    """
    arrivals = [each for place, each in move.after.items() if place in move.cells]  # no trays
    own = any(each is not None and each.owner == turn for each in arrivals)
    for place, piece in move.after.items():
        before = standing.get(place)
        if piece is None:
            yield place, Signal.WHITE if _goes(place, move, turn, standing) else Signal.RED
        elif before is not None and levels.get(place, 0):
            yield place, Signal.RED
        elif (piece.owner == turn or not own) and not levels.get(place, 0):
            yield place, Signal.BLUE  # not where a pushed piece ends: nobody puts it there
    if move.train:
        for place in move.around - move.after.keys():
            if place in standing:
                yield place, Signal.WHITE if standing[place].owner == turn else Signal.RED


def _goes(place: Place, move: Footprint, turn: Seat, standing: Mapping[Place, Piece]) -> bool:
    """Return whether a piece of the seat, or one that the move puts elsewhere, leaves a place."""
    piece = standing.get(place)
    if piece is None or move.after.get(place, piece) is not None:
        return False
    return piece.owner == turn or piece in move.after.values()


def _lifted(view: SessionView, line: History) -> set[Place]:
    """Return the places that read less than a history expects."""
    levels, masked = view.levels, view.masked
    return {
        place
        for place, reading in line.expected.items()
        if abs(levels.get(place, 0)) < abs(reading) and place not in masked
    }


def _same_arrival(moves: Iterable[Footprint]) -> set[Place]:
    """Return the places that two or more of the moves share as target."""
    seen: dict[frozenset[Place], int] = {}
    for move in moves:
        seen[move.cells] = seen.get(move.cells, 0) + 1
    return {place for cells, times in seen.items() if times > 1 for place in cells}


def _choice(view: SessionView, now: float) -> dict[Place, Light]:
    pressed = view.question.pressed_at(now)
    return {
        place: Light(Signal.YELLOW, Pattern.PULSE, level=0.5 if place == pressed else 1.0)
        for place in view.question.lit.values()
    }


def _repair_plan(view: SessionView) -> dict[Place, Light]:
    """Return the repair plan: its first movement is animated, the others are dim."""
    lights: dict[Place, Light] = {}
    for number, step in enumerate(view.repair.plan):
        for place, light in _movement(step, now=number == 0).items():
            lights.setdefault(place, light)
    return lights


def _movement(step: Movement, now: bool) -> dict[Place, Light]:
    """Return red where a piece is taken off, white where one is put down or turned over."""
    start, end = (Pattern.FROM, Pattern.TO) if step.carries else (Pattern.BLINK, Pattern.BLINK)
    lights = {}
    for place, signal, pattern in (step.start, Signal.RED, start), (step.end, Signal.WHITE, end):
        if place is not None:
            lights[place] = Light(signal, pattern) if now else Light(signal, level=WAITS)
    return lights


def _system(view: SessionView) -> dict[Place, Light]:
    return {place: Light(Signal.YELLOW, Pattern.BREATHE, 0.5) for place in view.masked}
