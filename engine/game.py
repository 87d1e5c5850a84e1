"""The vocabulary of all games, and the contract that each of them keeps.

Lampion derives everything about a game from `Game.legal`: which move a hand made, which places
light up, what is refused and why. A game (its rules with their options), a position and a move are
values: immutable, hashable, and equal when they mean the same. Nothing here reads a clock, rolls a
die or keeps state. A throw of dice is a move by CHANCE. Repetition depends on the past, so it gets
the past as an argument.

Errors:

    GameError(ValueError)
     ├─ OptionError      the game has no such option or value
     ├─ PositionError    the text is no position, or the position is impossible
     └─ MoveError        the text is no move
         └─ IllegalMoveError  the rules forbid the move here; carries the Reason
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, is_dataclass, replace
from functools import lru_cache
from math import isqrt
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, cast

Place: TypeAlias = str
"""A place that may have a sensor: a cell (`7g`) or a slot of a tray (`hand.sente.P`)."""

PlaceSet: TypeAlias = AbstractSet[Place]

Seat: TypeAlias = int
"""The number of a player, in turn order from 0."""

CHANCE: Final[Seat] = -1
"""The seat to act before a throw of dice."""


HANDICAP: Final = "handicap"
"""The option that says what a stronger player gives; its default is an even game."""


class GameError(ValueError):
    """A game cannot use what it was given; the message is one line: the field, then the reason."""


class OptionError(GameError):
    """The game has no such option or value."""

    def __init__(self, message: str, option: Option | None = None, value: str = "") -> None:
        super().__init__(message)
        self.option = option
        """The option without that value; None if the option itself is unknown."""
        self.value = value
        """The unknown value, or the name of the unknown option."""


class PositionError(GameError):
    """The text is no position of the game, or the position is impossible."""


class MoveError(GameError):
    """The text is no move of the game."""


class IllegalMoveError(MoveError):
    """The rules forbid the move in this position."""

    def __init__(self, message: str, reason: Reason | None = None) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Piece:
    """The pieces on one place: their owner, kind, upper pole and number."""

    owner: Seat | None
    """None: no player owns it (tokens of a common pool, robots that both players move)."""
    kind: str
    """The game's letter for it, `P`, `+P`, `w` …; a key of `Game.kinds`."""
    pole: int = 1
    """+1 or -1: the reading of a polarity sensor under it."""
    count: int = 1
    """More than 1 only in slots of trays."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A result of the dice: a move by CHANCE. The record holds it, so a replay rolls nothing."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """A turn lost because no piece can move; its text is `--`."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A decision that is no move on the board: `resign`, `promote a8=B`, `exchange no` …"""

    seat: Seat
    text: str


SharedMove: TypeAlias = Throw | Pass | Claim
"""The moves that all games share."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winners (a whole team; none in a draw) and the reason."""

    winners: frozenset[Seat]
    reason: str
    """A short code, a key of `Game.endings`: `lion-captured`, `repetition` …"""
    points: tuple[int, ...] = ()
    """By seat, if the game counts points."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not allowed: a code, and the places that show it."""

    code: str
    """A key of `Game.reasons`, which holds the sentence."""
    places: tuple[Place, ...] = ()
    """The places that fill `{0}`, `{1}` … of the sentence."""


@dataclass(frozen=True, slots=True)
class Sequel:
    """An effect of a move beyond where pieces stand, such as a change of command."""

    code: str
    """A key of `Game.sequels`, which holds the sentence."""
    seats: tuple[Seat, ...] = ()
    """The seats that fill `{0}`, `{1}` … of the sentence."""


@dataclass(frozen=True, slots=True)
class Threat:
    """A danger or a chance that the side to move should see."""

    kind: str
    """`check`: the royal piece can be taken · `attacked`: a piece of the mover can be taken
    but is protected · `undefended`: one can be taken and nothing takes back · `free`: an enemy
    piece can be taken and nothing takes back · `edge`: a marble of the mover can be pushed off ·
    `reach`: the next player can carry a robot off."""
    place: Place
    by: tuple[Place, ...] = ()
    """Where the threat comes from, if the game says so; for `reach`, where the robot may end."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a hand visibly did to the board when no legal move explains it."""

    lifted: frozenset[Place]
    """Places that held a piece and are empty now."""
    placed: frozenset[Place]
    """Places that were empty and hold something now."""
    swapped: frozenset[Place] = frozenset()
    """Places whose piece was lifted (or turned over) and that hold a piece again."""
    seat: Seat | None = None
    """The seat whose turn it is; None: as the position says."""


