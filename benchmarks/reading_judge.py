"""Judge what became of every move: what was shown, what was asked, and when it was confirmed.

The judge knows what the hands played. A question is *needless* if no history with another of the
candidates could have left what the sensors saw by then, counted from the first of the plies that
are asked about together. Such a history has the same readings; every captured piece is lifted and
replaced; each carried piece is put down after it was lifted; no other tray is touched.

The history may have fewer or more plies: a piece that moved on was moved by one player or by both,
and a ply that no sensor shows may have come first. A piece of which only the lift was seen may
still be in the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from statistics import median, quantiles
from typing import Any, TypeAlias

from benchmarks.reading_watcher import Texts, Watcher
from engine.game import CHANCE, Pass, Throw
from engine.match import Match
from engine.reading.footprints import Footprint, Sight
from engine.reading.history import History
from firmware_host.session.record import PASS_TEXT
from tests.support.recorded import Recorded, Truth

SLACK_S = 0.06
"""Two sensors may disagree by this time about which change came first."""

HISTORIES_TRIED = 3000
"""A question for which more histories must be tried counts as not needless."""

ASKED_TOGETHER = 2
"""A question is judged along with at most this many open plies before it."""

MISSED_WITHIN = 2
"""A capture may have been unseen if the question is about at most this many plies."""

Edges: TypeAlias = Mapping[str, Sequence[tuple[float, int]]]


class TooManyError(Exception):
    """There are too many histories to try."""


@dataclass
class Score:
    """What became of the moves of one or many games."""

    fates: Counter[str] = field(default_factory=Counter)
    """The number of moves that were `read`, `asked`, asked `needless`ly, asked about a `choice`
    that no sensor sees (a piece swapped for another), `wrong`, or `unread` at the end."""
    momentary: int = 0
    """The number of moves for which something else was shown first."""
    alone: list[float] = field(default_factory=list)
    """The delays of moves after which the hand cannot move on."""
    others: list[float] = field(default_factory=list)
    """The delays of the others."""
    notes: list[str] = field(default_factory=list)
    """What went wrong or was asked needlessly, a line each."""

    @property
    def moves(self) -> int:
        """The number of moves that were played."""
        return self.fates.total()

    def add(self, other: Score) -> None:
        """Add the figures of another game."""
        self.fates += other.fates
        self.momentary += other.momentary
        self.alone += other.alone
        self.others += other.others
        self.notes += other.notes

    def share(self, fate: str) -> str:
        """Return the share of moves with that fate in percent."""
        return percent(self.fates[fate], self.moves)


def percent(part: int, whole: int) -> str:
    """Return a share in percent, never rounded to 0 or 100."""
    if part in (0, whole):
        return "–" if not whole else "100" if part else "0"
    return f"{min(max(100.0 * part / whole, 0.01), 99.99):.2f}"


def delays(times: Sequence[float]) -> str:
    """Return the median and the 95th percentile in milliseconds."""
    if len(times) < 2:
        return "–"
    return f"{median(times) * 1000:.0f} / {quantiles(times, n=20)[-1] * 1000:.0f}"


class Judge:
    """Compares what a watcher read with what the hands played."""

    def __init__(self, game: Any, sight: Sight, position: Any, watcher: Watcher) -> None:
        self.game = game
        self.sight = sight
        self.history = watcher.history
        self.recorded = watcher.recorded
        self._before = positions(game, position, watcher.recorded)

    def judge(self, final: Texts) -> Score:
        """Return what became of the moves that stand at the end."""
        score = Score()
        truths = self.recorded.truth
        stand: list[int] = []
        for number, truth in enumerate(truths):
            if truth.back:
                del stand[len(stand) - truth.back :]
            else:
                stand.append(number)
        for ply, number in enumerate(stand):
            self._move(score, truths[number], number, final[ply] if ply < len(final) else ())
        for extra in final[len(stand) :]:
            score.fates["wrong"] += 1
            score.notes.append(f"wrong: nothing played after {len(stand)} plies, read {extra}")
        return score

    def _move(self, score: Score, truth: Truth, number: int, final: tuple[str, ...]) -> None:
        records = [
            (at, texts)
            for at, texts in self.history
            if at >= truth.begun and len(texts) >= truth.ply
        ]
        shown = [(at, texts[truth.ply - 1]) for at, texts in records]
        asked = [
            (at, texts)
            for at, texts in records
            if len(texts[truth.ply - 1]) > 1 and truth.text in texts[truth.ply - 1]
        ]
        score.momentary += any(truth.text not in texts for _, texts in shown)
        if not final:
            fate = "unread"
        elif truth.text not in final:
            fate = "wrong"
        elif len(final) > 1:
            fate = "unread"
        elif asked:
            fate = self._asked(truth, number, *asked[0])
        else:
            fate = "read" if truth.visible or truth.text == PASS_TEXT else "asked"
        score.fates[fate] += 1
        if fate in ("wrong", "unread", "needless"):
            seen = asked[0][1][truth.ply - 1] if fate == "needless" else final
            score.notes.append(
                f"{fate}: ply {truth.ply} at {truth.begun:.3f} s ({truth.style}), "
                f"played {truth.text}, read {' or '.join(seen) or 'nothing'}"
            )
        if fate == "read" and truth.visible:
            right = (
                at
                for n, (at, _) in enumerate(shown)
                if all(texts == (truth.text,) for _, texts in shown[n:])
            )
            since = next(right, truth.begun)  # else it was read before it was played
            done = [at for at in truth.marks if at <= since] or truth.marks[:1]
            kind = score.others if self._may_move_on(truth, number) else score.alone
            kind.append(max(0.0, since - done[-1]))

    def _asked(self, truth: Truth, number: int, at: float, record: Texts) -> str:
        """Return the kind of this question, in the record of that time."""
        texts = record[truth.ply - 1]
        if all(texts) and len({text.partition("=")[0] for text in texts}) == 1:
            return "choice"
        first = number
        while number - first < ASKED_TOGETHER and self._is_open(first - 1, record):
            first -= 1
        if first == number and not all(texts):
            # The question is whether this was a ply of its own, so the one before counts, too.
            first = max(0, first - 1)
            while first and not self.recorded.truth[first].visible:
                first -= 1
            if self.recorded.truth[first].back:
                first = number  # a ply that was taken back is not asked about
        try:
            undecided = not truth.visible or self._undecided(first, number, at, texts)
        except TooManyError:
            undecided = True
        return "asked" if undecided else "needless"

    def _is_open(self, number: int, record: Texts) -> bool:
        """Return whether a record asks about a move, and the next one followed without a throw."""
        if number < 0 or (truth := self.recorded.truth[number]).back or not truth.visible:
            return False
        game, position = self.game, self._before[number]
        after = game.play(position, game.parse_move(position, truth.text))
        return len(record[truth.ply - 1]) > 1 and game.turn(after) != CHANCE

    def _undecided(self, first: int, number: int, at: float, texts: tuple[str, ...]) -> bool:
        """Return whether other plies from `first` on could have left what the sensors saw by then.

        They have another of the candidates, or not this ply.
        """
        truths = self.recorded.truth
        begin = History.of(Match.begin(self.game, self._before[first]), self.sight)
        played: list[History] = []
        for each, truth in enumerate(truths[first:], first):
            history = played[-1] if played else begin
            late = each > number and truth.seen > at
            if late or truth.back or history.match.turn == CHANCE or truth.text == PASS_TEXT:
                break
            played.append(history.step(self.game.parse_move(history.match.position, truth.text)))
        edges = edges_between(self.recorded, truths[first].begun, at)
        others = set(texts) - {truths[number].text}
        last = played[-1].footprint
        since = edges_between(self.recorded, truths[number].begun, at)
        if not all(texts) and last and not any(place in since for place, _ in last.arrivals):
            return True  # only the lift of the piece was seen: it may still be in the hand
        cells = {cell for step in played if step.footprint for cell in step.footprint.cells}
        missed = 0
        if len(played) <= MISSED_WITHIN:  # a capture between two polls may be unseen
            missed = len(cells - edges.keys())
        for rival in histories_leading_to(played[-1], begin, edges, len(played) + 1, missed):
            named = {step.match.text for step in rival}
            another = others & named or (not all(texts) and len(rival) != len(played))
            if another and unseen(rival, edges) <= unseen(played, edges):
                return True
        return False

    def _may_move_on(self, truth: Truth, number: int) -> bool:
        """Return whether the hand may still move on to another move.

        Such a move changes all the cells that this one changes, or passes over them.
        """
        if truth.text == PASS_TEXT:
            return False
        game, position = self.game, self._before[number]
        move = game.parse_move(position, truth.text)
        cells = self.sight.cells & game.changes(position, move).keys()
        return any(
            cells <= (game.changes(position, rival).keys() | game.path(position, rival))
            for rival in game.legal(position)
            if rival != move and not isinstance(rival, Pass)
        )


def histories_leading_to(
    end: History, begin: History, edges: Edges, most: int, missed: int = 0
) -> Iterator[list[History]]:
    """Yield the steps of every history of at most `most` plies that leaves the cells as at `end`.

    It changes only cells that were touched, and in each ply at most `missed` others. Plies that no
    sensor shows count, too. TooManyError if there are thousands.
    """
    cells = frozenset(end.cells_read)

    tried = count()

    def extend(steps: list[History], history: History) -> Iterator[list[History]]:
        if next(tried) > HISTORIES_TRIED:
            raise TooManyError
        if steps and frozenset(history.cells_read) == cells:
            yield steps
        if len(steps) == most or history.match.turn == CHANCE:
            return
        goal, possible = dict(cells), history.possible
        left = {(p, goal.get(p, 0)) for p, _ in cells ^ history.cells_read}
        last = len(steps) + 1 == most
        for footprint in (
            possible.leaving(frozenset(left)) if last else possible.within(edges.keys())
        ):
            if len(footprint.cells - edges.keys()) <= missed:
                after = history.step(footprint.move, footprint)
                yield from extend([*steps, after], after)

    return extend([], begin)


def unseen(steps: Sequence[History], edges: Edges) -> int:
    """Return the number of acts for these plies that were not seen, and of wrong trays."""
    plies = [step.footprint for step in steps if step.footprint]
    trays = {tray for ply in plies for tray in ply.trays}
    touched = {tray for tray in steps[0].sight.trays if tray in edges}
    return sum(lacking(ply, edges) for ply in plies) + len(trays ^ touched)


def lacking(footprint: Footprint, edges: Edges) -> int:
    """Return how many acts that a move needs were not seen."""
    lifts = [at for place in footprint.leaves for at, read in edges.get(place, ()) if not read]
    lifted = min(lifts, default=float("-inf"))
    missing = 0
    for place, reading in footprint.arrivals:
        there = edges.get(place, ())
        puts = [at for at, read in there if read == reading]
        before = [read for at, read in there if puts and at <= puts[-1]]
        swapped = place not in footprint.swaps or any(read != reading for read in before)
        missing += not (puts and swapped and puts[-1] >= lifted - SLACK_S)
    return missing


def edges_between(recorded: Recorded, since: float, until: float) -> Edges:
    """Return the readings that sensors reported between two times, by place."""
    edges: dict[str, list[tuple[float, int]]] = {}
    for line in recorded.lines:
        if since <= line["t"] <= until:
            for place, reading in line.get("places", {}).items():
                edges.setdefault(place, []).append((line["t"], reading))
    return edges


def positions(game: Any, start: Any, recorded: Recorded) -> list[Any]:
    """Return the position before each move of the truth, and after each takeback."""
    throws = (Throw(tuple(line["dice"])) for line in recorded.lines if "dice" in line)
    position, stack, found = start, list[Any](), list[Any]()
    for truth in recorded.truth:
        if truth.back:
            position = stack[-truth.back]
            del stack[-truth.back :]
            found.append(position)
            continue
        while game.turn(position) == CHANCE:
            position = game.play(position, next(throws))
        found.append(position)
        stack.append(position)
        position = game.play(position, game.parse_move(position, truth.text))
    return found
