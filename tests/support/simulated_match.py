"""A simulated match: simulated hands play a game, and the sensors report what they see of it.

A `SimulatedMatch` carries out moves one after the other on one table. Beside the raw readings it
keeps the truth: which move was meant, and when the hand let go. What lies where stays consistent
through forgotten captured pieces, replies that begin before the move has ended, and takebacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Any

from engine.game import Claim, Pass, Place, Throw
from firmware_host.simulation.actions import Carry, Fidget, HandAction, HandActions, MoveStyle
from firmware_host.simulation.gesture_plan import AnyGame, AnyMove, Planner
from firmware_host.simulation.gestures import TOUCH, perform
from firmware_host.simulation.people import MIXED, person
from firmware_host.simulation.styles import Style
from firmware_host.simulation.tabletop import Act, Contacts, Edge, Sense, draw, report
from tests.support.recorded import Line, Recorded, Truth

FAST = (0.02, 0.4)
"""A reply that was ready: seconds after the opponent let go."""


@dataclass(slots=True)
class _Forgotten:
    """A captured piece that is not in its tray yet."""

    where: Place | None
    carry: Carry
    due: int
    """It is put away with this ply."""


class SimulatedMatch:
    """Hands at one table; every call continues where the last one ended.

    `styles` holds one style per seat; if there are fewer, they repeat. `mixed` draws another style
    for every move. `contacts` replaces the contacts of the styles. `pockets` says how many pockets
    with a sensor a tray has, where that is not the usual number.
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
        pockets: Mapping[Place, int] = MappingProxyType({}),
    ) -> None:
        self.game = game
        self.rng = rng
        self.planner = Planner(game, unsensed)
        self.sense = Sense(sensing, frozenset(game.trays()), self.planner.unsensed, pockets)
        self.position: Any = game.start() if position is None else position
        self.table = self.planner.tabletop(self.position)
        self.now = 0.0
        """When the last hand let go."""
        self.acts: list[Act] = []
        """Everything the hands have done."""
        self.others: list[Line] = []
        """Throws and everything else that was entered."""
        self.truth: list[Truth] = []
        self._start = None if position is None else game.position_text(position)
        self._unsensed = list(unsensed)
        self._first = self.table.readings(self.sense)
        self._styles = styles
        self._contacts = contacts
        self._edges: list[Edge] = []
        self._played: list[tuple[Any, AnyMove, str]] = []
        self._quiet: dict[Place, float] = {}
        self._forgotten: list[_Forgotten] = []
        self._landed = 0.0

    # ---- what can be done

    def move(
        self, move: AnyMove, move_style: MoveStyle | None = None, wait: float | None = None
    ) -> Truth:
        """Carry out a legal move, in this style or one drawn for the mover, and return its truth.

        `wait` is from the last let-go to the first touch; None draws it from the mover's style.
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
            actions = self._with_forgotten(self.planner.actions(position, move, self.rng))
            if move_style is None:
                move_style = style.move_style(self.rng, actions, self.table)
            move_style = self._tidied(actions, move_style, style, ply)
            start = self.now + (self._reply(style) if wait is None else wait)
            action, begun, acts, quiet = self._perform(actions, move_style, style, start)
            cells = tuple(act.at for act in acts if act.place in self.planner.cells)
            self._forgotten += [
                _Forgotten(where, carry, self._due(where, ply)) for where, carry in action.forgotten
            ]
            truth = Truth(
                ply,
                seat,
                text,
                style=style.name,
                begun=begun,
                let_go=action.let_go,
                seen=acts[-1].at if acts else action.let_go,
                marks=cells or tuple(act.at for act in acts),
                quiet=quiet,
                visible=bool(acts),
                settled=not self._forgotten,
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

    def take_back(
        self, plies: int, move_style: MoveStyle | None = None, wait: float = 1.0
    ) -> Truth:
        """Take back plies, the last first; passes count, and the throws before them stand again."""
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
            actions = self._with_forgotten(self.planner.actions(position, move, self.rng).back())
            how = move_style or replace(
                style.move_style(self.rng, actions, self.table),
                away="after",
                before=(),
                beside=(),
                after=(),  # people who restore a position are careful
            )
            action, first, acts, quiet = self._perform(
                actions, how, style, self.now + (how.pause if number else wait)
            )
            begun = begun or first
            let_go = action.let_go
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
            settled=not self._forgotten,
        )
        self.truth.append(truth)
        return truth

    def disturb(self, fidget: Fidget, wait: float = 0.0) -> None:
        """Let hands do what is not part of a move, such as straightening a piece."""
        self._perform(
            HandActions(),
            MoveStyle(reach=0.0, before=(fidget,), pause=0.0),
            Style(),
            self.now + wait,
        )

    def set_up(self, position: object | None = None, wait: float = 1.0) -> float:
        """Set up a position (by default the start) in random order; clear the moves played.

        Returns when the hand let go of the last piece.
        """
        goal = self.game.start() if position is None else position
        self.put_away()
        actions = self.planner.between(self.game.pieces(self.position), self.game.pieces(goal))
        shuffled = [list(carries) for carries in (actions.carried, actions.taken, actions.brought)]
        for carries in shuffled:
            self.rng.shuffle(carries)
        carried, taken, brought = map(tuple, shuffled)
        actions = replace(actions, carried=carried, taken=taken, brought=brought)
        style = self._person(0)
        move_style = MoveStyle(
            reach=0.0, in_hand=draw(self.rng, style.in_hand), pause=draw(self.rng, style.pause)
        )
        action, *_ = self._perform(actions, move_style, style, self.now + wait)
        self.position = goal
        self._played.clear()
        return action.let_go

    def put_away(self, wait: float = 0.5) -> None:
        """Put every forgotten captured piece where it belongs."""
        for forgotten in self._forgotten:
            fidget = self._away(forgotten, wait)
            move_style = MoveStyle(reach=0.0, before=(fidget,) if fidget else (), pause=0.1)
            self._perform(HandActions(), move_style, self._person(0), self.now + wait)
        self._forgotten.clear()

    def say(self, line: Mapping[str, Any], wait: float = 0.5) -> None:
        """Add another line of a recording (`press`, `choose`, `claim`) `wait` seconds from now."""
        self.others.append({"t": self.now + wait, **line})

    def claim(self, claim: Claim, wait: float = 0.5) -> None:
        """Make a claim by button or page; hands carry out what it changes on the board."""
        self.others.append({"t": self.now + wait, "claim": claim.text, "seat": claim.seat})
        actions = self.planner.actions(self.position, claim, self.rng)
        self._perform(actions, MoveStyle(), self._person(claim.seat), self.now + wait)
        self.position = self.game.play(self.position, claim)

    # ---- what came of it

    def lines(self, period: float = 0.0) -> list[Line]:
        """Return all lines of the recording so far, in order of time.

        With a `period` the board is polled: what changes and returns between two polls is lost.
        Without one, every edge is recorded at its own time.
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
        if self.sense.pockets:
            header["pockets"] = dict(self.sense.pockets)
        moves = [text for *_, text in self._played]
        return Recorded(header, self.lines(period), tuple(self.truth), moves)

    def readings(self) -> dict[Place, int]:
        """Return what the sensors read when everything is at rest."""
        return self.table.readings(self.sense)

    # ---- how it is done

    def _ply(self) -> int:
        return len(self._played)

    def _person(self, seat: int) -> Style:
        style = self._styles[max(seat, 0) % len(self._styles)]
        return style if isinstance(style, Style) else person(style, self.rng)

    def _reply(self, style: Style) -> float:
        """Return the seconds from the last let-go to the next hand's start."""
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
        self, actions: HandActions, move_style: MoveStyle, style: Style, start: float
    ) -> tuple[HandAction, float, Sequence[Act], float]:
        """Do the actions; return the result, its first touch, its visible acts, the time of rest.

        It begins later than `start` if a place that it touches is not at rest by then.
        """
        action = perform(actions, move_style, self.table, start)
        late = 0.0
        for act in action.acts[::-1]:
            late = max(late, self._quiet.get(act.place, -1.0) + TOUCH - act.at)
        if late > 0.0:
            action = perform(actions, move_style, self.table, start + late)
        seen = self._seen(action)
        contacts = self._contacts or style.contacts()
        edges = report(action.acts, self.table, self.sense, contacts, self.rng)
        for act in action.acts:
            self._quiet[act.place] = max(self._quiet.get(act.place, 0.0), act.at)
        for edge in edges:
            self._quiet[edge.place] = max(self._quiet[edge.place], edge.at)
        self._edges += edges
        self.acts += action.acts
        begun = action.acts[0].at if action.acts else start
        cells = [a.at for a in action.core if a.place in self.planner.cells and a.pole is not None]
        self._landed = max(cells, default=action.let_go)
        self.now = max(action.let_go, self.now)
        quiet = max((edge.at for edge in edges), default=action.let_go)
        return action, begun, seen, quiet

    def _seen(self, action: HandAction) -> Sequence[Act]:
        """Return the acts of the move itself that change a reading."""
        table, seen = self.table.copy(), []
        core = {id(act) for act in action.core}
        for act in action.acts:
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

    def _with_forgotten(self, actions: HandActions) -> HandActions:
        """Bring forgotten pieces from where they lie instead of from the tray that they never
        reached.
        """
        brought = list(actions.brought)
        for forgotten in list(self._forgotten):
            for number, carry in enumerate(brought):
                came_from = forgotten.carry.start == carry.end  # a capture taken back
                needed = carry.start is not None and not self.table.count(carry.start)
                if forgotten.carry.end == carry.start and (came_from or needed):
                    brought[number] = replace(carry, start=forgotten.where)
                    self._forgotten.remove(forgotten)
                    break
        return replace(actions, brought=tuple(brought))

    def _tidied(
        self, actions: HandActions, move_style: MoveStyle, style: Style, ply: int
    ) -> MoveStyle:
        """Put away forgotten pieces that are due or in the way, before or after this move."""
        way = {cell for carry in actions.carried for cell in carry.via}
        used = {
            place
            for fidget in (
                *move_style.before,
                move_style.flight,
                move_style.beside,
                *move_style.after,
            )
            for _, place, _ in fidget
        }
        needed = actions.touched() | way | used | {move_style.aside}
        before: list[Fidget] = []
        after: list[Fidget] = []
        for forgotten in list(self._forgotten):
            in_the_way = forgotten.where is not None and forgotten.where in needed
            if not in_the_way and forgotten.due > ply:
                continue
            self._forgotten.remove(forgotten)
            fidget = self._away(forgotten, draw(self.rng, style.pause))
            if fidget:
                first = in_the_way or self.rng.random() < 0.5
                (before if first else after).append(fidget)
        elsewhere = {place for fidget in (*before, *after) for _, place, _ in fidget}
        clash = any(place in elsewhere for _, place, _ in move_style.beside)
        return replace(
            move_style,
            before=(*before, *move_style.before),
            after=(*move_style.after, *after),
            beside=() if clash else move_style.beside,
        )

    def _away(self, forgotten: _Forgotten, wait: float) -> Fidget:
        """Return the acts that put a forgotten piece away; none if no sensor sees them."""
        acts: list[tuple[float, Place, int | None]] = []
        if forgotten.where is not None:
            acts.append((0.0, forgotten.where, None))
        if forgotten.carry.end is not None:
            acts.append((wait, forgotten.carry.end, forgotten.carry.pole))
        return tuple(acts)
