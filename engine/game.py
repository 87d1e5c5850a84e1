"""The vocabulary of all games, and the contract that each of them keeps.

Everything that Lampion does with a game derives from `Game.legal`: which move a hand made, which
places light up, what is refused and why. A game is a value (its rules with their options); so are
positions and moves: immutable, hashable, and equal when they mean the same. Nothing here reads a
clock, rolls a die or remembers anything: a throw of dice is a move by CHANCE, and what depends on
the past (repetition) gets the past as an argument.

Errors:

    GameError(ValueError)
     ├─ OptionError      an option or value that the game does not have
     ├─ PositionError    a text that is no position, or a position that cannot be
     └─ MoveError        a text that is no move
         └─ IllegalMoveError  a move that the rules do not allow here; carries the Reason
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import ClassVar, Final, Generic, TypeAlias, TypeVar

Place: TypeAlias = str
"""Anything that may have a sensor: a cell (`7g`) or a slot of a tray (`hand.sente.P`)."""

Seat: TypeAlias = int
"""Who plays: 0-based, in turn order."""

CHANCE: Final[Seat] = -1
"""Whose turn it is while the dice are still to fall."""


class GameError(ValueError):
    """Something a game cannot take; the message is one line that names the field and why."""


class OptionError(GameError):
    """An option or value that the game does not have."""

    def __init__(self, message: str, option: Option | None = None, value: str = "") -> None:
        super().__init__(message)
        self.option = option
        """The option that has no such value; None if it is the option that there is not."""
        self.value = value
        """The value, or the name of that option."""


class PositionError(GameError):
    """A text that is no position of the game, or a position that cannot be."""


class MoveError(GameError):
    """A text that is no move of the game."""


class IllegalMoveError(MoveError):
    """A move that the rules do not allow in this position."""

    def __init__(self, message: str, reason: Reason | None = None) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands on a place: whose it is, which kind, which pole is up, how many lie there."""

    owner: Seat | None
    """None: nobody's own (tokens of a common pool, robots that both players move)."""
    kind: str
    """The game's letter for it, `P`, `+P`, `w` …; a key of `Game.kinds`."""
    pole: int = 1
    """+1 or -1: what a polarity sensor reads under it."""
    count: int = 1
    """More than 1 only on the slots of trays."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A result of the dice: a move by CHANCE, in the record, so a replay rolls none."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """A turn that is lost because nothing can be moved; its text is `--`."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A decision that is no move on the board: `resign`, `promote a8=B`, `exchange no` …"""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won (a team together; nobody wins a draw) and by what."""

    winners: frozenset[Seat]
    reason: str
    """A short code, a key of `Game.endings`: `lion-captured`, `repetition` …"""
    points: tuple[int, ...] = ()
    """By seat, where the game counts them."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not allowed: a code, and the places that show it."""

    code: str
    """A key of `Game.reasons`, which holds the sentence."""
    places: tuple[Place, ...] = ()
    """What the sentence speaks of; its `{0}`, `{1}` … are these."""


@dataclass(frozen=True, slots=True)
class Sequel:
    """What a move brings about beside what stands where: who commands whose men now …"""

    code: str
    """A key of `Game.sequels`, which holds the sentence."""
    seats: tuple[Seat, ...] = ()
    """Whom the sentence speaks of; its `{0}`, `{1}` … are these."""


@dataclass(frozen=True, slots=True)
class Threat:
    """Something the side to move should know of."""

    kind: str
    """`check`: the royal piece can be taken · `attacked`: an own piece can be taken but is
    protected · `undefended`: it can be taken and nothing takes back · `free`: an enemy piece that
    can be taken and nothing takes back · `edge`: an own marble that can be pushed off ·
    `reach`: something (a robot) that the next player can carry off."""
    place: Place
    by: tuple[Place, ...] = ()
    """Where the threat comes from, where the game names it; for `reach`, where it may end."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a hand did, as far as it can be seen, to a board that no legal move explains."""

    lifted: frozenset[Place]
    """Places that held a piece and are empty now."""
    placed: frozenset[Place]
    """Places that were empty and hold something now."""
    swapped: frozenset[Place] = frozenset()
    """Places that held a piece, were emptied (or turned their pole) and hold one again."""
    seat: Seat | None = None
    """Whose turn it is; None: as the position says."""


