"""Games of Shogi as the USI protocol hands them to an engine.

    position startpos moves 7g7f 3c3d
    position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 5a6b

Such a line holds the start and the moves on the board, nothing else: no names, no claims, no end.
"""

from __future__ import annotations

from engine.game import MoveError, PositionError
from engine.games.shogi import Move, Shogi
from engine.notation.shogi_record import Record, RecordError, Transcript


def write(record: Record) -> str:
    """Return the line, without a line end."""
    played, _, _ = record.score()
    start = "startpos"
    if record.start != record.game.start():
        start = f"sfen {record.game.position_text(record.start)}"
    moves = "".join(f" {move.text}" for _, move in played)
    return f"position {start}" + (f" moves{moves}" if moves else "")


def read(text: str, game: Shogi | None = None) -> Record:
    """Return the game of such a line; the word `position` may be missing.

    RecordError says which word or move is wrong and why.
    """
    game = game or Shogi()
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        raise RecordError(f"line 1: expected one line, not {len(lines)}")
    words = lines[0].split()
    if words[0] == "position":
        words = words[1:]
    start, moves = words, list[str]()
    if "moves" in words:
        at = words.index("moves")
        start, moves = words[:at], words[at + 1 :]
    if start == ["startpos"]:
        position = game.start()
    elif start[:1] == ["sfen"]:
        try:
            position = game.parse_position(" ".join(start[1:]))
        except PositionError as error:
            raise RecordError(f"line 1: {error}") from error
    else:
        raise RecordError(f"line 1: expected startpos or sfen, not {' '.join(start)!r}")
    transcript = Transcript(game, position)
    for number, word in enumerate(moves, 1):
        where = f"line 1, move {number}"
        try:
            move = Move(word)
        except MoveError as error:
            raise RecordError(f"{where}: {error}") from error
        transcript.play(move, where)
    return transcript.record({}, None)
