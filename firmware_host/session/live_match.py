"""A match in play: what is shown of it, the record that follows from that, and what is asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

from engine.game import (
    CHANCE,
    Claim,
    GameError,
    Outcome,
    Pass,
    Place,
    Seat,
    Throw,
)
from engine.match import AnyGame, Match
from engine.reading.footprints import Footprint, Reading, Sight
from engine.reading.history import History
from engine.reading.mismatch import difference
from engine.reading.reader import Reader
from engine.reading.verdict import Ambiguous, Settled
from firmware_host.session.match_end import MatchEnd
from firmware_host.session.outbox import Outbox
from firmware_host.session.pending_actions import PendingActions
from firmware_host.session.questions import Questions
from firmware_host.session.record import Record, agreed, aligned, entry_of, throw_text, told
from firmware_host.session.view import DiceView

LATE = 4  # so many moves later one may be named that sensors have shown


class LiveMatch:
    """The match on a board, and whatever changes it: each change is told in `notes`."""

    reader: Reader
    record: Record
    questions: Questions
    aftermath: PendingActions
    ending: MatchEnd
    outcome: Outcome | None
    """How the match ended, if it has."""
    fell_at: dict[int, float]
    """When the dice fell, by the number of the throw, from 1."""

    def __init__(self, sight: Sight, notes: Outbox) -> None:
        self.sight = sight
        self.read_at = -1e9
        """When the record last changed."""
        self._notes = notes

    def begin(
        self, matches: Sequence[Match], masked: frozenset[Place], levels: dict[Place, Reading]
    ) -> None:
        """Begin or resume a match in place of the one before. `matches` are several that went the
        same way but for moves that are still asked about; `levels` is what the sensors read now.
        """
        first = History.of(matches[0], self.sight, masked)
        lines = [first, *(first.along(match) for match in matches[1:])]
        self.reader = Reader(lines, levels)
        self.record = agreed(self.reader.shown)
        self.questions = Questions(self.reader, self.record)
        self.questions.light(self._notes.now)
        self.aftermath = PendingActions()
        self.aftermath.look(first, levels)
        self.outcome = self._agreed_outcome()
        self.fell_at = {}
        self.ending = MatchEnd(self.reader)
        self._was_provisional = self.provisional
        self._unconfirmed: tuple[History, ...] = ()

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Note a raw edge: `place` read `reading` from `at` on, however briefly."""
        self.reader.touch(at, place, reading)
        self.ending.touch(place)

    def level(self, place: Place, reading: Reading) -> None:
        """Note that a place has come to rest."""
        before = self.reader.levels.get(place, 0)
        self.reader.level(place, reading)
        if place not in self.sight.cells or before:  # else a captive may be parked there
            self.aftermath.touched.add(place)
        self.aftermath.look(self.reader.shown[0], self.reader.levels)

    # ---- what is shown

    @property
    def match(self) -> Match:
        """The match as it is shown; the first of several while a question is open."""
        return self.reader.shown[0].match

    @property
    def provisional(self) -> int:
        """How many moves at the end of the record may still be revised."""
        return self.match.plies - self.reader.heads[0].match.plies

    @property
    def dice(self) -> tuple[int, ...]:
        """What was thrown and is still to be played."""
        return self.match.game.dice(self.match.position)

    @property
    def fallen(self) -> Throw | None:
        """The throw that fell last, as long as nothing was played with it but that it moves nobody;
        None if something was.
        """
        ends = [_at_the_throw(line) for line in self.reader.shown]
        throw = ends[0].match.move
        alike = len({end.throws for end in ends}) == 1
        return throw if alike and isinstance(throw, Throw) else None

    @property
    def otherwise(self) -> tuple[Throw, ...]:
        """How else that throw may have fallen."""
        fallen, before = self.fallen, _at_the_throw(self.reader.shown[0]).match.before
        if fallen is None or before is None:
            return ()
        legal = dict.fromkeys(each for each in before.legal if isinstance(each, Throw))
        return tuple(each for each in legal if each != fallen)

    def dice_view(self) -> DiceView:
        """Return the throws as they are now."""
        return DiceView(
            to_play=self.dice,
            fallen=self.fallen,
            otherwise=self.otherwise,
            number=self.reader.shown[0].throws,
            fell_at=dict(self.fell_at),
        )

    def next_to_throw(self) -> Seat:
        """Return the seat for which the dice are to fall."""
        match = self.match
        return (
            match.game.turn(match.game.play(match.position, match.legal[0])) if match.legal else 0
        )

    @property
    def acting(self) -> Seat:
        """The seat to act, be it that it is to throw the dice first."""
        return self.next_to_throw() if self.match.turn == CHANCE else self.match.turn

    @property
    def untold(self) -> bool:
        """Whether it is left to the next moves which of several lines it is."""
        return len(self.reader.shown) > 1 and not self.questions.asked

    # ---- what hands have done

    def show(self, verdict: Settled | Ambiguous, since: float, ask: bool = False) -> None:
        """Show what a verdict reads, which has explained the levels `since` that time."""
        back = verdict.back if isinstance(verdict, Settled) else 0
        if back:
            self.reader.go_back(verdict.lines, since)
        else:
            kept = [line for line in self._unconfirmed if line in self.reader.shown]
            self.reader.show(dict.fromkeys((*verdict.lines, *kept)), since)
        self._tell(back, ask)

    def ask(self) -> None:
        """Ask what the next moves have not told."""
        self._tell(ask=True)

    def end_again(self) -> None:
        """Let it end as it had ended: its last moves were only taken back to set up the start."""
        if self.outcome is None:
            self.reader.restart(self.ending.lines)
        self._tell()

    # ---- what people do beside the men

    @property
    def awaits_dice(self) -> list[History]:
        """The lines in which a throw comes next."""
        lines = self.reader.shown
        return [line for line in lines if line.match.turn == CHANCE and not line.match.outcome]

    def takes(self, throw: Throw) -> bool:
        """Whether dice that fall now may be this throw: one is awaited, or comes late."""
        waiting = self.awaits_dice
        return not waiting or any(throw in line.match.legal for line in waiting)

    def throw(self, throw: Throw, after: int | None = None) -> None:
        """Let the dice fall; `after` as in `Reader.throw`."""
        self.reader.throw(throw, after)
        self._notes.tell("throw", dice=list(throw.dice), text=throw_text(throw))
        self._fell()

    def throw_instead(self, throw: Throw) -> bool:
        """Let the throw that fell last have fallen so, with all that follows; False if it cannot
        have, or was played already.
        """
        if throw not in self.otherwise:
            return False
        self.reader.throw_instead(throw, _at_the_throw(self.reader.shown[0]).throws - 1)
        self._notes.tell("throw", dice=list(throw.dice), text=throw_text(throw), instead=True)
        self._fell()
        return True

    def _fell(self) -> None:
        self.fell_at[self.reader.shown[0].throws] = self._notes.now
        self._tell()

    def pass_turn(self) -> bool:
        """Pass, in the lines that allow it; False if none does."""
        lines = [line.step(Pass()) for line in self.reader.shown if Pass() in line.match.legal]
        if lines:
            self.reader.restart(lines)
            self._tell()
        return bool(lines)

    def claim(self, claim: Claim) -> bool:
        """Make a claim; False if it cannot be made."""
        shown = self.reader.shown if self.outcome is None else ()
        try:
            lines = [
                line.step(claim)
                for line in shown
                if claim in line.match.game.claims(line.match.position, claim.seat)
            ]
        except GameError:
            return False
        if lines:
            self.reader.restart(lines)
            self._notes.tell("claim", seat=claim.seat, claim=claim.text)
            self._tell()
        return bool(lines)

    def take_back(self) -> None:
        """Go back in the record by a ply, and behind turns that would only be lost again; where it
        is asked whether anything was played last, to where nothing was: what is asked of the plies
        before stays open.
        """
        shown = self.reader.shown if self.questions.asked else self.reader.shown[:1]
        without = [line for line, step in zip(shown, aligned(shown)[-1], strict=True) if not step]
        matches = [line.match for line in without] or [shown[0].match.back(1)]
        first, *others = dict.fromkeys(map(_behind_lost_turns, matches))
        line = History.of(first, self.sight, shown[0].masked)
        self.reader.restart([line, *(line.along(match) for match in others)])
        self._tell(back=1)

    def answer(self, text: str, number: int) -> None:
        """Take the answer to the question there in the record: what hands did before is final by
        it.
        """
        shown = self.reader.shown
        kept, said = [], []
        for line, step in zip(shown, aligned(shown)[number], strict=True):
            if step is not None and entry_of(step.match).texts == (text,):
                kept.append(line)
                said.append(step)
        self.reader.commit(kept, list(dict.fromkeys(said)))
        self._tell()

    @property
    def silent(self) -> bool:
        """Whether the seat to act may make a move that no sensor shows."""
        return any(line.possible.silent for line in self.reader.shown)

    def ask_silent(self, seat: Seat) -> bool:
        """Ask which move a seat has made that no sensor shows; False if it cannot have made any."""
        shown = self.reader.shown
        made = [line.step(ply.move, ply) for line in shown for ply in silent_plies(line, seat)]
        if made:
            self.reader.go_on(made)
            self._tell(ask=True)
        return bool(made)

    def ask_again(self, text: str) -> bool:
        """Ask whether the move that was just made was made once more, by the next seat, where no
        sensor would show that; False if it cannot have been.
        """
        if made := self._unseen(text):
            self.reader.go_on([*made, *self.reader.shown])
            self._tell(ask=True)
        return bool(made)

    def play_unseen(self, line: History, trays: Collection[Place]) -> None:
        """Take a ply as played that nobody has seen, for nothing else explains the board; a hand
        may still go on from it. These `trays` held what they should before.
        """
        self.reader.show_unseen(line, trays)
        self._tell()

    def ask_unseen(
        self, lines: Sequence[History], trays: Collection[Place], unconfirmed: Sequence[History]
    ) -> None:
        """Ask which of these lines was played while nobody looked; these `trays` held what they
        should before. Those that are `unconfirmed` no later move rules out, but people.
        """
        self.reader.restart_unseen(lines, trays)
        self._unconfirmed = tuple(unconfirmed)
        self._tell(ask=True)

    def deny(self, number: int) -> bool:
        """Take it that nothing was played where that may be asked, there in the record; False if it
        is not asked.
        """
        shown = self.reader.shown
        rows = aligned(shown)
        if not (self.questions.asked and number < len(rows) and self.record[number].may_be_nothing):
            return False
        self.reader.restart(
            [line for line, step in zip(shown, rows[number], strict=True) if not step]
        )
        self._tell()
        return True

    def stands(self, text: str) -> bool:
        """Whether one of the last moves by hand is read as just this, and sensors have shown it:
        people may be a little late to say so. What may be made now without being seen is late only
        right after it.
        """
        late = 1 if self._unseen(text) else LATE
        return all(
            any(step.match.text == text and step.is_seen for step in islice(made, late))
            for line in self.reader.shown
            for made in [(step for step in line.latest() if step.footprint is not None)]
        )

    def _unseen(self, text: str) -> list[History]:
        """Return how it goes on if a move is made now that no sensor shows."""
        return [
            line.step(ply.move, ply)
            for line in self.reader.shown
            if (ply := unseen_ply(line, text)) is not None
        ]

    def name(self, text: str) -> frozenset[Place] | None:
        """Take it that a move was made now, at the end of what is shown, or in place of the last
        one that may still change: one that no sensor shows, or one that only some of its own
        sensors deny. Return which sensors read on though the man is seen elsewhere; None if it
        cannot have been.
        """
        if silent := self._unseen(text):
            self.reader.go_on(silent)
            self._tell()
            return frozenset()
        shown = self.reader.shown
        found: dict[History, set[Place]] = {}
        for each in dict.fromkeys((*shown, *(line.head() for line in shown if self.provisional))):
            if (ply := _named(each, text)) is not None:
                made = each.step(ply.move, ply)
                hidden = {place for place, _ in difference(made, self.reader.levels)}
                if hidden < ply.cells or (not hidden and self._is_begun(each, ply)):
                    found[made] = hidden if hidden <= set(ply.leaves) else set()
        if not found:
            return None
        self.reader.restart(found)
        self._tell()
        return frozenset().union(*found.values())

    def _is_begun(self, line: History, ply: Footprint) -> bool:
        """Whether only trays tell of a ply after a line, and one of them has changed already."""
        levels = self.reader.levels
        changed = (levels.get(tray, 0) != line.expected.get(tray, 0) for tray in ply.trays)
        return not ply.cells and any(changed)

    def doubt(self) -> bool:
        """Ask about the last moves, for people say that they are read wrongly: whatever else
        explains what hands did may be chosen. False if nothing else does.
        """
        others = self.reader.otherwise()
        if others:
            self.reader.show([*self.reader.shown, *others], self.reader.at)
            self._tell(ask=True)
            self.questions.corrects = True
        return bool(others)

    # ---- what is told of it

    def _tell(self, back: int = 0, ask: bool = False) -> None:
        """Bring the record up to what the lines that are shown agree on, and tell what is new.
        While the next moves are likely to say which of the lines it is, only the likeliest is told,
        and nothing is asked unless it must be.
        """
        lines = self.reader.shown
        must = ask or self.questions.asked
        asked = len(lines) > 1 and (must or not self.reader.time_will_tell())
        record = agreed(lines)
        new = record if asked else agreed(lines[:1])
        for each in told(self.record, new, self._was_provisional, back):
            self._notes.tell(**each)
        if new != self.record:
            self.read_at = self._notes.now
            self.aftermath.touched.clear()
        self.record, self._was_provisional = new, self.provisional
        self.questions.follow(record, asked)
        self.questions.light(self._notes.now)
        self.ending.follow()
        outcome = self._agreed_outcome()
        if outcome is not None and outcome != self.outcome:
            self._notes.tell("over", outcome=plain_outcome(self.match.game, outcome))
        self.outcome = outcome

    def _agreed_outcome(self) -> Outcome | None:
        """Return how the match ended, if all lines agree that it did."""
        outcomes = {line.match.outcome for line in self.reader.shown}
        return outcomes.pop() if len(outcomes) == 1 else None


