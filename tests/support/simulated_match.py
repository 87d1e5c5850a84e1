"""A simulated match: simulated hands play a game, and the sensors report what they see of it.

A `SimulatedMatch` carries out moves one after the other on one table. Beside the raw readings it
keeps the truth: which move was meant, and when the hand let go. What lies where stays consistent
through forgotten captured pieces, replies that begin before the move has ended, and takebacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engine.game import Claim, Pass, Place, Throw
from firmware_host.simulation.actions import Carry, Fuss, HandAction, HandActions, MoveStyle
from firmware_host.simulation.gesture_plan import AnyGame, AnyMove, Planner
from firmware_host.simulation.gestures import TOUCH, perform
from firmware_host.simulation.people import MIXED, person
from firmware_host.simulation.styles import Style
from firmware_host.simulation.tabletop import Act, Contacts, Edge, Sense, draw, report
from tests.support.recorded import Line, Recorded, Truth

FAST = (0.02, 0.4)
"""A reply that was ready: seconds after the opponent let go."""


@dataclass(slots=True)
class _Owed:
    """A captured piece that is not in its tray yet."""

    where: Place | None
    errand: Carry
    due: int
    """The ply with which it is put away."""


class SimulatedMatch:
    """Hands at one table; every call continues where the last one ended.

    `styles` names who sits there: one name per seat, or fewer, which then come in turn; `mixed`
    draws another person for every move. `contacts` replaces what the styles say of the sensors.
    """

    def __init__(
        self,
        game: AnyGame,
        rng: Random,
        sensing: str = "presence",
        styles: Sequence[str | Style] = (MIXED,),
        unsensed: Sequence[str] = (),
        position: object | None = None,
        contacts: Contacts | None = None,
    ) -> None:
        self.game = game
        self.rng = rng
        self.planner = Planner(game, unsensed)
        self.sense = Sense(sensing, frozenset(game.trays()), self.planner.unsensed)
        self.position: Any = game.start() if position is None else position
        self.table = self.planner.tabletop(self.position)
        self.now = 0.0
        """When the last hand let go."""
        self.acts: list[Act] = []
        """Everything the hands have done."""
        self.others: list[Line] = []
        """Throws and everything else that was said."""
        self.truth: list[Truth] = []
        self._start = None if position is None else game.position_text(position)
        self._unsensed = list(unsensed)
        self._first = self.table.readings(self.sense)
        self._styles = styles
        self._contacts = contacts
        self._edges: list[Edge] = []
        self._played: list[tuple[Any, AnyMove, str]] = []
        self._quiet: dict[Place, float] = {}
        self._owed: list[_Owed] = []
        self._landed = 0.0

    # ---- what can be done

    def move(
        self, move: AnyMove, manner: MoveStyle | None = None, wait: float | None = None
    ) -> Truth:
        """Carry out a legal move, in that manner or the mover's own, and return the truth of it.

        `wait` is from the last hand's letting go to the first touch; None: as the mover likes.
        """
        game, position = self.game, self.position
        seat = game.turn(position)
        text = game.move_text(position, move)
        following = game.play(position, move)
        ply = self._ply() + 1
        if isinstance(move, Pass):
            truth = Truth(ply, seat, text, begun=self.now, let_go=self.now, quiet=self.now)
        else:
            style = self._person(seat)
            work = self._with_owed(self.planner.work(position, move, self.rng))
            if manner is None:
                manner = style.manner(self.rng, work, self.table)
            manner = self._tidied(work, manner, style, ply)
            start = self.now + (self._reply(style) if wait is None else wait)
            deed, begun, acts, quiet = self._perform(work, manner, style, start)
            cells = tuple(act.at for act in acts if act.place in self.planner.cells)
            self._owed += [
                _Owed(where, errand, self._due(where, ply)) for where, errand in deed.owed
            ]
            truth = Truth(
                ply,
                seat,
                text,
                style=style.name,
                begun=begun,
                let_go=deed.let_go,
                seen=acts[-1].at if acts else deed.let_go,
                marks=cells or tuple(act.at for act in acts),
                quiet=quiet,
                visible=bool(acts),
                settled=not self._owed,
            )
        self.position = following
        self._played.append((position, move, text))
        self.truth.append(truth)
        return truth

    def throw(self, throw: Throw, wait: float = 0.3) -> None:
        """Let the dice fall, `wait` seconds after everything has come to rest."""
        self.now = max(self.now, *self._quiet.values(), 0.0) + wait
        self.others.append({"t": self.now, "dice": list(throw.dice)})
        self.position = self.game.play(self.position, throw)

    def take_back(self, plies: int, manner: MoveStyle | None = None, wait: float = 1.0) -> Truth:
        """Take back a number of plies (passes count), the last first; their throws stand again."""
        if not 0 < plies <= len(self._played):
            raise ValueError(f"{plies} plies cannot be taken back, {len(self._played)} were played")
        begun = let_go = quiet = 0.0
        acts: Sequence[Act] = ()
        style = self._person(0)
        for number in range(plies):
            position, move, _ = self._played.pop()
            if isinstance(move, Pass):
                self.position = position
                continue
            work = self._with_owed(self.planner.work(position, move, self.rng).back())
            how = manner or replace(
                style.manner(self.rng, work, self.table),
                away="after",
                before=(),
                beside=(),
                after=(),  # people who restore a position are careful
            )
            deed, first, acts, quiet = self._perform(
                work, how, style, self.now + (how.pause if number else wait)
            )
            begun = begun or first
            let_go = deed.let_go
            self.position = position
        ply = self._ply()
        seat = self.game.turn(self.position)
        truth = Truth(
            ply,
            seat,
            "",
            back=plies,
            style=style.name,
            begun=begun,
            let_go=let_go,
            seen=acts[-1].at if acts else let_go,
            quiet=quiet,
            visible=bool(acts),
            settled=not self._owed,
        )
        self.truth.append(truth)
        return truth

    def disturb(self, fuss: Fuss, wait: float = 0.0) -> None:
        """Let hands do what belongs to no move, such as straightening a piece."""
        self._perform(
            HandActions(), MoveStyle(reach=0.0, before=(fuss,), pause=0.0), Style(), self.now + wait
        )

    def set_up(self, position: object | None = None, wait: float = 1.0) -> float:
        """Set up a position (the start) with what lies on the table and beside it, in any order.

        Returns when the hand let go of the last piece; what was played before is forgotten.
        """
        goal = self.game.start() if position is None else position
        self.put_away()
        work = self.planner.between(self.game.pieces(self.position), self.game.pieces(goal))
        shuffled = [list(errands) for errands in (work.carried, work.taken, work.brought)]
        for errands in shuffled:
            self.rng.shuffle(errands)
        carried, taken, brought = map(tuple, shuffled)
        work = replace(work, carried=carried, taken=taken, brought=brought)
        style = self._person(0)
        manner = MoveStyle(
            reach=0.0, in_hand=draw(self.rng, style.in_hand), pause=draw(self.rng, style.pause)
        )
        deed, *_ = self._perform(work, manner, style, self.now + wait)
        self.position = goal
        self._played.clear()
        return deed.let_go

    def put_away(self, wait: float = 0.5) -> None:
        """Put every forgotten captured piece where it belongs."""
        for owed in self._owed:
            fuss = self._away(owed, wait)
            manner = MoveStyle(reach=0.0, before=(fuss,) if fuss else (), pause=0.1)
            self._perform(HandActions(), manner, self._person(0), self.now + wait)
        self._owed.clear()

    def say(self, line: Mapping[str, Any], wait: float = 0.5) -> None:
        """Add another line of a recording (`press`, `choose`, `claim`) at that time from now."""
        self.others.append({"t": self.now + wait, **line})

    def claim(self, claim: Claim, wait: float = 0.5) -> None:
        """Make a claim by button or page; hands carry out what it changes on the board."""
        self.others.append({"t": self.now + wait, "claim": claim.text, "seat": claim.seat})
        work = self.planner.work(self.position, claim, self.rng)
        self._perform(work, MoveStyle(), self._person(claim.seat), self.now + wait)
        self.position = self.game.play(self.position, claim)

    # ---- what came of it

    def lines(self, period: float = 0.0) -> list[Line]:
        """Return all lines of the recording so far, in order of time.

        With a `period` the readings are those of a board that looks once in that time: what
        comes and goes between two looks is lost. Without one every edge has its moment.
        """
        lines: list[Line] = [{"t": 0.0, "places": dict(sorted(self._first.items()))}]
        shown = dict(self._first)
        looks: dict[float, dict[Place, int]] = {}
        for edge in sorted(self._edges, key=lambda edge: edge.at):
            at = edge.at
            if period:
                at = (int(at / period) + 1) * period
            looks.setdefault(round(at, 4), {})[edge.place] = edge.value
        for at, look in sorted(looks.items()):
            changed = {p: value for p, value in look.items() if shown.get(p, 0) != value}
            shown |= changed
            if changed:
                lines.append({"t": at, "places": changed})
        lines += [{**line, "t": round(line["t"], 4)} for line in self.others]
        lines.sort(key=lambda line: line["t"])
        return lines

    def recorded(self, period: float = 0.0) -> Recorded:
        """Return the recording so far with its truth."""
        header = {
            "lampion": "recording",
            "version": 1,
            "game": self.game.name,
            "options": {
                option.name: self.game.options[option.name]
                for option in self.game.known_options
                if self.game.options[option.name] != option.default
            },
            "sensing": self.sense.sensing,
            "position": self._start,
        }
        if self._unsensed:
            header["unsensed"] = self._unsensed
        moves = [text for *_, text in self._played]
        return Recorded(header, self.lines(period), tuple(self.truth), moves)

    def readings(self) -> dict[Place, int]:
        """Return what the sensors read when all has come to rest."""
        return self.table.readings(self.sense)

    # ---- how it is done

    def _ply(self) -> int:
        return len(self._played)

    def _person(self, seat: int) -> Style:
        style = self._styles[max(seat, 0) % len(self._styles)]
        return style if isinstance(style, Style) else person(style, self.rng)

    def _reply(self, style: Style) -> float:
        """Return when the next hand begins, from when the last one let go."""
        last = self.truth[-1] if self.truth else None
        if last is not None and last.back:
            return max(1.0, draw(self.rng, style.think))  # there was a reason to think again
        if last is None or last.let_go < self.now:
            return draw(self.rng, style.think)  # a throw came between
        if (
            self.rng.random() < style.overlap
        ):  # the moved piece has landed; the rest may still go on
            ready = self._landed + self.rng.uniform(0.02, 0.15)
            return max(ready - self.now, -self.rng.uniform(0.0, 0.4))
        if self.rng.random() < style.fast_reply:
            return draw(self.rng, FAST)
        return draw(self.rng, style.think)

    def _perform(
        self, work: HandActions, manner: MoveStyle, style: Style, start: float
    ) -> tuple[HandAction, float, Sequence[Act], float]:
        """Do the work; return the deed, its first touch, its visible acts, the rest's time.

        It begins later than `start` if a place that it touches has not come to rest by then.
        """
        deed = perform(work, manner, self.table, start)
        late = 0.0
        for act in deed.acts[::-1]:
            late = max(late, self._quiet.get(act.place, -1.0) + TOUCH - act.at)
        if late > 0.0:
            deed = perform(work, manner, self.table, start + late)
        seen = self._seen(deed)
        contacts = self._contacts or style.contacts()
        edges = report(deed.acts, self.table, self.sense, contacts, self.rng)
        for act in deed.acts:
            self._quiet[act.place] = max(self._quiet.get(act.place, 0.0), act.at)
        for edge in edges:
            self._quiet[edge.place] = max(self._quiet[edge.place], edge.at)
        self._edges += edges
        self.acts += deed.acts
        begun = deed.acts[0].at if deed.acts else start
        cells = [a.at for a in deed.core if a.place in self.planner.cells and a.pole is not None]
        self._landed = max(cells, default=deed.let_go)
        self.now = max(deed.let_go, self.now)
        quiet = max((edge.at for edge in edges), default=deed.let_go)
        return deed, begun, seen, quiet

    def _seen(self, deed: HandAction) -> Sequence[Act]:
        """Return the acts of the move itself that change a reading."""
        table, seen = self.table.copy(), []
        core = {id(act) for act in deed.core}
        for act in deed.acts:
            before = table.reading(act.place, self.sense)
            table.do(act)
            if (
                id(act) in core
                and self.sense.sees(act.place)
                and before != table.reading(act.place, self.sense)
            ):
                seen.append(act)
        return seen

    # ---- captured pieces that were forgotten

    def _due(self, where: Place | None, ply: int) -> int:
        """Return the ply with which a forgotten piece is put away: soon if it lies on the board."""
        return ply + (1 if where else self.rng.choice((1, 1, 1, 2, 2, 3, 5)))

    def _with_owed(self, work: HandActions) -> HandActions:
        """Let a piece that is brought from a tray come from where it really lies, if it never got
        there.
        """
        brought = list(work.brought)
        for owed in list(self._owed):
            for number, errand in enumerate(brought):
                came_from = owed.errand.start == errand.end  # a capture taken back
                needed = errand.start is not None and not self.table.count(errand.start)
                if owed.errand.end == errand.start and (came_from or needed):
                    brought[number] = replace(errand, start=owed.where)
                    self._owed.remove(owed)
                    break
        return replace(work, brought=tuple(brought))

    def _tidied(self, work: HandActions, manner: MoveStyle, style: Style, ply: int) -> MoveStyle:
        """Put forgotten pieces away before or after this move: those that are due or in the way."""
        way = {cell for errand in work.carried for cell in errand.via}
        used = {
            place
            for fuss in (*manner.before, manner.flight, manner.beside, *manner.after)
            for _, place, _ in fuss
        }
        needed = work.touched() | way | used | {manner.aside}
        before: list[Fuss] = []
        after: list[Fuss] = []
        for owed in list(self._owed):
            in_the_way = owed.where is not None and owed.where in needed
            if not in_the_way and owed.due > ply:
                continue
            self._owed.remove(owed)
            fuss = self._away(owed, draw(self.rng, style.pause))
            if fuss:
                first = in_the_way or self.rng.random() < 0.5
                (before if first else after).append(fuss)
        elsewhere = {place for fuss in (*before, *after) for _, place, _ in fuss}
        clash = any(place in elsewhere for _, place, _ in manner.beside)
        return replace(
            manner,
            before=(*before, *manner.before),
            after=(*manner.after, *after),
            beside=() if clash else manner.beside,
        )

    def _away(self, owed: _Owed, wait: float) -> Fuss:
        """Return the acts that put a forgotten piece where it belongs; none if nobody sees them."""
        acts: list[tuple[float, Place, int | None]] = []
        if owed.where is not None:
            acts.append((0.0, owed.where, None))
        if owed.errand.end is not None:
            acts.append((wait, owed.errand.end, owed.errand.pole))
        return tuple(acts)
