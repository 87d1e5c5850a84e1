"""Records of Abalone in Aba-Pro notation, as players exchange them in text files.

    [Black] Ada
    [layout] belgian_daisy
    [Result] 1-0
    [Score] 6-2

    1. a1b2 i9h8
    2. b2b4c3 white resign

Tags come first, one per line, then the numbered moves in pairs of black and white. A tag with the
name of an option sets it; `[position]` holds the start position if it is not that of the layout.
Resignation and loss on time stand among the moves: `resign` and `flag` in turn, `white
resign` out of turn.
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
    """A recorded game of Abalone."""

    game: Abalone
    start: AbalonePosition
    moves: tuple[AbaloneMove | Claim, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    """The other tags: `Black`, `White`, `Event` …"""

    def positions(self) -> Iterator[AbalonePosition]:
        """Yield the start and the position after each move."""
        return self.game.positions(self.start, self.moves)


def read(text: str) -> AbaProRecord:
    """Return the game of a text.

    Beyond what `write` writes it reads tags in quotes (`[Black "Ada"]`), upper case, numbers
    without a blank after them or none at all, moves in Nacre, dashes in a move, marks such as `!?`
    after it, comments in braces, and lines that begin with `#`. MoveError names an illegal move and
    the reason, PositionError and OptionError a wrong tag, and GameError a text that is too long.
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
    """Yield the moves of a text without tags."""
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
    """Return the record as text for `read`; GameError if a tag cannot be written.

    `Result` (1-0, 0-1 or 1/2-1/2, black first) and `Score` (ejections by black and white) come from
    the moves of a finished game, else from the tags.
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
    texts = list(map(game.move_text, positions, record.moves))
    return "\n".join([*lines, "", *_move_lines(texts, record.start.turn)]) + "\n"


def _tag_line(name: str, value: str) -> str:
    line = f"[{name}] {value}".rstrip()
    found = _TAG.fullmatch(line)
    whole = len(line) < _LONGEST_TAG and len(split(line)) == 1 and trimmed(value) == value
    if not whole or found is None or (found[1], found[2]) != (name, value):
        raise GameError(f"tag {name!r}: {value!r} cannot be written on one line of a record")
    return line


def _move_lines(texts: Sequence[str], turn: int) -> Iterator[str]:
    """Yield lines of numbered pairs; with white to move the first pair lacks black's move."""
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
