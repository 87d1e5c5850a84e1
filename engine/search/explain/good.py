"""What is good about a move.

Each detector returns the reason that its docstring states if it holds for the move, else None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.game import Piece, Place
from engine.search.explain.facts import MoveEffect, MoveReason, Throws


def wins(effect: MoveEffect) -> MoveReason | None:
    """The move wins the game."""
    if not effect.wins or effect.outcome is None:
        return None
    return MoveReason("wins", *_piece(effect), ending=effect.outcome.reason)


def pushes_off(effect: MoveEffect) -> MoveReason | None:
    """A row pushes a piece off the board."""
    if not effect.pushed_off:
        return None
    assert effect.fallen is not None  # a row always falls from one cell
    return MoveReason("pushes-off", (effect.fallen,), _named(effect.captured)[1][:1])


def takes_for_nothing(effect: MoveEffect) -> MoveReason | None:
    """The move takes a piece, and nothing takes back."""
    if not _takes_one(effect) or not effect.end or effect.facts.captures(effect.after, effect.end):
        return None
    if any(throws.taking[effect.end] for throws in effect.throws_after):
        return None
    return MoveReason("takes-for-nothing", *_named(effect.captured))


def wins_an_exchange(effect: MoveEffect) -> MoveReason | None:
    """The move takes a piece that is worth more than what is lost for it.

    If nothing is lost because taking back does not pay, the code says that.
    """
    if not _takes_one(effect) or effect.end is None or effect.throws_after or effect.exchange <= 0:
        return None
    places, kinds = _named(effect.captured)
    captures = effect.facts.exchange(effect.after, effect.end)
    if not captures:
        replies = effect.facts.captures(effect.after, effect.end)
        answered = all(effect.facts.captures(each.after, effect.end) for each in replies)
        return MoveReason("takes-protected", places, kinds) if answered else None
    taken = tuple(each.captured[effect.end].kind for each in captures)
    mover = effect.pieces_before.get(effect.start or "")
    lost = taken[::2] if mover is None else (mover.kind, *taken[2::2])  # it may have promoted
    return MoveReason("wins-exchange", places, kinds, won=(*kinds, *taken[1::2]), lost=lost)


def takes_at_risk(effect: MoveEffect) -> MoveReason | None:
    """The move takes a piece, and some throws take back."""
    if not _takes_one(effect) or effect.piece is None or effect.end is None:
        return None
    n, of = _counted(effect.throws_after, effect.end)
    if not n or not of:
        return None
    places, kinds = _named(effect.captured)
    return MoveReason("takes-at-risk", places, (*kinds, effect.piece.kind), n=n, of=of)


def brings_home(effect: MoveEffect) -> MoveReason | None:
    """A robot without an owner comes into the mover's camp."""
    camps = getattr(effect.game, "camps", None)
    if not isinstance(camps, tuple) or effect.end is None or effect.start is None:
        return None
    own = camps[effect.seat]
    if effect.end in own and effect.start not in own and effect.start in effect.game.cells():
        return MoveReason("brings-home", (effect.end,), (effect.pieces_after[effect.end].kind,))
    return None


def promotes(effect: MoveEffect) -> MoveReason | None:
    """A piece promotes and is not lost at once."""
    was = effect.pieces_before.get(effect.start or "")
    if effect.piece is None or was is None or effect.end is None or effect.start is None:
        return None
    if (
        effect.start not in effect.game.cells()
        or was.kind == effect.piece.kind
        or effect.exchange < 0
    ):
        return None
    return MoveReason("promotes", (effect.end,), (was.kind, effect.piece.kind))


def forks(effect: MoveEffect) -> MoveReason | None:
    """The piece attacks two pieces at once and is not lost."""
    if len(effect.endangered) < 2 or effect.end is None or effect.exchange_loss(effect.end):
        return None
    places = tuple(threat.place for threat in effect.endangered[:2])
    return MoveReason(
        "forks", (effect.end, *places), _kinds(effect.pieces_after, (effect.end, *places))
    )


_SAVES: Final = {"undefended": "saves", "edge": "saves-push", "reach": "saves-carry"}
"""By kind of threat: the code for a piece that escapes it."""


def saves(effect: MoveEffect) -> MoveReason | None:
    """A piece that could be taken, pushed off or carried off is safe now.

    With dice: fewer throws take it.
    """
    if effect.outcome is not None:
        return None
    if effect.throws_after:
        return _saves_from_throws(effect)
    for threat in effect.game.threats(effect.position):
        place = effect.end if threat.place == effect.start else threat.place
        piece = effect.pieces_after.get(place or "")
        if place is None or piece is None or effect.facts.hostile(effect.seat, piece):
            continue
        places = (place,) if place == threat.place else (place, threat.place)
        said = MoveReason(_SAVES.get(threat.kind, ""), places, (piece.kind,))
        if threat.kind == "undefended" and not effect.exchange_loss(place):
            return said
        replies = effect.replies(place) if threat.kind in ("edge", "reach") else []
        if threat.kind == "edge" and all(reply.fallen != place for reply in replies):
            return said
        if threat.kind == "reach" and not any(
            reply.start == place and brings_home(reply) for reply in replies
        ):
            return said
    return None