def _behind_lost_turns(match: Match) -> Match:
    """Return a match as it was before the turns at its end that can only be lost."""
    while match.before is not None and match.forced_pass() is not None:
        match = match.before
    return match


def _at_the_throw(line: History) -> History:
    """Return a line as it was when the dice fell, if nobody could be moved since; else itself."""
    before = line.before
    return before if isinstance(line.match.move, Pass) and before is not None else line


def _named(line: History, text: str) -> Footprint | None:
    """Return the footprint of the legal move of that text at the end of a line, if there is one."""
    game, position = line.match.game, line.match.position
    if line.match.outcome is not None or line.match.turn == CHANCE:
        return None
    try:
        move = game.parse_move(position, text)
    except GameError:
        return None
    return None if isinstance(move, Claim | Pass | Throw) else line.possible.of(move)


def unseen_ply(line: History, text: str) -> Footprint | None:
    """Return the same if no sensor shows that move, else None."""
    ply = _named(line, text)
    return None if ply is None or ply.is_seen else ply


def silent_plies(line: History, seat: Seat) -> list[Footprint]:
    """Return the moves of a seat at the end of a line that no sensor shows."""
    return line.possible.silent if line.match.turn == seat else []


def plain_outcome(game: AnyGame, outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON values."""
    plain: dict[str, Any] = {
        "winners": [game.seats[seat] for seat in sorted(outcome.winners)],
        "reason": outcome.reason,
    }
    if outcome.points:
        plain["points"] = list(outcome.points)
    return plain
