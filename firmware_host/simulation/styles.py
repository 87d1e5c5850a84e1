"""Styles: how people differ in handling pieces, as probabilities and ranges of time.

A `Style` is a person; `Style.move_style` draws how that person makes one move. The figures are
estimates of what is plausible, from what can be seen at a table and from reports of boards that
failed (sliding, a neighbour brushed, two hands, a capture exchanged in one grip). They are not
fitted to recordings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal, TypeAlias, TypeVar

from firmware_host.simulation.actions import Carry, Fidget, HandActions, MoveStyle
from firmware_host.simulation.tabletop import Contacts, Place, Span, Tabletop, draw

Away: TypeAlias = Literal["at once", "after", "aside", "late"]
Clearing: TypeAlias = Literal["before", "during", "after"]
RowWay: TypeAlias = Literal["pushed", "front first", "leapfrog", "chain"]
T = TypeVar("T")

_AWAY: Final[Mapping[Away, float]] = {"at once": 0.3, "after": 0.5, "aside": 0.15, "late": 0.05}
_EVENLY: Final[Mapping[Clearing, float]] = {"before": 1.0, "during": 1.0, "after": 1.0}
_ROWS: Final[Mapping[RowWay, float]] = {
    "pushed": 0.5,
    "front first": 0.2,
    "leapfrog": 0.15,
    "chain": 0.15,
}


@dataclass(frozen=True, slots=True)
class Style:
    """One person's habits. Shares count moves in which the habit is possible; times in seconds."""

    name: str = "plain"

    # -- the rhythm
    think: Span = (0.4, 4.0)
    """From the end of the opponent's move to the first touch."""
    in_hand: Span = (0.25, 0.9)
    """Lift to put-down; 80 ms is a blitz player's flick, 900 ms a deliberate carry."""
    pause: Span = (0.2, 0.7)
    """Between two things done one after the other."""
    fast_reply: float = 0.0
    """Replies 20-400 ms after the opponent let go: an expected move, prepared in the hand."""
    overlap: float = 0.0
    """Begins before the opponent's move ends (the captured piece is being put away)."""

    # -- the way
    slide: float = 0.15
    """Slides over the cells between instead of lifting over them."""
    cell: Span = (0.08, 0.25)
    """Per cell of a slide; 60 ms is a flick, 600 ms a finger on it while thinking."""
    stops: float = 0.0
    """Share of slides that stop on every cell for 350 ms and more."""
    stop: Span = (0.35, 1.4)
    gap: Span = (-0.03, 0.06)
    """How long no switch is closed between two cells of a slide; below 0: how long both are."""

    # -- capturing
    enemy_first: float = 0.4
    """Lifts the captured piece before the capturing one."""
    swap: float = 0.2
    """Exchanges the two in one grip: the target is empty for a moment only."""
    swap_gap: Span = (0.005, 0.4)
    empty: Span = (0.15, 0.6)
    """How long the target is empty otherwise."""
    away: Mapping[Away, float] = field(default_factory=lambda: _AWAY)
    """Weights of where the captured piece goes, as in `MoveStyle.away`."""
    on_board: float = 0.3
    """Share of those put aside (or late) that are parked on an empty cell of the board."""
    clearing: Mapping[Clearing, float] = field(default_factory=lambda: _EVENLY)
    """Weights of when other pieces that leave the board are taken, as in `MoveStyle.clearing`."""

    # -- both hands, several pieces
    two_hands: float = 0.05
    """Uses both hands at once where that is possible."""
    together: float = 0.3
    """Moves several pieces at once where the move asks for several: a broadside, a refill."""
    stagger: Span = (0.01, 0.12)
    """Between the two hands, or between marbles that move together."""
    row: Mapping[RowWay, float] = field(default_factory=lambda: _ROWS)
    """Weights of how a row of marbles is moved, as in `MoveStyle.row`."""
    reverse: float = 0.3
    """Begins with the other one of several pieces (the rook of a castling, the last of a row)."""

    # -- doubts and tidiness
    turned_after: float = 0.25
    """Turns a promoted piece over after putting it down, not in the hand."""
    lift_return: float = 0.02
    """First lifts the piece and puts it back."""
    hover: float = 0.02
    """First touches another legal target with it (and lifts an enemy there), then puts all back."""
    rest: float = 0.02
    """Rests the piece on another legal cell on the way."""
    rest_time: Span = (0.15, 2.5)
    """From shorter to longer than the time after which a board takes a move as finished."""
    nudge_own: float = 0.03
    nudge_other: float = 0.02
    """Straightens another piece before or after the move: lifted for 60-800 ms, put back."""
    bump: float = 0.02
    """Brushes a neighbour while a piece is in the hand: gone for 40-150 ms."""
    adjust: float = 0.04
    """Straightens the moved piece after letting go."""
    wobble: float = 0.08
    """The piece rocks when put down: the contact is lost once more for 5-40 ms."""
    roll: float = 0.0
    """The piece rolls into its place: the contact bounces several times."""

    # -- the contacts beneath
    chatter: float = 0.15
    late: float = 0.05
    """Shares of edges that flutter or come late, as in `Contacts`."""

    def contacts(self) -> Contacts:
        """Return how the contacts report this person's acts."""
        return Contacts(chatter=self.chatter, late=self.late)

    def move_style(self, rng: Random, actions: HandActions, table: Tabletop) -> MoveStyle:
        """Draw how this person does `actions` this time; `table` is the state before them."""
        return _Drawing(self, rng, actions, table).move_style()


