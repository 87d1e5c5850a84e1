"""Records of Abalone in Aba-Pro notation, as players pass them on in text files.

    [Black] Ada
    [layout] belgian_daisy
    [Result] 1-0
    [Score] 6-2

    1. a1b2 i9h8
    2. b2b4c3 white resign

Tags come first, one a line; then the moves in pairs, black's and white's, with their number. Tags
named like an option of the game set it; `[position]` holds the position that the record begins
with, if that is not the layout's. Whoever gives up or loses on time does so among the moves:
`resign` and `flag` on the own turn, `white resign` out of turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.game import Claim, GameError, IllegalMoveError, MoveError
from engine.games.abalone import Abalone, AbaloneMove, AbalonePosition
from engine.notation.lines import LONGEST_TEXT, MOST_MOVES, message, shown, split, trimmed

_TAG: Final = re.compile(r"\[\s*(\w[\w -]*?)\s*(?:\]\s*(.*)|\"(.*)\"\s*\])")
_NUMBER: Final = re.compile(r"(?<![0-9])[0-9]{1,9}\s*\.|\.\.+|…")
_POSITION: Final = "position"
_COMMENT: Final = re.compile(r"\{[^}]*(\}?)")
_LINE_LENGTH: Final = 79
_LONGEST_TAG: Final = 2000


@dataclass(frozen=True)
class AbaProRecord:
    """A game of Abalone as far as it is written down."""

    game: Abalone
    start: AbalonePosition
    moves: tuple[AbaloneMove | Claim, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    """What else is known, the tags: `Black`, `White`, `Event` …"""

    def positions(self) -> Iterator[AbalonePosition]:
        """Yield the start and the position after each move."""
        position = self.start
        yield position
        for move in self.moves:
            position = self.game.play(position, move)
            yield position


def read(text: str) -> AbaProRecord:
    """Return the game written in `text`.

    Understood beside what `write` writes: tags in quotes (`[Black "Ada"]`), upper case, numbers
    without a blank behind them or none at all, moves in Nacre, dashes within a move, marks such as
    `!?` after it, comments in braces and lines that begin with `#`. MoveError names the move and
    why it cannot be; PositionError and OptionError say what is wrong with a tag, and GameError that
    a text is longer than a record can be.
    """
    if len(text) > LONGEST_TEXT:
        raise GameError(f"the text is longer than {LONGEST_TEXT} signs")
    tags: dict[str, str] = {}
    lines = []
    for line in map(trimmed, split(text.lstrip("\ufeff"))):
        if found := _TAG.fullmatch(line) if len(line) < _LONGEST_TAG else None:
            tags[found[1]] = trimmed(found[2] or found[3] or "")
        elif not line.startswith("#"):
            lines.append(line)
    options, position = {}, None
    for tag in list(tags):
        key = re.sub("[ -]", "_", tag).lower()
        if any(key == option.name for option in Abalone.known_options):
            options[key] = re.sub("[ -]", "_", tags.pop(tag)).lower()
        elif key == _POSITION:
            position = tags.pop(tag)
    try:
        game = Abalone(options)
        start = game.start() if position is None else game.parse_position(position)
    except GameError as error:
        raise type(error)(message(str(error))) from error
    moves = tuple(_moves(game, start, " ".join(lines)))
    return AbaProRecord(game, start, moves, tags)


def _moves(game: Abalone, position: AbalonePosition, text: str) -> Iterator[AbaloneMove | Claim]:
    """Yield the moves of a record without its tags."""
    for comment in _COMMENT.finditer(text):
        if not comment[1]:
            raise MoveError(f"the comment {shown(comment[0])} has no end")
    plain = _COMMENT.sub(" ", text)
    words = iter(_NUMBER.sub(" ", plain).lower().replace(",", " ").split())
    ply = position.turn
    for word in words:
        if ply > MOST_MOVES:
            raise MoveError(f"number {ply // 2 + 1}: more than {MOST_MOVES} moves")
        said = f"{word} {next(words, '')}" if word in game.seats else word
        try:
            move = game.parse_move(position, said.rstrip("!?;").replace("-", "").strip())
            position = game.play(position, move)
        except MoveError as error:
            where = message(f"number {ply // 2 + 1}, {game.seats[position.turn]}: {error}")
            if isinstance(error, IllegalMoveError):
                raise IllegalMoveError(where, error.reason) from error
            raise MoveError(where) from error
        ply += isinstance(move, AbaloneMove)
        yield move


def write(record: AbaProRecord) -> str:
    """Return the record as text that `read` understands; GameError if a tag cannot be written.

    `Result` (1-0, 0-1 or 1/2-1/2, black's first) and `Score` (what black and white ejected) are
    written from the moves once the game is over, else as the tags say.
    """
    game, positions = record.game, list(record.positions())
    tags = dict(record.headers)
    if ended := game.outcome(positions[-1], positions[:-1]):
        winner = next(iter(ended.winners), None)
        tags["Result"] = "1/2-1/2" if winner is None else ("1-0", "0-1")[winner]
        tags["Score"] = "{}-{}".format(*ended.points)
    for option in game.known_options:
        if game.options[option.name] != option.default or option.name == "layout":
            tags[option.name] = game.options[option.name]
    if record.start != game.start():
        tags[_POSITION] = game.position_text(record.start)
    lines = [_tag_line(name, value) for name, value in tags.items()]
    texts = [
        game.move_text(position, move)
        for position, move in zip(positions, record.moves, strict=False)
    ]
    return "\n".join([*lines, "", *_move_lines(texts, record.start.turn)]) + "\n"


def _tag_line(name: str, value: str) -> str:
    line = f"[{name}] {value}".rstrip()
    found = _TAG.fullmatch(line)
    whole = len(line) < _LONGEST_TAG and len(split(line)) == 1 and trimmed(value) == value
    if not whole or found is None or (found[1], found[2]) != (name, value):
        raise GameError(f"tag {name!r}: {value!r} cannot be written on one line of a record")
    return line


def _move_lines(texts: Sequence[str], turn: int) -> Iterator[str]:
    """Yield numbered pairs, as many as fit on a line; with white to move the first lacks half."""
    cells = [*["..."] * turn, *texts]
    line = ""
    for number, at in enumerate(range(0, len(cells), 2), 1):
        pair = f"{number}. {' '.join(cells[at : at + 2])}"
        if line and len(line) + 1 + len(pair) > _LINE_LENGTH:
            yield line
            line = pair
        else:
            line = f"{line} {pair}".lstrip()
    if line:
        yield line
