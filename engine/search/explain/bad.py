"""What is bad about a move: each detector looks at the move and at the line after it.

A detector reports a danger only if the line that the search found really carries it out, with
exactly that piece.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.game import CHANCE, Place
from engine.search.explain import good
from engine.search.explain.facts import MoveEffect, MoveReason

Line = Sequence[MoveEffect]
"""The move, the answer to it, and the further moves."""


def lets_win(line: Line) -> MoveReason | None:
    """The answer ends the game."""
    if len(line) < 2 or not line[1].wins or line[1].seat == line[0].seat:
        return None
    outcome, reply = line[1].outcome, line[1]
    assert outcome is not None
    if reply.fallen is not None:
        kinds = tuple(piece.kind for piece in reply.captured.values())[:1]
        return MoveReason("lets-win", (reply.fallen,), kinds, ending=outcome.reason)
    if reply.end is None or reply.piece is None:
        return MoveReason("lets-win", ending=outcome.reason)
    places = (reply.end, *_place_from(reply))
    return MoveReason("lets-win", places, (reply.piece.kind,), ending=outcome.reason)


def lets_push_off(line: Line) -> MoveReason | None:
    """The answer pushes a piece off the board."""
    found = good.pushes_off(line[1]) if _answered(line) else None
    return None if found is None else MoveReason("lets-push-off", found.places, found.kinds)


def lets_carry_off(line: Line) -> MoveReason | None:
    """The answer brings a robot without an owner into the other camp."""
    found = good.brings_home(line[1]) if _answered(line) else None
    if found is None or line[1].start is None:
        return None
    return MoveReason("lets-carry-off", (line[1].start,), found.kinds)


def pushed_off_later(line: Line) -> MoveReason | None:
    """The second answer pushes a piece off the board, without an ejection in return.

    The piece is named if it stands on its cell already.
    """
    if not _second_answer(line) or any(effect.captured for effect in line[:3]):
        return None
    found = good.pushes_off(line[3])
    if found is None:
        return None
    ((place,), stood) = found.places, line[0].pieces_after
    stays = all(each.pieces_after.get(place) == stood.get(place) for each in line[:3])
    if not stays or place not in stood:
        return MoveReason("soon-push-off")
    return MoveReason("soon-push-off", found.places, found.kinds)


def lets_threaten_to_fetch(line: Line) -> MoveReason | None:
    """The answer brings a piece within reach that now stands in the mover's camp.

    The second answer fetches it.
    """
    if not _second_answer(line) or any(map(good.brings_home, line[:3])):
        return None
    found, place = good.brings_home(line[3]), line[3].start
    if (
        found is None
        or place is None
        or line[0].pieces_after.get(place) != line[3].pieces_before[place]
        or place not in good.dangers(line[1]).get("reach", ())
    ):
        return None
    return MoveReason("lets-threaten-carry", (place,), found.kinds)


def loses_a_piece(line: Line) -> MoveReason | None:
    """The answer takes a piece that is worth more than what the move took."""
    if not _answered(line) or len(line[1].captured) != 1 or line[1].is_row:
        return None
    effect, reply = line[0], line[1]
    ((place, piece),) = reply.captured.items()
    won = sum(map(effect.facts.value, effect.captured.values()))
    if reply.end != place or reply.exchange <= 0 or won >= effect.facts.value(piece):
        return None
    if won and won >= reply.exchange:
        return None
    by = _place_from(reply)
    kinds = (piece.kind, *(reply.pieces_before[start].kind for start in by))
    return MoveReason(_loss_code(effect, reply, place), (place, *by), kinds)


def lets_fork(line: Line) -> MoveReason | None:
    """The answer attacks two pieces at once and takes one of them next."""
    found = good.forks(line[1]) if _answered(line) and not line[1].captured else None
    lost = _taken_later(line)
    if found is None or lost not in found.places[1:]:
        return None
    return MoveReason("lets-fork", found.places, found.kinds)


def lets_attack(line: Line) -> MoveReason | None:
    """The answer attacks a piece and takes it next."""
    lost = _taken_later(line)
    if lost is None or line[1].captured or lost not in [each.place for each in line[1].endangered]:
        return None
    places = (lost, *_place_from(line[1], end=True))
    return MoveReason(
        "lets-attack", places, tuple(line[1].pieces_after[place].kind for place in places)
    )


def loses_later(line: Line) -> MoveReason | None:
    """The second answer takes a piece that is worth more than all captures in return."""
    lost = _taken_later(line)
    if lost is None:
        return None
    facts, seat = line[0].facts, line[0].seat
    balance = sum(
        facts.value(piece) * (1 if effect.seat == seat else -1)
        for effect in line[:4]
        for piece in effect.captured.values()
    )
    if balance + (facts.exchange_gain(line[3].after, line[3].end) if line[3].end else 0) >= 0:
        return None
    return MoveReason("loses-later", (lost,), (line[3].captured[lost].kind,))


def lets_promote(line: Line) -> MoveReason | None:
    """The answer promotes a piece."""
    found = good.promotes(line[1]) if _answered(line) and not line[1].captured else None
    return None if found is None else MoveReason("lets-promote", found.places, found.kinds)


def hurt_by_throws(line: Line) -> MoveReason | None:
    """Some of the next throws take a piece."""
    effect = line[0]
    game, facts = effect.game, effect.facts
    if effect.outcome is not None or game.turn(effect.after) != CHANCE:
        return None
    throws = facts.throws(effect.after, effect.seat)
    hurt = throws.taking
    if not hurt:
        return None
    worst = max(hurt, key=lambda place: hurt[place] * facts.value(effect.pieces_after.get(place)))
    kind = effect.pieces_after[worst].kind
    return MoveReason("hurt-by-throws", (worst,), (kind,), n=hurt[worst], of=throws.count)


def forced(line: Line) -> MoveReason | None:
    """Every continuation loses: the line is proven to its end."""
    last = line[-1]
    if last.wins and last.seat != line[0].seat and last.outcome is not None:
        return MoveReason("loses-by-force", ending=last.outcome.reason, n=len(line) // 2)
    return None


BAD: Final[tuple[Callable[[Line], MoveReason | None], ...]] = (
    *(lets_win, lets_push_off, lets_carry_off, loses_a_piece, lets_fork, lets_attack),
    *(lets_promote, forced, pushed_off_later, lets_threaten_to_fetch, loses_later, hurt_by_throws),
)
"""The most telling first."""


def _answered(line: Line) -> bool:
    return len(line) > 1 and line[1].seat not in (line[0].seat, CHANCE)


def _second_answer(line: Line) -> bool:
    return _answered(line) and len(line) > 3 and line[3].seat == line[1].seat


def _loss_code(effect: MoveEffect, reply: MoveEffect, place: Place) -> str:
    if place == effect.end:
        return "walks-into"
    return "still-attacked" if _was_in_danger(effect, reply, place) else "leaves"


def _was_in_danger(effect: MoveEffect, reply: MoveEffect, place: Place) -> bool:
    """Return whether the same piece threatened to take before, and taking would have paid.

    The piece in danger was unprotected, or worth more than an attacker.
    """
    facts, game = effect.facts, effect.game
    for threat in game.threats(effect.position):
        if threat.place == place and reply.start in threat.by:
            values = [facts.value(effect.pieces_before.get(by)) for by in threat.by]
            dearer = facts.value(effect.pieces_before[place]) > min(values)
            return threat.kind in ("undefended", "check") or (threat.kind == "attacked" and dearer)
    return False


def _taken_later(line: Line) -> Place | None:
    """Return the place where the other side's second move takes a piece of the mover.

    A piece that comes there in between, as in an exchange, does not count.
    """
    if not _second_answer(line):
        return None
    stood = line[0].pieces_after
    lost = [place for place, piece in line[3].captured.items() if stood.get(place) == piece]
    return lost[0] if len(lost) == 1 and line[3].exchange > 0 else None


def _place_from(reply: MoveEffect, end: bool = False) -> tuple[Place, ...]:
    place = reply.end if end else reply.start
    return () if place is None or place not in reply.game.cells() else (place,)