@dataclass(frozen=True, slots=True)
class Option:
    """A rule that players may choose."""

    name: str
    values: tuple[str, ...]
    """All values, the default first; `("20", "1..999")` allows whole numbers in a range."""
    about: str
    """One English sentence."""
    label: str = ""
    """The English name for people; empty: the name with blanks."""
    values_said: tuple[str, ...] = ()
    """The English names of the values; empty: the values with blanks, and yes or no."""
    only_if: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)
    """The options without which it cannot matter, each with the values that they need."""

    @property
    def title(self) -> str:
        """The name for people."""
        return self.label or self.name.replace("_", " ")

    def said(self, value: str) -> str:
        """Return the name of a value for people."""
        if self.values_said and value in self.values:
            return self.values_said[self.values.index(value)]
        return {"true": "yes", "false": "no"}.get(value, value.replace("_", " "))

    @property
    def default(self) -> str:
        """The value unless players choose another."""
        return self.values[0]

    def matters(self, options: Mapping[str, str]) -> bool:
        """Whether the option can matter under all chosen options."""
        return all(options[name] in values for name, values in self.only_if.items())

    def parse(self, value: object) -> str:
        """Return `value` (text, bool or int) as one of the values; else OptionError."""
        text = str(value).lower() if isinstance(value, bool) else str(value).strip()
        if text in self.values:
            return text
        for each in self.values:
            low, dots, high = each.partition("..")
            if dots and text.isascii() and text.isdigit() and int(low) <= int(text) <= int(high):
                return str(int(text))
        allowed = ", ".join(self.values)
        raise OptionError(f"option {self.name}: {text!r} is not one of {allowed}", self, text)


