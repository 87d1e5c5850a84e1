"""Sentences about the judged moves of a match: why another move was better, and how many good ones
there were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.match import AnyGame, Match
from engine.search.turning_points import GoodMoves, JudgedPly, good_moves
from firmware_host.i18n.messages import Message, count, say
from firmware_host.players.names import Who
from firmware_host.text.moves import move_message, with_notation
from firmware_host.text.reasons import why_message


def played_message(game: AnyGame, ply: JudgedPly) -> Message | None:
    """Return why the move that was played is bad; None if the search has no reason."""
    return None if ply.why is None else why_message(game, ply.why)


def better_message(game: AnyGame, ply: JudgedPly) -> Message | None:
    """Return why the best move is better, as a sentence about it; None if the search has no
    reason.
    """
    return None if ply.best_why is None else why_message(game, ply.best_why)


def better_messages(
    game: AnyGame, position: Any, ply: JudgedPly, *, lit: bool = False
) -> tuple[Message, ...]:
    """Return the best move in `position` and the reason, in reading order: first what is bad about
    the move that was played, or else last what is good about the best. A move that is `lit` is
    named with its sign.
    """
    words = move_message(game, position, game.parse_move(position, ply.best))
    move = with_notation(words, ply.best)
    better = say("Better: {move} ★.", move=move) if lit else say("Better: {move}.", move=move)
    if (bad := played_message(game, ply)) is not None:
        return bad, better
    good = better_message(game, ply)
    return (better,) if good is None else (better, good)


def good_moves_messages(match: Match, plies: Sequence[JudgedPly], who: Who) -> Iterator[Message]:
    """Yield how many good moves each player found; nothing for a player with nothing to praise."""
    for seat, moves in enumerate(good_moves(match, plies)):
        message = good_moves_message(who(seat), moves)
        if message is not None:
            yield message


def good_moves_message(player: Message, moves: GoodMoves) -> Message | None:
    """Return how many good moves a player found, kindly: the number of all moves is told only if at
    least half of them were good. None if there is nothing to praise.
    """
    found, of = moves
    if not found:
        return None
    if 2 * found >= of:
        return say("{player} found {n} of {of} good moves.", player=player, n=found, of=of)
    return count(
        "{player} found {n} good move.", "{player} found {n} good moves.", found, player=player
    )


def is_judging_message(done: int, total: int) -> Message:
    """Return how far the search is."""
    return say("Looking at move {n} of {count} …", n=done + 1, count=total)