def _saves_from_throws(effect: MoveEffect) -> MoveReason | None:
    """Return the piece that gains most: fewer throws of the next player take it, and not more
    throws of any other.
    """
    found = []
    for place, piece in effect.pieces_before.items():
        stands = effect.end if place == effect.start and effect.end is not None else place
        if effect.facts.hostile(effect.seat, piece) or effect.pieces_after.get(stands) != piece:
            continue
        before = [throws.taking[place] for throws in effect.throws_before]
        after = [throws.taking[stands] for throws in effect.throws_after]
        changes = [now - then for now, then in zip(before, after, strict=False)]
        if changes and changes[0] > 0 and min(changes) >= 0:
            of = sum(throws.count for throws in effect.throws_before)
            places = (stands,) if stands == place else (stands, place)
            said = MoveReason("saves", places, (piece.kind,), n=sum(before), of=of, then=sum(after))
            found.append((sum(changes) * effect.facts.value(piece), said))
    return max(found, key=lambda each: each[0], default=(0, None))[1]


def checks(effect: MoveEffect) -> MoveReason | None:
    """The moved piece gives check and is not lost."""
    if effect.end is None or effect.exchange_loss(effect.end):
        return None
    for threat in effect.endangered:
        if threat.kind == "check":
            places = (effect.end, threat.place)
            return MoveReason("checks", places, _kinds(effect.pieces_after, places))
    return None


def threatens(effect: MoveEffect) -> MoveReason | None:
    """The moved piece attacks an unprotected or a more valuable piece and is not lost."""
    if effect.end is None or effect.exchange_loss(effect.end):
        return None
    for threat in effect.endangered:
        if threat.kind != "check":
            places = (effect.end, threat.place)
            return MoveReason("threatens", places, _kinds(effect.pieces_after, places))
    return None


def threatens_to_push(effect: MoveEffect) -> MoveReason | None:
    """A row can now push a marble off."""
    if effect.outcome is not None or not (falling := dangers(effect).get("edge")):
        return None
    if any(threat.kind == "free" for threat in effect.game.threats(effect.position)):
        return None  # the row could push one off already
    return MoveReason("threatens-push", (falling[0],), (effect.pieces_after[falling[0]].kind,))


def threatens_to_fetch(effect: MoveEffect) -> MoveReason | None:
    """A robot of the other camp can be brought home next."""
    if effect.outcome is not None or not (reached := dangers(effect).get("reach")):
        return None
    if any(brings_home(each) for each in effect.alternatives):
        return None  # one could be fetched already
    place = reached[0]
    return MoveReason("threatens-carry", (place,), (effect.pieces_after[place].kind,))


GOOD: Final[tuple[Callable[[MoveEffect], MoveReason | None], ...]] = (
    *(wins, pushes_off, takes_for_nothing, wins_an_exchange, takes_at_risk, brings_home, forks),
    *(saves, promotes, checks, threatens, threatens_to_push, threatens_to_fetch),
)
"""The most telling first."""


def dangers(effect: MoveEffect) -> dict[str, list[Place]]:
    """Return the threats to the other side after the move, by kind."""
    found: dict[str, list[Place]] = {}
    for threat in effect.game.threats(effect.after):
        found.setdefault(threat.kind, []).append(threat.place)
    return found


def takes_from(effect: MoveEffect, place: Place) -> bool:
    """Return whether a move takes, pushes off or brings home the piece on a place."""
    if effect.is_row:
        return effect.fallen == place
    return place in effect.captured or (effect.start == place and brings_home(effect) is not None)


def _counted(throws: Sequence[Throws], place: Place) -> tuple[int, int]:
    """Return the number of throws that take the piece on a place, and of all throws."""
    return sum(each.taking[place] for each in throws), sum(each.count for each in throws)


def _takes_one(effect: MoveEffect) -> bool:
    one = len(effect.captured) == 1 and effect.end in effect.captured
    return one and not effect.pushed_off


def _piece(effect: MoveEffect) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    if effect.end is None or effect.piece is None:
        return (), ()
    return (effect.end,), (effect.piece.kind,)


def _named(pieces: Mapping[Place, Piece]) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    return tuple(pieces), tuple(piece.kind for piece in pieces.values())


def _kinds(pieces: Mapping[Place, Piece], places: tuple[Place, ...]) -> tuple[str, ...]:
    return tuple(pieces[place].kind for place in places)
