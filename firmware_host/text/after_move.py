"""What is said after a move: the points it brought, what follows from it, what hands still owe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.game import Piece, Seat, Throw
from engine.match import AnyGame
from engine.reading.history import History
from firmware_host.i18n.messages import Message, count, say
from firmware_host.players.names import Who
from firmware_host.session.pending_actions import ActionKind, PendingAction, captives
from firmware_host.session.view import SessionView
from firmware_host.text.places import tray_for


def afterwards(view: SessionView, who: Who) -> Iterator[Message]:
    """Say what the last move has brought, as far as all that is shown agrees, and what is owed;
    `who` tells what players are called.
    """
    first, *others = view.shown
    brought = list(_brought(first, who))
    if brought and all(list(_brought(other, who)) == brought for other in others):
        yield from brought
    for each in view.reported:
        yield _owed_message(view.game, each, who)


def _brought(line: History, who: Who) -> Iterator[Message]:
    """Say what points the last move or claim of a line has brought, and what follows from it."""
    while isinstance(line.match.move, Throw) and line.before is not None:
        line = line.before
    if line.before is None:
        return
    game, before, after = line.match.game, line.before.match.position, line.match.position
    for seat, (was, now) in enumerate(zip(game.points(before), game.points(after), strict=True)):
        if was != now:
            taken = [man for _, man in captives(line)] if seat == line.match.seat else []
            yield _points_message(game, who, seat, taken, now - was, now)
    for sequel in game.sequels_of(before, after):
        seats = {str(i): who(seat) for i, seat in enumerate(sequel.seats)}
        yield say(game.sequels[sequel.code], **seats)


def _points_message(
    game: AnyGame, who: Who, seat: Seat, taken: Sequence[Piece], more: int, total: int
) -> Message:
    name = who(seat)
    if not taken:
        return count(
            "{seat}: {n} point more, {total} in all.",
            "{seat}: {n} points more, {total} in all.",
            more,
            seat=name,
            total=total,
        )
    return count(
        "{seat} takes the {pieces}: {n} point, {total} in all.",
        "{seat} takes the {pieces}: {n} points, {total} in all.",
        more,
        seat=name,
        pieces=tuple(_men(game, taken, who)),
        total=total,
    )


def _men(game: AnyGame, men: Sequence[Piece], who: Who) -> Iterator[Message]:
    """Name men, those alike together; whose they are where that could be several players'."""
    for man, n in Counter(men).items():
        name = say(game.kinds[man.kind])
        if man.owner is not None and len(game.seats) > 2:
            name = say("{piece} of {seat}", piece=name, seat=who(man.owner))
        yield name if n == 1 else say("{piece} ×{n}", piece=name, n=n)


def _owed_message(game: AnyGame, owes: PendingAction, who: Who) -> Message:
    """Return the sentence of something that is owed."""
    man = say(game.kinds[owes.pieces[0].kind])
    kind = say(game.kinds[owes.becomes]) if owes.becomes else man
    match owes.action:
        case ActionKind.PUT_AWAY:
            return _put_away_message(game, owes, who)
        case ActionKind.TURN_OVER:
            return say(
                "Turn the {piece} on {place} over: it is a {kind} now.",
                piece=man,
                place=owes.place,
                kind=kind,
            )
        case ActionKind.TURN_BACK:
            return say(
                "Turn the captured {piece} over: it is a {kind} again.", piece=man, kind=kind
            )
        case ActionKind.EXCHANGE:
            return say(
                "Put the {kind} on {place} in the place of the {piece}.",
                piece=man,
                place=owes.place,
                kind=kind,
            )
        case ActionKind.POINT:
            return say(
                "The dropped {piece} points away from {seat}.", piece=man, seat=who(owes.seat)
            )


def _put_away_message(game: AnyGame, owes: PendingAction, who: Who) -> Message:
    """Return the one sentence for all men that go to a tray, or to where the game has none."""
    (first, *others), n = tuple(_men(game, owes.pieces, who)), len(owes.pieces)
    owner = tray_for(game, owes.place)[0] if owes.place.startswith("hand.") else ""
    seat = who(game.seats.index(owner)) if owner else say("")
    if n > 1 and owner:
        return count(
            "{n} piece goes to the hand of {seat}: {pieces}.",
            "{n} pieces go to the hand of {seat}: {pieces}.",
            n,
            pieces=(first, *others),
            seat=seat,
        )
    if n > 1:
        return count(
            "{n} piece goes beside the board: {pieces}.",
            "{n} pieces go beside the board: {pieces}.",
            n,
            pieces=(first, *others),
        )
    if not owner:
        return say("The {piece} goes beside the board.", piece=first)
    if game.pointing:
        return say(
            "The {piece} goes to the hand of {seat}, and points away from there now.",
            piece=first,
            seat=seat,
        )
    return say("The {piece} goes to the hand of {seat}.", piece=first, seat=seat)