@dataclass(frozen=True, slots=True)
class Option:
    """A rule that players may choose."""

    name: str
    values: tuple[str, ...]
    """All of them, the default first; `("20", "1..999")` stands for a whole number in a range."""
    about: str
    """One English sentence."""
    label: str = ""
    """As people call it, in English; empty: its name with blanks."""
    values_said: tuple[str, ...] = ()
    """The values as people call them, in English; empty: the values with blanks, and yes or no."""

    @property
    def title(self) -> str:
        """What people call it."""
        return self.label or self.name.replace("_", " ")

    def said(self, value: str) -> str:
        """Return what people call one of the values."""
        if self.values_said and value in self.values:
            return self.values_said[self.values.index(value)]
        return {"true": "yes", "false": "no"}.get(value, value.replace("_", " "))

    @property
    def default(self) -> str:
        """The value that holds when nobody chooses."""
        return self.values[0]

    def parse(self, value: object) -> str:
        """Return `value` (text, bool or int) as one of the values; OptionError if it is none."""
        text = str(value).lower() if isinstance(value, bool) else str(value).strip()
        if text in self.values:
            return text
        for each in self.values:
            low, dots, high = each.partition("..")
            if dots and text.isascii() and text.isdigit() and int(low) <= int(text) <= int(high):
                return str(int(text))
        allowed = ", ".join(self.values)
        raise OptionError(f"option {self.name}: {text!r} is not one of {allowed}", self, text)


@lru_cache(maxsize=512)
def _named_coordinates(cell: Place) -> tuple[int, int] | None:
    letter, number = (cell[-1], cell[:-1]) if cell[0].isdigit() else (cell[0], cell[1:])
    if letter.isascii() and letter.isalpha() and number.isascii() and number.isdigit():
        return ord(letter.lower()) - ord("a"), int(number)
    return None


P = TypeVar("P", bound=Hashable)  # a game's positions
M = TypeVar("M", bound=Hashable)  # a game's moves, beside Throw, Pass and Claim


