"""The line that says whose turn it is, and what to do next in one sentence.

The sentence quotes the signs of the lights (`◎ ○ ✕ ❗ ★`), so that people find on the board what it
speaks of. Nothing in it says what has happened: that is in the other sentences of the status.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.game import CHANCE, Place, Throw
from engine.reading.verdict import Underway
from firmware_host.i18n.messages import Message, count, say
from firmware_host.lights.advice import Advice
from firmware_host.lights.scene import pieces_in_hand
from firmware_host.lights.signals import ColourRole, Light, Signal
from firmware_host.lights.threats import threats
from firmware_host.players.names import Who
from firmware_host.session.hand_progress import refill_underway, unfinished_moves, unmovable
from firmware_host.session.view import SessionView
from firmware_host.text.hand_progress import refill_messages, underway_messages, unmovable_message
from firmware_host.text.outcomes import winner_message

TARGETS: Final = 2
"""The help level from which the lights show where a piece may go."""


def turn_line(
    view: SessionView,
    players: Sequence[str],
    who: Who,
    advice: Advice,
    after_move: Sequence[Message] = (),
) -> Message:
    """Return whose turn it is, or what hands must do first, in a few words. `after_move` says what
    to do with pieces of the last move.
    """
    seat = view.acting
    name = who(seat)
    has_name = seat < len(players) and bool(players[seat])
    if view.outcome is not None:
        return winner_message(view.outcome, who)
    if view.repair.settling:
        return say("Set up the board")
    if view.repair.guiding and unmovable(view) is None:
        return say("Put the board right")
    if view.question.current is not None:
        return say("{seat} chooses", seat=who(view.question.current.seat))
    if _thinks(advice) and after_move and not advice.says:
        return say("{seat} waits", seat=name)  # it begins once hands have put the piece away
    if _thinks(advice) and view.match.turn != CHANCE:
        return say("{seat} thinks", seat=name)
    if view.match.turn == CHANCE:
        own = has_name and advice.requested_move is None
        return say("Your throw, {name}", name=name) if own else say("{seat} throws", seat=name)
    if advice.requested_move is not None:
        return say("{seat} moves", seat=name)
    if view.dice.to_play:
        return say("{seat}: {dice}", seat=name, dice="+".join(map(str, view.dice.to_play)))
    if has_name:
        return say("Your turn, {name}", name=name)
    return say("It is {seat}'s turn.", seat=name)


def next_step(
    view: SessionView,
    mend: Sequence[Message],
    after_move: Sequence[Message],
    who: Who,
    advice: Advice,
    lights: Mapping[Place, Light],
    lost: Sequence[Message] = (),
) -> tuple[Message, ...]:
    """Return what hands should do next, in one or two sentences; none after the end. `mend` says
    how to put the board right, `after_move` what to do with pieces of the last move, `lost` which
    turns were just lost; a requested move that waits for that comes last.
    """
    if view.outcome is not None:
        return ()
    waits = advice.says if advice.request and advice.requested_move is None else ()
    advised = () if waits else advice.says
    before = lost[-1:] if not advised or advice.requested_move is not None else ()
    return *_steps(view, mend, after_move, who, advised, lights, _thinks(advice), before), *waits


def _thinks(advice: Advice) -> bool:
    """Whether the machine is to move and has not chosen its move yet."""
    return advice.requested_move is not None and not (advice.requested_move or advice.chosen)


def _steps(
    view: SessionView,
    mend: Sequence[Message],
    after_move: Sequence[Message],
    who: Who,
    advised: Sequence[Message],
    lights: Mapping[Place, Light],
    thinks: bool,
    lost: Sequence[Message],
) -> Iterator[Message]:
    if (lone := unmovable_message(view, who)) is not None:
        yield lone
        return
    if mend or view.repair.settling:
        yield from mend or [say("Set up the pieces as the lights show.")]
        return
    if view.question.current is not None:
        yield _answer(view)
        return
    if (begun := refill_underway(view)) is not None:
        yield from [*refill_messages(view, begun, who)][:1]
        return
    if advised:
        yield from [*lost, advised[0]]
        return
    yield from [*after_move[:1], *lost][:1]
    if view.match.turn == CHANCE and not thinks:
        yield from _throw(view, brief=bool(after_move or lost))
    if after_move or view.match.turn == CHANCE:
        return
    held = tuple(_in_hand(view, who, lights))
    if thinks and not held:
        return  # no hand has to do anything
    if any(threat.kind == "check" for threat in threats(view.match)):
        yield say("Check!")
    if held:
        yield from held
    elif view.dice.to_play and _draws_the_dice(lights):
        yield say("The lights draw the throw: {dice}.", dice="+".join(map(str, view.dice.to_play)))
    elif view.dice.to_play:
        yield from _for_the_dice(view)
    elif view.assist[view.acting] >= TARGETS:
        yield say("Lift a piece to see where it can go.")


def _throw(view: SessionView, *, brief: bool) -> Iterator[Message]:
    """Yield how the dice are thrown, in one sentence if it is to be `brief`."""
    dice = max(len(move.dice) for move in view.match.legal if isinstance(move, Throw))
    yield count("Touch the die.", "Touch the dice.", dice)
    if not brief:
        yield count(
            "Or throw your own and touch its number.",
            "Or throw your own and touch their numbers.",
            dice,
        )


def _draws_the_dice(lights: Mapping[Place, Light]) -> bool:
    """Whether the lights show the number thrown, and not yet the pieces that it moves."""
    return any(light.role is ColourRole.PIP for light in lights.values())


def _answer(view: SessionView) -> Message:
    if view.question.yes and view.question.no:
        return say("Choose at the yellow ❗, or turn the piece over on the board.")
    return say("Which move was it? Choose at the yellow ❗.")


def _in_hand(view: SessionView, who: Who, lights: Mapping[Place, Light]) -> Iterator[Message]:
    """Yield where the piece in hand may go, or the rest of a move of several pieces."""
    if isinstance(view.verdict, Underway) and any(rest.steps for rest in unfinished_moves(view)):
        yield from [*underway_messages(view, view.verdict, who)][:1]
        return
    line, lifted, moves = pieces_in_hand(view)
    standing = view.game.pieces(line.match.position)
    own = [place for place in lifted if place in standing]
    shown = {light.signal for place, light in lights.items() if place not in lifted}
    alone = len(own) == 1 and standing[own[0]].owner in (None, line.match.turn)
    if alone and moves and view.assist[view.acting] >= TARGETS:
        piece = say(view.game.kinds[standing[own[0]].kind])
        puts, takes = Signal.BLUE in shown, Signal.RED in shown
        if puts and takes:
            yield say("Put the {piece} on blue ○, or take what stands on red ✕.", piece=piece)
        elif takes:
            yield say("Take what stands on red ✕ with the {piece}.", piece=piece)
        elif puts:
            yield say("Put the {piece} on blue ○.", piece=piece)
        if puts or takes:
            return
    if isinstance(view.verdict, Underway):
        yield from [*underway_messages(view, view.verdict, who)][:1]


def _for_the_dice(view: SessionView) -> Iterator[Message]:
    """Yield which kinds of pieces the dice move."""
    match = view.match
    standing = match.game.pieces(match.position)
    kinds = dict.fromkeys(
        standing[place].kind
        for move in match.legal
        for place, after in match.game.changes(match.position, move).items()
        if after is None and place in standing and standing[place].owner == match.turn
    )
    names = [say(match.game.kinds[kind]) for kind in kinds]
    if len(names) > 1:
        names[:] = [say("{pieces} or {piece}", pieces=tuple(names[:-1]), piece=names[-1])]
    if names and view.assist[view.acting] >= TARGETS:
        yield say("Move a lit piece ◎: {pieces}.", pieces=names[0])
    elif names:
        yield say("Move one of these: {pieces}.", pieces=names[0])
