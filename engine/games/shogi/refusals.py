"""Why a move of Shogi is refused, and which rule a hand broke."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from engine.game import Attempt, Place, Reason
from engine.games.shogi.board import ShogiBoard
from engine.games.shogi.moves import ShogiMove, board_move, drop_move, moves_between
from engine.games.shogi.pieces import (
    BISHOP,
    DEAD_SQUARES,
    GOTE,
    HAND_KINDS,
    HOLDER,
    LANCE,
    LETTER,
    PAWN,
    PROMOTABLE,
    ROOK,
    STEPS,
    TRAYS,
    count_in_hand,
)
from engine.games.shogi.squares import (
    BETWEEN,
    BIT,
    FALLING_LINE,
    FILE_LINE,
    FILES,
    FORWARD_LINE,
    PLACES,
    RANK_LINE,
    READING_ORDER,
    RISING_LINE,
    SQUARES,
    Ray,
    squares_of,
)

REASONS: Final[Mapping[str, str]] = {
    "over": "The game is over.",
    "nothing-there": "No piece stands on {0}.",
    "not-yours": "The piece on {0} belongs to your opponent, and it is not your opponent's turn.",
    "not-your-hand": "That piece is in your opponent's hand.",
    "own-piece": "{1} is occupied by one of your own pieces.",
    "way-P": "A pawn goes one step straight forwards, so not from {0} to {1}.",
    "way-L": "A lance goes straight forwards only, so not from {0} to {1}.",
    "way-N": "A knight jumps two forwards and one sideways, so not from {0} to {1}.",
    "way-S": "A silver goes one step forwards or diagonally, so not from {0} to {1}.",
    "way-G": "A gold goes one step in any direction except diagonally backwards, "
    "so not from {0} to {1}.",
    "way-B": "A bishop goes diagonally, so not from {0} to {1}.",
    "way-R": "A rook goes along ranks and files, so not from {0} to {1}.",
    "way-K": "A king goes one step in any direction, so not from {0} to {1}.",
    "way-+P": "A tokin goes like a gold, so not from {0} to {1}.",
    "way-+L": "A promoted lance goes like a gold, so not from {0} to {1}.",
    "way-+N": "A promoted knight goes like a gold, so not from {0} to {1}.",
    "way-+S": "A promoted silver goes like a gold, so not from {0} to {1}.",
    "way-+B": "A horse goes like a bishop or one step straight, so not from {0} to {1}.",
    "way-+R": "A dragon goes like a rook or one step diagonally, so not from {0} to {1}.",
    "blocked": "The way from {0} to {1} is blocked on {2}.",
    "must-promote": "On {1} the piece must promote, or it can never move again; turn it over.",
    "no-other-face": "The piece on {0} can never promote.",
    "outside-zone": "A piece promotes only when its move begins or ends in the last three ranks, "
    "so not from {0} to {1}.",
    "into-check": "On {0} the piece on {1} can take the king.",
    "stays-in-check": "The king on {0} is in check from {1}, and this move does not stop that.",
    "pinned": "The piece on {0} must stay: without it the piece on {2} takes the king on {1}.",
    "not-in-hand": "You have no such piece in hand to put on {0}.",
    "drop-taken": "A piece from the hand goes onto an empty square and cannot capture; "
    "{1} is occupied.",
    "drop-stuck": "A piece dropped on {1} could never move from there.",
    "two-pawns": "Nifu: you already have an unpromoted pawn on this file, on {1}, so you "
    "cannot drop one on {0}.",
    "pawn-drop-mate": "A dropped pawn may not give checkmate, as it would on {0} to the "
    "king on {1}.",
    "turned-in-place": "The piece on {0} may not turn over where it stands; "
    "a piece promotes only at the end of a move.",
    "not-taken": "A piece is taken only by moving onto its square, so the one on {0} stays.",
    "one-piece": "Only one piece moves in a turn: {0} or {1}.",
    "wrong-tray": "The piece captured on {0} goes into your own hand, in the tray of its kind.",
    "no-claim": "That cannot be claimed now.",
    "kings-outside": "Impasse is agreed only when both kings stand in their promotion zones.",
    "declare-turn": "You declare the win in your own turn.",
    "declare-check": "No win can be declared while the king on {0} is in check.",
    "declare-king": "To declare the win the king on {0} must stand in the last three ranks.",
    "declare-pieces": "To declare the win you need ten pieces besides the king in the "
    "last three ranks.",
    "declare-points": "To declare the win sente needs 28 points and gote 27, "
    "in the last three ranks and in hand.",
}


def refusal(board: ShogiBoard, move: ShogiMove) -> Reason | None:
    """Return why the rules forbid a move, None if they allow it; the game must not be over."""
    return _drop_refusal(board, move) if move.drop else _step_refusal(board, move)


def _step_refusal(board: ShogiBoard, move: ShogiMove) -> Reason | None:
    us, start, target = board.turn, move.start, move.target
    source, place = PLACES[start], PLACES[target]
    piece = board.pieces[start]
    if not piece or piece >> 4 != us:
        return Reason("not-yours" if piece else "nothing-there", (source,))
    if board.occupied[us] & BIT[target]:
        return Reason("own-piece", (source, place))
    if not _reach(piece, start, 0) & BIT[target]:
        return Reason(f"way-{LETTER[piece & 15]}", (source, place))
    occupied = board.occupied[0] | board.occupied[1]
    if not _reach(piece, start, occupied) & BIT[target]:
        blockers = squares_of(BETWEEN[start][target] & occupied)
        first = min(blockers, key=lambda square: abs(square - start))
        return Reason("blocked", (source, place, PLACES[first]))
    if move not in moves_between(piece, start, target):
        if not move.promotes:
            return Reason("must-promote", (source, place))
        code = "outside-zone" if piece in PROMOTABLE else "no-other-face"
        return Reason(code, (source, place))
    return None if board.king_may_fall else _exposure(board, move)


def _reach(piece: int, start: int, occupied: int) -> int:
    """Return where a piece can go with these squares occupied, first pieces included."""
    reached = STEPS[piece][start]
    lines: tuple[Ray, ...] = ()
    if piece & 15 == LANCE:
        lines = (FORWARD_LINE[piece >> 4][start],)
    elif piece & 7 == BISHOP:
        lines = (RISING_LINE[start], FALLING_LINE[start])
    elif piece & 7 == ROOK:
        lines = (FILE_LINE[start], RANK_LINE[start])
    for line in lines:
        reached |= line[occupied & line.mask]
    return reached


def _exposure(board: ShogiBoard, move: ShogiMove) -> Reason | None:
    """Return how the king could be taken after an otherwise legal move."""
    us = board.turn
    king = board.kings[us]
    before = board.checkers(us)
    board.make(move)
    after = board.checkers(us)
    board.unmake()
    if not after:
        return None
    if not move.drop and move.start == king:
        return Reason("into-check", (PLACES[move.target], *_places(after)))
    if after & before or move.drop:
        return Reason("stays-in-check", (PLACES[king], *_places(after)))
    return Reason("pinned", (PLACES[move.start], PLACES[king], *_places(after)))


def _places(bits: int) -> Iterator[Place]:
    return (PLACES[square] for square in squares_of(bits))


def _drop_refusal(board: ShogiBoard, move: ShogiMove) -> Reason | None:
    us, kind, target = board.turn, move.drop, move.target
    tray, place = TRAYS[us][kind], PLACES[target]
    if not count_in_hand(board.hands[us], kind):
        return Reason("not-in-hand", (place, tray))
    if board.pieces[target]:
        return Reason("drop-taken", (tray, place))
    if DEAD_SQUARES[kind + GOTE * us] & BIT[target]:
        return Reason("drop-stuck", (tray, place))
    if kind == PAWN:
        for other in squares_of(FILES[target // 9]):
            if board.pieces[other] == PAWN + GOTE * us:
                return Reason("two-pawns", (place, PLACES[other]))
    exposed = None if board.king_may_fall else _exposure(board, move)
    if exposed is None and kind == PAWN and board.pawn_drop_mates(target):
        return Reason("pawn-drop-mate", (place, PLACES[board.kings[1 - us]]))
    return exposed


def why_not(board: ShogiBoard, attempt: Attempt) -> Reason | None:
    """Return the rule that a hand broke, judging by the places; the game must not be over."""
    us = board.turn
    lifted = _cells(attempt.lifted)
    ours = [cell for cell in lifted if board.occupied[us] & BIT[SQUARES[cell]]]
    enemies = [cell for cell in lifted if board.occupied[1 - us] & BIT[SQUARES[cell]]]
    puts = _cells(attempt.placed)
    swapped = _cells(attempt.swapped)
    swapped.sort(key=lambda cell: bool(board.occupied[us] & BIT[SQUARES[cell]]))  # enemies first
    ends = puts + swapped
    from_trays = [tray for tray in HOLDER if tray in attempt.lifted or tray in attempt.swapped]

    if len(ours) > 1:
        return Reason("one-piece", (ours[0], ours[1]))
    if len(puts) > 1:
        return None
    if ours:
        return _why_no_step(board, ours[0], ends, enemies, attempt) if ends else None
    if from_trays and ends:
        return _why_no_drop(board, from_trays, ends[0])
    if enemies:
        return Reason("not-yours" if ends else "not-taken", (enemies[0],))
    if puts:
        return _why_no_drop(board, (), puts[0])
    if len(swapped) == 1:
        return Reason("turned-in-place", (swapped[0],))
    return None


def _cells(places: Iterable[Place]) -> list[Place]:
    return sorted((place for place in places if place in SQUARES), key=READING_ORDER.index)


def _why_no_step(
    board: ShogiBoard,
    source: Place,
    ends: Sequence[Place],
    enemies: Sequence[Place],
    attempt: Attempt,
) -> Reason | None:
    """Return why the mover's piece cannot go from `source` to the first of `ends`."""
    start, target = SQUARES[source], SQUARES[ends[0]]
    kept, turned = (refusal(board, board_move(start, target, face)) for face in (False, True))
    if kept and turned:
        return turned if kept.code == "must-promote" else kept
    if enemies:
        return Reason("not-taken", (enemies[0],))
    emptied = [tray for tray in HOLDER if tray in attempt.lifted]
    if emptied:
        return Reason("one-piece", (source, emptied[0]))
    filled = [tray for tray in HOLDER if tray in attempt.placed or tray in attempt.swapped]
    taken = board.pieces[target] & 7
    if taken and any(tray != TRAYS[board.turn][taken] for tray in filled):
        return Reason("wrong-tray", (ends[0],))
    if len(ends) > 1 or filled:
        return None
    return kept or turned  # the places are right, so the face is wrong


def _why_no_drop(board: ShogiBoard, trays: Sequence[Place], place: Place) -> Reason | None:
    """Return why no piece of these trays can be dropped on a place.

    Without trays any piece in hand may be meant.
    """
    us = board.turn
    kinds = [HOLDER[tray][1] for tray in trays if HOLDER[tray][0] == us]
    if trays and not kinds:
        return Reason("not-your-hand", (trays[0], place))
    kinds = kinds or [kind for kind in HAND_KINDS if count_in_hand(board.hands[us], kind)]
    if not kinds:
        return Reason("not-in-hand", (place,))
    reasons = [refusal(board, drop_move(kind, SQUARES[place])) for kind in kinds]
    return None if None in reasons else reasons[0]