@dataclass(frozen=True, slots=True)
class Preset:
    """Options that are chosen together, as one way to play."""

    label: str
    """The English name for people."""
    about: str
    """What is special about it, in English sentences."""
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The options that are not at their default."""


@lru_cache(maxsize=512)
def _named_coordinates(cell: Place) -> tuple[int, int] | None:
    letter, number = (cell[-1], cell[:-1]) if cell[0].isdigit() else (cell[0], cell[1:])
    if letter.isascii() and letter.isalpha() and number.isascii() and number.isdigit():
        return ord(letter.lower()) - ord("a"), int(number)
    return None


_LOSSES: Final = {"resign": "resigned", "flag": "flag"}
"""The claims that lose at once, each with the field of a position that names the seat."""

P = TypeVar("P", bound=Hashable)  # the positions of a game
M = TypeVar("M", bound=Hashable)  # its moves, without Throw, Pass and Claim


class Game(ABC, Generic[P, M]):
    """The rules of one game with its options chosen: immutable, and the only source of truth.

    A subclass must write the abstract methods. The other methods derive from them; override one for
    speed or to add detail, never to give another answer.
    """

    name: ClassVar[str]
    """As on the command line: `robot-duel`."""
    title: ClassVar[str]
    """The name for people: `Robot Duel`."""
    seats: ClassVar[tuple[str, ...]]
    """The seats' names in turn order."""
    kinds: ClassVar[Mapping[str, str]]
    """Each piece letter with its English name."""
    known_options: ClassVar[tuple[Option, ...]] = ()
    """The options of the game."""
    presets: ClassVar[tuple[Preset, ...]] = ()
    """The ways to play that people choose by name; the first has all options at their default."""
    promotions: ClassVar[Mapping[str, str]] = {}
    """By the letter of a promoted piece: an English sentence on what it was and how it moves."""
    reasons: ClassVar[Mapping[str, str]] = {}
    """The English sentence of each Reason code; `{0}`, `{1}` … are its places."""
    endings: ClassVar[Mapping[str, str]] = {}
    """The English sentence of each Outcome code."""
    sequels: ClassVar[Mapping[str, str]] = {}
    """The English sentence of each Sequel code; `{0}`, `{1}` … are its seats."""
    goal: ClassVar[int | None] = None
    """The points that win at once, if the game has such a goal."""
    fewest_players: ClassVar[int | None] = None
    """The number of people who suffice, if that is fewer than there are seats."""
    minutes: ClassVar[int | None] = None
    """About how long a game takes, if that is known."""
    pointing: ClassVar[bool] = False
    """Whether pieces point at the enemy, so that a captor turns captured pieces round."""
    upright: ClassVar[bool] = False
    """Whether pictures show all pieces upright, instead of rotated to their owner's side."""
    engine_protocol: ClassVar[str] = ""
    """How engines of other programs that play it are spoken to: `usi`; `uci` if positions are FEN
    and moves are words of UCI; empty if there are none."""
    unsensed: ClassVar[frozenset[Place]] = frozenset()
    """Trays that never have sensors."""
    has_passes: ClassVar[bool] = True
    """Whether a pass is ever legal; if not, the reader does not look for one after each move."""
    claim_texts: ClassVar[tuple[str, ...]] = ("resign",)
    """The claims that `parse_claim` reads."""
    dice_in_order: ClassVar[bool] = False
    """Whether it matters which of several dice shows which number."""

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        """Choose options by name, the others by default; OptionError names the wrong one."""
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

    @property
    def is_handicap(self) -> bool:
        """Whether the stronger player gives a handicap by the option of that name."""
        return any(
            option.name == HANDICAP and self.options[HANDICAP] != option.default
            for option in self.known_options
        )

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
        """Return the cells of the board, in reading order."""

    @abstractmethod
    def start(self) -> P:
        """Return the start position."""

    @abstractmethod
    def legal(self, position: P) -> Sequence[M | Throw | Pass]:
        """Return every legal move once; nothing when the game is over.

        At CHANCE these are the throws, all equally likely; else moves on the board or a single
        forced Pass. Moves that lead to the same position count as one move.
        """

    @abstractmethod
    def play(self, position: P, move: M | SharedMove) -> P:
        """Return the position after a legal move or an allowed claim; else IllegalMoveError."""

    @abstractmethod
    def outcome(self, position: P, earlier: Sequence[P] = ()) -> Outcome | None:
        """Return how the game ended, or None while it goes on.

        `earlier` holds the earlier positions of the match, oldest first, for repetition.
        """

    @abstractmethod
    def pieces(self, position: P) -> dict[Place, Piece]:
        """Return the pieces by place, trays included; empty places are left out."""

    @abstractmethod
    def move_text(self, position: P, move: M | SharedMove) -> str:
        """Return the move in the game's notation."""

    @abstractmethod
    def parse_move(self, position: P, text: str) -> M | SharedMove:
        """Return the legal move of that text. MoveError if the text is no move, IllegalMoveError
        with the reason if the rules forbid the move here.
        """

    @abstractmethod
    def position_text(self, position: P) -> str:
        """Return the position in the game's notation."""

    @abstractmethod
    def parse_position(self, text: str) -> P:
        """Return the position of that text; PositionError names the wrong field and the reason."""

    # ---- what derives from it

    def trays(self) -> tuple[Place, ...]:
        """Return the places beside the board: hands, stocks, pools, graveyards; by default none."""
        return ()

    def turn(self, position: P) -> Seat:
        """Return the seat to act, or CHANCE before a throw; by default `position.turn`."""
        seat: Seat = cast(Any, position).turn
        return seat

    def places(self) -> tuple[Place, ...]:
        """Return all places, cells first."""
        return self.cells() + self.trays()

    def coordinates(self, cell: Place) -> tuple[int, int]:
        """Return the column and row of a cell.

        Neighbours differ by at most one in both, and a straight line goes in equal steps. The
        default reads names of one letter and a number, in any order (`7g`, `a1`). Cells with other
        names count in reading order on a square.
        """
        if (found := _named_coordinates(cell)) is not None:
            return found
        cells = self.cells()
        row, column = divmod(cells.index(cell), isqrt(len(cells) - 1) + 1)
        return column, row

    def distance(self, one: Place, other: Place) -> int:
        """Return the distance of two cells in steps of a chess king."""
        (a, b), (c, d) = self.coordinates(one), self.coordinates(other)
        return max(abs(a - c), abs(b - d))

    def tones(self) -> Mapping[Place, str]:
        """Return the cells that pictures paint unlike the others: `dark` or `throne`."""
        return {}

    def claims(self, position: P, seat: Seat) -> Sequence[Claim]:
        """Return the claims that a seat may make now, also out of turn; `legal` lists none.

        The default, while the game goes on: `resign` if positions have a field `resigned`, and
        `flag`, which says that the seat's time is up, if they have a field `flag`.
        """
        texts = [text for text, name in _LOSSES.items() if hasattr(position, name)]
        if not texts or not 0 <= seat < len(self.seats) or self.outcome(position):
            return ()
        return tuple(Claim(seat, text) for text in texts)

    def time_up(self, position: P, seat: Seat) -> Claim | None:
        """Return the claim that is made for a seat whose flag has fallen; None if the game goes on.

        The default: `flag` if the seat may claim that, else `resign`.
        """
        texts = {claim.text: claim for claim in self.claims(position, seat)}
        return texts.get("flag") or texts.get("resign")

    def play_claim(self, position: P, claim: Claim) -> P:
        """Return the position after a claim; IllegalMoveError unless `claims` lists it."""
        if claim not in self.claims(position, claim.seat):
            raise IllegalMoveError(f"claim {claim.text!r}: it cannot be made here")
        return self.after_claim(position, claim)

    def after_claim(self, position: P, claim: Claim) -> P:
        """Return the position after a claim that `claims` lists; by default its seat has lost."""
        change = replace if is_dataclass(position) else type(cast(Any, position))._replace
        lost: P = change(cast(Any, position), **{_LOSSES[claim.text]: claim.seat})
        return lost

    def claim_text(self, position: P, claim: Claim) -> str:
        """Return the text of a claim; out of turn it names the seat: `B resign`."""
        out_of_turn = claim.seat != self.turn(position)
        return f"{self.seats[claim.seat]} {claim.text}" if out_of_turn else claim.text

    def parse_claim(self, position: P, text: str) -> Claim | None:
        """Return the claim of such a text, None if it is none; IllegalMoveError as `play_claim`."""
        seat, _, said = text.strip().rpartition(" ")
        if said not in self.claim_texts or seat not in ("", *self.seats):
            return None
        claim = Claim(self.seats.index(seat) if seat else self.turn(position), said)
        self.play_claim(position, claim)
        return claim

    def refused(self, what: str, reason: Reason) -> IllegalMoveError:
        """Return the error for a move or claim, `what`, that the rules forbid for that reason."""
        sentence = self.reasons[reason.code].format(*reason.places)
        return IllegalMoveError(f"{what}: {sentence}", reason)

    def changes(self, position: P, move: M | Throw | Pass) -> dict[Place, Piece | None]:
        """Return the places that the move changes, with what stands there afterwards."""
        before = self.pieces(position)
        after = self.pieces(self.play(position, move))
        gone: dict[Place, Piece | None] = {place: None for place in before if place not in after}
        return gone | {place: piece for place, piece in after.items() if before.get(place) != piece}

    def path(self, position: P, move: M | Throw | Pass) -> frozenset[Place]:
        """Return the places that a hand may cross on the way without changing them."""
        return frozenset()

    def candidates(
        self, position: P, touched: PlaceSet, within: PlaceSet | None = None
    ) -> Sequence[M | Throw | Pass]:
        """Return the legal moves that change or pass over every place in `touched`.

        With `within` they also must not empty or fill a cell outside it; a capture by replacement
        does neither. The method exists for speed, so it may return other legal moves too. A game
        with many thousands of moves may leave some out, but no move that changes only `touched`,
        and it must return at least one move for each cell where a piece may end.
        """
        return self.legal(position)

    def dice(self, position: P) -> tuple[int, ...]:
        """Return the dice that are thrown and not yet played."""
        return ()

    def threats(self, position: P) -> tuple[Threat, ...]:
        """Return the dangers and chances of the side to move."""
        return ()

    def points(self, position: P) -> tuple[int, ...]:
        """Return the points of each seat so far; empty if points decide nothing."""
        return ()

    def seats_out(self, position: P) -> frozenset[Seat]:
        """Return the seats that have no more turns although the others play on."""
        return frozenset()

    def sequels_of(self, before: P, after: P) -> tuple[Sequel, ...]:
        """Return the sequels of the move or claim that led from one position to the other."""
        return ()

    def why_not(self, position: P, attempt: Attempt) -> Reason | None:
        """Return why no legal move does what the hand did; None if unknown."""
        return None

    def leaves(self, position: P) -> int:
        """Return the number of legal moves, summed over the throws at CHANCE: perft of depth 1."""
        moves = self.legal(position)
        if self.turn(position) == CHANCE:
            return sum(self.leaves(self.play(position, throw)) for throw in moves)
        return len(moves)

    def perft(self, position: P, depth: int) -> int:
        """Return the number of move sequences of that length, ignoring repetition and claims.

        A throw and the move after it count as one ply.
        """
        if depth == 0:
            return 1
        if depth == 1:
            return self.leaves(position)
        less = depth - (self.turn(position) != CHANCE)
        return sum(self.perft(self.play(position, move), less) for move in self.legal(position))

    def positions(self, start: P, moves: Iterable[M | SharedMove]) -> Iterator[P]:
        """Yield `start` and the position after each move in turn; IllegalMoveError as `play`."""
        yield start
        for move in moves:
            start = self.play(start, move)
            yield start

    def replay(self, position: P, texts: Sequence[str]) -> Iterator[P]:
        """Yield the position after each move text in turn; MoveError as `parse_move`."""
        for text in texts:
            position = self.play(position, self.parse_move(position, text))
            yield position
