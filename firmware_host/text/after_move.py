"""Sentences after a move: the points it scored, what follows from it, pending actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.game import Piece, Seat, Throw
from engine.match import AnyGame
from engine.reading.history import History
from firmware_host.i18n.messages import Message, count, fill, say
from firmware_host.players.names import Who
from firmware_host.session.pending_actions import ActionKind, PendingAction, captives
from firmware_host.session.view import SessionView
from firmware_host.text.labels import tray_for

_ACTIONS: Final[Mapping[ActionKind, Message]] = {
    ActionKind.TURN_OVER: say("Turn over the {piece} on {place}: it is a {kind} now."),
    ActionKind.TURN_BACK: say("Turn over the captured {piece}: it is a {kind} again."),
    ActionKind.EXCHANGE: say("Replace the {piece} on {place} with the {kind}."),
    ActionKind.POINT: say("The {piece} that {seat} has dropped must point at {opponent}."),
}
"""The sentence for each action with a piece; `_put_away_message` has those of PUT_AWAY."""


def result_messages(view: SessionView, who: Who) -> Iterator[Message]:
    """Yield what the last move scored, where all current histories agree. `who` gives the names of
    players.
    """
    first, *others = view.shown
    brought = list(_scored(first, who))
    if brought and all(list(_scored(other, who)) == brought for other in others):
        yield from brought


def pending_messages(view: SessionView, who: Who) -> Iterator[Message]:
    """Yield what hands still have to do with the pieces of the last moves; at last what lies where
    no sensor feels it, because that may be done already.
    """
    for each in sorted(view.reported, key=lambda each: _is_unsensed(view, each)):
        yield _action_message(view.game, each, who)


def _is_unsensed(view: SessionView, pending: PendingAction) -> bool:
    return pending.action is ActionKind.PUT_AWAY and pending.place not in view.sight.trays


def _scored(line: History, who: Who) -> Iterator[Message]:
    """Say what points the last move or claim of a line has brought, and what follows from it."""
    while isinstance(line.match.move, Throw) and line.before is not None:
        line = line.before
    if line.before is None:
        return
    game, before, after = line.match.game, line.before.match.position, line.match.position
    for seat, (was, now) in enumerate(zip(game.points(before), game.points(after), strict=True)):
        if was != now:
            taken = [piece for _, piece in captives(line)] if seat == line.match.seat else []
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
            "{seat}: {n} more point, {total} in all.",
            "{seat}: {n} more points, {total} in all.",
            more,
            seat=name,
            total=total,
        )
    return count(
        "{seat} takes the {pieces}: {n} point, {total} in all.",
        "{seat} takes the {pieces}: {n} points, {total} in all.",
        more,
        seat=name,
        pieces=tuple(_named(game, taken, who)),
        total=total,
    )


def _named(game: AnyGame, pieces: Sequence[Piece], who: Who) -> Iterator[Message]:
    """Name pieces, equal ones together; with their owner if the game has more than two players."""
    for piece, n in Counter(pieces).items():
        name = say(game.kinds[piece.kind])
        if piece.owner is not None and len(game.seats) > 2:
            name = say("{piece} of {seat}", piece=name, seat=who(piece.owner))
        yield name if n == 1 else say("{piece} ×{n}", piece=name, n=n)


def _action_message(game: AnyGame, pending: PendingAction, who: Who) -> Message:
    if pending.action is ActionKind.PUT_AWAY:
        return _put_away_message(game, pending, who)
    piece = say(game.kinds[pending.pieces[0].kind])
    kind = say(game.kinds[pending.becomes]) if pending.becomes else piece
    sentence, seat = _ACTIONS[pending.action], who(pending.seat)
    return fill(
        sentence,
        piece=piece,
        place=pending.place,
        kind=kind,
        seat=seat,
        opponent=who(_opponent(game, pending.seat)),
    )


def _opponent(game: AnyGame, seat: Seat) -> Seat:
    """Return the seat at whose player the pieces of a seat point; with two players, the other."""
    return (seat + 1) % len(game.seats)


def _put_away_message(game: AnyGame, pending: PendingAction, who: Who) -> Message:
    """Return one sentence for all pieces that go to one tray, or beside a board without trays."""
    (first, *others), n = tuple(_named(game, pending.pieces, who)), len(pending.pieces)
    owner = tray_for(game, pending.place)[0] if pending.place.startswith("hand.") else ""
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
            "The {piece} goes to the hand of {seat}. Turn it to point at {opponent}.",
            piece=first,
            seat=seat,
            opponent=who(_opponent(game, game.seats.index(owner))),
        )
    return say("The {piece} goes to the hand of {seat}.", piece=first, seat=seat)
