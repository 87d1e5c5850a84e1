"""The rules of Chaturaji under the chosen options: moves, throws, passes and ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from operator import add
from typing import Final

from engine.game import Outcome, Pass, Seat, Throw
from engine.games.chaturaji.moves import (
    AHEAD,
    LEAPS,
    RAYS,
    STRIKES,
    ChaturajiMove,
    parades,
    ready_move,
)
from engine.games.chaturaji.position import (
    BOAT,
    DIE,
    ELEPHANT,
    GONE,
    INDEX,
    LAST_LINE,
    LETTERS,
    NOWHERE,
    PAWN,
    POINTS,
    RAJA,
    SEEN,
    STRONG,
    TEAM,
    THRONES,
    ChaturajiPosition,
    SeatSet,
    in_play,
    is_armed,
    retired,
    seats_in,
)
from engine.games.chaturaji.teams import TeamRules, after_move, without_exchange, without_leavers

PASS: Final = Pass()
_FORCED: Final = (PASS,)
_CLOCKWISE: Final = ((1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2), (0, 1, 2, 3))
"""By seat: the order of turns after it."""


class ChaturajiRules:
    """The chosen options, decoded, and the play of moves, throws and passes under them."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.teams = options["teams"] == "true"
        self.goal = options["team_goal"] if self.teams else options["end"]
        self.counts_points = self.goal in ("points", "first_raja_lost", "n_rounds")
        self.must_move = options["must_move"] == "true"
        self.parade = options["parade"] == "true"
        self.by_origin = options["promotion_kind"] == "origin"
        self.deferred = options["deferred_promotion"]
        self.stagnation = int(options["stagnation_turns"])
        self.rounds = int(options["rounds"]) if self.goal == "n_rounds" else None
        self.retire = options["retire"] == "true"
        self.team_rules = TeamRules(
            every_entry=options["throne_points"] == "every_entry",
            throne_kill_by_any=options["throne_kill_by"] == "any",
            throne_kill_adds=options["throne_kill_additive"] == "true",
            command_dies_with_raja=options["command_lost_with_raja"] == "true",
        )
        self.partners_shield = self.teams and options["friendly_capture"] == "false"
        self.ranks = options["ranks"] == "true"
        self.dice = int(options["dice"])
        self.in_order = self.dice == 2 and options["two_dice_order"] == "fixed"
        self.freezes = self.dice == 0 and options["freeze_on_raja_loss"] == "true"
        self.throws: tuple[Throw, ...] = (
            tuple(Throw(dice) for dice in product((2, 3, 4, 5), repeat=self.dice))
            if self.dice
            else ()
        )

    # ---- which pieces may move

    def awaits_throw(self, position: ChaturajiPosition) -> bool:
        """Return whether a throw of dice comes next."""
        return self.dice > 0 and not position.dice

    def decider(self, position: ChaturajiPosition) -> Seat:
        """Return the seat that decides this turn: its own or a commanding partner."""
        commander = position.teams.commanders & TEAM[position.seat]
        return commander.bit_length() - 1 if commander else position.seat

    def skipped(self, position: ChaturajiPosition) -> SeatSet:
        """Return the seats whose turns are skipped; their pieces stand still but can be taken."""
        return position.out | position.lost if self.freezes else position.out

    def movers(self, position: ChaturajiPosition, dice: tuple[int, ...]) -> tuple[int, ...]:
        """Return the pieces that one of these dice moves in this turn, lost ones included.

        Without dice these are all pieces that the turn commands.
        """
        teams = position.teams
        skipped = self.skipped(position)
        return _movers(position.seat, dice, teams.commanders, teams.boats, skipped)

    def protected(self, pieces: bytes, seat: Seat) -> bytes:
        """Return the squares of the pieces that the seat's pieces may not capture."""
        own = pieces[8 * seat : 8 * seat + 8]
        if not self.partners_shield:
            return own
        return own + pieces[8 * (seat ^ 2) : 8 * (seat ^ 2) + 8]

    def piece_moves(self, pieces: bytes, piece: int, protected: bytes) -> list[ChaturajiMove]:
        """Return the moves of one piece without regard to the dice."""
        square, slot = pieces[piece], piece & 7
        if self.ranks and slot not in STRONG:
            protected += bytes(pieces[8 * seat + strong] for seat in range(4) for strong in STRONG)
        if slot >= PAWN:
            return self._pawn_moves(pieces, piece, protected)
        if slot != ELEPHANT:
            return [move for target, move in LEAPS[slot][square] if target not in protected]
        found = []
        for ray in RAYS[square]:
            for target, move in ray:
                if target in pieces:
                    if target not in protected:
                        found.append(move)
                    break
                found.append(move)
        return found

    def _pawn_moves(self, pieces: bytes, piece: int, protected: bytes) -> list[ChaturajiMove]:
        square, seat = pieces[piece], piece >> 3
        steps = [step for step in AHEAD[seat][square] if step[0] not in pieces]
        for step in STRIKES[seat][square]:
            if step[0] in pieces and step[0] not in protected:
                steps.append(step)
        found = []
        for target, move in steps:
            found.append(move)
            if target in LAST_LINE[seat]:
                slot = self.promotion(pieces, piece, target)
                if slot is not None:
                    found.append(ready_move(square, target, LETTERS[slot]))
        return found

    def promotion(self, pieces: bytes, piece: int, square: int) -> int | None:
        """Return the slot that a pawn takes by promotion on this square of its last line.

        None: that piece of its army is still on the board, so the pawn may not promote.
        """
        seat = piece >> 3
        lane = SEEN[seat][square][0]
        slot = piece % 8 - PAWN if self.by_origin else min(lane, 7 - lane)
        return slot if pieces[8 * seat + slot] == NOWHERE else None

    def moves(self, position: ChaturajiPosition, dice: tuple[int, ...]) -> list[ChaturajiMove]:
        """Return the moves with these dice (none in a game without dice), without passes.

        It does not check whether the game is over. In fixed order the second die counts only if the
        first allows no move.
        """
        if self.in_order and len(dice) == 2:
            return self.moves(position, dice[:1]) or self.moves(position, dice[1:])
        pieces = position.pieces
        found: list[ChaturajiMove] = []
        side = -1
        for piece in self.movers(position, dice):
            if piece >> 3 != side:
                side = piece >> 3
                protected = self.protected(pieces, side)
            if pieces[piece] != NOWHERE:
                found += self.piece_moves(pieces, piece, protected)
        return found

    def legal(self, position: ChaturajiPosition) -> Sequence[ChaturajiMove | Throw | Pass]:
        """Return the throws, the moves, or the forced pass; nothing when the game is over."""
        if position.ended:
            return ()
        if self.dice and not position.dice:
            return self.throws
        moves = self.moves(position, position.dice)
        if not moves:
            return _FORCED
        return moves if self.must_move else [*moves, PASS]

    def count(self, position: ChaturajiPosition, dice: tuple[int, ...]) -> int:
        """Return the number of moves and passes with these dice; the game must not be over."""
        moves = len(self.moves(position, dice))
        return moves + (not self.must_move) if moves else 1

    def mover(self, position: ChaturajiPosition, move: ChaturajiMove) -> int | None:
        """Return the piece of a legal move, None if the move is illegal."""
        dice, pieces = position.dice, position.pieces
        square = INDEX.get(move.origin, -1)
        piece = pieces.find(square) if square >= 0 else -1
        if piece < 0 or position.ended or (self.dice and not dice):
            return None
        if self.in_order and len(dice) == 2:
            dice = dice[:1] if self.moves(position, dice[:1]) else dice[1:]
        if piece not in self.movers(position, dice):
            return None
        return (
            piece
            if move in self.piece_moves(pieces, piece, self.protected(pieces, piece >> 3))
            else None
        )

    # ---- playing

    def throw(self, position: ChaturajiPosition, throw: Throw) -> ChaturajiPosition | None:
        """Return the position after a throw, None if it is not allowed."""
        if position.ended or not self.awaits_throw(position) or throw not in self.throws:
            return None
        teams = without_exchange(position.teams)
        return position._replace(dice=throw.dice, teams=teams)

    def pass_turn(self, position: ChaturajiPosition) -> ChaturajiPosition | None:
        """Return the position after a pass, None if it is not allowed.

        A pass is forced, or free with `must_move` off. It gives up all dice that are left.
        """
        if position.ended or self.awaits_throw(position):
            return None
        if self.must_move and self.moves(position, position.dice):
            return None
        quiet = position.quiet if self._has_moved(position) else position.quiet + 1
        teams = without_exchange(position.teams)
        after = self._turned(position._replace(quiet=quiet, teams=teams, agreed=0))
        return self.settled(after) if quiet >= self.stagnation or self.rounds else after

    def move(
        self, position: ChaturajiPosition, move: ChaturajiMove, piece: int
    ) -> ChaturajiPosition:
        """Return the position after a legal move of a piece."""
        before = position.pieces
        pieces = bytearray(before)
        seat, slot = piece >> 3, piece & 7
        target = INDEX[move.target]
        victim = before.find(target)
        lost, gained = position.lost, 0
        pieces[piece] = target
        if victim >= 0:
            pieces[victim] = NOWHERE
            if victim & 7 == RAJA:
                lost |= 1 << (victim >> 3)
            if not self.teams or victim >> 3 != seat ^ 2:
                gained = POINTS[victim & 7]
        if move.promotes:
            pieces[piece] = NOWHERE
            became = LETTERS.index(move.promotes)
            pieces[8 * seat + became] = target
            if became == RAJA:
                lost &= ~(1 << seat)
        parade = slot == BOAT and self.parade and parades(pieces)
        if parade:
            for boat in range(BOAT, 32, 8):
                if boat != piece and not (self.teams and boat >> 3 == seat ^ 2):
                    pieces[boat] = NOWHERE
                    gained += POINTS[BOAT]

        scores, teams = position.scores, without_exchange(position.teams)
        actor = position.seat
        if self.teams:
            actor = self.decider(position)
            on_throne = slot == RAJA and target in THRONES
            if on_throne or parade or (victim >= 0 and victim & 7 == RAJA):
                after = position._replace(pieces=bytes(pieces), lost=lost, teams=teams)
                teams, extra = after_move(
                    self.team_rules, position, after, piece, target, victim, actor, parade
                )
                scores = tuple(map(add, scores, extra))
        if gained:
            scores = (*scores[:actor], scores[actor] + gained, *scores[actor + 1 :])

        busy = victim >= 0 or slot >= PAWN or parade
        quiet = 0 if busy else position.quiet if self._has_moved(position) else position.quiet + 1
        now_standing = bytes(pieces)
        dice = self._dice_left(position.dice, slot)
        if dice:
            later = position._replace(pieces=now_standing, lost=lost, teams=teams)
            if not self.moves(later, dice):
                dice = ()
        following, round_number = position.seat, position.round
        if not dice:
            skipped = position.out | lost if self.freezes else position.out
            following, round_number = self._following(
                now_standing, following, skipped, round_number
            )
        moved = ChaturajiPosition(
            now_standing, following, dice, scores, quiet, lost, position.out, 0, round_number, teams
        )
        # No other move can end the game.
        if victim >= 0 or parade or move.promotes or quiet >= self.stagnation or self.rounds:
            return self.settled(moved)
        return moved

    def _has_moved(self, position: ChaturajiPosition) -> bool:
        """Return whether the first of this turn's two moves is made."""
        return self.dice == 2 and len(position.dice) == 1

    def _dice_left(self, dice: tuple[int, ...], slot: int) -> tuple[int, ...]:
        """Return the dice that are left after a move of a piece in that slot."""
        if len(dice) < 2:
            return ()
        if DIE[slot] == dice[0]:
            return dice[1:]
        return () if self.in_order else dice[:1]  # in fixed order the first die was skipped

    def end_turn(self, position: ChaturajiPosition) -> ChaturajiPosition:
        """Return the position after this turn: the next seat's turn, or the end of the game."""
        return self.settled(self._turned(position))

    def _turned(self, position: ChaturajiPosition) -> ChaturajiPosition:
        following, round_number = self._following(
            position.pieces, position.seat, self.skipped(position), position.round
        )
        return position._replace(seat=following, dice=(), round=round_number)

    def _following(
        self, pieces: bytes, seat: Seat, skipped: SeatSet, round_number: int
    ) -> tuple[Seat, int]:
        """Return the seat whose turn follows, and the number of its round."""
        for following in _CLOCKWISE[seat]:
            if pieces[8 * following : 8 * following + 8] != GONE and not skipped >> following & 1:
                break
        else:
            following = seat
        return following, round_number + (self.rounds is not None and following <= seat)

    def settled(self, position: ChaturajiPosition) -> ChaturajiPosition:
        """Return the position with its ending, if any, and without commands that ended."""
        if position.teams.commanders or position.teams.boats:
            position = position._replace(teams=without_leavers(position))
        reason = self._ending(position)
        return position._replace(ended=reason) if reason else position

    def _ending(self, position: ChaturajiPosition) -> str:
        """Return the key of `Chaturaji.endings` if the game is over; else an empty text."""
        pieces, lost = position.pieces, position.lost
        playing = in_play(position)
        if position.agreed and not playing & ~position.agreed:
            return "agreed"
        if lost and self.goal == "first_raja_lost":
            return "raja-captured"
        if self.goal == "both_rajas" and any(lost & team == team for team in TEAM[:2]):
            return "both-rajas"
        sides = TEAM[:2] if self.teams else (1, 2, 4, 8)
        if sum(1 for side in sides if side & playing) < 2:
            left = any(is_armed(pieces, seat) for seat in seats_in(position.out))
            return "resign" if left else "last-army"
        if all(square == NOWHERE or piece & 7 == RAJA for piece, square in enumerate(pieces)):
            return "only-rajas"
        if not playing & ~self.skipped(position):
            return "standstill"
        if position.quiet >= self.stagnation and not position.dice:
            return "stagnation"
        if self.rounds is not None and position.round > self.rounds:
            return "rounds"
        return ""

    def outcome(self, position: ChaturajiPosition) -> Outcome | None:
        """Return how the game ended.

        If points are the goal, the highest score wins. Ties are shared, but equal scores of all are
        a draw. With another goal the side that reached it wins, and any other end is a draw. A seat
        that resigned cannot win.
        """
        if not position.ended:
            return None
        ended, scores = position.ended, position.scores
        resigned = position.out & ~retired(position)
        sides = [s for s in (TEAM[:2] if self.teams else (1, 2, 4, 8)) if s & ~resigned]
        totals = [sum(scores[seat] for seat in seats_in(side)) for side in sides]
        winners: SeatSet = 0
        if len(sides) == 1:
            winners = sides[0]
        elif ended == "both-rajas":
            winners = next(side for side in sides if position.lost & side != side)
        elif self.goal in ("last_army", "annihilation", "both_rajas"):
            if ended in ("last-army", "resign"):
                winners = next((side for side in sides if side & in_play(position)), 0)
        elif not (self.teams and ended == "only-rajas") and min(totals) < max(totals):
            winners = sum(
                side for side, total in zip(sides, totals, strict=True) if total == max(totals)
            )
        return Outcome(frozenset(seats_in(winners)), ended, scores)


@cache
def _movers(
    seat: Seat, dice: tuple[int, ...], commanders: SeatSet, boats: SeatSet, skipped: SeatSet
) -> tuple[int, ...]:
    slots = [slot for slot in range(8) if not dice or DIE[slot] in dice]
    partner = seat ^ 2
    own = [8 * seat + slot for slot in slots]
    others = [8 * partner + slot for slot in slots]
    if skipped >> partner & 1:
        others = []
    if not commanders & TEAM[seat]:
        if boats >> partner & 1:
            own = [piece for piece in own if piece & 7 != BOAT]
        others = [piece for piece in others if piece & 7 == BOAT and boats >> seat & 1]
    return (*own, *others)
