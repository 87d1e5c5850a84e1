"""What is good about a move: each detector says it of one move, or says nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.game import Piece, Place
from engine.search.explain.facts import MoveEffect, Throws
from engine.search.explain.sentence import MoveReason


def wins(deed: MoveEffect) -> MoveReason | None:
    """It ends the game, and is won."""
    if not deed.wins or deed.outcome is None:
        return None
    return MoveReason("wins", *_piece(deed), ending=deed.outcome.reason)


def pushes_off(deed: MoveEffect) -> MoveReason | None:
    """A row pushes a piece off the board."""
    if not deed.pushed_off:
        return None
    return MoveReason("pushes-off", (), tuple(piece.kind for piece in deed.took.values()))


def takes_for_nothing(deed: MoveEffect) -> MoveReason | None:
    """It takes a piece, and nobody takes back."""
    if not _takes_one(deed) or not deed.end or deed.pieces.captures(deed.after, deed.end):
        return None
    if deed.throws_after and deed.lost_on(deed.end):
        return None
    return MoveReason("takes-for-nothing", *_named(deed.took))


def wins_an_exchange(deed: MoveEffect) -> MoveReason | None:
    """It takes a piece who is worth more than what is lost for him."""
    if not _takes_one(deed) or deed.exchange <= 0:
        return None
    return MoveReason("wins-exchange", *_named(deed.took))


def takes_at_risk(deed: MoveEffect) -> MoveReason | None:
    """It takes a piece, and some throws take back."""
    if not _takes_one(deed) or deed.end is None or not deed.throws_after:
        return None
    n, of = _counted(deed.throws_after, deed.end)
    return MoveReason("takes-at-risk", *_named(deed.took), n=n, of=of) if n and of else None


def brings_home(deed: MoveEffect) -> MoveReason | None:
    """A piece that nobody owns comes into the own camp."""
    camps = getattr(deed.game, "camps", None)
    if not isinstance(camps, tuple) or deed.end is None or deed.start is None:
        return None
    own = camps[deed.seat]
    if deed.end in own and deed.start not in own and deed.start in deed.game.cells():
        return MoveReason("brings-home", (deed.end,), (deed.after_pieces[deed.end].kind,))
    return None


def promotes(deed: MoveEffect) -> MoveReason | None:
    """The piece becomes another one, and is not lost at once."""
    was = deed.before_pieces.get(deed.start or "")
    if deed.piece is None or was is None or deed.end is None or deed.start is None:
        return None
    if deed.start not in deed.game.cells() or was.kind == deed.piece.kind or deed.exchange < 0:
        return None
    return MoveReason("promotes", (deed.end,), (was.kind, deed.piece.kind))


def forks(deed: MoveEffect) -> MoveReason | None:
    """The piece attacks two at once, and is not lost for it."""
    if len(deed.endangered) < 2 or deed.end is None or deed.lost_on(deed.end):
        return None
    places = tuple(threat.place for threat in deed.endangered[:2])
    return MoveReason("forks", (deed.end, *places), _kinds(deed.after_pieces, (deed.end, *places)))


def saves(deed: MoveEffect) -> MoveReason | None:
    """A piece that could be taken, pushed off or carried off for nothing is safe now. With dice
    fewer throws take it.
    """
    if deed.outcome is not None:
        return None
    if deed.throws_after:
        return _saves_from_throws(deed)
    for threat in deed.game.threats(deed.position):
        place = deed.end if threat.place == deed.start else threat.place
        piece = deed.after_pieces.get(place or "")
        if place is None or piece is None or deed.pieces.hostile(deed.seat, piece):
            continue
        if threat.kind == "undefended" and not deed.lost_on(place):
            return MoveReason("saves", (place,), (piece.kind,))
        if threat.kind in ("edge", "reach") and not any(
            place in reply.took or place == reply.start for reply in deed.replies
        ):
            return MoveReason("saves", (place,), (piece.kind,))
    return None


def _saves_from_throws(deed: MoveEffect) -> MoveReason | None:
    """Return the piece that gains most: fewer of the next player's throws take it, and no more of
    any other's.
    """
    found = []
    for place, piece in deed.before_pieces.items():
        stands = deed.end if place == deed.start and deed.end is not None else place
        if deed.pieces.hostile(deed.seat, piece) or deed.after_pieces.get(stands) != piece:
            continue
        before = [throws.taking[place] for throws in deed.throws_before]
        after = [throws.taking[stands] for throws in deed.throws_after]
        changes = [now - then for now, then in zip(before, after, strict=False)]
        if changes and changes[0] > 0 and min(changes) >= 0:
            of = sum(throws.count for throws in deed.throws_before)
            places = (stands,) if stands == place else (stands, place)
            said = MoveReason("saves", places, (piece.kind,), n=sum(before), of=of, then=sum(after))
            found.append((sum(changes) * deed.pieces.worth(piece), said))
    return max(found, key=lambda each: each[0], default=(0, None))[1]


def checks(deed: MoveEffect) -> MoveReason | None:
    """The royal piece is attacked, and whoever attacks him is not lost for it."""
    if deed.end is None or deed.lost_on(deed.end):
        return None
    for threat in deed.endangered:
        if threat.kind == "check":
            places = (deed.end, threat.place)
            return MoveReason("checks", places, _kinds(deed.after_pieces, places))
    return None


def threatens(deed: MoveEffect) -> MoveReason | None:
    """A piece is attacked whom nobody protects, or who is worth more."""
    if deed.end is None or deed.lost_on(deed.end):
        return None
    for threat in deed.endangered:
        if threat.kind != "check":
            places = (deed.end, threat.place)
            return MoveReason("threatens", places, _kinds(deed.after_pieces, places))
    return None


def threatens_to_push(deed: MoveEffect) -> MoveReason | None:
    """A row stands so now that it could push a marble off next."""
    if deed.outcome is not None or "edge" not in _dangers(deed):
        return None
    if any(threat.kind == "free" for threat in deed.game.threats(deed.position)):
        return None  # it could push one off already, and does not
    return MoveReason("threatens-push")


def threatens_to_fetch(deed: MoveEffect) -> MoveReason | None:
    """A robot of the other camp can be brought home next."""
    if deed.outcome is not None or not (reached := _dangers(deed).get("reach")):
        return None
    if any(brings_home(each) for each in deed.instead):
        return None  # one could be fetched already, and is not
    place = reached[0]
    return MoveReason("threatens-carry", (place,), (deed.after_pieces[place].kind,))


GOOD: Final[tuple[Callable[[MoveEffect], MoveReason | None], ...]] = (
    wins,
    pushes_off,
    takes_for_nothing,
    wins_an_exchange,
    takes_at_risk,
    brings_home,
    forks,
    saves,
    promotes,
    checks,
    threatens,
    threatens_to_push,
    threatens_to_fetch,
)
"""The most telling first."""


def _dangers(deed: MoveEffect) -> dict[str, list[Place]]:
    """Return by kind what the other side has to fear after the move."""
    found: dict[str, list[Place]] = {}
    for threat in deed.game.threats(deed.after):
        found.setdefault(threat.kind, []).append(threat.place)
    return found


def _counted(throws: Sequence[Throws], place: Place) -> tuple[int, int]:
    """Return how many throws take the piece on a place, and how many there are."""
    return sum(each.taking[place] for each in throws), sum(each.count for each in throws)


def _takes_one(deed: MoveEffect) -> bool:
    return len(deed.took) == 1 and deed.end in deed.took


def _piece(deed: MoveEffect) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    if deed.end is None or deed.piece is None:
        return (), ()
    return (deed.end,), (deed.piece.kind,)


def _named(pieces: Mapping[Place, Piece]) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    return tuple(pieces), tuple(piece.kind for piece in pieces.values())


def _kinds(pieces: Mapping[Place, Piece], places: tuple[Place, ...]) -> tuple[str, ...]:
    return tuple(pieces[place].kind for place in places)
