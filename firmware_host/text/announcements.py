"""The status of a session: everything that a reader may show, with the sentences of the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from engine.game import CHANCE, Piece, Throw
from engine.match import AnyGame
from engine.reading.fewest_moves import Movement
from engine.reading.verdict import Underway
from firmware_host.i18n.messages import Message, count, say, warn
from firmware_host.lights.advice import NOTHING, Advice
from firmware_host.lights.dice import lost_turns
from firmware_host.lights.scene import scene
from firmware_host.lights.threats import threats
from firmware_host.players.names import Who, called
from firmware_host.session.hand_progress import refill_underway
from firmware_host.session.record import PASS_TEXT, RecordEntry
from firmware_host.session.shown_clock import ShownClock
from firmware_host.session.view import SessionView
from firmware_host.text.after_move import pending_messages, result_messages
from firmware_host.text.buttons import useful_buttons
from firmware_host.text.claims import offers
from firmware_host.text.clock import clock_messages
from firmware_host.text.dangers import dangers
from firmware_host.text.hand_progress import refill_messages, underway_messages, unmovable_message
from firmware_host.text.labels import place_message
from firmware_host.text.moves import brief_of, move_message, with_notation, words_of
from firmware_host.text.outcomes import ending_message
from firmware_host.text.refusals import refusal_message
from firmware_host.text.set_up import pieces_in_place
from firmware_host.text.status import OfferedMove, Ply, Status
from firmware_host.text.storage_status import StorageStatus
from firmware_host.text.turn_line import next_step, turn_line

SPELT_OUT: Final = 4
"""At most this many movements of a repair plan are said; the others follow when these are done."""
SAID_BY_BUTTON: Final = 6
"""At most this many moves that no sensor shows have a button each."""
NOTHING_WRONG: Final = StorageStatus()


def status(
    view: SessionView,
    rev: int,
    *,
    players: Sequence[str] = (),
    match_rev: int = 0,
    now: float | None = None,
    storage: StorageStatus = NOTHING_WRONG,
    advice: Advice = NOTHING,
    clock: ShownClock | None = None,
    all_in_place: bool = False,
) -> Status:
    """Return the status of a session at `now`, by default when something last happened.

    `players` are the players' own names, by seat. The match began with the revision `match_rev`.
    `storage` is the state of its files, `advice` what is known beyond the rules, `clock` the clock
    of the match or beside the board. If the pieces are known to be `all_in_place`, nobody is told
    what is left to do with them after a move.
    """
    now = view.now if now is None else now
    match, fallen, question = view.match, view.dice.last_throw, _question(view)
    who = partial(called, view.game, players)
    plan = view.repair.plan
    flags = None if clock is None else clock.fallen(now)
    short = frozenset() if clock is None else clock.short(now)
    lights = scene(view, now, safe=storage.safe is None, advice=advice, short=short)
    left = () if all_in_place else (*pending_messages(view, who),)
    lost = (*_lost_turns(view, who, now),)
    steps = next_step(view, (*_next_repair(view, plan),), left, who, advice, lights, lost)
    return Status(
        rev=rev,
        game=view.game.name,
        options=view.game.options,
        seats=view.game.seats,
        turn=match.turn,
        dice=view.dice.to_play,
        last_throw=fallen.dice if fallen else (),
        corrections=tuple(throw.dice for throw in view.dice.corrections),
        says=tuple(_with_files(storage, _says(view, plan, who, now, advice, clock, left))),
        acting=view.acting,
        turn_line=turn_line(view, players, who, advice, left),
        next_step=steps if storage.asks is None else (storage.asks,),
        plies=tuple(_plies(view, storage.safe)),
        question=question,
        asked=view.question.number,
        request=advice.request,
        unsensed_moves=()
        if question or view.repair.needed or advice.requested_move is not None
        else _unseen(view),
        to_fill=view.repair.fill,
        to_empty=view.repair.clear,
        repair_plan=plan,
        set_up=pieces_in_place(view),
        pieces={
            place: _piece(view.game, piece)
            for place, piece in view.game.pieces(match.position).items()
        },
        lights=lights,
        claims=offers([line.match for line in view.shown], tuple(players), flags),
        buttons=useful_buttons(view, question, now, machine=advice.requested_move is not None),
        faults=(*storage.faults, *view.faults),
        masked=tuple(sorted(view.masked)),
        assist=view.assist,
        points=view.game.points(match.position),
        outcome=view.outcome,
        match_rev=match_rev,
        players=tuple(players),
        clock=clock,
        saved_matches=storage.saved_matches,
    )


def _piece(game: AnyGame, piece: Piece) -> str:
    owner = "" if piece.owner is None else f"{game.seats[piece.owner]} "
    return f"{owner}{piece.kind}" + (f" ×{piece.count}" if piece.count > 1 else "")


def _plies(view: SessionView, safe: int | None) -> Iterator[Ply]:
    dice: tuple[int, ...] = ()
    number = 0
    moves = sum(entry.kind == "move" for entry in view.record)
    for index, entry in enumerate(view.record):
        if entry.kind == "throw":
            dice = tuple(int(die) for die in entry.texts[0].split("+"))
            continue
        number += entry.kind == "move"
        yield Ply(
            number,
            entry.seat,
            "?" if entry.open else entry.texts[0],
            dice,
            provisional=entry.kind == "move" and number > moves - view.provisional,
            candidates=entry.candidates if entry.open else (),
            words=None if entry.open or entry.kind == "claim" else words_of(entry.steps[0]),
            brief=brief_of(entry.steps[0]) if entry.kind == "move" and entry.steps else None,
            unsafe=safe is not None and index >= safe,
        )


def _question(view: SessionView) -> tuple[OfferedMove, ...]:
    if not view.question.open:
        return ()
    lit = view.question.lit
    buttons = {view.question.yes: "yes", view.question.no: "no"}
    asked = view.question.current
    assert asked is not None
    return tuple(
        OfferedMove(text, lit.get(text), buttons.get(text), words_of(step), brief_of(step))
        for text, step in zip(asked.candidates, asked.steps, strict=True)
    )


def _unseen(view: SessionView) -> tuple[OfferedMove, ...]:
    """Return the legal moves that no sensor shows completely; none if they are many, for example
    while a chip does not answer.
    """
    line, *others = view.shown
    if others or view.outcome is not None:
        return ()
    game, match, refill = view.game, line.match, refill_underway(view)
    silent = [*line.possible.silent, *(refill.complete if refill else ())]
    if len(silent) > SAID_BY_BUTTON:
        return ()
    return tuple(
        OfferedMove(
            game.move_text(match.position, each.move),
            None,
            None,
            move_message(game, match.position, each.move),
        )
        for each in silent
    )


def _with_files(storage: StorageStatus, says: Iterator[Message]) -> Iterator[Message]:
    """Yield the sentences with those about the files; a danger to the match comes first."""
    if storage.asks is not None:
        yield storage.asks
    yield from storage.faults
    yield from says
    yield from storage.notices


def _says(
    view: SessionView,
    plan: Sequence[Movement],
    who: Who,
    now: float,
    advice: Advice,
    clock: ShownClock | None,
    left: Sequence[Message],
) -> Iterator[Message]:
    if view.outcome is not None:
        yield from _ended(view, who)
    yield from view.faults
    yield from _repairs(view, plan, who)
    refill = refill_underway(view)
    if refill is not None:
        yield from refill_messages(view, refill, who)
    if view.question.current is not None:
        yield from _asks(view, view.question.current, who, now)
    if failing := view.failing:
        places = ", ".join(sorted(failing))
        yield warn("The sensor of {places} seems broken; I play on without it.", places=places)
    yield from advice.says  # people wait for it: it comes before the result
    if view.outcome is not None or view.repair.settling:
        return
    if clock is not None:
        yield from clock_messages(clock, who, now)
    yield from _last_move(view, who, now)
    yield from result_messages(view, who)
    yield from left
    yield from dangers(view)
    if view.match.turn == CHANCE:
        yield _throws(view, who)
    elif not (view.repair.guiding or refill is not None):  # they say already what to do
        yield from _turn(view, who)


def _repairs(view: SessionView, plan: Sequence[Movement], who: Who) -> Iterator[Message]:
    """Yield what is wrong with the board or the record, and how to put it right."""
    if view.repair.settling:
        yield say("Set up the pieces as the lights show.")
    if view.repair.refusal is not None:
        yield refusal_message(view.game, view.repair.refusal)
    if view.unplaced and view.repair.settling:
        yield warn("{move} cannot be played there.", move=view.unplaced)
    elif view.unplaced:
        yield warn(
            "{move} does not fit into the moves that I have read. If it was played, take "
            "back moves until the record is right, and play on from there.",
            move=view.unplaced,
        )
    if (lone := unmovable_message(view, who)) is not None:
        yield lone
    if (gone := view.withdrawn) is not None:
        yield say("{move} is taken back: only that fits what the sensors see.", move=gone.texts[0])
    yield from repair_messages(view.game, plan)
    if gone is not None and view.record:
        yield say("If other moves are wrong, take back more.")
    if view.repair.may_confirm:
        yield say("If it is like that already, press “yes”.")


def _lost_turns(view: SessionView, who: Who, now: float) -> Iterator[Message]:
    """Yield the turns that were just lost."""
    last = next((entry for entry in reversed(view.record) if entry.kind == "move"), None)
    lost = dict.fromkeys(lost_turns(view, now))
    if last is not None and last.texts == (PASS_TEXT,):
        lost[last.seat] = None
    for each in lost:
        yield say("{seat} cannot move: the turn is lost.", seat=who(each))


def _last_move(view: SessionView, who: Who, now: float) -> Iterator[Message]:
    """Yield the turns that were lost, and the last move."""
    last = next((entry for entry in reversed(view.record) if entry.kind == "move"), None)
    yield from _lost_turns(view, who, now)
    if last is not None and not last.open and last.texts != (PASS_TEXT,):
        move = with_notation(words_of(last.steps[0]), last.texts[0])
        yield say("{seat} played: {move}.", seat=who(last.seat), move=move)
    if any(threat.kind == "check" for threat in threats(view.match)):
        yield warn("Check!")


def _turn(view: SessionView, who: Who) -> Iterator[Message]:
    """Yield whose turn it is, or the move that has begun."""
    seat, dice = who(view.match.turn), "+".join(map(str, view.dice.to_play))
    if isinstance(view.verdict, Underway):
        yield from underway_messages(view, view.verdict, who)
    elif dice:
        yield say("{seat} plays {dice}.", seat=seat, dice=dice)
    else:
        yield say("It is {seat}'s turn.", seat=seat)


def _throws(view: SessionView, who: Who) -> Message:
    seat = who(view.acting)
    dice = max(len(move.dice) for move in view.match.legal if isinstance(move, Throw))
    return count("{seat} throws the die.", "{seat} throws the dice.", dice, seat=seat)


def _next_repair(view: SessionView, plan: Sequence[Movement]) -> Iterator[Message]:
    """Yield the next movement that puts the board right, and why it is needed."""
    if plan:
        yield movement_message(view.game, plan[0])
    if plan and view.repair.refusal is not None:
        yield refusal_message(view.game, view.repair.refusal)


def repair_messages(game: AnyGame, plan: Sequence[Movement]) -> Iterator[Message]:
    """Yield the next hand movements of the repair plan."""
    if len(plan) > 1:
        yield count(
            "{n} movement puts the board right:", "{n} movements put the board right:", len(plan)
        )
    unknown = {step.start for step in plan if step.end is None and step.piece is None}
    for step in plan[:SPELT_OUT]:
        yield movement_message(game, step)
        if step.piece and step.end and step.end in unknown and not step.start:
            yield say(
                "If the {piece} is already on {place}, it has the wrong side up: turn it over.",
                piece=say(game.kinds[step.piece.kind]),
                place=step.end,
            )


def movement_message(game: AnyGame, step: Movement) -> Message:
    """Return the sentence of a movement of the repair plan."""
    start, end = step.start or "", step.end or ""
    piece = say(game.kinds[step.piece.kind]) if step.piece else None
    if not end:
        if piece is None:
            return say("Take off the piece on {place}.", place=start)
        return say("Take the {piece} off {place}.", piece=piece, place=start)
    assert piece is not None
    if start == end:
        return say("Turn over the {piece} on {place}.", piece=piece, place=end)
    if not start:
        return _put_message(game, step.piece, piece, end)
    if "." in start and "." in end:
        tray, other = place_message(game, start), place_message(game, end)
        return say(
            "Move the {piece} to its own tray (from: {tray}; to: {other}).",
            piece=piece,
            tray=tray,
            other=other,
        )
    if "." in start:
        tray = place_message(game, start)
        deed = say(
            "Bring the {piece} to {place} (from: {tray}).", piece=piece, place=end, tray=tray
        )
    elif "." in end:
        tray = place_message(game, end)
        deed = say("Take off the piece on {place} (it goes to: {tray}).", place=start, tray=tray)
    else:
        deed = say("Move the {piece} from {start} to {place}.", piece=piece, start=start, place=end)
    return say("{deed} Turn it over as you do.", deed=deed) if step.turned else deed


def _put_message(game: AnyGame, piece: Piece | None, name: Message, place: str) -> Message:
    """Return where a piece beside the board goes; with its owner if others have such pieces."""
    assert piece is not None
    kind = piece.kind.removeprefix("+")
    start = game.pieces(game.start()).values()
    if piece.owner is None or len({each.owner for each in start if each.kind == kind}) < 2:
        return say("Put the {piece} on {place}.", piece=name, place=place)
    seat = say(game.seats[piece.owner])
    return say("Put the {piece} of {seat} on {place}.", piece=name, seat=seat, place=place)


def _asks(view: SessionView, entry: RecordEntry, who: Who, now: float) -> Iterator[Message]:
    """Yield the question, and how to answer it."""
    questions = view.question
    seat = who(entry.seat)
    moves = {
        text: with_notation(words_of(step), text)
        for text, step in zip(entry.candidates, entry.steps, strict=True)
    }
    yes, no, lit = questions.yes, questions.no, questions.lit
    if yes and no:
        yield say(
            "Was the piece promoted in the move of {seat}: {move}? Press “yes” or “no”.",
            seat=seat,
            move=moves[no],
        )
        moves = {yes: say("yes"), no: say("no")}
    elif len(moves) == 1:
        (move,) = moves.values()
        yield say("Did {seat} play this, or nothing yet: {move}?", seat=seat, move=move)
    elif len(lit) == len(moves):  # the answers below name the moves
        yield say("The sensors cannot tell which move {seat} played. Which was it?", seat=seat)
    else:
        yield say(
            "The sensors cannot tell which of these moves {seat} played: {moves}. Which was it?",
            seat=seat,
            moves=tuple(moves.values()),
        )
    if questions.corrects and len(moves) == 1:
        yield say("If nothing was played, press “wrong” again.")
    elif questions.corrects:
        yield say("If it was none of them, press “wrong” again: the last move is taken back.")
    elif entry.may_be_nothing and entry == view.record[-1]:
        yield say("If nothing was played, press “take back”.")
    elif questions.may_be_denied:
        yield say("If nothing was played, press “no”.")
    pressed = questions.pressed_at(now)
    if pressed is not None:
        chosen = next((moves[text] for text, place in lit.items() if place == pressed), say(""))
        yield say("Lift {place} again to choose: {move}.", place=pressed, move=chosen)
    elif lit:
        ways = tuple(
            say("{move}: {place}", move=moves[text], place=place) for text, place in lit.items()
        )
        yield say(
            "To answer on the board, lift a lit piece and put it back, twice in a row: {ways}.",
            ways=ways,
        )


def _ended(view: SessionView, who: Who) -> Iterator[Message]:
    game, outcome = view.game, view.outcome
    assert outcome is not None
    yield ending_message(game, outcome, who)
    if outcome.points:
        yield say("Points: {points}.", points=", ".join(map(str, outcome.points)))
    if view.may_start_another:
        yield say("For another match, press “yes” or set up the pieces.")
