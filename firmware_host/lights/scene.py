"""Lights as layers: which place shows which word in which pattern, the strongest layer winning.

`scene` says what a session lights, in words and patterns. Layers are never blended: a place shows
the strongest one that speaks of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from firmware_host.lights.grades import best_of, with_worth
from firmware_host.lights.pips import pips
from firmware_host.lights.signals import ColourRole, Light, Pattern, Signal
from firmware_host.lights.threats import ALL_DANGERS, attackers, warned
from firmware_host.session.hand_progress import filling, rests, unmovable
from firmware_host.session.pending_actions import ActionKind

if TYPE_CHECKING:
    from firmware_host.session.view import SessionView

ACCEPTED: Final = 0.7
"""Seconds for which a move that was read is confirmed."""
DUCKED: Final = 0.15
WAITS: Final = 0.35
"""How bright a place stands of a movement that is not the next one."""
IN_DANGER: Final = Light(Signal.YELLOW, Pattern.PULSE)

_SEAT_WORDS: Final = {"green": Signal.TEAL, "red": Signal.RED, "yellow": Signal.YELLOW}


def seat_light(seat: Seat) -> Place:
    """Return the name under which the light at a seat's edge is in a scene."""
    return f"seat:{seat}"


def scene(
    view: SessionView, now: float, *, safe: bool = True, advice: Advice = NOTHING
) -> dict[Place, Light]:
    """Return what is lit, for the assist level of the seat whose turn it is; `safe`: what was
    played is on the disk, so that it may be confirmed. `advice` is what is known beyond the rules.
    """
    level = view.assist[view.acting]
    choice = _choice(view, now)
    threats = {} if choice else _threats(view)  # as yellow as what answers
    weak_first = [_last_move(view, level), _owed(view), _filling(view, level), threats]
    if advice.errand is not None:  # it is not for people to choose where to
        weak_first += [dict(advice.errand)]
    else:
        hand = _begun(view, level) or _hand(view, level, advice)
        weak_first += [_movers(view, level, threats), hand]
        weak_first += [_hint(view, advice, threats)]
    if number := _number(view, now):
        weak_first = [number]  # alone: it could not be read among other lights
    weak_first += [_accepted(view, level, now, safe), choice]
    lights: dict[Place, Light] = {}
    for layer in weak_first:
        lights |= layer
    if view.repair.guiding:
        mend = _resync(view)  # first: what moves first is seen to move on a small board, too
        rest = {p: replace(light, level=DUCKED) for p, light in lights.items() if p not in mend}
        lights = mend | rest
    return lights | _lost_turns(view, now) | _seats(view) | _system(view)


def changes_at(view: SessionView, now: float) -> float | None:
    """Return when the scene will change though nothing happens; None if it will not."""
    times = [view.read_at + ACCEPTED, view.hint_ends, view.question.pressed_until]
    times += dice.times(view)
    return min((time for time in times if time > now), default=None)


def _lost_turns(view: SessionView, now: float) -> dict[Place, Light]:
    """Whose turn was lost; those who throw for the next one may be as quick as they like."""
    lost = dice.lost_turns(view, now)
    return {seat_light(seat): Light(Signal.YELLOW, Pattern.PULSE) for seat in lost}


def _seats(view: SessionView) -> dict[Place, Light]:
    """Whose turn it is; breathing where the dice are awaited."""
    begun = filling(view)
    turn = view.match.turn if begun is None else begun.seat
    if view.outcome is not None:
        return {
            seat_light(seat): Light(Signal.TEAL, Pattern.BREATHE, role=ColourRole.TURN)
            for seat in view.outcome.winners
        }
    if turn == CHANCE:
        seat = view.acting
        return {seat_light(seat): Light(Signal.YELLOW, Pattern.BREATHE)}
    word = _SEAT_WORDS.get(view.game.seats[turn], Signal.WHITE)
    return {seat_light(turn): Light(word, level=0.6, role=ColourRole.TURN)}


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
    if level < 1 or step is None or now >= view.read_at + ACCEPTED or view.dice.fallen:
        return {}  # who has thrown since knows
    assert step.footprint is not None
    return {
        place: Light(Signal.TEAL if safe else Signal.YELLOW)
        for place, piece in step.footprint.after.items()
        if piece is not None and place in view.sight.cells
    }


