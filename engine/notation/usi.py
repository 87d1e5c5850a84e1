"""Games of Shogi and Robot Duel in the words of the USI protocol.

    position startpos moves 7g7f 3c3d
    position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 5a6b

Such a line holds only the start and the moves on the board: no names, no claims, no end. Some
programs add a word for the end after the moves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from engine.game import GameError, MoveError, Outcome
from engine.games.shogi import Shogi, ShogiMove, ShogiPosition
from engine.match import AnyGame, AnyMove, Match
from engine.notation.lines import shown, split, words
from engine.notation.shogi_record import (
    ReadingNotes,
    ShogiRecord,
    ShogiRecordError,
    Transcript,
    decode,
    ending_words,
    outcome_of,
    parse_position,
)

# ---- words of moves and positions

VARIANTS: Final = {"shogi": "shogi", "robot-duel": "dobutsu"}
"""By game: its name in engines."""
VARIANT_OPTIONS: Final = ("USI_Variant", "UCI_Variant")
"""The engine option for the game; Fairy-Stockfish used the second name until 2022."""
IMPASSE_OPTION: Final = "EnteringKingRule"
"""The option for the rule of impasse in YaneuraOu and engines after it."""
IMPASSES: Final = {
    "agreement24": "NoEnteringKing",
    "declaration27": "CSARule27",
    "off": "NoEnteringKing",
}
"""By our value of that option: theirs. Only with declaration27 may an engine declare a win."""
_FILES: Final = {"A": "3", "B": "2", "C": "1"}
_RANKS: Final = dict(zip("1234", "abcd", strict=True))
_COLUMNS: Final = {file: column for column, file in _FILES.items()}
_ROWS: Final = {rank: row for row, rank in _RANKS.items()}
_OURS: Final = re.compile(r"([A-C][1-4]|[CEG]\*)([A-C][1-4])(\+?)")
_THEIRS: Final = re.compile(r"([1-3][a-d]|[CEGceg][*@])([1-3][a-d])(\+?)")


def move_word(game: AnyGame, position: Any, move: AnyMove) -> str:
    """Return the USI word of a legal move."""
    text = game.move_text(position, move)
    if game.name == "shogi":
        return text
    found = _OURS.fullmatch(text)
    assert found is not None
    start, end, turned = found.groups()
    return f"{start if '*' in start else _square(start)}{_square(end)}{turned}"


def move_of(game: AnyGame, position: Any, word: str) -> AnyMove:
    """Return the legal move of a USI word; MoveError if the word is no move, IllegalMoveError if
    the rules forbid the move.
    """
    if game.name != "shogi":
        found = _THEIRS.fullmatch(word)
        if found is None:
            raise MoveError(f"{word!r} is no move as USI writes it")
        start, end, turned = found.groups()
        origin = f"{start[0].upper()}*" if start[1] in "*@" else _cell(start)
        word = f"{origin}{_cell(end)}{turned}"
    return game.parse_move(position, word)


def match_of(game: AnyGame, words: Sequence[str]) -> Match:
    """Return the match of the words after `position`; GameError says what is wrong."""
    start, moves = _parts(words)
    position = type(game)().start()
    if start[:1] == ["sfen"]:
        position = game.parse_position(" ".join(start[1:]))
    elif start[:1] != ["startpos"]:
        raise GameError("expected startpos or sfen")
    match = Match.begin(game, position)
    for word in moves:
        match = match.play(move_of(game, match.position, word))
    return match


def is_robot_duel(words: Sequence[str]) -> bool:
    """Return whether these words are of Robot Duel.

    Its board has four rows, and no game of Shogi begins with a move from the other side's camp.
    """
    start, moves = _parts(words)
    if start[:1] == ["sfen"]:
        return len(start) > 1 and start[1].count("/") == len(_RANKS) - 1
    return bool(moves) and _THEIRS.fullmatch(moves[0]) is not None


def _parts(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before and after `moves`."""
    said = list(words)
    at = said.index("moves") if "moves" in said else len(said)
    return said[:at], said[at + 1 :]


def position_word(game: AnyGame, position: Any) -> str:
    """Return the USI words of a position: `startpos` without a handicap, or `sfen` and the
    position.
    """
    if position == type(game)().start():
        return "startpos"
    return f"sfen {game.position_text(position)}"


def _square(cell: str) -> str:
    return _FILES[cell[0]] + _RANKS[cell[1]]


def _cell(square: str) -> str:
    return _COLUMNS[square[0]] + _ROWS[square[1]]


# ---- records of Shogi