class _Drawing:
    """The draws for one move."""

    def __init__(self, style: Style, rng: Random, actions: HandActions, table: Tabletop) -> None:
        self.style = style
        self.rng = rng
        self.actions = actions
        self.table = table
        self.busy = actions.touched() | {cell for carry in actions.carried for cell in carry.via}
        self.leading: Carry | None = next(
            iter((*actions.carried, *actions.row, *actions.brought)), None
        )
        self.before: list[Fidget] = []
        self.after: list[Fidget] = []
        self.disturbed: set[Place] = set()

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def time(self, span: Span) -> float:
        return draw(self.rng, span)

    def pick(self, weights: Mapping[T, float]) -> T:
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def one(self, places: Iterable[Place], standing: bool) -> Place | None:
        """Return an undisturbed place, with a piece if `standing`, else without; or None."""
        apart = self.busy | self.disturbed
        fit = [p for p in places if p not in apart and bool(self.table.count(p)) == standing]
        return self.rng.choice(fit) if fit else None

    def move_style(self) -> MoveStyle:
        style = self.style
        two_hands = self.chance(style.two_hands)
        swap = two_hands or self.chance(style.swap)
        slide = self.chance(style.slide)
        dwell = style.stop if slide and self.chance(style.stops) else style.cell
        steps = max((len(carry.via) for carry in self.actions.carried), default=0)
        away = self.pick(style.away)
        aside = None
        if away in ("aside", "late") and self.actions.taken and self.chance(style.on_board):
            aside = self.one(self.actions.aside(), standing=False)
            self.disturbed |= {aside} if aside else set()
        in_hand = self.time(style.in_hand)
        self.doubts()
        self.tidiness()
        return MoveStyle(
            reach=0.0,
            in_hand=in_hand,
            pause=self.time(style.pause),
            slide=slide,
            cells=tuple(self.time(dwell) for _ in range(steps)) or (0.1,),
            gap=self.time(style.gap),
            enemy_first=not swap and self.chance(style.enemy_first),
            empty=self.time(style.swap_gap if swap else style.empty),
            away=away,
            aside=aside,
            clearing=self.pick(style.clearing),
            reverse=self.chance(style.reverse),
            together=two_hands or self.chance(style.together),
            turned="after" if self.chance(style.turned_after) else "in hand",
            row=self.pick(style.row),
            stagger=self.time(style.stagger),
            before=tuple(self.before),
            flight=self.flight(),
            beside=self.beside(in_hand),
            after=tuple(self.after),
            shake=self.shake(),
        )

    def doubts(self) -> None:
        """Lift and return, or try another move and withdraw it."""
        style = self.style
        piece = self.leading.start if self.leading else None
        if piece and self.chance(style.lift_return):
            self.before.append(self.lifted(piece, self.time((0.08, 1.5))))
        if self.chance(style.hover):
            tries = [pair for pair in self.actions.instead() if self.table.count(pair[0])]
            if tries:
                pair = self.rng.choice(tries)
                self.disturbed.update(pair)
                self.before.append(self.tried(*pair))

    def tried(self, start: Place, end: Place) -> Fidget:
        """Return the touch of another target; a piece that stands there is lifted for it."""
        pole, enemy = self.table.top(start), self.table.top(end)
        wait, touch, back = (self.time(self.style.in_hand) for _ in range(3))
        there: Fidget = ((wait, end, pole), (touch, end, None), (back, start, pole))
        if enemy:
            there = ((wait, end, None), (touch, start, pole), (back, end, enemy))
        return ((0.0, start, None), *there)

    def lifted(self, place: Place, gone: float) -> Fidget:
        """Return the lifting and putting back of a piece."""
        return ((0.0, place, None), (gone, place, self.table.top(place)))

    def tidiness(self) -> None:
        """Straighten other pieces before or after the move, and the moved piece after it."""
        style, actions = self.style, self.actions
        for share, places in ((style.nudge_own, actions.own), (style.nudge_other, actions.others)):
            if self.chance(share) and (place := self.one(places, standing=True)):
                self.disturbed.add(place)
                when = self.before if self.chance(0.5) else self.after
                when.append(self.lifted(place, self.time((0.06, 0.8))))
        moved = self.leading
        end = moved.end if moved and not actions.row else None
        if moved and end and end in actions.near and self.chance(style.adjust):
            gone = self.time((0.06, 0.5))
            self.after.append(((0.0, end, None), (gone, end, moved.pole)))

    def flight(self) -> Fidget:
        """Rest the piece on another cell on the way."""
        piece = self.leading
        if not piece or piece.start is None or self.actions.row or not self.chance(self.style.rest):
            return ()
        ends = [end for start, end in self.actions.instead() if start == piece.start]
        cell = self.one(ends, standing=False)
        if cell is None:
            return ()
        self.disturbed.add(cell)
        rest = self.time(self.style.rest_time)
        return ((self.time(self.style.in_hand), cell, piece.lies), (rest, cell, None))

    def beside(self, in_hand: float) -> Fidget:
        """Brush a neighbour of where the piece comes from or goes to."""
        piece = self.leading
        if not piece or not self.chance(self.style.bump):
            return ()
        around = [
            p for end in (piece.start, piece.end) if end for p in self.actions.near.get(end, ())
        ]
        place = self.one(around, standing=True)
        if place is None:
            return ()
        gone = self.time((0.04, 0.15))
        when = self.rng.uniform(0.02, in_hand)
        return ((when, place, None), (gone, place, self.table.top(place)))

    def shake(self) -> tuple[float, ...]:
        """Let the piece rock once, or roll and bounce."""
        if self.chance(self.style.roll):
            at, flips = 0.0, []
            for _ in range(2 * self.rng.randint(1, 5)):
                at += self.time((0.004, 0.05))
                flips.append(at)
            return tuple(flips)
        if self.chance(self.style.wobble):
            lost = self.time((0.01, 0.08))
            return (lost, lost + self.time((0.005, 0.04)))
        return ()
