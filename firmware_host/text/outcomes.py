"""Sentences about how a game ends, and how moves end it if both sides play perfectly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.game import Outcome
from engine.match import AnyGame
from firmware_host.i18n.messages import Message, count, say
from firmware_host.players.names import Who


def winner_message(outcome: Outcome, who: Who) -> Message:
    """Return the players who win, or that it is a draw."""
    match [who(seat) for seat in sorted(outcome.winners)]:
        case []:
            return say("it is a draw.")
        case [winner]:
            return say("{winner} wins.", winner=winner)
        case winners:
            return say("{winners} win.", winners=tuple(winners))


def reason_message(game: AnyGame, outcome: Outcome, who: Who) -> Message:
    """Return why the game is over. Of two players, the one who resigns is named."""
    losers = set(range(len(game.seats))) - outcome.winners
    if outcome.reason == "resign" and len(losers) == 1:
        return say("{seat} resigns.", seat=who(*losers))
    return say(game.endings.get(outcome.reason, outcome.reason))


def ending_message(game: AnyGame, outcome: Outcome, who: Who) -> Message:
    """Return the players who win, and why the game is over."""
    if outcome.reason not in game.endings:
        return winner_message(outcome, who)
    why = reason_message(game, outcome, who)
    match [who(seat) for seat in sorted(outcome.winners)]:
        case []:
            return say("Nobody wins: {why}", why=why)
        case [winner]:
            return say("{winner} wins: {why}", winner=winner, why=why)
        case winners:
            return say("{winners} win: {why}", winners=tuple(winners), why=why)


def outcome_messages(known: Mapping[str, int], best: int | None) -> Iterator[Message]:
    """Yield how moves end if both sides play perfectly.

    `known` has the number of plies, the move itself included, in which each move wins; negative if
    it loses, 0 if it draws. `best` is that number of the best move, if it is known. If even that
    one loses, the sentences compare how long each move lasts.
    """
    if best is None or best >= 0:
        yield from (_outcome(text, plies) for text, plies in known.items())
        return
    yield from (_held_out(text, plies, best) for text, plies in known.items())
    if known:
        yield say("Your opponent can win now, but only without a mistake.")


def perfect_message(plies: int) -> Message:
    """Return how a position ends if both sides play perfectly.

    The side to act wins if `plies` is positive, loses if it is negative, and draws if it is 0.
    """
    if not plies:
        return say("With perfect play by both sides it is a draw.")
    if plies > 0:
        return say("With perfect play by both sides you win in the end.")
    return say("With perfect play by both sides your opponent wins in the end.")


def _outcome(text: str, plies: int) -> Message:
    if not plies:
        return say("{move} leads to a draw.", move=text)
    if plies > 0:
        return count(
            "{move} wins in {n} move.",
            "{move} wins in {n} moves, counting both sides.",
            plies,
            move=text,
        )
    return count(
        "{move} loses in {n} move.",
        "{move} loses in {n} moves, counting both sides.",
        -plies,
        move=text,
    )


def _held_out(text: str, plies: int, best: int) -> Message:
    if plies > best:
        return count(
            "{move} lasts {n} more move, counting both sides.",
            "{move} lasts {n} more moves, counting both sides.",
            -plies,
            move=text,
        )
    return count(
        "{move} lasts longest: {n} more move, counting both sides.",
        "{move} lasts longest: {n} more moves, counting both sides.",
        -plies,
        move=text,
    )