_SAID: Final = ("asked:", "ended:")
"""The first parts of our fields for claims, which may follow the number of a position."""
_WORD: Final = re.compile("[A-Za-z_-]+")
_MEANINGS: Final = ending_words(
    losses={
        "resign": "resign",
        "flag": "timeout time_up",
        "mate": "mate checkmate",
        "illegal-move": "lose lose_foul illegal_move illegal_lose",
        "perpetual-check": "rep_lose",
    },
    wins={"declare": "win", "illegal-move": "win_foul illegal_win", "perpetual-check": "rep_win"},
    draws={
        "repetition": "rep_draw repetition sennichite",
        "jishogi": "jishogi impasse",
        "agreement": "draw",
    },
)
"""The words of ShogiGUI, ShogiHome and later programs."""
_STOPPED: Final = (
    *("break", "stop", "interrupt", "abort", "max_moves"),
    *("no_mate", "rep_sup", "rep_inf"),
)
"""Words without a winner."""
_MOVE: Final = re.compile(r"([1-9][a-i]|[A-Z]\*)[1-9][a-i]\+?")


def write(record: ShogiRecord) -> str:
    """Return the line, without a line end."""
    played, _, _ = record.score()
    moves = " ".join(["moves", *(move.text for _, move in played)]) if played else ""
    return f"position {position_word(record.game, record.start)} {moves}".rstrip()


def read(data: str | bytes, game: Shogi | None = None) -> ShogiRecord:
    """Return the game of the first such line in a text; the word `position` may be missing.

    The notes of the record list other lines and unknown words. ShogiRecordError names the wrong
    word or move and the reason.
    """
    game, notes, found = game or Shogi(), ReadingNotes(), None
    for line in notes.each(split(decode(data))):
        if found is None and _begins(line):
            at, found = notes.line, line
        elif line:
            notes.skipped(line)
    if found is None:
        raise notes.error("no line that begins with position, startpos or sfen")
    notes.line = at
    return _record(words(found), game, notes)


def split_at_ending(said: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words of a line up to the last move, and those after it."""
    first = said.index("moves") + 1 if "moves" in said else len(said)
    words_at = (at for at in range(first, len(said)) if _WORD.fullmatch(said[at]))
    end = next(words_at, len(said))
    return said[:end], said[end:]


def _begins(line: str) -> bool:
    """Return whether a line holds a game: it begins with a known word or a board."""
    word = next(iter(words(line)), "")
    return word in ("position", "startpos", "sfen") or word.count("/") == 8


def _record(said: Sequence[str], game: Shogi, notes: ReadingNotes) -> ShogiRecord:
    """Return the game of the words of a line, the current one of `notes`."""
    said = said[1:] if said[0] == "position" else said
    said, ending = split_at_ending(said)
    at = said.index("moves") if "moves" in said else len(said)
    transcript = Transcript(game, _start(said[:at], game, notes))
    for number, word in enumerate(said[at + 1 :], 1):
        where = f"{notes.where}, move {number}"
        try:
            move = ShogiMove(word)
        except MoveError as error:
            raise ShogiRecordError(f"{where}: {error}") from error
        transcript.play(move, where)
    outcome = _ending(ending[0], transcript, notes) if ending else None
    _skip(ending[1:], notes)
    return transcript.record({}, outcome, notes)


def _start(said: Sequence[str], game: Shogi, notes: ReadingNotes) -> ShogiPosition:
    """Return the position of the words before `moves`."""
    if said[:1] == ["startpos"]:
        _skip(said[1:], notes)
        return Shogi().start()
    fields = said[1:] if said[:1] == ["sfen"] else said
    if not fields or (fields is said and "/" not in said[0]):
        raise notes.error(f"expected startpos or sfen, not {shown(' '.join(said))}")
    number = int(fields[3].isdecimal()) if len(fields) > 3 else 0  # the number is dropped
    further = fields[3 + number :]
    _skip([field for field in further if not field.startswith(_SAID)], notes)
    kept = [field for field in further if field.startswith(_SAID)]
    return parse_position(game, " ".join([*fields[:3], "1", *kept]), notes.where)


def _skip(said: Sequence[str], notes: ReadingNotes) -> None:
    """Skip unknown words; ShogiRecordError if one of them is a move."""
    for word in said:
        if _MOVE.fullmatch(word):
            raise notes.error(f"{shown(word)} does not stand among the moves")
    if said:
        notes.skipped(" ".join(said))


def _ending(word: str, transcript: Transcript, notes: ReadingNotes) -> Outcome | None:
    """Return the outcome of a word after the moves."""
    said = word.lower().replace("-", "_")
    if said not in _MEANINGS and said not in _STOPPED:
        notes.add(f"{shown(word)} is no end that is known: nobody has won")
    return transcript.outcome_said(outcome_of(_MEANINGS, said, transcript.turn))