def _owed(view: SessionView) -> dict[Place, Light]:
    """The trays where captured men go that are not there yet."""
    away = {each.place for each in view.reported if each.action is ActionKind.PUT_AWAY}
    return {tray: Light(Signal.BLUE, Pattern.BREATHE) for tray in away & view.sight.trays}


def _filling(view: SessionView, level: int) -> dict[Place, Light]:
    """The trays between which more pieces are to go, as in a refill."""
    found = filling(view)
    if found is None or level < 1:
        return {}
    take = Light(Signal.WHITE) if found.more else Light(Signal.RED, Pattern.HEARTBEAT)
    lights = dict.fromkeys(found.take, take)
    lights |= dict.fromkeys(found.fill, Light(Signal.BLUE, Pattern.BREATHE))
    return {place: light for place, light in lights.items() if place in view.sight.trays}


def _threats(view: SessionView) -> dict[Place, Light]:
    """Which men are in danger and, where all dangers are told, from where."""
    told = warned(view)
    lights = {threat.place: IN_DANGER for threat in told}
    if view.assist[view.acting] >= ALL_DANGERS:
        attacking = Light(Signal.YELLOW, Pattern.BREATHE, WAITS, role=ColourRole.ATTACKS)
        lights = {place: attacking for each in told for place in attackers(each)} | lights
    return {place: light for place, light in lights.items() if place in view.sight.cells}


def _hint(view: SessionView, advice: Advice, threats: Mapping[Place, Light]) -> dict[Place, Light]:
    """The man that is best moved, and where to; one in danger is shown as that all the same."""
    if isinstance(view.verdict, Underway):
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
    """Whether nobody has begun to play on from what is shown: who still straightens the man that
    was moved last has not.
    """
    verdict, right = view.verdict, view.repair
    begun = isinstance(verdict, Underway) and verdict.line in view.shown
    ended = view.outcome is not None or right.guiding or right.settling
    return not (begun or ended or isinstance(verdict, Settled | Ambiguous))


def _number(view: SessionView, now: float) -> dict[Place, Light]:
    """The dice that have just fallen, as pips; pulsing if they move nobody."""
    if not _awaits_hand(view):
        return {}
    pattern = Pattern.PULSE if dice.moved_nobody(view) else Pattern.STEADY
    drawn = pips(view.game.cells(), dice.number(view, now))
    return dict.fromkeys(drawn, Light(Signal.YELLOW, pattern, role=ColourRole.PIP))


def _movers(view: SessionView, level: int, threats: Mapping[Place, Light]) -> dict[Place, Light]:
    """Which men may move, after a throw; one in danger takes turns with the colour of that."""
    if level < 2 or not view.dice.to_play or not _awaits_hand(view):
        return {}
    places = {place for move in view.shown[0].possible for place in move.leaves}
    endangered = Light(Signal.WHITE, Pattern.PULSE, then=Signal.YELLOW)
    return {p: endangered if threats.get(p) == IN_DANGER else Light(Signal.WHITE) for p in places}


