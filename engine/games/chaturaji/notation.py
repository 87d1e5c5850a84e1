"""Texts of Chaturaji: positions, and the long form of a move for records.

A position is one line of fields with a space between:

    wB,wP,2,nK,nE,nH,nB/… S 3 0,0,0,0 -

board       rows from rank 8 down, each from file a: a seat's letter (s w n e) and a piece's letter
            (B boat, H horse, E elephant, K raja, P pawn), or how many squares are empty;
            also read, never written: a list of pieces, pawns with origins (`sKd1,sPe4:B,wKa5`)
seat        whose turn it is: S, W, N or E
dice        the dice not yet used: `-` before a throw and without dice, `3`, `2+5`
scores      of S, W, N, E
origins     the piece behind a pawn at the start (`e4:B,c5:K`), for each pawn that has left its file
            (W, E: rank); `-`: none has

These keys follow in this order, each only if it differs from the start:

command=S>N      S commands N's pieces permanently; `S>N:lost`: while N's raja is lost (team game)
boat=S>N         S commands N's boat (team game)
thrones=S:a5,h4;E:d1   the thrones that have given a seat its point (team game)
lost=W,E         the seats whose raja was captured
killed=S>W       S's turn just captured W's raja, so an exchange may be offered (team game)
offer=S          S has offered that exchange
out=E            the seats that resigned or retired
agree=S,N        the seats that agree to end the game
quiet=37         turns without capture, pawn move or promotion
round=5          the number of the round, if rounds count
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.game import PositionError, Seat
from engine.games.chaturaji.moves import ChaturajiMove
from engine.games.chaturaji.position import (
    BOAT,
    INDEX,
    LETTERS,
    NOWHERE,
    PAWN,
    POINTS,
    RAJA,
    SEATS,
    SEEN,
    SQUARES,
    TEAM,
    THRONES,
    ChaturajiPosition,
    SeatSet,
    Teams,
    command_text,
    further_fields,
    in_play,
    letters_of,
    retired,
    turned,
)
from engine.games.chaturaji.rules import ChaturajiRules


def record_text(rules: ChaturajiRules, position: ChaturajiPosition, move: ChaturajiMove) -> str:
    """Return a legal move as records write it: `b1c3xN3`, `e7e8=E`, `f6d4#P`.

    A capture names the seat of the piece and its points; `#P` is a boats' parade.
    """
    text = move.origin + move.target
    pieces = position.pieces
    piece, victim = pieces.find(INDEX[move.origin]), pieces.find(INDEX[move.target])
    if victim >= 0:
        text += f"x{SEATS[victim >> 3]}{POINTS[victim & 7]}"
    if move.promotes:
        text += f"={move.promotes}"
    if piece & 7 == BOAT:
        after = rules.move(position, move, piece).pieces
        boats = [boat for boat in range(BOAT, 32, 8) if boat not in (piece, victim)]
        if any(pieces[boat] != NOWHERE == after[boat] for boat in boats):
            text += "#P"
    return text


def parse_position(rules: ChaturajiRules, text: str) -> ChaturajiPosition:
    """Return the position of a line; PositionError names the wrong field and the reason."""
    fields = text.split()
    if len(fields) < 5:
        raise PositionError(
            f"position: {len(fields)} fields; expected board, seat, dice, scores and origins"
        )
    board, seat, dice, scores, origins = fields[:5]
    extras = _parse_extras(fields[5:])
    named = _parse_origins(origins)
    pieces = _with_origins(_parse_rows(board) if "/" in board else _parse_list(board, named), named)
    position = ChaturajiPosition(
        pieces,
        _seat("seat", seat),
        _parse_dice(dice),
        _parse_scores(scores),
        quiet=_number("quiet", extras.get("quiet", "0"), 0, rules.stagnation),
        lost=_seat_set("lost", extras.get("lost")),
        out=_seat_set("out", extras.get("out")),
        agreed=_seat_set("agree", extras.get("agree")),
        round=_number("round", extras.get("round", "1"), 1, (rules.rounds or 0) + 1),
        teams=_parse_teams(rules, extras),
    )
    _refuse_impossible(rules, position)
    position = rules.settled(position)
    able = in_play(position) & ~rules.skipped(position)
    if not position.ended and not able >> position.seat & 1:
        raise PositionError(f"seat: {seat} cannot move: it left, has no pieces or stands still")
    return position


def _parse_extras(fields: list[str]) -> Mapping[str, str]:
    known = [key for key, _ in further_fields(ChaturajiPosition(b""))]
    found: dict[str, str] = {}
    for field in fields:
        key, _, value = field.partition("=")
        if key not in known or not value:
            raise PositionError(f"{field}: expected key=value with one of {', '.join(known)}")
        if key in found:
            raise PositionError(f"{key}: given twice")
        found[key] = value
    return found


_Pieces: TypeAlias = dict[int, tuple[Seat, str]]
"""Pieces by square, as (seat, letter)."""


def _parse_rows(text: str) -> _Pieces:
    rows = text.split("/")
    if len(rows) != 8:
        raise PositionError(f"board: {len(rows)} rows instead of 8")
    found: _Pieces = {}
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        file = 0
        for sign in row.split(","):
            if re.fullmatch("[1-8]", sign):
                file += int(sign)
            elif re.fullmatch("[swne][BHEKP]", sign):
                if file < 8:
                    found[8 * rank + file] = SEATS.index(sign[0].upper()), sign[1]
                file += 1
            else:
                raise PositionError(f"board: rank {rank + 1}: {sign!r} is no piece and no number")
        if file != 8:
            raise PositionError(f"board: rank {rank + 1} has {file} squares instead of 8")
    return found


def _parse_list(text: str, named: dict[int, int]) -> _Pieces:
    """Return the pieces of a list; add its origins to `named`."""
    found: _Pieces = {}
    for item in text.split(","):
        match = re.fullmatch("([swne])([BHEKP])([a-h][1-8])(:[BHEK])?", item)
        if match is None:
            raise PositionError(f"board: {item!r} is neither a row nor a piece like sPa2:B")
        square = INDEX[match[3]]
        if square in found:
            raise PositionError(f"board: two pieces on {match[3]}")
        found[square] = SEATS.index(match[1].upper()), match[2]
        if match[4]:
            _name_origin(named, square, match[4][1])
    return found


def _parse_origins(text: str) -> dict[int, int]:
    """Return the start lane of each listed pawn by its square."""
    named: dict[int, int] = {}
    for item in [] if text == "-" else text.split(","):
        match = re.fullmatch("([a-h][1-8]):([BHEK])", item)
        if match is None:
            raise PositionError(f"origins: {item!r} is not like a2:B")
        _name_origin(named, INDEX[match[1]], match[2])
    return named


def _name_origin(named: dict[int, int], square: int, letter: str) -> None:
    if square in named:
        raise PositionError(f"origins: {SQUARES[square]} is given twice")
    named[square] = LETTERS.index(letter)


def _with_origins(board: _Pieces, named: Mapping[int, int]) -> bytes:
    """Return the square of each piece; a pawn without a named origin is on its start lane."""
    for seat in range(4):
        letters = [letter for owner, letter in board.values() if owner == seat]
        for letter, most in ("B", 1), ("H", 1), ("E", 1), ("K", 1), ("P", 4):
            count = letters.count(letter)
            if count > most:
                raise PositionError(f"board: {SEATS[seat]} has {count} pieces {letter}, not {most}")
    for square in named:
        if square not in board or board[square][1] != "P":
            raise PositionError(f"origins: there is no pawn on {SQUARES[square]}")
    pieces = bytearray([NOWHERE] * 32)
    for square, (seat, letter) in board.items():
        if letter != "P":
            pieces[8 * seat + LETTERS.index(letter)] = square
            continue
        lane, line = SEEN[seat][square]
        origin = named.get(square, lane)
        where = f"the pawn of {SEATS[seat]} on {SQUARES[square]}"
        if origin >= PAWN:
            raise PositionError(f"origins: {where} is not where it started; say its origin")
        if abs(lane - origin) >= line:
            home = SQUARES[turned(seat, origin, 1)]
            raise PositionError(f"origins: {where} cannot have come there from {home}")
        piece = 8 * seat + PAWN + origin
        if pieces[piece] != NOWHERE:
            both = f"{SQUARES[pieces[piece]]} and {SQUARES[square]}"
            raise PositionError(f"origins: {both} cannot both have the origin {LETTERS[origin]}")
        pieces[piece] = square
    return bytes(pieces)


def _parse_dice(text: str) -> tuple[int, ...]:
    if text == "-":
        return ()
    if not re.fullmatch(r"[2-5](\+[2-5])?", text):
        raise PositionError(f"dice: {text!r} is not like 3, 2+5 or -")
    return tuple(map(int, text.split("+")))


def _parse_scores(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]{1,4}(,[0-9]{1,4}){3}", text):
        raise PositionError(f"scores: {text!r} is not four numbers like 0,0,0,0")
    return tuple(map(int, text.split(",")))


def _parse_teams(rules: ChaturajiRules, extras: Mapping[str, str]) -> Teams:
    for key in ("command", "boat", "thrones", "killed", "offer"):
        if key in extras and not rules.teams:
            raise PositionError(f"{key}: only in the team game")
    commanders = heirs = boats = thrones = 0
    for item in _items("command", extras, ","):
        pair, _, why = item.partition(":")
        seat = _partner_pair("command", pair)
        if commanders & TEAM[seat] or why not in ("", "lost"):
            raise PositionError(f"command: {item!r} is not like S>N or S>N:lost, once a team")
        commanders |= 1 << seat
        heirs |= (why == "lost") << seat
    for item in _items("boat", extras, ","):
        boats |= 1 << _partner_pair("boat", item)
    for item in _items("thrones", extras, ";"):
        name, _, squares = item.partition(":")
        seat = _seat("thrones", name)
        enemies = {SQUARES[THRONES[s]]: s for s in range(4) if TEAM[s] != TEAM[seat]}
        for square in squares.split(","):
            if square not in enemies or rules.team_rules.every_entry:
                raise PositionError(f"thrones: {name}:{square} is not to be remembered")
            thrones |= 1 << 4 * seat + enemies[square]
    killed = offer = None
    if "killed" in extras:
        killer, _, dead = extras["killed"].partition(">")
        killed = _seat("killed", killer), _seat("killed", dead)
    if "offer" in extras:
        offer = _seat("offer", extras["offer"])
    return Teams(commanders, heirs, boats, thrones, killed, offer)


def _items(key: str, extras: Mapping[str, str], sign: str) -> list[str]:
    return extras[key].split(sign) if key in extras else []


def _seat(key: str, text: str) -> Seat:
    if text not in ("S", "W", "N", "E"):
        raise PositionError(f"{key}: {text!r} is none of the seats S, W, N, E")
    return SEATS.index(text)


def _seat_set(key: str, text: str | None) -> SeatSet:
    seats = [_seat(key, name) for name in text.split(",")] if text else []
    return sum(1 << seat for seat in set(seats))


def _partner_pair(key: str, text: str) -> Seat:
    seat = _seat(key, text[:1])
    if text != command_text(seat):
        raise PositionError(f"{key}: {text!r} is not like {command_text(seat)}")
    return seat


def _number(key: str, text: str, least: int, most: int) -> int:
    if not re.fullmatch("[0-9]{1,4}", text) or not least <= int(text) <= most:
        raise PositionError(f"{key}: {text!r} is not a number from {least} to {most}")
    return int(text)


def _refuse_impossible(rules: ChaturajiRules, position: ChaturajiPosition) -> None:
    """Raise PositionError if the fields contradict each other or the options."""
    pieces, teams = position.pieces, position.teams

    def refuse(key: str, seats: SeatSet, why: str) -> None:
        if seats:
            raise PositionError(f"{key}: {why}: {letters_of(seats)}")

    def those(holds: Callable[[Seat], object]) -> SeatSet:
        return sum(1 << seat for seat in range(4) if holds(seat))

    if len(position.dice) > rules.dice:
        raise PositionError(f"dice: {len(position.dice)} in a game with {rules.dice}")
    rajas = those(lambda seat: pieces[8 * seat + RAJA] != NOWHERE)
    left = retired(position)
    refuse("lost", position.lost & rajas, "the raja stands on the board")
    refuse(
        "lost", 15 & ~(position.lost | rajas | left), "no raja on the board, so it must be listed"
    )
    refuse("out", 0 if rules.retire else left, "no piece left, but nobody retires in this game")
    playing = in_play(position)
    refuse("agree", position.agreed & ~playing, "no part in the game any more")
    leaders = teams.commanders | teams.boats
    followers = those(lambda seat: leaders >> (seat ^ 2) & 1)
    refuse("command or boat", leaders & ~playing, "no part in the game any more")
    refuse("command or boat", followers & position.out, "no part in the game any more")
    boatless = those(lambda seat: pieces[8 * (seat ^ 2) + BOAT] == NOWHERE)
    refuse("boat", teams.boats & boatless, "the partner has no boat")
    _check_exchange(rules, position)


def _check_exchange(rules: ChaturajiRules, position: ChaturajiPosition) -> None:
    killed, offer = position.teams.killed, position.teams.offer
    if killed is None:
        if offer is not None:
            raise PositionError("offer: nothing was killed that could be exchanged")
        return
    killer, dead = killed
    ours = position.lost & TEAM[killer]
    if (
        TEAM[killer] == TEAM[dead]
        or not position.lost >> dead & 1
        or ours.bit_count() != 1
        or position.out & (ours | 1 << dead)
        or (rules.dice and len(position.dice) == rules.dice)
    ):
        raise PositionError("killed: there is nothing to exchange")
    if offer is not None and (TEAM[offer] != TEAM[killer] or not in_play(position) >> offer & 1):
        raise PositionError(f"offer: {SEATS[offer]} cannot offer this exchange")