class Game(ABC, Generic[P, M]):
    """The rules of one game with its options chosen: immutable, and the only source of truth.

    A descendant must write the abstract methods; the others have defaults that derive from them
    and may be overridden for speed or to say more, never to say something else.
    """

    name: ClassVar[str]
    """As on the command line: `robot-duel`."""
    title: ClassVar[str]
    """As people call it: `Robot Duel`."""
    seats: ClassVar[tuple[str, ...]]
    """The seats' names in turn order."""
    kinds: ClassVar[Mapping[str, str]]
    """Each piece letter with its English name."""
    known_options: ClassVar[tuple[Option, ...]] = ()
    """The options there are."""
    reasons: ClassVar[Mapping[str, str]] = {}
    """Each code of a Reason with its English sentence; `{0}`, `{1}` … are the places."""
    endings: ClassVar[Mapping[str, str]] = {}
    """Each code of an Outcome with its English sentence."""
    sequels: ClassVar[Mapping[str, str]] = {}
    """Each code of a Sequel with its English sentence; `{0}`, `{1}` … are seats."""
    goal: ClassVar[int | None] = None
    """The points that win at once, where some do."""
    pointing: ClassVar[bool] = False
    """Whether men tell whose they are by where they point, so that captives are turned round."""
    upright: ClassVar[bool] = False
    """Whether a picture shows every piece upright, and none as it points from its owner's side."""
    unsensed: ClassVar[frozenset[Place]] = frozenset()
    """Trays that no board senses."""
    has_passes: ClassVar[bool] = True
    """Whether a pass is ever legal; a game that says no is not asked for it after each move."""

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        """Choose options by name; the rest keep their defaults. OptionError names what is wrong."""
        known = {option.name: option for option in self.known_options}
        for name in options or {}:
            if name not in known:
                names = ", ".join(known) or "none"
                wrong = f"{self.name} has no option {name!r}; it has: {names}"
                raise OptionError(wrong, value=name)
        self.options: Mapping[str, str] = {
            name: option.parse((options or {}).get(name, option.default))
            for name, option in known.items()
        }

    def __repr__(self) -> str:
        chosen = {
            option.name: self.options[option.name]
            for option in self.known_options
            if self.options[option.name] != option.default
        }
        return f"{type(self).__name__}({chosen or ''})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.options == self.options

    def __hash__(self) -> int:
        return hash((type(self), tuple(self.options.values())))

    # ---- what each game must write

    @abstractmethod
    def cells(self) -> tuple[Place, ...]:
        """Return the places of the playing area, in reading order."""

    @abstractmethod
    def trays(self) -> tuple[Place, ...]:
        """Return the places beside it: hands, stocks, pools, graveyards."""

    @abstractmethod
    def start(self) -> P:
        """Return the position in which a game begins."""

    @abstractmethod
    def turn(self, position: P) -> Seat:
        """Return the seat to act, or CHANCE before a throw."""

    @abstractmethod
    def legal(self, position: P) -> Sequence[M | Throw | Pass]:
        """Return every move once: at CHANCE the throws (each listed throw is equally likely),
        else moves on the board or a single forced Pass. Moves that lead to the same position are
        one move. Empty when the game is over.
        """

    @abstractmethod
    def play(self, position: P, move: M | Throw | Pass | Claim) -> P:
        """Return the position after a legal move or an allowed claim; else IllegalMoveError."""

    @abstractmethod
    def outcome(self, position: P, earlier: Sequence[P] = ()) -> Outcome | None:
        """Return how the game ended, or None while it goes on.

        `earlier` holds the match's positions before this one, oldest first; what repetition needs.
        """

    @abstractmethod
    def pieces(self, position: P) -> dict[Place, Piece]:
        """Return what stands where, trays included; empty places are left out."""

    @abstractmethod
    def move_text(self, position: P, move: M | Throw | Pass | Claim) -> str:
        """Return the move in the game's notation."""

    @abstractmethod
    def parse_move(self, position: P, text: str) -> M | Throw | Pass | Claim:
        """Return the legal move of that text. MoveError if it is none, IllegalMoveError with the
        reason if the rules forbid it here.
        """

    @abstractmethod
    def position_text(self, position: P) -> str:
        """Return the position in the game's notation."""

    @abstractmethod
    def parse_position(self, text: str) -> P:
        """Return the position of that text; PositionError names the field and why."""

    # ---- what derives from it

    def places(self) -> tuple[Place, ...]:
        """Return all places, cells first."""
        return self.cells() + self.trays()

    def coordinates(self, cell: Place) -> tuple[int, int]:
        """Return the column and row of a cell. Neighbours differ by one at most in both, and a
        straight line goes in equal steps. The default reads names of one letter and a number, in
        any order (`7g`, `a1`); cells with other names lie in reading order on a square.
        """
        if (found := _named_coordinates(cell)) is not None:
            return found
        cells = self.cells()
        row, column = divmod(cells.index(cell), isqrt(len(cells) - 1) + 1)
        return column, row

    def distance(self, one: Place, other: Place) -> int:
        """Return how far apart two cells are, in steps of a chess king."""
        (a, b), (c, d) = self.coordinates(one), self.coordinates(other)
        return max(abs(a - c), abs(b - d))

    def tones(self) -> Mapping[Place, str]:
        """Return the cells that a picture paints unlike the others: `dark` or `throne`."""
        return {}

    def claims(self, position: P, seat: Seat) -> Sequence[Claim]:
        """Return what else a seat may say now, also out of turn; never part of `legal`."""
        return ()

    def changes(self, position: P, move: M | Throw | Pass) -> dict[Place, Piece | None]:
        """Return what the move changes: the places, and what stands there afterwards."""
        before = self.pieces(position)
        after = self.pieces(self.play(position, move))
        gone: dict[Place, Piece | None] = {place: None for place in before if place not in after}
        return gone | {place: man for place, man in after.items() if before.get(place) != man}

    def path(self, position: P, move: M | Throw | Pass) -> frozenset[Place]:
        """Return the places a hand may disturb on the way and leave as they were."""
        return frozenset()

    def candidates(
        self, position: P, touched: AbstractSet[Place], within: AbstractSet[Place] | None = None
    ) -> Sequence[M | Throw | Pass]:
        """Return legal moves, among them all those that change or pass over all of the places
        `touched` and, if `within` is given, empty or fill no cell outside of it (where one man
        takes another's place it does neither). It may return others, too: this is for speed.

        Where there are many thousands, some may be left out, but none that changes nothing beside
        `touched`, and for every cell where a man may come to stand there must be one.
        """
        return self.legal(position)

    def dice(self, position: P) -> tuple[int, ...]:
        """Return what was thrown and is still to be played."""
        return ()

    def threats(self, position: P) -> tuple[Threat, ...]:
        """Return what the side to move should know of."""
        return ()

    def points(self, position: P) -> tuple[int, ...]:
        """Return what each seat has scored so far; empty where points decide nothing."""
        return ()

    def sequels_of(self, before: P, after: P) -> tuple[Sequel, ...]:
        """Return what a move or claim that led from one position to another brings about."""
        return ()

    def why_not(self, position: P, attempt: Attempt) -> Reason | None:
        """Return why no legal move does what the hand did; None if that cannot be said."""
        return None

    def leaves(self, position: P) -> int:
        """Return how many moves `legal` would list, throws unfolded: perft of depth 1."""
        moves = self.legal(position)
        if self.turn(position) == CHANCE:
            return sum(self.leaves(self.play(position, throw)) for throw in moves)
        return len(moves)

    def perft(self, position: P, depth: int) -> int:
        """Return the number of move sequences of that length; a throw and the move it allows are
        one ply; repetition and claims are ignored.
        """
        if depth == 0:
            return 1
        if depth == 1:
            return self.leaves(position)
        less = depth - (self.turn(position) != CHANCE)
        return sum(self.perft(self.play(position, move), less) for move in self.legal(position))

    def replay(self, position: P, texts: Sequence[str]) -> Iterator[P]:
        """Yield the position after each move text in turn; MoveError as `parse_move`."""
        for text in texts:
            position = self.play(position, self.parse_move(position, text))
            yield position