def men_in_hand(view: SessionView) -> tuple[History, set[Place], Sequence[Footprint]]:
    """Return the line that is played on, the places of the men in the hand, and what may come of
    it; no moves if no man is.
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
    else:  # a man lifted from a tray leaves the board as it is
        taken = _lifted(view, line) & view.sight.trays
        lifted = {tray for tray in taken if tray in view.lifted_trays}
        moves = [move for tray in lifted for move in line.possible.using(tray) if move.tray]
    return line, lifted, moves


def _hand(view: SessionView, level: int, advice: Advice) -> dict[Place, Light]:
    """What the man in the hand may do."""
    line, lifted, moves = men_in_hand(view)
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
        role = ColourRole.ALONG if in_hand or move.train else ColourRole.WORD
        for place, word in _targets(move, turn, standing, view.levels):
            if place not in view.sight.cells or place in mine:
                continue
            if word is Signal.RED:
                lights[place] = Light(word, Pattern.HEARTBEAT)
            elif word is Signal.WHITE:
                lights[place] = Light(word, level=0.5, role=role)
            else:
                then = Signal.YELLOW if place in choices or _wins(line.match, move.move) else None
                lights[place] = Light(word, Pattern.PULSE if then else Pattern.STEADY, 1, then)
    if advice.grades:
        lights |= _graded(line, moves, lights, advice)
    return lights | {place: Light(Signal.WHITE) for place in mine}


def _begun(view: SessionView, level: int) -> dict[Place, Light]:
    """What is left of a move of which a piece was put already; or a piece that no move begins
    with: it is put back.
    """
    if level < 2:
        return {}
    if (lone := unmovable(view)) is not None:
        return {lone[0]: Light(Signal.WHITE, Pattern.BLINK)}
    lights: dict[Place, Light] = {}
    for rest in rests(view):
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
    """Whether a move ends the game for the seat that makes it."""
    outcome = match.game.outcome(match.game.play(match.position, move))
    return outcome is not None and match.turn in outcome.winners


def _graded(
    line: History, moves: Iterable[Footprint], lights: Mapping[Place, Light], advice: Advice
) -> dict[Place, Light]:
    """Return the targets with what the best move to each of them is worth."""
    game, position = line.match.game, line.match.position
    grades: dict[Place, list[str | None]] = {}
    for move in moves:
        grade = advice.grades.get(game.move_text(position, move.move))
        for place, piece in move.after.items():
            target = place in lights and lights[place].word in (Signal.BLUE, Signal.RED)
            if target and piece is not None:
                grades.setdefault(place, []).append(grade)
    return {place: with_worth(lights[place], best_of(each)) for place, each in grades.items()}


def _targets(
    move: Footprint, turn: Seat, standing: Mapping[Place, Piece], levels: Mapping[Place, int]
) -> Iterator[tuple[Place, Signal]]:
    """Yield what a move asks of each place: white where a man leaves or goes along, red where one
    is taken or pushed, blue where the own man is put.
    """
    arrivals = [man for place, man in move.after.items() if place in move.cells]  # in no tray
    own = any(man is not None and man.owner == turn for man in arrivals)
    for place, piece in move.after.items():
        man = standing.get(place)
        if piece is None:
            yield place, Signal.WHITE if _goes(place, move, turn, standing) else Signal.RED
        elif man is not None and levels.get(place, 0):
            yield place, Signal.RED
        elif (piece.owner == turn or not own) and not levels.get(place, 0):
            yield place, Signal.BLUE  # but not where a pushed man ends: that is no place to put one
    if move.train:
        for place in move.around - move.after.keys():
            if place in standing:
                yield place, Signal.WHITE if standing[place].owner == turn else Signal.RED


def _goes(place: Place, move: Footprint, turn: Seat, standing: Mapping[Place, Piece]) -> bool:
    """Whether a man of the seat's own, or one that the move puts elsewhere, goes from a place."""
    man = standing.get(place)
    if man is None or move.after.get(place, man) is not None:
        return False
    return man.owner == turn or man in move.after.values()


def _lifted(view: SessionView, line: History) -> set[Place]:
    """Return the places that hold less than they should at the end of a line."""
    levels, masked = view.levels, view.masked
    return {
        place
        for place, reading in line.expected.items()
        if abs(levels.get(place, 0)) < abs(reading) and place not in masked
    }


def _same_arrival(moves: Iterable[Footprint]) -> set[Place]:
    """Return the places where a man may arrive in more than one way."""
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


def _resync(view: SessionView) -> dict[Place, Light]:
    """How the board is put right: the first movement of a hand moves, the others wait."""
    lights: dict[Place, Light] = {}
    for number, step in enumerate(view.repair.plan):
        for place, light in _movement(step, now=number == 0).items():
            lights.setdefault(place, light)
    return lights


def _movement(step: Movement, now: bool) -> dict[Place, Light]:
    """Return red where a man is taken, white where one is put or turned over."""
    start, end = (Pattern.FROM, Pattern.TO) if step.carries else (Pattern.BLINK, Pattern.BLINK)
    lights = {}
    for place, word, pattern in (step.start, Signal.RED, start), (step.end, Signal.WHITE, end):
        if place is not None:
            lights[place] = Light(word, pattern) if now else Light(word, level=WAITS)
    return lights


def _system(view: SessionView) -> dict[Place, Light]:
    return {place: Light(Signal.YELLOW, Pattern.BREATHE, 0.5) for place in view.masked}
