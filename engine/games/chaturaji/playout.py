"""Random plies of Chaturaji, fast: what Monte Carlo searches spend their time on.

`_ordinary_turns` keeps a game on boards that change in place: sets of squares as bits of an int,
and what a man can do as a look-up in tables that fill themselves: (square, own men near it) ->
targets. It plays the ordinary turns of the ordinary game (everybody for himself, one die) and hands
everything else to `Rules`: the last men of an army, parades, pawns at their last line, the end.
So the only rules written down here a second time are how men step and what a capture scores.
Under other options `Rules` plays every ply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias, TypeVar

from engine.game import Pass, Seat
from engine.games.chaturaji.board import (
    AHEAD,
    BLOCKS,
    BOAT,
    DIE,
    ELEPHANT,
    HORSE,
    LAST_LINE,
    LEAPS,
    NOWHERE,
    PAWN,
    RAJA,
    RAYS,
    STRIKES,
    WORTH,
    Move,
    ready_move,
)
from engine.games.chaturaji.position import Position, SeatSet, each, in_play
from engine.games.chaturaji.rules import Rules


class RandomBits(Protocol):
    """A source of chance, such as `random.Random`."""

    def getrandbits(self, k: int, /) -> int:
        """Return an int of k random bits."""


def random_plies(
    rules: Rules, position: Position, chance: RandomBits, plies: int
) -> tuple[Position, int]:
    """Return the position after that many random plies, or fewer if the game ends, and how many
    there were. A ply is a throw (unless dice lie already) with a move or lost turn; all throws are
    equally likely, and so are all moves that a throw allows. Nobody claims anything.
    """
    ordinary = rules.dice == 1 and rules.must_move and not rules.teams
    ordinary = ordinary and not rules.ranks and rules.rounds is None
    played = 0
    while played < plies and not position.ended:
        move: Move | None = None
        if ordinary and not position.dice:
            position, made, move = _ordinary_turns(rules, position, chance, plies - played)
            played += made
        if played < plies and not position.ended:
            position = _ply(rules, position, chance, move)
            played += 1
    return position, played


def _ply(rules: Rules, position: Position, chance: RandomBits, move: Move | None) -> Position:
    """Return the position after one ply by the rules; `move` is a legal one already chosen."""
    if rules.awaits_throw(position):
        thrown = rules.throw(position, rules.throws[_choice(chance, len(rules.throws))])
        assert thrown is not None
        position = thrown
    if move is None:
        moves = rules.legal(position)
        chosen = moves[_choice(chance, len(moves))]
        if isinstance(chosen, Pass):
            passed = rules.pass_turn(position)
            assert passed is not None
            return passed
        assert isinstance(chosen, Move)
        move = chosen
    man = rules.mover(position, move)
    assert man is not None
    return rules.move(position, move, man)


def _choice(chance: RandomBits, count: int) -> int:
    return chance.getrandbits(30) * count >> 30


# ---- tables

Squares: TypeAlias = int
"""A set of squares: bit s for square s."""

K = TypeVar("K")
V = TypeVar("V")


class _Memo(dict[K, V]):
    """A function that remembers its values, and forgets them all when it has too many."""

    def __init__(self, work_out: Callable[[K], V], limit: int = 1 << 14) -> None:
        self._work_out = work_out
        self._limit = limit

    def __missing__(self, key: K) -> V:
        if len(self) >= self._limit:
            self.clear()
        value = self[key] = self._work_out(key)
        return value


_BIT: Final = (*(1 << square for square in range(64)), 0)
"""By square: the set of it alone; of `NOWHERE`: the empty set."""

_PARADES: Final = frozenset(sum(_BIT[square] for square in block) for block in BLOCKS)

Targets: TypeAlias = _Memo[Squares, tuple[int, ...]]


def _squares_in(squares: Squares) -> tuple[int, ...]:
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return tuple(found)


def _leaper(slot: int, square: int) -> tuple[Squares, Targets]:
    """Return the squares that a boat, horse or raja reaches, and a memo from those of them that
    hold own men to those where it may go.
    """
    reach = sum(_BIT[target] for target, _ in LEAPS[slot][square])
    return reach, _Memo(lambda own: _squares_in(reach & ~own))


_LEAPERS: Final = tuple(
    tuple(_leaper(slot, square) for square in range(65)) for slot in (BOAT, HORSE, ELEPHANT, RAJA)
)

Line: TypeAlias = tuple[Squares, _Memo[Squares, Squares]]


def _line(square: int, is_rank: bool) -> Line:
    """Return the rank or file through a square without it, and a memo from the men on it to the
    squares that an elephant reaches or attacks along it.
    """
    rays = [
        [target for target, _ in ray]
        for ray in RAYS[square]
        if (abs(ray[0][0] - square) == 1) == is_rank
    ]

    def reached(men: Squares) -> Squares:
        found = 0
        for ray in rays:
            for target in ray:
                found |= _BIT[target]
                if men >> target & 1:
                    break
        return found

    return sum(_BIT[target] for ray in rays for target in ray), _Memo(reached)


_RANKS: Final = tuple(_line(square, is_rank=True) for square in range(65))
_FILES: Final = tuple(_line(square, is_rank=False) for square in range(65))
_TARGETS: Final[Targets] = _Memo(_squares_in)

Steps: TypeAlias = tuple[tuple[int, int], ...]
Pawns: TypeAlias = tuple[Squares, Squares, _Memo[Squares, Steps | None]]


def _pawns(seat: Seat, pawns: Squares) -> Pawns:
    """Return the squares straight ahead of a seat's pawns, those where they strike, and a memo from
    the empty ones of the former plus, 64 bits higher, the enemy men on the latter to their steps;
    None when a step reaches the last line, where there may be a choice.
    """
    squares = _squares_in(pawns)
    ahead = [(square, target) for square in squares for target, _ in AHEAD[seat][square]]
    strikes = [(square, target) for square in squares for target, _ in STRIKES[seat][square]]

    def steps(key: Squares) -> Steps | None:
        found = [step for step in ahead if key >> step[1] & 1]
        found += [step for step in strikes if key >> 64 + step[1] & 1]
        promising = any(target in LAST_LINE[seat] for _, target in found)
        return None if promising else tuple(found)

    reach = [0, 0]
    for way, found in enumerate((ahead, strikes)):
        for _, target in found:
            reach[way] |= _BIT[target]
    return reach[0], reach[1], _Memo(steps)


def _pawns_of(seat: Seat) -> _Memo[Squares, Pawns]:
    return _Memo(lambda pawns: _pawns(seat, pawns), limit=1 << 12)  # each holds a memo of its own


_PAWNS: Final = tuple(_pawns_of(seat) for seat in range(4))


# ---- the turns


def _ordinary_turns(
    rules: Rules, position: Position, chance: RandomBits, plies: int
) -> tuple[Position, int, Move | None]:
    """Play up to that many turns from a position before a throw. Return the position, how many
    turns were played, and the move chosen for the next if that one is not ordinary; its die is
    thrown in the position then.
    """
    men = list(position.men)
    board = [-1] * 65  # by square: the man there
    for man, square in enumerate(men):
        board[square] = man
    own = [_set_of(men[8 * seat : 8 * seat + 8]) for seat in range(4)]
    occupied = sum(own)
    pawn_sets = [_set_of(men[8 * seat + PAWN : 8 * seat + 8]) for seat in range(4)]
    pawns = [_PAWNS[seat][pawn_sets[seat]] for seat in range(4)]
    scores = list(position.scores)
    following = _followers(in_play(position))
    lost = position.lost
    seat = position.seat
    dice: tuple[int, ...] = ()
    move: Move | None = None
    played = plies
    busy_turn = -1 - position.quiet  # the last turn with a capture or pawn move
    last_turn = busy_turn + rules.stagnation
    getrandbits, bit = chance.getrandbits, _BIT
    parade = rules.parade and NOWHERE not in men[BOAT::8]
    raja_ends = rules.goal == "first_raja_lost"

    for turn in range(plies):
        if turn > last_turn:
            played = turn
            break
        draw = getrandbits(32)  # two bits for the die, thirty for the choice
        slot = draw & 3
        man = 8 * seat + slot
        square, mine = men[man], own[seat]
        if slot == ELEPHANT:
            rank, along_rank = _RANKS[square]
            file, along_file = _FILES[square]
            reached = along_rank[occupied & rank] | along_file[occupied & file]
            targets = _TARGETS[reached & ~mine]
        else:
            near, free = _LEAPERS[slot][square]
            targets = free[mine & near]
        if slot == RAJA:  # or a pawn
            ahead, aslant, stepping = pawns[seat]
            key = ahead & ~occupied
            if struck := aslant & (occupied ^ mine):
                key |= struck << 64
            steps = stepping[key]
            if steps is None:
                played, dice = turn, (DIE[PAWN],)
                break
            choice = (draw >> 2) * (len(targets) + len(steps)) >> 30
            if choice < len(targets):
                target = targets[choice]
            elif steps:
                square, target = steps[choice - len(targets)]
                man = board[square]
            else:
                seat = following[seat]
                continue
        elif targets:
            target = targets[(draw >> 2) * len(targets) >> 30]
        else:
            seat = following[seat]
            continue

        change = bit[square] | bit[target]
        victim = board[target]
        if victim >= 0 and (
            own[victim >> 3] == bit[target]
            or occupied.bit_count() < 6
            or (victim & 7 == RAJA and raja_ends)
        ):
            move = ready_move(square, target)
        elif slot == BOAT and parade:
            boats = bit[men[0]] | bit[men[8]] | bit[men[16]] | bit[men[24]]
            if boats ^ change in _PARADES:
                move = ready_move(square, target)
        if move:
            played, dice = turn, (DIE[slot],)
            break

        board[square], board[target], men[man] = -1, man, target
        own[seat] = mine ^ change
        occupied ^= change
        if man & 7 >= PAWN:
            pawn_sets[seat] ^= change
            pawns[seat] = _PAWNS[seat][pawn_sets[seat]]
            busy_turn, last_turn = turn, turn + rules.stagnation
        if victim >= 0:
            loser = victim >> 3
            men[victim] = NOWHERE
            own[loser] ^= bit[target]
            occupied |= bit[target]
            scores[seat] += WORTH[victim & 7]
            if victim & 7 == BOAT:
                parade = False
            elif victim & 7 == RAJA:
                lost |= 1 << loser
            elif victim & 7 >= PAWN:
                pawn_sets[loser] ^= bit[target]
                pawns[loser] = _PAWNS[loser][pawn_sets[loser]]
            busy_turn, last_turn = turn, turn + rules.stagnation
        seat = following[seat]

    quiet = played - 1 - busy_turn
    if played or dice:
        position = position._replace(
            men=bytes(men),
            seat=seat,
            dice=dice,
            scores=tuple(scores),
            quiet=quiet,
            lost=lost,
            agreed=0 if played else position.agreed,
        )
    if quiet >= rules.stagnation and not dice:
        position = rules.settled(position)
    return position, played, move


def _set_of(squares: list[int]) -> Squares:
    return sum(map(_BIT.__getitem__, squares))


def _followers(playing: SeatSet) -> list[Seat]:
    """Return by seat who comes next of those who play."""
    seats = each(playing)
    return [next((s for s in seats if s > seat), seats[0]) for seat in range(4)]
