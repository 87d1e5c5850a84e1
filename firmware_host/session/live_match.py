"""The live match: what is shown of it, the record that follows from that, and what is asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
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
from engine.reading.evidence import LONG_BEFORE
from engine.reading.footprints import Footprint, Reading, Sight
from engine.reading.history import History
from engine.reading.mismatch import difference
from engine.reading.reader import Reader
from engine.reading.sayings import times_made, was_named
from engine.reading.verdict import Ambiguous, Settled
from firmware_host.session.outbox import Outbox
from firmware_host.session.pending_actions import PendingActions
from firmware_host.session.played_at import played_at
from firmware_host.session.questions import Questions
from firmware_host.session.record import Record, agreed, aligned, changes, entry_of, throw_text
from firmware_host.session.view import DiceView


class MatchEnd:
    """How a match ended, though its last moves may have been taken back since, and where hands
    have been since then: the pieces may be set up for another match.
    """

    def __init__(self, reader: Reader) -> None:
        self.histories: Sequence[History] = ()
        """How it ended; () if it has not, or if pieces have stood for a while as after no end."""
        self._reader = reader
        self._at = float("-inf")
        self._touched: set[Place] = set()
        self.follow()
        self._touched.update(reader.shown[0].sight.cells)  # nobody knows what hands did before

    def follow(self) -> None:
        """Take what is shown now."""
        reader = self._reader
        histories = tuple(reader.shown)
        # Another end that seems to come later may only come of the pieces that are set up.
        soon = not self.histories or reader.at < self._at + LONG_BEFORE
        over = all(history.match.outcome is not None for history in histories)
        if soon and over and self.histories != histories:
            since = self._at = reader.at
            cells = histories[0].sight.cells
            self._touched = {place for place in cells if reader.changed(place) > since}
            self.histories = histories

    def touch(self, place: Place) -> None:
        """Note that a hand has touched a place."""
        if self.histories:
            self._touched.add(place)

    def stand(self) -> None:
        """All pieces have stood for a while as they are shown. If the end was taken back, it was
        not to set up the start, for nobody makes such a pause in that.
        """
        if self._reader.shown[0].match.outcome is None:
            self.histories = ()

    @property
    def is_start_set_up(self) -> bool:
        """Whether the start has been set up since, whatever else that may be. The cells read so,
        and hands have been wherever a piece of another kind stands then; if there are none, where a
        piece of another player does: a piece of the same kind may have been turned round.
        """
        levels = self._reader.levels
        return any(start_set_up_after(each, levels, self._touched) for each in self.histories)


def start_set_up_after(
    history: History, levels: Mapping[Place, Reading], touched: Collection[Place]
) -> bool:
    """Whether hands have set up the start on a board that was as `history` leaves it, and have
    `touched` these places since; the rule is that of `MatchEnd.is_start_set_up`.
    """
    sight, game = history.sight, history.match.game
    reads = sight.readings(game.start())
    if any(levels.get(place, 0) != reads.get(place, 0) for place in sight.cells):
        return False
    start, end = game.pieces(game.start()), game.pieces(history.match.position)
    turned = {p for p in sight.cells - history.masked if start.get(p) != end.get(p)}
    others = {
        place
        for place in turned
        if (piece := start.get(place)) is None
        or (was := end.get(place)) is None
        or piece.kind != was.kind
    }
    return others <= set(touched) and not turned.isdisjoint(touched)


class LiveMatch:
    """The match on a board, and whatever changes it; each change goes to the outbox."""

    reader: Reader
    record: Record
    questions: Questions
    pending_actions: PendingActions
    end: MatchEnd
    outcome: Outcome | None
    """How the match ended, if it has."""
    fell_at: dict[int, float]
    """When the dice fell, by the number of the throw, from 1."""
    played_at: tuple[float, ...]
    """When each entry of the record was played, however late it was read."""

    def __init__(self, sight: Sight, outbox: Outbox) -> None:
        self.sight = sight
        self.read_at = -1e9
        """When the record last changed."""
        self._outbox = outbox

    def begin(
        self, matches: Sequence[Match], masked: frozenset[Place], levels: dict[Place, Reading]
    ) -> None:
        """Begin or resume a match in place of the one before. Several `matches` went the same way
        but for moves that are still asked about; `levels` is what the sensors read now.
        """
        first = History.of(matches[0], self.sight, masked)
        histories = [first, *(first.along(match) for match in matches[1:])]
        self.reader = Reader(histories, levels)
        self.record = agreed(self.reader.shown)
        self.questions = Questions(self.reader, self.record)
        self.questions.light(self._outbox.now)
        self.pending_actions = PendingActions()
        self.pending_actions.note_trays(first, levels)
        self.outcome = self._agreed_outcome()
        self.fell_at = {}
        self.played_at = (self._outbox.now,) * len(self.record)
        self.end = MatchEnd(self.reader)
        self._was_provisional = self.provisional
        self._unconfirmed: tuple[History, ...] = ()

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Note a raw edge: `place` read `reading` from `at` on, however briefly."""
        self.reader.touch(at, place, reading)
        self.end.touch(place)

    def level(self, place: Place, reading: Reading) -> None:
        """Note that a place has come to rest."""
        before = self.reader.levels.get(place, 0)
        self.reader.level(place, reading)
        if place not in self.sight.cells or before:  # else a captive may be parked there
            self.pending_actions.touched.add(place)
        self.pending_actions.note_trays(self.reader.shown[0], self.reader.levels)

    # ---- what is shown

    @property
    def match(self) -> Match:
        """The match as it is shown; the first of several while a question is open."""
        return self.reader.shown[0].match

    @property
    def provisional(self) -> int:
        """How many moves at the end of the record may still be revised."""
        return self.match.plies - self.reader.confirmed[0].match.plies

    @property
    def dice(self) -> tuple[int, ...]:
        """What was thrown and is still to be played."""
        return self.match.game.dice(self.match.position)

    @property
    def last_throw(self) -> Throw | None:
        """The last throw, until a move is played with it; a lost turn is none. None after that."""
        ends = [_at_the_throw(history) for history in self.reader.shown]
        throw = ends[0].match.move
        alike = len({end.throws for end in ends}) == 1
        return throw if alike and isinstance(throw, Throw) else None

    @property
    def corrections(self) -> tuple[Throw, ...]:
        """The throws that it can be corrected to."""
        throw, before = self.last_throw, _at_the_throw(self.reader.shown[0]).match.before
        if throw is None or before is None:
            return ()
        legal = dict.fromkeys(each for each in before.legal if isinstance(each, Throw))
        return tuple(each for each in legal if each != throw)

    def dice_view(self) -> DiceView:
        """Return the throws as they are now."""
        return DiceView(
            to_play=self.dice,
            last_throw=self.last_throw,
            corrections=self.corrections,
            number=self.reader.shown[0].throws,
            fell_at=dict(self.fell_at),
        )

    @property
    def acting(self) -> Seat:
        """The seat to act, even if it is to throw the dice first."""
        return self.match.acting

    @property
    def is_undecided(self) -> bool:
        """Whether several histories are possible, and the next moves may decide between them."""
        return len(self.reader.shown) > 1 and not self.questions.asked

    # ---- what hands have done

    def show(self, verdict: Settled | Ambiguous, since: float, ask: bool = False) -> None:
        """Show what a verdict reads; it has explained the levels since `since`."""
        back = verdict.back if isinstance(verdict, Settled) else 0
        if back:
            self.reader.go_back(verdict.lines, since)
        else:
            kept = [each for each in self._unconfirmed if each in self.reader.shown]
            self.reader.show(dict.fromkeys((*verdict.lines, *kept)), since)
        self._update(back, ask, since)

    def ask(self) -> None:
        """Ask which history is right: the next moves have not decided it."""
        self._update(ask=True)

    def end_again(self) -> None:
        """Let it end as it had ended: its last moves were only taken back to set up the start."""
        if self.outcome is None:
            self.reader.restart(self.end.histories)
        self._update()

    # ---- what people do beside the pieces

    @property
    def awaits_dice(self) -> list[History]:
        """The histories in which a throw comes next."""
        matches = [(each, each.match) for each in self.reader.shown]
        return [each for each, match in matches if match.turn == CHANCE and not match.outcome]

    def takes(self, throw: Throw) -> bool:
        """Whether dice that fall now may be this throw: one is awaited, or comes late."""
        waiting = self.awaits_dice
        return not waiting or any(throw in history.match.legal for history in waiting)

    def throw(self, throw: Throw, after: int | None = None) -> None:
        """Let the dice fall; `after` as in `Reader.throw`."""
        self.reader.throw(throw, after)
        self._outbox.add("throw", dice=list(throw.dice), text=throw_text(throw))
        self._fell()

    def throw_instead(self, throw: Throw) -> bool:
        """Correct the last throw and what follows from it; False if that is impossible or too
        late.
        """
        if throw not in self.corrections:
            return False
        self.reader.throw_instead(throw, _at_the_throw(self.reader.shown[0]).throws - 1)
        self._outbox.add("throw", dice=list(throw.dice), text=throw_text(throw), instead=True)
        self._fell()
        return True

    def _fell(self) -> None:
        self.fell_at[self.reader.shown[0].throws] = self._outbox.now
        self._update()

    def pass_turn(self) -> bool:
        """Pass, in the histories that allow it; False if none does."""
        shown = self.reader.shown
        passed = [history.step(Pass()) for history in shown if Pass() in history.match.legal]
        if passed:
            self.reader.restart(passed)
            self._update()
        return bool(passed)

    def claim(self, claim: Claim) -> bool:
        """Make a claim; False if it cannot be made."""
        shown = self.reader.shown if self.outcome is None else ()
        try:
            claimed = [
                history.step(claim)
                for history in shown
                if claim in history.match.game.claims(history.match.position, claim.seat)
            ]
        except GameError:
            return False
        if claimed:
            self.reader.restart(claimed)
            self._outbox.add("claim", seat=claim.seat, claim=claim.text)
            self._update()
        return bool(claimed)

    def take_back(self) -> None:
        """Go back in the record by a ply, and past turns that would only be lost again. Where
        people are asked whether anything was played last, take it that nothing was: the questions
        about the plies before stay open.
        """
        shown = self.reader.shown if self.questions.asked else self.reader.shown[:1]
        without = [each for each, step in zip(shown, aligned(shown)[-1], strict=True) if not step]
        matches = [each.match for each in without] or [shown[0].match.back(1)]
        first, *others = dict.fromkeys(map(_before_lost_turns, matches))
        history = History.of(first, self.sight, shown[0].masked)
        self.reader.restart([history, *(history.along(match) for match in others)])
        self._update(back=1)

    def answer(self, text: str, number: int) -> None:
        """Take the answer to the question at `number` in the record; it makes final what hands did
        before.
        """
        shown = self.reader.shown
        kept, said = [], []
        for history, step in zip(shown, aligned(shown)[number], strict=True):
            if step is not None and entry_of(step.match).texts == (text,):
                kept.append(history)
                said.append(step)
        self.reader.commit(kept, list(dict.fromkeys(said)))
        self._update(since=self.reader.at)

    @property
    def silent(self) -> bool:
        """Whether the seat to act may make a move that no sensor shows."""
        return any(history.possible.silent for history in self.reader.shown)

    def ask_silent(self, seat: Seat) -> bool:
        """Ask which move a seat has made that no sensor shows; False if it cannot have made any."""
        shown = self.reader.shown
        made = [each.step(ply.move, ply) for each in shown for ply in silent_plies(each, seat)]
        if made:
            self.reader.continue_from(made)
            self._update(ask=True)
        return bool(made)

    def ask_again(self, text: str) -> bool:
        """Ask whether the next seat made the same move as the last one, which no sensor would show;
        False if it cannot have.
        """
        if made := self._unseen(text):
            self.reader.continue_from([*made, *self.reader.shown])
            self._update(ask=True)
        return bool(made)

    def play_unseen(self, history: History, trays: Collection[Place]) -> None:
        """Play a ply that nobody has seen, for nothing else explains the board; a hand may still go
        on from it. These `trays` held what they should before.
        """
        self.reader.show_unseen(history, trays)
        self._update()

    def ask_unseen(
        self,
        histories: Sequence[History],
        trays: Collection[Place],
        unconfirmed: Sequence[History],
    ) -> None:
        """Ask which of these histories was played while nobody looked; these `trays` held what they
        should before. Only people, and no later move, rule out those that are `unconfirmed`.
        """
        self.reader.restart_unseen(histories, trays)
        self._unconfirmed = tuple(unconfirmed)
        self._update(ask=True)

    def deny(self, number: int) -> bool:
        """Take it that nothing was played at `number` in the record; False if that is not asked."""
        shown = self.reader.shown
        rows = aligned(shown)
        if not (self.questions.asked and number < len(rows) and self.record[number].may_be_nothing):
            return False
        self.reader.restart(
            [history for history, step in zip(shown, rows[number], strict=True) if not step]
        )
        self._update()
        return True

    def stands(self, text: str) -> bool:
        """Whether sensors have shown the move as one of the last: people may be a little late to
        name it.
        """
        return all(was_named(history, text) for history in self.reader.shown)

    def times_made(self, text: str) -> int:
        """Return how many of the last moves are surely read as this one."""
        return min(times_made(history, text) for history in self.reader.shown)

    def _unseen(self, text: str) -> list[History]:
        """Return how it goes on if a move is made now that no sensor shows."""
        return [
            history.step(ply.move, ply)
            for history in self.reader.shown
            if (ply := history.unseen_ply(text)) is not None
        ]

    def name(self, text: str) -> frozenset[Place] | None:
        """Play a move that people name, at the end of what is shown or in place of a last move that
        may still change: one that no sensor shows, or one that only some of its own sensors deny.
        Return the sensors that still read though their piece is seen elsewhere; None if the move
        cannot have been made.
        """
        if silent := self._unseen(text):
            self.reader.continue_from(silent)
            self._update()
            return frozenset()
        shown = self.reader.shown
        found: dict[History, set[Place]] = {}
        for each in dict.fromkeys(
            (*shown, *(history.head() for history in shown if self.provisional))
        ):
            if (ply := each.named(text)) is not None:
                made = each.step(ply.move, ply)
                hidden = {place for place, _ in difference(made, self.reader.levels)}
                if hidden < ply.cells or (not hidden and self._is_begun(each, ply)):
                    found[made] = hidden if hidden <= set(ply.leaves) else set()
        if not found:
            return None
        self.reader.restart(found)
        self._update()
        return frozenset().union(*found.values())

    def _is_begun(self, history: History, ply: Footprint) -> bool:
        """Whether only trays show a ply after a history, and one of them has changed already."""
        levels = self.reader.levels
        changed = (levels.get(tray, 0) != history.expected.get(tray, 0) for tray in ply.trays)
        return not ply.cells and any(changed)

    def doubt(self) -> bool:
        """People say that the last moves are read wrongly: let them choose whatever else explains
        what hands did. False if nothing else does.
        """
        others = self.reader.otherwise()
        if others:
            self.reader.show([*self.reader.shown, *others], self.reader.at)
            self._update(ask=True)
            self.questions.corrects = True
        return bool(others)

    # ---- what is reported

    def _update(self, back: int = 0, ask: bool = False, since: float | None = None) -> None:
        """Bring the record up to what the shown histories agree on, and report what is new. While
        the next moves are likely to say which history is right, report only the likeliest, and ask
        nothing unless it must be asked. The levels have been at rest `since` then; None: now.
        """
        shown = self.reader.shown
        must = ask or self.questions.asked
        asked = len(shown) > 1 and (must or not self.reader.next_move_will_show())
        record = agreed(shown)
        new = record if asked else agreed(shown[:1])
        for each in changes(self.record, new, self._was_provisional, back):
            self._outbox.add(**each)
        if new != self.record:
            self.read_at = self._outbox.now
            self.played_at = self._played_at(new, shown if asked else shown[:1], since)
            self.pending_actions.touched.clear()
        self.record, self._was_provisional = new, self.provisional
        self.questions.follow(record, asked)
        self.questions.light(self._outbox.now)
        self.end.follow()
        outcome = self._agreed_outcome()
        if outcome is not None and outcome != self.outcome:
            self._outbox.add("over", outcome=plain_outcome(self.match.game, outcome))
        self.outcome = outcome

    def _played_at(
        self, new: Record, shown: Sequence[History], since: float | None
    ) -> tuple[float, ...]:
        """Return when each entry of the `new` record was played, which the `shown` ones agree on;
        for `since` see `_update`.
        """
        now = self._outbox.now
        pairs = zip(self.record, new, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        steps = [next(filter(None, row)) for row in aligned(shown)[same:]]
        kept, since = self.played_at[:same], now if since is None else since
        return played_at(kept, steps, self.reader, self.fell_at, since, now)

    def _agreed_outcome(self) -> Outcome | None:
        """Return how the match ended, if all histories agree that it did."""
        outcomes = {history.match.outcome for history in self.reader.shown}
        return outcomes.pop() if len(outcomes) == 1 else None


def _before_lost_turns(match: Match) -> Match:
    """Return a match as it was before the turns at its end that can only be lost."""
    while match.before is not None and match.forced_pass() is not None:
        match = match.before
    return match


def _at_the_throw(history: History) -> History:
    """Return a history as it was when the dice fell, if the turn was only lost since; else
    itself.
    """
    before = history.before
    return before if isinstance(history.match.move, Pass) and before is not None else history


def silent_plies(history: History, seat: Seat) -> list[Footprint]:
    """Return the moves of a seat after a history that no sensor shows."""
    return history.possible.silent if history.match.turn == seat else []


def plain_outcome(game: AnyGame, outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON values."""
    plain: dict[str, Any] = {
        "winners": [game.seats[seat] for seat in sorted(outcome.winners)],
        "reason": outcome.reason,
    }
    if outcome.points:
        plain["points"] = list(outcome.points)
    return plain
