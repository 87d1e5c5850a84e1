"""The live match: the histories that are shown, their record, and the open questions."""

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
    """The end of a match, and the places that hands have touched since.

    It is kept although moves seem to be taken back: hands may set up the next match.
    """

    def __init__(self, reader: Reader) -> None:
        self.histories: Sequence[History] = ()
        """The histories that ended; () if there are none, or if the match clearly goes on."""
        self._reader = reader
        self._at = float("-inf")
        self._touched: set[Place] = set()
        self.follow()
        self._touched.update(reader.shown[0].sight.cells)  # hands may have touched any before

    def follow(self) -> None:
        """Take the histories that are shown now."""
        reader = self._reader
        histories = tuple(reader.shown)
        # Pieces that are set up may look like moves to another end.
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
        """Note that all pieces have stood still in the position shown. If moves before the end
        stand, the match goes on: nobody pauses that long while setting up the start.
        """
        if self._reader.shown[0].match.outcome is None:
            self.histories = ()

    @property
    def is_start_set_up(self) -> bool:
        """Whether hands have set up the start since: `start_set_up_after` says when."""
        levels = self._reader.levels
        return any(start_set_up_after(each, levels, self._touched) for each in self.histories)


def start_set_up_after(
    history: History, levels: Mapping[Place, Reading], touched: Collection[Place]
) -> bool:
    """Return whether hands have set up the start after the end of `history`, having `touched` these
    places.

    The cells must read like the start, and hands must have touched each cell where the start has a
    piece of another kind, and at least one where it has another piece: a piece of the same kind may
    only have been turned round.
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
    """The match on a board; notes of its changes go to the outbox."""

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
    """When each entry of the record was played, which is before it was read."""

    def __init__(self, sight: Sight, outbox: Outbox) -> None:
        self.sight = sight
        self.read_at = -1e9
        """When the record last changed."""
        self._outbox = outbox

    def begin(
        self, matches: Sequence[Match], masked: frozenset[Place], levels: dict[Place, Reading]
    ) -> None:
        """Begin or resume a match. Several `matches` differ only in moves that people are still
        asked about; `levels` are the readings now.
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
        if place not in self.sight.cells or before:  # else a captured piece may be laid there
            self.pending_actions.touched.add(place)
        self.pending_actions.note_trays(self.reader.shown[0], self.reader.levels)

    # ---- what is shown

    @property
    def match(self) -> Match:
        """The match that is shown; while a question is open, the first of several."""
        return self.reader.shown[0].match

    @property
    def provisional(self) -> int:
        """How many moves at the end of the record may still be revised."""
        return self.match.plies - self.reader.confirmed[0].match.plies

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice that were thrown and not played yet."""
        return self.match.game.dice(self.match.position)

    @property
    def last_throw(self) -> Throw | None:
        """The last throw; None once a move was played with it. A lost turn does not count as a
        move.
        """
        ends = [_at_the_throw(history) for history in self.reader.shown]
        throw = ends[0].match.move
        alike = len({end.throws for end in ends}) == 1
        return throw if alike and isinstance(throw, Throw) else None

    @property
    def corrections(self) -> tuple[Throw, ...]:
        """The throws that people may put in place of the last one."""
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
        """The seat to act; before a throw, the seat that throws."""
        return self.match.acting

    @property
    def is_undecided(self) -> bool:
        """Whether several histories are possible, and the next moves may decide between them."""
        return len(self.reader.shown) > 1 and not self.questions.asked

    # ---- what hands have done

    def show(self, verdict: Settled | Ambiguous, since: float, ask: bool = False) -> None:
        """Show the histories of a verdict, which explains the levels since `since`."""
        back = verdict.back if isinstance(verdict, Settled) else 0
        if back:
            self.reader.go_back(verdict.lines, since)
        else:
            kept = [each for each in self._unconfirmed if each in self.reader.shown]
            self.reader.show(dict.fromkeys((*verdict.lines, *kept)), since)
        self._update(back, ask, since)

    def ask(self) -> None:
        """Ask which history was played, because the next moves have not decided it."""
        self._update(ask=True)

    def end_again(self) -> None:
        """Restore the end: moves only seemed to be taken back when the start was set up."""
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
        """Whether this throw is possible now: it is awaited, or no throw is."""
        waiting = self.awaits_dice
        return not waiting or any(throw in history.match.legal for history in waiting)

    def throw(self, throw: Throw, after: int | None = None) -> None:
        """Take a throw; `after` is as in `Reader.throw`."""
        self.reader.throw(throw, after)
        self._outbox.add("throw", dice=list(throw.dice), text=throw_text(throw))
        self._fell()

    def throw_instead(self, throw: Throw) -> bool:
        """Replace the last throw; return whether that was possible."""
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
        """Pass in the histories that allow it; return whether any did."""
        shown = self.reader.shown
        passed = [history.step(Pass()) for history in shown if Pass() in history.match.legal]
        if passed:
            self.reader.restart(passed)
            self._update()
        return bool(passed)

    def claim(self, claim: Claim) -> bool:
        """Make a claim; return whether that was possible."""
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
        """Take the last ply back, and the lost turns before it. If people are asked whether a last
        move was made at all, take the answer no; questions about earlier plies stay open.
        """
        shown = self.reader.shown if self.questions.asked else self.reader.shown[:1]
        without = [each for each, step in zip(shown, aligned(shown)[-1], strict=True) if not step]
        matches = [each.match for each in without] or [shown[0].match.back(1)]
        first, *others = dict.fromkeys(map(_before_lost_turns, matches))
        history = History.of(first, self.sight, shown[0].masked)
        self.reader.restart([history, *(history.along(match) for match in others)])
        self._update(back=1)

    def answer(self, text: str, number: int) -> None:
        """Take the answer to the question at `number` in the record; earlier plies become final."""
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
        """Ask which move a seat has made that no sensor shows; return whether any is possible."""
        shown = self.reader.shown
        made = [each.step(ply.move, ply) for each in shown for ply in silent_plies(each, seat)]
        if made:
            self.reader.continue_from(made)
            self._update(ask=True)
        return bool(made)

    def ask_again(self, text: str) -> bool:
        """Ask whether the next seat made the same move, unseen; return whether that is possible."""
        if made := self._unseen(text):
            self.reader.continue_from([*made, *self.reader.shown])
            self._update(ask=True)
        return bool(made)

    def play_unseen(self, history: History, trays: Collection[Place]) -> None:
        """Show a history with an unseen ply, the only explanation; its last ply may still change.
        These `trays` were full before.
        """
        self.reader.show_unseen(history, trays)
        self._update()

    def ask_unseen(
        self,
        histories: Sequence[History],
        trays: Collection[Place],
        unconfirmed: Sequence[History],
    ) -> None:
        """Ask which of these histories was played unseen; these `trays` were full before. Only
        people can rule out those that are `unconfirmed`: later moves cannot.
        """
        self.reader.restart_unseen(histories, trays)
        self._unconfirmed = tuple(unconfirmed)
        self._update(ask=True)

    def deny(self, number: int) -> bool:
        """Note that no move was made at `number` in the record; return whether that was asked."""
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
        """Whether sensors have shown the move as one of the last ones."""
        return all(was_named(history, text) for history in self.reader.shown)

    def times_made(self, text: str) -> int:
        """Return how many of the last moves are this one in every history."""
        return min(times_made(history, text) for history in self.reader.shown)

    def _unseen(self, text: str) -> list[History]:
        """Return the histories after a move of that text that no sensor shows."""
        return [
            history.step(ply.move, ply)
            for history in self.reader.shown
            if (ply := history.unseen_ply(text)) is not None
        ]

    def name(self, text: str) -> frozenset[Place] | None:
        """Play a move that people name, after the shown histories or in place of a provisional
        move. No sensor shows it, or only some of its own sensors contradict it. Return the sensors
        that still read the piece although another one sees it; None if the move is impossible.
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
        """Whether only trays show a ply after a history, and one of them has changed."""
        levels = self.reader.levels
        changed = (levels.get(tray, 0) != history.expected.get(tray, 0) for tray in ply.trays)
        return not ply.cells and any(changed)

    def doubt(self) -> bool:
        """Ask which other history explains the edges, because people say that the record is wrong;
        return whether there is any.
        """
        others = self.reader.otherwise()
        if others:
            self.reader.show([*self.reader.shown, *others], self.reader.at)
            self._update(ask=True)
            self.questions.corrects = True
        return bool(others)

    # ---- what is reported

    def _update(self, back: int = 0, ask: bool = False, since: float | None = None) -> None:
        """Update the record to what the shown histories agree on, and report its changes. While the
        next moves will probably show which history is right, report the likeliest one, and ask only
        if it must be asked. The levels have been at rest since `since`; None: now.
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
        """Return when each entry of the `new` record was played; the other parameters are those of
        `_update`.
        """
        now = self._outbox.now
        pairs = zip(self.record, new, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        steps = [next(filter(None, row)) for row in aligned(shown)[same:]]
        kept, since = self.played_at[:same], now if since is None else since
        return played_at(kept, steps, self.reader, self.fell_at, since, now)

    def _agreed_outcome(self) -> Outcome | None:
        """Return the outcome if all histories agree on it."""
        outcomes = {history.match.outcome for history in self.reader.shown}
        return outcomes.pop() if len(outcomes) == 1 else None


def _before_lost_turns(match: Match) -> Match:
    """Return a match without the forced passes at its end."""
    while match.before is not None and match.forced_pass() is not None:
        match = match.before
    return match


def _at_the_throw(history: History) -> History:
    """Return the history before the pass if the turn was lost after the throw; else itself."""
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
